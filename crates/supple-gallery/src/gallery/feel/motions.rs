//! Motions made of numbers: a sheet that hangs in the wind, a jelly that bounces, a doll of pieces that walks.
//!
//! Each is written as a mesh and a point cache, as a stranger's would come.

use anyhow::Context;
use nalgebra::{Rotation3, Unit};
use std::f64::consts::PI;
use std::path::Path;
use supple_formats::{MotionSettings, SurfaceFile, create_motion, write_obj};
use supple_mesh::Vec3;
use supple_model::Frame;
use supple_project::MotionFile;

/// Frames of each, 24 a second.
const FRAMES: usize = 72;

/// A surface at rest, and where a point of it is at a frame.
struct Motion {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The point, the piece it belongs to, the frame.
    at: fn(&Vec3, usize, f64) -> Vec3,
    piece: Vec<usize>,
}

/// Writes them all into a folder: their names and files.
pub fn write(folder: &Path) -> anyhow::Result<Vec<(String, MotionFile)>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let all = [("sheet", sheet()), ("jelly", jelly()), ("doll", doll())];
    all.into_iter().map(|(name, motion)| Ok((name.to_owned(), motion.write(folder, name)?))).collect()
}

impl Motion {
    fn write(&self, folder: &Path, name: &str) -> anyhow::Result<MotionFile> {
        let (mesh, cache) = (folder.join(format!("{name}.obj")), folder.join(format!("{name}.pc2")));
        let frame = |t: usize| -> Vec<[f64; 3]> {
            let places = self.points.iter().zip(&self.piece);
            places.map(|(p, piece)| (self.at)(p, *piece, t as f64).into()).collect()
        };
        let surface =
            SurfaceFile { positions: frame(0), triangles: self.triangles.clone(), ..SurfaceFile::default() };
        let mut bytes = Vec::new();
        write_obj(&surface, &mut bytes)?;
        std::fs::write(&mesh, bytes).with_context(|| format!("cannot write {}", mesh.display()))?;
        let settings = MotionSettings::new(self.points.len(), Frame(1), 24.0, FRAMES);
        let mut writer = create_motion(&cache, settings, None)?;
        for t in 0..FRAMES {
            writer.write(&frame(t))?;
        }
        writer.finish()?;
        Ok(MotionFile { path: cache, topology: Some(mesh), ..MotionFile::default() })
    }
}

/// Quads between rows of points, in triangles; `around` joins the ends of each row.
fn between(rows: usize, columns: usize, around: bool) -> Vec<[u32; 3]> {
    let last = if around { columns } else { columns - 1 };
    let at = |r: usize, c: usize| (r * columns + c % columns) as u32;
    let quads = (1..rows).flat_map(|r| (0..last).map(move |c| (r, c)));
    quads
        .flat_map(|(r, c)| {
            let [p, q, s, t] = [at(r - 1, c), at(r - 1, c + 1), at(r, c + 1), at(r, c)];
            [[p, q, s], [p, s, t]]
        })
        .collect()
}

/// A sheet held along its top.
fn sheet() -> Motion {
    const SIDE: usize = 29;
    let part = |k: usize| k as f64 / (SIDE - 1) as f64;
    let points: Vec<Vec3> =
        (0..SIDE * SIDE).map(|k| Vec3::new(part(k % SIDE), -part(k / SIDE), 0.0)).collect();
    Motion {
        piece: vec![0; points.len()],
        triangles: between(SIDE, SIDE, false),
        points,
        at: |p, _, t| {
            // It hangs in folds, and waves run down and swing it. Every step down is as long as the last.
            let steps = 40;
            let lean = |s: f64| 0.5 * s.sqrt() * (0.26 * t - 3.0 * s + 1.5 * p.x).sin() + 0.25 * s;
            let mut place = Vec3::new(p.x, 0.0, 0.03 * (6.0 * PI * p.x).sin());
            let step = -p.y / f64::from(steps);
            for k in 0..steps {
                let angle = lean((f64::from(k) + 0.5) * step);
                place += step * Vec3::new(0.0, -angle.cos(), angle.sin());
            }
            place
        },
    }
}

