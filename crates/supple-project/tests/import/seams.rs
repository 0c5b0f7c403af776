//! Surfaces as other programs write them: split at seams of texture and normals, or made of pieces that touch.

use crate::import::files::{Place, Settings, all, file, single};
use std::collections::HashMap;
use std::path::PathBuf;
use supple_formats::{SurfaceFile, Up, open_scene};
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_project::shot::{BodyKind, Goal, Handle, Site, When};
use supple_project::{Body, Import, ImportKind, MotionFile, RestShape};

type Frames = Vec<Vec<[f64; 3]>>;

/// A square of `n` by `n` cells between a corner and two sides, with vertices of its own.
fn add_square(surface: &mut SurfaceFile, n: u32, corner: [f64; 3], sides: [[f64; 3]; 2]) {
    let first = surface.positions.len() as u32;
    let step = |k: u32| f64::from(k) / f64::from(n);
    for (i, j) in (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j))) {
        let along = |c: usize| corner[c] + step(i) * sides[0][c] + step(j) * sides[1][c];
        surface.positions.push([along(0), along(1), along(2)]);
    }
    for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
        let a = first + i + (n + 1) * j;
        surface.triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
    }
}

/// A box whose sides share no vertices, as hard edges make it.
fn add_box(surface: &mut SurfaceFile, n: u32, low: [f64; 3], [x, y, z]: [f64; 3]) {
    let [a, b, c] = low;
    let (right, up, front) = ([x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]);
    for (corner, sides) in [
        ([a, b, c], [up, right]),
        ([a, b, c + z], [right, up]),
        ([a, b, c], [right, front]),
        ([a, b + y, c], [front, right]),
        ([a, b, c], [front, up]),
        ([a + x, b, c], [up, front]),
    ] {
        add_square(surface, n, corner, sides);
    }
}

fn hard_box() -> SurfaceFile {
    let mut surface = SurfaceFile::default();
    add_box(&mut surface, 6, [-0.3, 0.0, -0.2], [0.6, 1.0, 0.4]);
    surface
}

/// A tube open at both ends, cut along a line where its texture begins anew.
fn cut_tube() -> SurfaceFile {
    let (around, high) = (24_u32, 10_u32);
    let mut surface = SurfaceFile::default();
    for (i, j) in (0..=high).flat_map(|j| (0..=around).map(move |i| (i, j))) {
        // The last column lies on the first, to the bit.
        let angle = f64::from(i % around) * std::f64::consts::TAU / f64::from(around);
        surface.positions.push([0.3 * angle.cos(), 0.1 * f64::from(j), 0.3 * angle.sin()]);
    }
    for (i, j) in (0..high).flat_map(|j| (0..around).map(move |i| (i, j))) {
        let a = i + (around + 1) * j;
        surface.triangles.extend([[a, a + around + 1, a + around + 2], [a, a + around + 2, a + 1]]);
    }
    surface
}

/// Frames in which every point goes where its place at rest says; the first is not the rest shape.
fn swaying(surface: &SurfaceFile, frames: usize) -> Frames {
    let frame = |k: usize| {
        let t = 0.3 + 0.4 * k as f64;
        let place = |p: &[f64; 3]| {
            let turned = nalgebra::Rotation3::new(Vec3::new(0.1, 0.3 * p[1], 0.2) * t) * Vec3::from(*p);
            single((turned + Vec3::new(0.2 * t, 0.1 * (t + p[1]).sin(), 0.0)).into())
        };
        surface.positions.iter().map(place).collect()
    };
    (0..frames).map(frame).collect()
}

/// The vertices that are at one place in every frame, by comparing them all.
fn copies(frames: &Frames) -> Vec<Vec<usize>> {
    let mut sets: HashMap<Vec<[u64; 3]>, Vec<usize>> = HashMap::new();
    for v in 0..frames[0].len() {
        let way = frames.iter().map(|frame| frame[v].map(f64::to_bits)).collect();
        sets.entry(way).or_default().push(v);
    }
    let mut sets: Vec<Vec<usize>> = sets.into_values().filter(|set| set.len() > 1).collect();
    sets.sort();
    sets
}

fn read(path: &PathBuf) -> Frames {
    let mut scene = open_scene(path).unwrap();
    all(scene.objects[0].frames.as_mut())
}

fn pull(frame: i32, vertex: usize, by: [f64; 3]) -> Handle {
    Handle::new(When::Frame(frame), Site::Vertex(VertexId::new(vertex)), Goal::By(by))
}

fn far(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (Vec3::from(*a) - Vec3::from(*b)).norm()
}

