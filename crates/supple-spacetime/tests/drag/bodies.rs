//! Readouts that bend strongly: a planar chain of links, and a beam with rotations and stretch.

use nalgebra::{Matrix3, Vector3};
use supple_model::{Ask, Instant, Linearized, Readout};

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
            ends: [count, count / 2, count / 4].into_iter().chain(1..count).collect(),
        }
    }

    fn piece(&self, j: usize, at: Instant, z: &[f64]) -> (Vector3<f64>, f64) {
        let share = (j as f64 + 0.5) / self.pieces.len() as f64 * (at.frames() + 1.0) / self.frames;
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
    fn place(&self, &Ask { site, at, z }: &Ask<'_>) -> [f64; 3] {
        let length = 1.0 / self.pieces.len() as f64;
        let mut place = Vector3::zeros();
        for j in 0..self.ends[site] {
            let (omega, stretch) = self.piece(j, at, z);
            place += rotation(&omega) * Vector3::x() * (length * stretch);
        }
        place.into()
    }

    fn slopes(&self, &Ask { site, at, z }: &Ask<'_>) -> [Vec<f64>; 3] {
        let length = 1.0 / self.pieces.len() as f64;
        let mut J = vec![Vector3::zeros(); z.len()];
        for j in 0..self.ends[site] {
            let (omega, stretch) = self.piece(j, at, z);
            let by_omega = turned(&omega, &Vector3::x()) * (length * stretch);
            let along = rotation(&omega) * Vector3::x() * length;
            for (J, c) in J.iter_mut().zip(&self.pieces[j]) {
                *J += by_omega * Vector3::new(c[0], c[1], c[2]) + along * c[3];
            }
        }
        std::array::from_fn(|axis| J.iter().map(|J| J[axis]).collect())
    }
}

/// Points in a unit cube, moved by waves of falling length in three directions, bent by their own size and turned by
/// the input: W = x + R(t) (p + b p×(p×c)), p = U z.
#[derive(Debug)]
pub struct Cloud {
    points: Vec<Vector3<f64>>,
    rows: Vec<Vec<Vector3<f64>>>,
    bend: f64,
}

impl Cloud {
    /// So many points; `bend` says how far from linear they move.
    pub fn new(points: usize, modes: usize, bend: f64) -> Self {
        let mut random = super::Random::new(5);
        let points: Vec<Vector3<f64>> =
            (0..points).map(|_| Vector3::from_fn(|_, _| 0.5 + 0.5 * random.number())).collect();
        let row = |x: &Vector3<f64>| {
            (0..modes)
                .map(|k| {
                    let wave = Self::wave(k / 3);
                    let field: f64 = (0..3)
                        .map(|axis| (std::f64::consts::PI * wave[axis] as f64 * x[axis]).cos())
                        .product();
                    Vector3::ith(k % 3, field)
                })
                .collect()
        };
        Self { rows: points.iter().map(row).collect(), points, bend }
    }

    /// The wave numbers of a field: all triples, those of small sums first.
    fn wave(index: usize) -> [usize; 3] {
        let all = (0..16)
            .flat_map(|sum| (0..=sum).flat_map(move |a| (0..=sum - a).map(move |b| [a, b, sum - a - b])));
        all.into_iter().nth(index).unwrap_or_default()
    }

    /// How easily each mode moves.
    pub fn variances(modes: usize) -> Vec<f64> {
        let of = |k: usize| {
            let square: usize = Self::wave(k / 3).iter().map(|n| n * n).sum();
            let x = square as f64;
            1.0 / ((1.0 + x) * (1.0 + x / 16.0))
        };
        (0..modes).map(of).collect()
    }

    fn turn(at: Instant) -> Matrix3<f64> {
        rotation(&Vector3::new(0.0, 0.3 * (0.13 * at.frames()).sin(), 0.01 * at.frames()))
    }

    fn edit(&self, site: usize, z: &[f64]) -> Vector3<f64> {
        self.rows[site].iter().zip(z).map(|(row, z)| row * *z).sum()
    }

    fn axis() -> Vector3<f64> {
        Vector3::new(0.6, 0.0, 0.8)
    }
}

impl Readout for Cloud {
    fn modes(&self) -> usize {
        self.rows[0].len()
    }

    fn sites(&self) -> usize {
        self.points.len()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        let of = |&Ask { site, at, z }: &Ask<'_>| {
            let p = self.edit(site, z);
            let bent = p + p.cross(&p.cross(&Self::axis())) * self.bend;
            (Self::turn(at) * (self.points[site] + bent)).into()
        };
        asks.iter().map(of).collect()
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let of = |ask: &Ask<'_>| {
            let (p, c) = (self.edit(ask.site, ask.z), Self::axis());
            // p×(p×c) = p (p·c) − c (p·p).
            let by_p = Matrix3::identity() * (1.0 + self.bend * p.dot(&c))
                + (p * c.transpose() - c * p.transpose() * 2.0) * self.bend;
            let J = Self::turn(ask.at) * by_p;
            let columns: Vec<Vector3<f64>> = self.rows[ask.site].iter().map(|row| J * row).collect();
            let rows = std::array::from_fn(|axis| columns.iter().map(|column| column[axis]).collect());
            Linearized { value: self.values(&[*ask])[0], rows }
        };
        asks.iter().map(of).collect()
    }
}

#[test]
fn their_derivatives_are_right() {
    let mut random = super::Random::new(1);
    let bodies: [&dyn Readout; 3] =
        [&Chain::new(9, 5, 1.0), &Beam::new(12, [0.3, 1.5, -0.4], 20, 0.2), &Cloud::new(4, 14, 0.7)];
    for body in bodies {
        let n = body.modes();
        for site in 0..body.sites() {
            let z: Vec<f64> = random.numbers(n).iter().map(|z| 0.3 * z).collect();
            let Linearized { value, rows } =
                body.linearized(&[Ask { site, at: Instant::from(7), z: &z }]).remove(0);
            assert_eq!(value, body.value(site, Instant::from(7), &z));
            for k in 0..n {
                let step = 1e-5;
                let at = |sign: f64| {
                    let mut z = z.clone();
                    z[k] += sign * step;
                    body.value(site, Instant::from(7), &z)
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
