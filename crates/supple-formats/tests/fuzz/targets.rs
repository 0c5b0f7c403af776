//! The readers, and what each promises of any bytes at all.

use super::checks::{
    accepted, accepted_scene, check_mesh, check_motion, check_positions, check_rig, check_surface,
    check_volume,
};
use std::io::Cursor;
use supple_formats::{NodeFile, read_fbx, read_gltf, read_usd};
use supple_formats::{read_abaqus, read_bou, read_bvh, read_ele, read_gmsh, read_interp, read_medit};
use supple_formats::{read_contacts, read_groups, read_mdd, read_mixtures, read_pc2, read_track};
use supple_formats::{read_node, read_obj, read_ply, read_stl, read_veg};

/// The name of a reader, and the check that it keeps its promises on any bytes, which says whether
/// they were accepted.
pub type FuzzTarget = (&'static str, fn(&[u8]) -> bool);

pub const FUZZ_TARGETS: &[FuzzTarget] = &[
    ("obj", |bytes| accepted(read_obj(bytes), |file| check_surface(&file, bytes.len()))),
    ("stl", |bytes| accepted(read_stl(bytes), |file| check_surface(&file, bytes.len()))),
    ("ply", |bytes| accepted(read_ply(bytes), |file| check_surface(&file, bytes.len()))),
    ("gmsh", |bytes| accepted(read_gmsh(bytes), |file| check_mesh(&file, bytes.len()))),
    ("medit", |bytes| accepted(read_medit(bytes), |file| check_mesh(&file, bytes.len()))),
    ("veg", |bytes| accepted(read_veg(bytes), |file| check_volume(&file, bytes.len()))),
    ("abaqus", |bytes| accepted(read_abaqus(bytes), |file| check_volume(&file, bytes.len()))),
    ("node", |bytes| accepted(read_node(bytes), |file| check_positions(&file.positions, bytes.len()))),
    ("ele", |bytes| {
        let nodes = NodeFile { positions: vec![[0.0; 3]; 5], first_number: 1 };
        accepted(read_ele(bytes, nodes), |file| check_volume(&file, bytes.len().max(5)))
    }),
    ("bou", |bytes| accepted(read_bou(bytes), |vertices| assert!(vertices.len() <= bytes.len()))),
    ("interp", |bytes| {
        accepted(read_interp(bytes), |file| {
            assert!(file.pairs.len() <= bytes.len());
            assert_eq!(file.rows().len() * file.pairs_per_vertex, file.pairs.len());
            assert!(file.pairs.iter().all(|(_, weight)| weight.is_finite()));
        })
    }),
    ("pc2", |bytes| match read_pc2(Cursor::new(bytes)) {
        Ok(mut motion) => check_motion(&mut motion, bytes.len()),
        Err(error) => accepted(Err(error), |()| {}),
    }),
    ("mdd", |bytes| match read_mdd(Cursor::new(bytes)) {
        Ok(mut motion) => check_motion(&mut motion, bytes.len()),
        Err(error) => accepted(Err(error), |()| {}),
    }),
    ("usda", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("usdc", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("usdz", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("gltf", |bytes| accepted_scene(read_gltf(bytes), bytes.len())),
    ("glb", |bytes| accepted_scene(read_gltf(bytes), bytes.len())),
    ("fbx", |bytes| accepted_scene(read_fbx(bytes), bytes.len())),
    ("bvh", |bytes| accepted(read_bvh(bytes), |file| check_rig(&file, bytes))),
    ("contacts", |bytes| {
        accepted(read_contacts(bytes), |contacts| {
            assert!(contacts.len() <= bytes.len());
            let length = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
            assert!(contacts.iter().all(|contact| (length(contact.normal) - 1.0).abs() < 0.011));
        })
    }),
    ("groups", |bytes| {
        accepted(read_groups(bytes), |groups| {
            assert!(groups.iter().map(|group| group.members.len()).sum::<usize>() <= bytes.len());
            for group in &groups {
                assert!(!group.name.is_empty() && !group.members.is_empty());
                assert!(group.members.windows(2).all(|pair| pair[0] < pair[1]));
            }
        })
    }),
    ("mixtures", |bytes| {
        accepted(read_mixtures(bytes), |mixtures| {
            let parts = mixtures.modes[0].parts.len();
            assert!(parts > 0 && mixtures.modes.len() * parts <= bytes.len());
            for mode in &mixtures.modes {
                assert!(mode.eigenvalue >= 0.0 && mode.damping >= 0.0 && mode.parts.len() == parts);
            }
        })
    }),
    ("track", |bytes| {
        accepted(read_track(bytes), |track| {
            assert!(track.rows.len() * track.columns.len() <= bytes.len());
            assert!(!track.columns.is_empty() && !track.rows.is_empty());
            assert!(track.rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for (frame, values) in &track.rows {
                assert_eq!(values.len(), track.columns.len());
                assert_eq!(track.at(*frame), *values);
                assert!(track.at(frame + 0.25).iter().all(|x| x.is_finite()));
            }
        })
    }),
];