/// Solves with a pull on the last copy of some vertex and checks what must hold of seams.
fn check_seams(place: &Place, name: &str, space: impl Fn([f64; 3]) -> [f64; 3]) {
    let frames = read(&place.path(name));
    let sets = copies(&frames);
    assert!(sets.len() > 10);
    let ending = &name[1..];
    assert_eq!(read(&place.solve(&[], &format!("none{ending}"), true)), frames, "{name}: no edit, no change");
    let held = *sets[sets.len() / 2].last().unwrap();
    let by = [0.05, 0.1, 0.03];
    let edited = read(&place.solve(&[pull(13, held, by)], &format!("out{ending}"), true));
    for (k, frame) in edited.iter().enumerate() {
        for set in &sets {
            assert!(set.iter().all(|v| frame[*v] == frame[set[0]]), "{name}: {set:?} at frame {k}");
        }
    }
    let target = space([0, 1, 2].map(|c| by[c]));
    let moved = [0, 1, 2].map(|c| edited[2][held][c] - frames[2][held][c]);
    let size = frames[0].as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert!(far(&moved, &target) < 2e-6 * size, "{name}: {moved:?} for {target:?}");
}

#[test]
fn a_box_with_hard_edges_is_a_solid_and_stays_whole() {
    let surface = hard_box();
    let frames = swaying(&surface, 6);
    for name in ["a.glb", "a.usda", "a.####.obj"] {
        let place = Place::new();
        let path = place.motion(name, &surface, &frames, Settings::default());
        let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
        assert_eq!((imported.shot.body.kind, imported.edges.open), (BodyKind::Solid, 0), "{name}");
        let copied: usize = copies(&read(&path)).iter().map(|set| set.len() - 1).sum();
        assert_eq!((imported.copies, copied), (76, 76), "twelve edges of seven, eight corners of three");
        check_seams(&place, name, |by| by);
    }
}

#[test]
fn a_tube_with_a_seam_is_one_cloth() {
    let surface = cut_tube();
    let frames = swaying(&surface, 6);
    for name in ["a.glb", "a.usda", "a.####.obj"] {
        let place = Place::new();
        let path = place.motion(name, &surface, &frames, Settings::default());
        let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
        assert_eq!((imported.shot.body.kind, imported.copies), (BodyKind::Cloth, 11), "{name}");
        assert_eq!((imported.edges.open, imported.body[0]), (48, 264), "the two ends, and no copies");
        assert!(imported.fit.is_none() && place.path("shot.body.obj").exists(), "read off, not fitted");
        check_seams(&place, name, |by| by);
    }
}

#[test]
fn seams_hold_in_centimetres_with_z_up_and_another_rest_shape() {
    for surface in [hard_box(), cut_tube()] {
        // Metres with y up, as they are inside, from centimetres with z up.
        let outside = |p: &[f64; 3]| single([100.0 * p[0], -100.0 * p[2], 100.0 * p[1]]);
        let frames: Frames =
            swaying(&surface, 6).iter().map(|frame| frame.iter().map(outside).collect()).collect();
        let place = Place::new();
        let rest =
            SurfaceFile { positions: surface.positions.iter().map(outside).collect(), ..surface.clone() };
        let mut text = Vec::new();
        supple_formats::write_obj(&rest, &mut text).unwrap();
        let rest = RestShape::File(place.write("rest.obj", &String::from_utf8(text).unwrap()));
        let settings = Settings { unit: Some(0.01), up: Some(Up::Z), ..Settings::default() };
        let path = place.motion("a.usda", &surface, &frames, settings);
        let import = Import { file: file(&path), rest: Some(rest), ..Import::default() };
        assert!(place.import_as(import).unwrap().copies > 10);
        check_seams(&place, "a.usda", |by| [100.0 * by[0], -100.0 * by[2], 100.0 * by[1]]);
    }
}

#[test]
fn copies_that_nearly_coincide_keep_what_they_are_apart() {
    let surface = cut_tube();
    let mut frames = swaying(&surface, 5);
    // The last column is a ten-millionth beside the first.
    for (k, frame) in frames.iter_mut().enumerate() {
        for j in 0..11 {
            frame[25 * j + 24][1] += 1e-7 * (1.0 + (k + j) as f64 / 20.0);
        }
    }
    let place = Place::new();
    let path = place.motion("a.####.obj", &surface, &frames, Settings::default());
    assert_eq!(place.import_as(Import { file: file(&path), ..Import::default() }).unwrap().copies, 11);
    let frames = read(&path);
    let edited = read(&place.solve(&[pull(13, 25 * 5 + 24, [0.0, 0.1, 0.05])], "out.####.obj", true));
    for (frame, input) in edited.iter().zip(&frames) {
        for j in 0..11 {
            let (v, w) = (25 * j, 25 * j + 24);
            let moved = |v: usize| Vec3::from(frame[v]) - Vec3::from(input[v]);
            assert!((moved(v) - moved(w)).norm() < 1e-15, "row {j}");
        }
    }
    let moved = Vec3::from(edited[2][149]) - Vec3::from(frames[2][149]);
    assert!((moved - Vec3::new(0.0, 0.1, 0.05)).norm() < 1e-6, "{moved:?}");
}

