//! What is written is read again, bit for bit.

#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use supple_formats::{Elements, Group, Material, Region, SurfaceFile, Track, VolumeFile};
use supple_formats::{MotionReader, MotionSettings, create_motion, open_motion};
use supple_formats::{read_abaqus, read_obj, read_ply, read_stl, read_veg};
use supple_formats::{read_contacts, read_track, write_contacts, write_track};
use supple_formats::{write_abaqus, write_obj, write_ply, write_stl, write_veg};
use supple_model::{Contact, ContactKind, Frame, VertexId};

/// Any finite number: negative zero, the tiniest and the largest too.
fn number() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

fn positions() -> impl Strategy<Value = Vec<[f64; 3]>> {
    vec(prop::array::uniform3(number()), 1..12)
}

/// Groups with members below `of`, sorted as readers give them.
fn groups(of: usize, smallest: usize) -> impl Strategy<Value = Vec<Group>> {
    let members = btree_set(0..of as u32, smallest.min(of)..=of);
    btree_map("[A-Za-z0-9_.é-]{1,6}", members, 0..22).prop_map(|groups| {
        let group =
            |(name, members): (String, BTreeSet<u32>)| Group { name, members: Vec::from_iter(members) };
        // Backwards, so that the order of the file is not that of the alphabet.
        groups.into_iter().rev().map(group).collect()
    })
}

fn surface() -> impl Strategy<Value = SurfaceFile> {
    (positions(), vec(prop::array::uniform2(number()), 0..6)).prop_flat_map(|(positions, uvs)| {
        let vertex = 0..positions.len() as u32;
        let uv = 0..uvs.len().max(1) as u32;
        let triangle = (prop::array::uniform3(vertex), prop::option::of(prop::array::uniform3(uv)));
        (vec(triangle, 0..12), groups(positions.len(), 1)).prop_map(move |(triangles, vertex_groups)| {
            let (triangles, mut triangle_uvs): (Vec<_>, Vec<_>) = triangles.into_iter().unzip();
            if uvs.is_empty() || triangle_uvs.iter().all(Option::is_none) {
                triangle_uvs = Vec::new();
            }
            let (positions, uvs) = (positions.clone(), uvs.clone());
            SurfaceFile { positions, triangles, uvs, triangle_uvs, vertex_groups, ..SurfaceFile::default() }
        })
    })
}

fn elements(vertices: u32) -> impl Strategy<Value = Elements> {
    prop_oneof![
        vec(prop::array::uniform4(0..vertices), 1..9).prop_map(Elements::Tets),
        vec(prop::array::uniform8(0..vertices), 1..9).prop_map(Elements::Hexes),
    ]
}

fn volume() -> impl Strategy<Value = VolumeFile> {
    positions()
        .prop_flat_map(|positions| {
            let elements = elements(positions.len() as u32);
            (Just(positions), elements, vec(prop::array::uniform3(number()), 0..4))
        })
        .prop_flat_map(|(positions, elements, constants)| {
            let groups = groups(elements.len(), 0);
            (
                Just(positions),
                Just(elements),
                Just(constants),
                groups,
                vec((any::<usize>(), any::<usize>()), 0..5),
            )
        })
        .prop_map(|(positions, elements, constants, element_groups, pairs)| {
            let materials: Vec<Material> = (0..)
                .zip(constants)
                .map(|(i, [density, young, poisson])| Material {
                    name: format!("m{i}"),
                    density,
                    young,
                    poisson,
                })
                .collect();
            let region = |(group, material): (usize, usize)| {
                // One past the groups stands for all elements.
                let group = element_groups.get(group % (element_groups.len() + 1));
                let material = materials.get(material % materials.len().max(1))?.name.clone();
                let group = group.map_or(Region::ALL_ELEMENTS, |group| group.name.as_str()).to_owned();
                Some(Region { group, material })
            };
            let regions = pairs.into_iter().filter_map(region).collect();
            VolumeFile { positions, elements, element_groups, materials, regions, ..VolumeFile::default() }
        })
}

/// Any finite number of 32 bits.
fn single() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

/// Frames of one to four vertices.
fn motion() -> impl Strategy<Value = Vec<Vec<[f32; 3]>>> {
    (1_usize..5).prop_flat_map(|vertices| vec(vec(prop::array::uniform3(single()), vertices), 1..6))
}

