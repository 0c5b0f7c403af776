//! Readouts that bend strongly: a planar chain of links, and a beam with rotations and stretch.

use nalgebra::{Matrix3, Vector3};
use supple_model::{Ask, Linearized, Readout};

/// Links of length 1/n in the plane, their angles linear in z; one site, the tip.
pub struct Chain {
    /// One row of angles per link.
    pub angles: Vec<Vec<f64>>,
    /// The angles of the input.
    pub input: Vec<f64>,
}

impl Chain {
    /// Angles in waves: mode k has (k + ½) half waves.
    pub fn new(links: usize, modes: usize, bend: f64) -> Self {
        let row = |link: usize| {
            let x = (link as f64 + 0.5) / links as f64;
            (0..modes).map(|k| 1.4 * ((k as f64 + 0.5) * std::f64::consts::PI * x).sin()).collect()
        };
        let input = (0..links).map(|link| bend * (link as f64 + 0.5) / links as f64).collect();
        Self { angles: (0..links).map(row).collect(), input }
    }

    fn angle(&self, link: usize, z: &[f64]) -> f64 {
        self.input[link] + self.angles[link].iter().zip(z).map(|(a, z)| a * z).sum::<f64>()
    }
}

impl Readout for Chain {
    fn modes(&self) -> usize {
        self.angles[0].len()
    }

    fn sites(&self) -> usize {
        1
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        asks.iter().map(|ask| self.tip(ask.z)).collect()
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        asks.iter().map(|ask| Linearized { value: self.tip(ask.z), rows: self.slopes(ask.z) }).collect()
    }
}

impl Chain {
    fn tip(&self, z: &[f64]) -> [f64; 3] {
        let length = 1.0 / self.angles.len() as f64;
        let mut tip = [0.0; 3];
        for link in 0..self.angles.len() {
            let (sin, cos) = self.angle(link, z).sin_cos();
            tip[0] += length * cos;
            tip[1] += length * sin;
        }
        tip
    }

    fn slopes(&self, z: &[f64]) -> [Vec<f64>; 3] {
        let length = 1.0 / self.angles.len() as f64;
        let [mut x, mut y, away] = [0; 3].map(|_| vec![0.0; z.len()]);
        for (link, angles) in self.angles.iter().enumerate() {
            let (sin, cos) = self.angle(link, z).sin_cos();
            for k in 0..angles.len() {
                x[k] -= length * sin * angles[k];
                y[k] += length * cos * angles[k];
            }
        }
        [x, y, away]
    }
}

/// A beam of unit length along x in pieces: piece j has the rotation vector ω_j and the stretch ε_j, both linear in
/// z, and points along exp(ω_j)(1 + ε_j) e_x, as a rotation–strain warp would have it. Sites are ends of pieces.
#[derive(Debug)]
pub struct Beam {
    /// ω and ε of every piece and mode, on top of the input's.
    pieces: Vec<Vec<[f64; 4]>>,
    /// ω of the input, growing with the frame up to its last one.
    bend: Vector3<f64>,
    frames: f64,
    /// The piece at whose end each site is.
    ends: Vec<usize>,
}

impl Beam {
    /// Bent by the rotation vector `bend` at the tip at the last of `frames`, by its frame's share before. `give` says
    /// how easily it is stretched.
    pub fn new(modes: usize, bend: [f64; 3], frames: usize, give: f64) -> Self {
        let count = 24;
        let piece = |j: usize| {
            let x = (j as f64 + 0.5) / count as f64;
            let of = |k: usize| {
                let wave = ((k / 5) as f64 + 0.5) * std::f64::consts::PI;
                let slope = 1.4 * wave * (wave * x).sin();
                match k % 5 {
                    0 | 1 => [0.0, slope, 0.0, 0.0],
                    2 | 3 => [0.0, 0.0, slope, 0.0],
                    _ if (k / 5) % 2 == 1 => [slope, 0.0, 0.0, 0.0],
                    _ => [0.0, 0.0, 0.0, give * wave * (wave * x).cos()],
                }
            };
            // Pairs of equal modes in another wave form, so that no mode repeats another.
            (0..modes)
                .map(|k| of(k).map(|c| if k % 5 == 1 || k % 5 == 3 { c * (0.3 + x) } else { c }))
                .collect()
        };
        Self {
            pieces: (0..count).map(piece).collect(),
            bend: Vector3::from(bend),
            frames: frames as f64,
            ends: vec![count, count / 2, count / 4],
        }
    }

