//! One mesh in all encodings of its format reads as one mesh, and one motion in both point caches as one.

use crate::samples::{ENCODINGS, MOTION, POSITIONS, gmsh2, gmsh4, mdd, pc2, ply, stl};
use std::io::Cursor;
use supple_formats::{Elements, Group, MeshFile, SurfaceFile, VolumeFile};
use supple_formats::{MotionFormat, MotionInfo, MotionReader};
use supple_formats::{read_gmsh, read_mdd, read_pc2, read_ply, read_stl};

fn group(name: &str, members: &[u32]) -> Group {
    Group { name: name.into(), members: members.into() }
}

#[test]
fn gmsh() {
    let expected = VolumeFile {
        positions: POSITIONS.into(),
        elements: Elements::Tets(vec![[0, 1, 2, 4], [1, 2, 5, 8]]),
        vertex_groups: vec![group("point-3", &[8]), group("front side", &[0, 1, 2])],
        element_groups: vec![group("body", &[0, 1]), group("region-8", &[1])],
        ..VolumeFile::default()
    };
    for encoding in ENCODINGS {
        for bytes in [gmsh2(encoding), gmsh4(encoding)] {
            let file = read_gmsh(&bytes).unwrap();
            assert_eq!(file, MeshFile::Volume(expected.clone()), "as {encoding:?}");
        }
    }
}

#[test]
fn gmsh_without_volumes_is_a_surface() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n\
                $Elements\n3\n1 1 0 1 2\n2 3 2 9 1 1 2 3 4\n3 2 1 0 1 2 3\n$EndElements\n";
    let expected = SurfaceFile {
        positions: POSITIONS[..4].into(),
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 1, 2]],
        vertex_groups: vec![group("surface-9", &[0, 1, 2, 3])],
        ..SurfaceFile::default()
    };
    assert_eq!(read_gmsh(text.as_bytes()).unwrap(), MeshFile::Surface(expected));
}

#[test]
fn ply_and_its_polygons() {
    for encoding in ENCODINGS {
        let file = read_ply(&ply(encoding)).unwrap();
        assert_eq!(file.positions, POSITIONS, "as {encoding:?}");
        assert_eq!(file.triangles, [[0, 3, 2], [0, 2, 1], [4, 5, 6]], "as {encoding:?}");
    }
}

#[test]
fn stl_as_text_and_binary() {
    let corners = [[0, 3, 2], [4, 5, 6]].map(|triangle| {
        let vertex =
            |v: usize| format!("vertex {} {} {}\n", POSITIONS[v][0], POSITIONS[v][1], POSITIONS[v][2]);
        let corners = triangle.map(vertex).concat();
        format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    });
    let text = format!("solid\n{}endsolid\n", corners.concat());
    let file = read_stl(text.as_bytes()).unwrap();
    assert_eq!(file.triangles, [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(file.positions, [0, 3, 2, 4, 5, 6].map(|v: usize| POSITIONS[v]));
    assert_eq!(read_stl(&stl()).unwrap(), file);
}

fn check_motion(motion: &mut dyn MotionReader) {
    assert_eq!((motion.vertices(), motion.frames(), motion.topology()), (4, 3, None));
    // Not in the order of the file.
    for frame in [2, 0, 1, 1] {
        let mut positions = [[f64::NAN; 3]; 4];
        motion.read(frame, &mut positions).expect("a good frame");
        let bits = positions.map(|position| position.map(f64::to_bits));
        assert_eq!(bits, MOTION[frame].map(|position| position.map(|x| f64::from(x).to_bits())), "{frame}");
    }
}

#[test]
fn pc2_is_little_endian() {
    let mut motion = read_pc2(Cursor::new(pc2())).unwrap();
    check_motion(&mut motion);
    let expected = MotionInfo {
        format: MotionFormat::Pc2,
        vertices: 4,
        frames: 3,
        start: Some(10.5),
        step: 2.0,
        fps: None,
        times: vec![],
    };
    assert_eq!(*motion.info(), expected);
}

#[test]
fn mdd_is_big_endian() {
    let mut motion = read_mdd(Cursor::new(mdd())).unwrap();
    check_motion(&mut motion);
    let expected = MotionInfo {
        format: MotionFormat::Mdd,
        vertices: 4,
        frames: 3,
        start: Some(2.0),
        step: 1.0,
        fps: Some(4.0),
        times: vec![0.5, 0.75, 1.0],
    };
    assert_eq!(*motion.info(), expected);
}