/// A closed surface: rings of points around an axis, and a point at each end.
fn lathe(around: usize, rings: usize, place: impl Fn(f64, f64) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut points: Vec<Vec3> = Vec::new();
    for ring in 0..rings {
        let v = (ring as f64 + 0.5) / rings as f64;
        points.extend((0..around).map(|k| place(2.0 * PI * k as f64 / around as f64, v)));
    }
    let mut triangles = between(rings, around, true);
    let (low, high, last) = (points.len() as u32, points.len() as u32 + 1, ((rings - 1) * around) as u32);
    for k in 0..around as u32 {
        let next = (k + 1) % around as u32;
        triangles.extend([[low, next, k], [high, last + k, last + next]]);
    }
    points.extend([place(0.0, 0.0), place(0.0, 1.0)]);
    (points, triangles)
}

/// A block with round edges that bounces, flat as it lands and long as it leaves.
fn jelly() -> Motion {
    let (points, triangles) = lathe(32, 22, |a, v| {
        let ball = Vec3::new((PI * v).sin() * a.cos(), -(PI * v).cos(), (PI * v).sin() * a.sin());
        // The ball of the fourth power: a block with round edges.
        ball * 0.5 / ball.map(|x| x.powi(4)).sum().powf(0.25)
    });
    Motion {
        piece: vec![0; points.len()],
        points,
        triangles,
        at: |p, _, t| {
            let phase = PI * t / 24.0;
            let long = 1.0 + 0.22 * (2.0 * phase).cos() * (-t / 60.0).exp() - 0.1;
            let wide = 1.0 / long.sqrt();
            let up = 0.5 * long + 0.7 * phase.sin().abs() * (-t / 50.0).exp();
            let sway = 0.15 * (p.y + 0.5) * (1.7 * phase).sin();
            Vec3::new(wide * p.x + sway + 0.012 * t, long * p.y + up, wide * p.z)
        },
    }
}

/// A stick with round ends.
fn stick(around: usize, rings: usize, [from, to]: [Vec3; 2], radius: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let length = (to - from).norm();
    let axis = (to - from) / length;
    let side = axis.cross(&if axis.z.abs() < 0.9 { Vec3::z() } else { Vec3::x() }).normalize();
    let other = axis.cross(&side);
    lathe(around, rings, |a, v| {
        let along = v * (length + 2.0 * radius) - radius;
        let out = (-along).max(along - length).max(0.0);
        let r = (radius * radius - out * out).max(0.0).sqrt();
        from + along * axis + r * (a.cos() * side + a.sin() * other)
    })
}

const SHOULDER: Vec3 = Vec3::new(0.2, 1.38, 0.0);
const ELBOW: Vec3 = Vec3::new(0.45, 1.2, 0.0);
const HAND: Vec3 = Vec3::new(0.68, 1.02, 0.0);
const HIP: Vec3 = Vec3::new(0.1, 0.95, 0.0);
const KNEE: Vec3 = Vec3::new(0.12, 0.5, 0.0);
const FOOT: Vec3 = Vec3::new(0.12, 0.08, 0.0);