#[test]
fn lips_that_touch_at_first_and_part_later_are_two() {
    let mut surface = SurfaceFile::default();
    add_square(&mut surface, 10, [0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    // A slit in the middle row from the third to the ninth vertex: those above it get vertices of their own.
    let middle = |k: u32| 11 * 5 + k;
    let mut above = HashMap::new();
    for k in 3..=7 {
        above.insert(middle(k), surface.positions.len() as u32);
        surface.positions.push(surface.positions[middle(k) as usize]);
    }
    let first_above = 2 * 10 * 5;
    for triangle in &mut surface.triangles[first_above..] {
        *triangle = triangle.map(|v| above.get(&v).copied().unwrap_or(v));
    }
    let frames: Frames = (0..5)
        .map(|k| {
            let open = 0.02 * k as f64;
            let at = |(v, p): (usize, &[f64; 3])| {
                let lip = if v >= 121 { 1.0 } else { 0.0 }
                    - if (3..=7).any(|k| middle(k) as usize == v) { 1.0 } else { 0.0 };
                single([p[0], p[1] + open * lip, p[2] + 0.1 * (p[0] + f64::from(k as u8)).sin()])
            };
            surface.positions.iter().enumerate().map(at).collect()
        })
        .collect();
    let place = Place::new();
    let path = place.motion("a.glb", &surface, &frames, Settings::default());
    let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
    assert_eq!((imported.copies, imported.shot.body.kind, imported.body[0]), (0, BodyKind::Cloth, 126));
    let frames = read(&path);
    assert_eq!(read(&place.solve(&[], "none.glb", true)), frames);
    let edited = read(&place.solve(&[pull(13, 123, [0.0, 0.02, 0.05])], "out.glb", true));
    assert!(far(&edited[2][123], &edited[2][58]) > 0.06, "the lips have parted farther");
}

/// A torso on two legs, with an eye in it and a button before it: five pieces that touch, overlap and come near.
fn figure() -> (SurfaceFile, [usize; 5]) {
    let mut surface = SurfaceFile::default();
    let mut ends = [0; 5];
    let boxes = [
        (10, [-0.3, 0.5, -0.15], [0.6, 0.7, 0.3]),
        (6, [-0.27, 0.0, -0.1], [0.2, 0.5, 0.2]),
        (6, [0.07, 0.0, -0.1], [0.2, 0.5, 0.2]),
        (2, [-0.05, 1.0, 0.1], [0.1, 0.1, 0.1]),
        (2, [-0.02, 0.7, 0.15], [0.04, 0.04, 0.01]),
    ];
    for (end, (n, low, size)) in ends.iter_mut().zip(boxes) {
        add_box(&mut surface, n, low, size);
        *end = surface.positions.len();
    }
    (surface, ends)
}

#[test]
fn pieces_that_touch_move_together() {
    let (surface, ends) = figure();
    let frames = swaying(&surface, 8);
    let place = Place::new();
    let path = place.motion("a.glb", &surface, &frames, Settings::default());
    let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
    assert_eq!(imported.shot.body.kind, BodyKind::Voxels);
    assert!(imported.fit.is_some() && imported.notes.is_empty(), "{:?}", imported.notes);
    let body = Body::load(&imported.shot).unwrap();
    // The tops of the legs and the back of the button lie on the torso: where, as weights of its corners.
    let torso = &surface.triangles[..];
    let torso: Vec<[u32; 3]> =
        torso.iter().copied().filter(|t| t.iter().all(|v| (*v as usize) < ends[0])).collect();
    let at = |v: u32| Vec3::from(surface.positions[v as usize]);
    let mut touching = Vec::new();
    for v in ends[0]..ends[4] {
        let p = at(v as u32);
        for t in &torso {
            let [a, b, c] = t.map(at);
            let n = (b - a).cross(&(c - a));
            let weights =
                [(b, c), (c, a), (a, b)].map(|(q, r)| (q - p).cross(&(r - p)).dot(&n) / n.norm_squared());
            if (p - a).dot(&n.normalize()).abs() < 1e-9 && weights.iter().all(|w| *w >= 0.0) {
                touching.push((v, t.map(|v| v as usize), weights));
                break;
            }
        }
    }
    assert!(touching.len() > 60, "{}", touching.len());
    let inputs = read(&path);
    let gap = |frame: &[[f64; 3]], (v, t, w): &(usize, [usize; 3], [f64; 3])| {
        (0..3).fold(Vec3::from(frame[*v]), |gap, k| gap - Vec3::from(frame[t[k]]) * w[k])
    };
    let size = 1.4;
    let foot = (ends[0]..ends[1])
        .min_by(|v, w| surface.positions[*v][1].total_cmp(&surface.positions[*w][1]))
        .unwrap();
    for (vertex, way) in [(foot, [1.0, 0.0, 0.0]), (0, [0.0, 0.0, 1.0]), (ends[3] - 1, [0.6, 0.8, 0.0])] {
        let by = way.map(|x: f64| 0.12 * size * x);
        let edited = read(&place.solve(&[pull(15, vertex, by)], "out.glb", true));
        let moved = Vec3::from(edited[4][vertex]) - Vec3::from(inputs[4][vertex]);
        assert!((moved - Vec3::from(by)).norm() < 1e-5, "{vertex}: {moved:?}");
        let mut opened: f64 = 0.0;
        for (frame, input) in edited.iter().zip(&inputs) {
            for contact in &touching {
                opened = opened.max((gap(frame, contact) - gap(input, contact)).norm());
            }
        }
        assert!(opened <= 0.02 * 0.12 * size, "{vertex}: opened by {} of the pull", opened / (0.12 * size));
    }
    assert!(body.skin.unwrap().weld.copies() > 100, "and its hard edges are none");
}

#[test]
fn a_cloth_of_several_pieces_is_refused_with_the_way_out() {
    let (surface, _) = figure();
    let place = Place::new();
    let path = place.motion("a.glb", &surface, &swaying(&surface, 3), Settings::default());
    let import = Import { file: MotionFile { ..file(&path) }, kind: ImportKind::Cloth, ..Import::default() };
    let error = place.import_as(import).unwrap_err().to_string();
    assert!(error.contains("a.glb") && error.contains("5 pieces") && error.contains("voxels"), "{error}");
}

#[test]
fn cloth_that_is_flat_panels_at_rest_takes_its_first_frame() {
    // Two panels that are sewn together in every frame; the rest shape of the file has them apart.
    let mut surface = SurfaceFile::default();
    add_square(&mut surface, 8, [0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    add_square(&mut surface, 8, [1.0, 0.0, 0.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let apart: Vec<[f64; 3]> = surface
        .positions
        .iter()
        .enumerate()
        .map(|(v, p)| [p[0] + if v < 81 { 0.0 } else { 0.5 }, p[1], p[2]])
        .collect();
    let frames = swaying(&surface, 4);
    let place = Place::new();
    let path = place.motion("a.usda", &surface, &frames, Settings::default());
    let points: Vec<String> = apart.iter().map(|[x, y, z]| format!("({x}, {y}, {z})")).collect();
    let text = std::fs::read_to_string(&path).unwrap();
    let key = "int[] faceVertexCounts";
    assert!(text.contains(key));
    let rest = format!(
        "point3f[] primvars:rest = [{}] (interpolation = \"vertex\")\n        {key}",
        points.join(", ")
    );
    std::fs::write(&path, text.replacen(key, &rest, 1)).unwrap();
    let imported = place.import_as(Import { file: file(&path), ..Import::default() }).unwrap();
    assert_eq!((imported.copies, imported.shot.body.kind), (9, BodyKind::Cloth));
    assert!(
        imported.rest.contains("first frame") && imported.notes[0].contains("rest shape"),
        "{:?}",
        imported.notes
    );
    // Asked for, it is taken, and the seam holds all the same.
    let own = SurfaceFile { positions: apart, ..surface.clone() };
    let mut bytes = Vec::new();
    supple_formats::write_obj(&own, &mut bytes).unwrap();
    let rest = Some(RestShape::File(place.write("flat.obj", &String::from_utf8(bytes).unwrap())));
    place.import_as(Import { file: file(&path), rest, force: true, ..Import::default() }).unwrap();
    let inputs = read(&path);
    let sets = copies(&inputs);
    let copy = *sets[4].last().unwrap();
    let edited = read(&place.solve(&[pull(13, copy, [0.0, 0.0, 0.1])], "out.usda", true));
    assert!(edited.iter().all(|frame| sets.iter().all(|set| frame[set[0]] == frame[set[1]])));
    assert!((edited[2][copy][2] - inputs[2][copy][2] - 0.1).abs() < 1e-6);
}

#[test]
fn a_surface_that_is_edited_itself_keeps_its_seams_too() {
    let surface = hard_box();
    let place = Place::new();
    let path = place.motion("a.usda", &surface, &swaying(&surface, 6), Settings::default());
    let import = Import { file: file(&path), kind: ImportKind::Voxels, ..Import::default() };
    let mut imported = place.import_as(import).unwrap();
    imported.shot.motion.fit = None;
    imported.shot.save(&place.path("shot.toml")).unwrap();
    check_seams(&place, "a.usda", |by| by);
}
