//! What is written is read again, bit for bit.

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use std::collections::BTreeSet;
use supple_formats::{Elements, Group, Material, Region, SurfaceFile, VolumeFile};
use supple_formats::{read_abaqus, read_obj, read_ply, read_stl, read_veg};
use supple_formats::{write_abaqus, write_obj, write_ply, write_stl, write_veg};

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
            SurfaceFile { positions, triangles, uvs, triangle_uvs, vertex_groups }
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