fn mirrored(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

/// Torso, head, eyes, buttons and limbs of two sticks each, which only touch.
fn doll() -> Motion {
    let ball = |around, rings, centre: Vec3, radii: Vec3| {
        lathe(around, rings, move |a, v: f64| {
            let s = (PI * v).sin();
            centre + radii.component_mul(&Vec3::new(s * a.cos(), -(PI * v).cos(), s * a.sin()))
        })
    };
    let mut pieces = vec![
        (0, ball(18, 14, Vec3::new(0.0, 1.18, 0.0), Vec3::new(0.24, 0.34, 0.17))),
        (1, ball(16, 12, Vec3::new(0.0, 1.66, 0.0), Vec3::new(0.16, 0.19, 0.16))),
    ];
    for side in [|p: Vec3| p, mirrored] {
        pieces.push((1, ball(8, 6, side(Vec3::new(0.06, 1.7, 0.14)), Vec3::repeat(0.035))));
        let first = if side(Vec3::x()).x > 0.0 { 2 } else { 6 };
        let limbs = [(SHOULDER, ELBOW, 0.06), (ELBOW, HAND, 0.055), (HIP, KNEE, 0.09), (KNEE, FOOT, 0.08)];
        for (k, (from, to, radius)) in limbs.into_iter().enumerate() {
            pieces.push((first + k, stick(10, 10, [side(from), side(to)], radius)));
        }
    }
    for y in [1.05_f64, 1.17, 1.29] {
        let front = 0.17 * (1.0 - ((y - 1.18) / 0.34).powi(2)).sqrt();
        pieces.push((0, ball(8, 5, Vec3::new(0.0, y, front), Vec3::new(0.03, 0.03, 0.014))));
    }
    let (mut points, mut triangles, mut piece): (Vec<Vec3>, Vec<[u32; 3]>, Vec<usize>) = Default::default();
    for (name, (p, t)) in pieces {
        let first = points.len() as u32;
        triangles.extend(t.iter().map(|t| t.map(|v| v + first)));
        piece.resize(piece.len() + p.len(), name);
        points.extend(p);
    }
    Motion { points, triangles, piece, at: stride }
}

/// A point of the doll at a frame of its walk; a stride takes a second.
fn stride(p: &Vec3, piece: usize, t: f64) -> Vec3 {
    let about = |joint: Vec3, angle: f64, p: Vec3| {
        joint + Rotation3::from_axis_angle(&Unit::new_unchecked(Vec3::x()), angle) * (p - joint)
    };
    let side: fn(Vec3) -> Vec3 = if piece < 6 { |p| p } else { mirrored };
    let phase = 2.0 * PI * t / 24.0 + if piece < 6 { 0.0 } else { PI };
    let mut p = *p;
    if piece >= 2 {
        match (piece - 2) % 4 {
            1 => p = about(side(ELBOW), -0.35 + 0.2 * phase.sin(), p),
            3 => p = about(side(KNEE), 0.45 + 0.45 * (phase - 2.0).sin(), p),
            _ => {}
        }
        let swing = if (piece - 2) % 4 < 2 { 0.45 * phase.sin() } else { -0.55 * phase.sin() };
        p = about(side(if (piece - 2) % 4 < 2 { SHOULDER } else { HIP }), swing, p);
    }
    p + Vec3::new(0.0, 0.025 * (4.0 * PI * t / 24.0).cos(), 1.1 * t / 24.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_project::{Import, MotionFile};

    #[test]
    fn the_sheet_is_held_and_keeps_its_length() {
        let sheet = sheet();
        let at = |v: usize, t: f64| (sheet.at)(&sheet.points[v], 0, t);
        assert_eq!(at(3, 0.0), at(3, 50.0));
        let step = |t: f64| (at(29 * 7 + 3, t) - at(29 * 6 + 3, t)).norm();
        assert!((step(0.0) - 1.0 / 28.0).abs() < 1e-3 && (step(31.0) - 1.0 / 28.0).abs() < 1e-3);
    }

    #[test]
    fn the_jelly_and_the_doll_are_closed() {
        for motion in [jelly(), doll()] {
            let mut sides: Vec<[u32; 2]> =
                motion.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
            sides.sort_unstable();
            let back = |[a, b]: &[u32; 2]| sides.binary_search(&[*b, *a]).is_ok();
            assert!(sides.iter().all(back), "every side has its other side");
        }
    }

    #[test]
    fn files_come_out_that_can_be_imported() {
        let folder = tempfile::tempdir().unwrap();
        let made = write(folder.path()).unwrap();
        assert_eq!(
            made.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["sheet", "jelly", "doll"]
        );
        for (name, file) in made {
            let MotionFile { path, topology, .. } = &file;
            assert!(path.exists() && topology.as_ref().is_some_and(|file| file.exists()), "{name}");
            assert_eq!(Import { file, ..Import::default() }.file.up, None);
        }
    }
}