    fn piece(&self, j: usize, frame: usize, z: &[f64]) -> (Vector3<f64>, f64) {
        let share = (j as f64 + 0.5) / self.pieces.len() as f64 * (frame as f64 + 1.0) / self.frames;
        let (mut omega, mut stretch) = (self.bend * share, 1.0);
        for (c, z) in self.pieces[j].iter().zip(z) {
            omega += Vector3::new(c[0], c[1], c[2]) * *z;
            stretch += c[3] * z;
        }
        (omega, stretch)
    }
}

/// exp of a rotation vector.
fn rotation(omega: &Vector3<f64>) -> Matrix3<f64> {
    nalgebra::Rotation3::new(*omega).into_inner()
}

/// ∂(exp(ω)v)/∂ω = −exp(ω) [v]× T(ω), T the right Jacobian of exp.
fn turned(omega: &Vector3<f64>, v: &Vector3<f64>) -> Matrix3<f64> {
    let (t, W) = (omega.norm(), omega.cross_matrix());
    let (a, b) = if t < 1e-3 {
        (0.5 - t * t / 24.0, 1.0 / 6.0 - t * t / 120.0)
    } else {
        ((1.0 - t.cos()) / (t * t), (t - t.sin()) / (t * t * t))
    };
    -rotation(omega) * v.cross_matrix() * (Matrix3::identity() - W * a + W * W * b)
}

impl Readout for Beam {
    fn modes(&self) -> usize {
        self.pieces[0].len()
    }

    fn sites(&self) -> usize {
        self.ends.len()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        asks.iter().map(|ask| self.place(ask)).collect()
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        asks.iter().map(|ask| Linearized { value: self.place(ask), rows: self.slopes(ask) }).collect()
    }
}

impl Beam {
    fn place(&self, &Ask { site, frame, z }: &Ask<'_>) -> [f64; 3] {
        let length = 1.0 / self.pieces.len() as f64;
        let mut at = Vector3::zeros();
        for j in 0..self.ends[site] {
            let (omega, stretch) = self.piece(j, frame, z);
            at += rotation(&omega) * Vector3::x() * (length * stretch);
        }
        at.into()
    }

    fn slopes(&self, &Ask { site, frame, z }: &Ask<'_>) -> [Vec<f64>; 3] {
        let length = 1.0 / self.pieces.len() as f64;
        let mut J = vec![Vector3::zeros(); z.len()];
        for j in 0..self.ends[site] {
            let (omega, stretch) = self.piece(j, frame, z);
            let by_omega = turned(&omega, &Vector3::x()) * (length * stretch);
            let along = rotation(&omega) * Vector3::x() * length;
            for (J, c) in J.iter_mut().zip(&self.pieces[j]) {
                *J += by_omega * Vector3::new(c[0], c[1], c[2]) + along * c[3];
            }
        }
        std::array::from_fn(|axis| J.iter().map(|J| J[axis]).collect())
    }
}

#[test]
fn their_derivatives_are_right() {
    let mut random = super::Random::new(1);
    let bodies: [&dyn Readout; 2] = [&Chain::new(9, 5, 1.0), &Beam::new(12, [0.3, 1.5, -0.4], 20, 0.2)];
    for body in bodies {
        let n = body.modes();
        for site in 0..body.sites() {
            let z: Vec<f64> = random.numbers(n).iter().map(|z| 0.3 * z).collect();
            let Linearized { value, rows } = body.linearized(&[Ask { site, frame: 7, z: &z }]).remove(0);
            assert_eq!(value, body.value(site, 7, &z));
            for k in 0..n {
                let step = 1e-5;
                let at = |sign: f64| {
                    let mut z = z.clone();
                    z[k] += sign * step;
                    body.value(site, 7, &z)
                };
                let (after, before) = (at(1.0), at(-1.0));
                for axis in 0..3 {
                    let found = (after[axis] - before[axis]) / (2.0 * step);
                    assert!((found - rows[axis][k]).abs() < 1e-8 * (1.0 + found.abs()), "{found}");
                }
            }
        }
    }
}