/// The bytes of `frames`, after those of a header.
fn with_frames(mut header: Vec<u8>, frames: &[Vec<[f32; 3]>], to_bytes: fn(f32) -> [u8; 4]) -> Vec<u8> {
    header.extend(frames.iter().flatten().flatten().flat_map(|x| to_bytes(*x)));
    header
}

fn all_frames(motion: &mut dyn MotionReader) -> Vec<Vec<[f64; 3]>> {
    let mut frames = vec![vec![[f64::NAN; 3]; motion.vertices()]; motion.frames()];
    for (index, frame) in frames.iter_mut().enumerate() {
        motion.read(index, frame).unwrap();
    }
    frames
}

/// What is written of what was read from `bytes`.
fn copied(bytes: &[u8], ending: &str, expected_frames: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) =
        (folder.path().join(format!("from.{ending}")), folder.path().join(format!("to.{ending}")));
    fs::write(&from, bytes).unwrap();
    let mut motion = open_motion(&from).unwrap();
    let settings = MotionSettings { expected_frames, ..MotionSettings::like(motion.info(), 24.0) };
    let mut writer = create_motion(&to, settings, None).unwrap();
    for frame in all_frames(motion.as_mut()) {
        writer.write(&frame).unwrap();
    }
    writer.finish().unwrap();
    fs::read(to).unwrap()
}

/// Equality of bits, which `==` on −0 and 0 is not.
fn bits(positions: &[[f64; 3]]) -> Vec<u64> {
    positions.iter().flatten().map(|x| x.to_bits()).collect()
}

