//! The files of the bodies.

use super::bodies::{Kind, LENGTH};
use std::path::Path;
use supple_formats::{Elements, Group, SurfaceFile, VolumeFile, write_abaqus, write_obj};
use supple_mesh::{Vec3, VoxelMesh, shapes};
use supple_project::shot::BodyKind;

pub fn mesh_name(kind: Kind) -> &'static str {
    if matches!(kind, Kind::Cloth | Kind::Flat) { "body.obj" } else { "body.inp" }
}

/// Writes the file of a body.
pub fn write_body(folder: &Path, kind: Kind) -> BodyKind {
    let file = folder.join(mesh_name(kind));
    let mut bytes = Vec::new();
    let kind = match kind {
        Kind::Solid | Kind::Flying | Kind::Springs => {
            let mesh = shapes::box_mesh(Vec3::new(LENGTH, 0.4, 0.4), [6, 2, 2]).unwrap();
            let tets = mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect();
            write_abaqus(&volume(mesh.positions(), Elements::Tets(tets)), &mut bytes).unwrap();
            if kind == Kind::Springs { BodyKind::Springs } else { BodyKind::Solid }
        }
        Kind::Voxels | Kind::Skin => {
            let cells: Vec<[usize; 3]> =
                (0..2).flat_map(|k| (0..2).flat_map(move |j| (0..10).map(move |i| [i, j, k]))).collect();
            let mesh = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(0.2), &cells).unwrap();
            let voxels = mesh.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect();
            write_abaqus(&volume(mesh.positions(), Elements::Hexes(voxels)), &mut bytes).unwrap();
            BodyKind::Voxels
        }
        Kind::Cloth => {
            // In waves: along a flat one nothing moves while it bends.
            let waves = |x: f64, w: f64| Vec3::new(x, 0.1 * (4.0 * x).sin() + 0.1 * (6.0 * w).sin(), w);
            write_obj(&grouped(sheet(8, 4, waves)), &mut bytes).unwrap();
            BodyKind::Cloth
        }
        Kind::Flat => {
            write_obj(&grouped(sheet(8, 4, |x, w| Vec3::new(x, 0.0, w))), &mut bytes).unwrap();
            BodyKind::Cloth
        }
    };
    std::fs::write(file, bytes).unwrap();
    kind
}

/// Two sheets along x that cross in the middle: a surface that is no manifold.
pub fn write_sheets(folder: &Path) {
    let mut flat = sheet(9, 2, |x, w| Vec3::new(x, 0.2, 0.5 * w));
    let upright = sheet(9, 2, |x, w| Vec3::new(x, 0.5 * w, 0.2));
    // The middle line belongs to both.
    let shared = |v: u32| if v % 3 == 1 { v } else { flat.positions.len() as u32 + v };
    let crossing: Vec<[u32; 3]> = upright.triangles.iter().map(|t| t.map(shared)).collect();
    flat.positions.extend(&upright.positions);
    flat.triangles.extend(crossing);
    let used: Vec<u32> = {
        let mut used: Vec<u32> = flat.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    let place = |v: u32| used.binary_search(&v).unwrap() as u32;
    let file = SurfaceFile {
        positions: used.iter().map(|v| flat.positions[*v as usize]).collect(),
        triangles: flat.triangles.iter().map(|t| t.map(place)).collect(),
        ..SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    write_obj(&file, &mut bytes).unwrap();
    std::fs::write(folder.join("sheets.obj"), bytes).unwrap();
}

/// A sheet of squares cut in two, `along` × `across`; `place` says where (x, w) is, w from 0 to 0.8.
fn sheet(along: u32, across: u32, place: impl Fn(f64, f64) -> Vec3) -> SurfaceFile {
    let row = across + 1;
    let points = (0..=along).flat_map(|i| (0..=across).map(move |j| (i, j)));
    let at = |(i, j): (u32, u32)| {
        place(LENGTH * f64::from(i) / f64::from(along), 0.8 * f64::from(j) / f64::from(across))
    };
    let squares = (0..along).flat_map(|i| (0..across).map(move |j| i * row + j));
    SurfaceFile {
        positions: points.map(at).map(<[f64; 3]>::from).collect(),
        triangles: squares.flat_map(|a| [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]).collect(),
        ..SurfaceFile::default()
    }
}

fn grouped(sheet: SurfaceFile) -> SurfaceFile {
    SurfaceFile { vertex_groups: groups(&sheet.positions), ..sheet }
}

fn volume(positions: &[Vec3], elements: Elements) -> VolumeFile {
    let positions: Vec<[f64; 3]> = positions.iter().map(|p| (*p).into()).collect();
    VolumeFile { vertex_groups: groups(&positions), positions, elements, ..VolumeFile::default() }
}

/// "right", the far end; "outer", the half of it; "left", what is held.
fn groups(positions: &[[f64; 3]]) -> Vec<Group> {
    let group = |name: &str, holds: &dyn Fn(f64) -> bool| Group {
        name: name.into(),
        members: (0..).zip(positions).filter(|(_, p)| holds(p[0])).map(|(v, _)| v).collect(),
    };
    let hair = 1e-9;
    vec![
        group("left", &|x| x <= hair),
        group("right", &|x| x >= LENGTH - hair),
        group("outer", &|x| x >= 0.5 * LENGTH - hair),
    ]
}