proptest! {
    #[test]
    fn obj(file in surface()) {
        let mut bytes = Vec::new();
        write_obj(&file, &mut bytes).unwrap();
        let again = read_obj(&bytes).unwrap();
        prop_assert_eq!(bits(&again.positions), bits(&file.positions));
        prop_assert_eq!(again, file);
    }

    #[test]
    fn ply(mut file in surface(), uvs in any::<bool>()) {
        // What the format has room for: no groups, texture coordinates for every vertex or none.
        file.vertex_groups.clear();
        file.uvs.clear();
        file.triangle_uvs.clear();
        if uvs {
            file.uvs = file.positions.iter().map(|&[x, y, _]| [y, x]).collect();
            file.triangle_uvs = file.triangles.iter().copied().map(Some).collect();
        }
        let mut bytes = Vec::new();
        write_ply(&file, &mut bytes).unwrap();
        let again = read_ply(&bytes).unwrap();
        prop_assert_eq!(bits(&again.positions), bits(&file.positions));
        prop_assert_eq!(again, file);
    }

    /// STL has no vertices of its own, so the corners are what can be kept.
    #[test]
    fn stl(corners in vec(prop::array::uniform3(prop::array::uniform3(-2i8..2)), 1..20)) {
        let corners = corners.as_flattened().iter().map(|position| position.map(|x| f64::from(x) / 3.0));
        let positions: Vec<[f64; 3]> = corners.collect();
        let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let file = SurfaceFile { positions, triangles, ..SurfaceFile::default() };
        let mut bytes = Vec::new();
        write_stl(&file, &mut bytes).unwrap();
        let again = read_stl(&bytes).unwrap();
        let read: Vec<[f64; 3]> =
            again.triangles.as_flattened().iter().map(|&v| again.positions[v as usize]).collect();
        let rounded: Vec<_> = file.positions.iter().map(|p| p.map(|x| f64::from(x as f32))).collect();
        prop_assert_eq!(read, rounded);
        let distinct: BTreeSet<[u64; 3]> = again.positions.iter().map(|p| p.map(f64::to_bits)).collect();
        prop_assert_eq!(distinct.len(), again.positions.len());
    }

    #[test]
    fn veg(file in volume()) {
        let mut bytes = Vec::new();
        write_veg(&file, &mut bytes).unwrap();
        let again = read_veg(&bytes).unwrap();
        prop_assert_eq!(bits(&again.positions), bits(&file.positions));
        prop_assert_eq!(again, file);
    }

    #[test]
    fn abaqus(mut file in volume()) {
        // What the format has room for: no materials, no empty groups, names that differ by more than case.
        file.materials.clear();
        file.regions.clear();
        file.element_groups.retain(|group| !group.members.is_empty());
        for (i, group) in file.element_groups.iter_mut().enumerate() {
            group.name = format!("{}-{i}", group.name);
        }
        file.vertex_groups = vec![Group { name: "First".into(), members: vec![0] }];
        let mut bytes = Vec::new();
        write_abaqus(&file, &mut bytes).unwrap();
        let again = read_abaqus(&bytes).unwrap();
        prop_assert_eq!(bits(&again.positions), bits(&file.positions));
        prop_assert_eq!(again, file);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pc2(frames in motion(), start in single(), rate in proptest::num::f32::POSITIVE) {
        let rate = rate.clamp(f32::MIN_POSITIVE, f32::MAX);
        let mut header = b"POINTCACHE2\0".to_vec();
        header.extend(1_i32.to_le_bytes());
        header.extend((frames[0].len() as i32).to_le_bytes());
        header.extend(start.to_le_bytes());
        header.extend(rate.to_le_bytes());
        header.extend((frames.len() as i32).to_le_bytes());
        let bytes = with_frames(header, &frames, f32::to_le_bytes);
        prop_assert_eq!(copied(&bytes, "pc2", frames.len()), bytes);
    }

    /// Whatever number of frames was expected.
    #[test]
    fn mdd(frames in motion(), times in vec(single(), 5), expected_frames in 0..9_usize) {
        let mut header = (frames.len() as i32).to_be_bytes().to_vec();
        header.extend((frames[0].len() as i32).to_be_bytes());
        header.extend(times[..frames.len()].iter().flat_map(|time| time.to_be_bytes()));
        let bytes = with_frames(header, &frames, f32::to_be_bytes);
        prop_assert_eq!(copied(&bytes, "mdd", expected_frames), bytes);
    }

    /// All of the first file, and all 64 bits of the positions in every file.
    #[test]
    fn obj_series(file in surface(), start in 0..=3_i32, shift in number()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        let vertices = file.positions.len();
        let mut writer =
            create_motion(&path, MotionSettings::new(vertices, Frame(start), 24.0, 2), Some(&file)).unwrap();
        let frames = [file.positions.clone(), vec![[shift, -shift, -0.0]; vertices]];
        for frame in &frames {
            writer.write(frame).unwrap();
        }
        writer.finish().unwrap();
        let mut motion = open_motion(folder.path().join(format!("a.{:04}.obj", start + 1))).unwrap();
        prop_assert_eq!(motion.topology(), Some(&file));
        prop_assert_eq!(motion.info().start_frame(), Some(Frame(start)));
        let read: Vec<_> = all_frames(motion.as_mut()).iter().map(|frame| bits(frame)).collect();
        prop_assert_eq!(read, frames.map(|frame| bits(&frame)));
    }

    #[test]
    fn contacts(rows in vec((any::<i32>(), any::<u32>(), -1.0..1.0, -3.2..3.2, any::<bool>()), 0..20)) {
        let contact = |(frame, vertex, z, angle, stick): (i32, u32, f64, f64, bool)| {
            let radius = (1.0 - z * z).sqrt();
            Contact {
                frame: Frame(frame),
                vertex: VertexId(vertex),
                normal: [radius * angle.cos(), radius * angle.sin(), z],
                kind: if stick { ContactKind::Stick } else { ContactKind::Slide },
            }
        };
        let contacts: Vec<Contact> = rows.into_iter().map(contact).collect();
        let mut bytes = Vec::new();
        write_contacts(&contacts, &mut bytes).unwrap();
        let again = read_contacts(&bytes).unwrap();
        prop_assert_eq!(bits(&again.iter().map(|c| c.normal).collect::<Vec<_>>()),
                        bits(&contacts.iter().map(|c| c.normal).collect::<Vec<_>>()));
        prop_assert_eq!(again, contacts);
    }

    #[test]
    fn track(
        columns in btree_set("[A-Za-z0-9_.é-]{1,6}", 3),
        mut rows in vec((-1e9..1e9_f64, prop::array::uniform3(number())), 1..9),
    ) {
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.dedup_by_key(|row| row.0);
        let rows = rows.into_iter().map(|(frame, values)| (frame, values.to_vec())).collect();
        let track = Track { columns: columns.into_iter().rev().collect(), rows };
        let mut bytes = Vec::new();
        write_track(&track, &mut bytes).unwrap();
        let again = read_track(&bytes).unwrap();
        let row_bits = |track: &Track| track.rows.iter().map(|(_, row)| bits(&[[row[0], row[1], row[2]]])).collect::<Vec<_>>();
        prop_assert_eq!(row_bits(&again), row_bits(&track));
        prop_assert_eq!(again, track);
    }
}

#[test]
fn stl_refuses_what_it_cannot_hold() {
    let error = |positions: Vec<[f64; 3]>| {
        let file = SurfaceFile { positions, triangles: vec![[0, 1, 2]], ..SurfaceFile::default() };
        write_stl(&file, &mut Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(error(vec![[0.0; 3], [0.0; 3]]), "triangle 0: vertex 2 does not exist");
    assert_eq!(error(vec![[0.0; 3], [1e39; 3], [0.0; 3]]), "vertex 1 is out of the range of STL");
}

#[test]
fn names_with_white_space_stay_one_word() {
    let track = Track { columns: vec!["left, #2".into(), String::new()], rows: vec![(1.0, vec![0.0, 0.0])] };
    let mut bytes = Vec::new();
    write_track(&track, &mut bytes).unwrap();
    assert_eq!(read_track(&bytes).unwrap().columns, ["left___2", "_"]);

    let group = Group { name: "left half, #2".into(), members: vec![0] };
    let surface = SurfaceFile {
        positions: vec![[0.0; 3]],
        vertex_groups: vec![group.clone()],
        ..SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    write_obj(&surface, &mut bytes).unwrap();
    assert_eq!(read_obj(&bytes).unwrap().vertex_groups[0].name, "left_half,__2");

    let volume = VolumeFile {
        positions: vec![[0.0; 3]],
        elements: Elements::Tets(vec![[0; 4]]),
        regions: vec![Region { group: group.name.clone(), material: "two words".into() }],
        element_groups: vec![group],
        materials: vec![Material { name: "two words".into(), density: 1.0, young: 1.0, poisson: 0.0 }],
        ..VolumeFile::default()
    };
    let mut bytes = Vec::new();
    write_veg(&volume, &mut bytes).unwrap();
    let again = read_veg(&bytes).unwrap();
    assert_eq!(again.element_groups[0].name, "left_half___2");
    assert_eq!(again.element_materials(), [Some(0)]);

    let mut bytes = Vec::new();
    write_abaqus(&volume, &mut bytes).unwrap();
    assert_eq!(read_abaqus(&bytes).unwrap().element_groups[0].name, "left_half__#2");
}

/// Polygons, normals, colours, materials: what a skin can carry besides its points.
#[test]
fn surfaces_keep_what_they_carry() {
    let corners = [[0, 1, 2], [0, 2, 3], [1, 4, 2]];
    let file = SurfaceFile {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.1], [0.0, 1.0, 0.0], [2.0, 0.5, -0.3]],
        triangles: corners.into(),
        polygons: vec![4, 3],
        uvs: (0..5).map(|v| [f64::from(v) / 3.0, 0.25]).collect(),
        triangle_uvs: corners.map(Some).into(),
        normals: vec![[0.0, 0.0, 1.0], [0.1, 0.2, 0.9], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        triangle_normals: corners.map(Some).into(),
        colours: (0..5).map(|v| [f64::from(v * 51) / 255.0, 1.0, 0.0]).collect(),
        materials: vec!["red".to_owned(), "blue".to_owned()],
        triangle_materials: vec![Some(0), Some(0), Some(1)],
        vertex_groups: vec![
            Group { name: "red".to_owned(), members: vec![0, 1, 2, 3] },
            Group { name: "blue".to_owned(), members: vec![1, 2, 4] },
        ],
    };
    let mut bytes = Vec::new();
    write_obj(&file, &mut bytes).unwrap();
    assert_eq!(read_obj(&bytes).unwrap(), file, "{}", String::from_utf8_lossy(&bytes));
    bytes.clear();
    write_ply(&file, &mut bytes).unwrap();
    let (materials, triangle_materials, vertex_groups) = (Vec::new(), Vec::new(), Vec::new());
    let plain = SurfaceFile { materials, triangle_materials, vertex_groups, ..file };
    assert_eq!(read_ply(&bytes).unwrap(), plain, "PLY has neither materials nor groups");
    // Colours that bytes cannot hold are floats.
    let faint = SurfaceFile { colours: vec![[0.5, 0.001, 0.0]; 5], ..plain };
    bytes.clear();
    write_ply(&faint, &mut bytes).unwrap();
    let found = read_ply(&bytes).unwrap().colours;
    assert!(found.iter().all(|colour| (colour[1] - 0.001).abs() < 1e-9), "{found:?}");
}
