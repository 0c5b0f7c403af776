use super::*;
use crate::{Embedding, Surface, components, voxel_neighbours};
use std::collections::HashMap;

/// What a shape should be like.
struct Expected {
    vertices: usize,
    elements: usize,
    /// How far the skin may ride beside the body: the largest weight.
    weight: f64,
    groups: &'static [&'static str],
    /// The group that holds it.
    anchor: &'static str,
}

/// Within 15 % of the published model.
fn near(found: usize, published: usize) -> bool {
    found.abs_diff(published) * 100 <= published * 15
}

/// How many triangles meet at each edge, in each of its directions.
fn edge_uses(mesh: &TriMesh) -> HashMap<(VertexId, VertexId), [usize; 2]> {
    let mut uses: HashMap<(VertexId, VertexId), [usize; 2]> = HashMap::new();
    for [a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            uses.entry((*from.min(to), *from.max(to))).or_default()[usize::from(from > to)] += 1;
        }
    }
    uses
}

/// The smallest dihedral angle of a mesh, degrees.
fn least_dihedral_angle(mesh: &TetMesh) -> f64 {
    let mut least = 180.0_f64;
    for tet in mesh.tets() {
        let p = tet.map(|v| mesh.positions()[v.index()]);
        for [i, j, k, l] in
            [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]]
        {
            let edge = p[j] - p[i];
            let [one, other] = [k, l].map(|n| edge.cross(&(p[n] - p[i])));
            least = least.min(one.angle(&other).to_degrees());
        }
    }
    least
}

fn check_groups(shape: &Shape, expected: &Expected) {
    let count = shape.body.positions().len();
    for name in expected.groups {
        let group = shape.groups.get(name).unwrap();
        assert!(group.len() >= 4 && group.len() < count * 9 / 10, "{name}: {}", group.len());
    }
    // Anchors hold a small share of the body, and are no single line that it could turn about.
    let held: Vec<Vec3> = shape
        .groups
        .get(expected.anchor)
        .unwrap()
        .iter()
        .map(|v| shape.body.positions()[v.index()])
        .collect();
    assert!(held.len() * 4 < count, "{} of {count} vertices are anchored", held.len());
    let spread = held.iter().map(|p| (p - held[0]).cross(&(held[held.len() - 1] - held[0])).norm());
    assert!(spread.fold(0.0, f64::max) > 1e-3);
}

/// Checks a body of tets and its skin.
fn check(shape: &Shape, expected: &Expected) {
    let BodyMesh::Tets(mesh) = &shape.body else { panic!("a body of tets") };
    let (vertices, tets) = (mesh.positions().len(), mesh.tets().len());
    assert!(near(vertices, expected.vertices) && near(tets, expected.elements), "{vertices} / {tets}");
    assert_eq!(components(vertices, mesh.tets()).count, 1);
    let angle = least_dihedral_angle(mesh);
    assert!(angle > 10.0, "{angle}");
    let low =
        Surface::of(mesh).vertices().iter().map(|v| mesh.positions()[v.index()].y).fold(f64::MAX, f64::min);
    assert!((-1e-9..0.005).contains(&low), "stands on y = {low}");

    let skin = shape.skin.as_ref().unwrap();
    assert_eq!(components(skin.positions().len(), skin.triangles()).count, 1);
    let open = edge_uses(skin).values().filter(|[with, against]| with != against).count();
    assert_eq!(open, 0, "edges at which the skin is open");
    let embedding = Embedding::of(mesh, skin.positions());
    let largest = embedding.rows().flat_map(|(_, weights)| weights).fold(0.0_f64, |m, w| m.max(w.abs()));
    assert!(largest < expected.weight, "{largest}");
    check_groups(shape, expected);
}

#[test]
fn the_block_is_the_block_of_sparse_constraints() {
    // Schulz et al., Animating Deformable Objects Using Sparse Spacetime Constraints (2014).
    let groups = &["base", "top"];
    check(
        &block().unwrap(),
        &Expected { vertices: 504, elements: 2_015, weight: 1.01, groups, anchor: "base" },
    );
}

#[test]
fn the_flower_is_whole_and_of_the_published_size() {
    // Li et al., Space-Time Editing of Elastic Motion through Material Optimization (2014).
    let groups = &["base", "stem", "leaves", "petals", "disc"];
    check(
        &flower().unwrap(),
        &Expected { vertices: 1_828, elements: 5_078, weight: 2.5, groups, anchor: "base" },
    );
}

#[test]
fn the_dinosaur_is_whole_and_of_the_published_size() {
    // Barbič et al., Deformable Object Animation Using Reduced Optimal Control (2009).
    let groups = &["feet", "head", "neck", "tail", "left-front-foot", "right-hind-leg"];
    check(
        &dinosaur().unwrap(),
        &Expected { vertices: 1_493, elements: 5_249, weight: 2.5, groups, anchor: "feet" },
    );
}

#[test]
fn the_t_rex_is_whole_and_of_the_published_size() {
    // Li et al. (2014).
    let groups = &["feet", "head", "jaw", "tail", "left-foot", "right-foot", "left-arm", "right-leg"];
    check(
        &t_rex().unwrap(),
        &Expected { vertices: 2_400, elements: 6_660, weight: 5.0, groups, anchor: "feet" },
    );
}

#[test]
fn the_dragon_is_whole_and_of_the_published_size() {
    // Barbič et al., Interactive Editing of Deformable Simulations (2012).
    let groups = &["feet", "head", "jaw", "neck", "tail", "whiskers", "antlers", "left-front-foot"];
    check(
        &dragon().unwrap(),
        &Expected { vertices: 13_367, elements: 48_010, weight: 10.0, groups, anchor: "feet" },
    );
}

#[test]
fn left_and_right_are_mirror_images() {
    let shape = t_rex().unwrap();
    for part in ["foot", "leg", "arm"] {
        let [left, right] =
            ["left", "right"].map(|side| shape.groups.get(&format!("{side}-{part}")).unwrap());
        // The lattice is no mirror image of itself, so the counts differ a little.
        assert!(left.len().abs_diff(right.len()) * 20 < left.len());
        // Looking along x with y up, the right is where z is positive.
        assert!(left.iter().all(|v| shape.body.positions()[v.index()].z < 0.0));
        assert!(right.iter().all(|v| shape.body.positions()[v.index()].z > 0.0));
    }
}

#[test]
fn the_bird_is_a_sheet_sewn_to_a_body_in_a_cage() {
    let shape = bird().unwrap();
    let BodyMesh::Voxels(cage) = &shape.body else { panic!("a body of voxels") };
    let skin = shape.skin.as_ref().unwrap();
    // Sizes of the seagull in Barbič et al. (2012).
    assert!(near(cage.voxels().len(), 432) && near(cage.positions().len(), 918), "{}", cage.voxels().len());
    assert!(near(skin.positions().len(), 664), "{}", skin.positions().len());
    assert_eq!(components(skin.positions().len(), skin.triangles()).count, 1);

    // Three triangles meet at every seam: 8 edges at each wing and 6 at the tail. Around each sheet
    // there is a border; nowhere else is the skin open.
    let uses = edge_uses(skin);
    let met_by = |n: usize| uses.values().filter(|[with, against]| with + against == n).count();
    assert_eq!(met_by(3), 2 * 8 + 6);
    assert_eq!(met_by(1), 2 * (2 * 21 + 8) + 2 * 4 + 6);
    assert_eq!(met_by(1) + met_by(2) + met_by(3), uses.len());

    // The cage holds together by its faces, holds the whole skin, and is its own mirror image.
    let mut reached = vec![false; cage.voxels().len()];
    let mut next = vec![0];
    while let Some(voxel) = next.pop() {
        if !std::mem::replace(&mut reached[voxel], true) {
            next.extend(voxel_neighbours(cage.voxels())[voxel].iter().flatten().map(|e| e.index()));
        }
    }
    assert!(reached.iter().all(|r| *r));
    let embedding = Embedding::in_voxels(cage, skin.positions());
    assert!(embedding.rows().flat_map(|(_, weights)| weights).all(|w| (-1e-9..1.0 + 1e-9).contains(w)));
    for p in cage.positions() {
        let image = Vec3::new(p.x, p.y, -p.z);
        assert!(cage.positions().iter().any(|q| (q - image).norm() < 1e-9), "{p}");
    }
    for name in ["left-wing", "right-wing", "tail", "head", "body"] {
        assert!(shape.groups.get(name).unwrap().len() > 20, "{name}");
    }
    let sizes = ["left-wing", "right-wing"].map(|name| shape.groups.get(name).unwrap().len());
    assert_eq!(sizes[0], sizes[1]);
}

#[test]
fn the_beam_of_voxels_is_that_of_the_paper() {
    let BodyMesh::Voxels(mesh) = voxel_beam().unwrap().body else { panic!("a body of voxels") };
    assert_eq!((mesh.voxels().len(), mesh.positions().len()), (75, 208));
}

#[test]
fn the_curtain_is_one_cloth_that_hangs_by_its_top() {
    let shape = curtain().unwrap();
    let BodyMesh::Cloth(cloth) = &shape.body else { panic!("a body of cloth") };
    assert_eq!((cloth.positions().len(), cloth.triangles().len()), (1_281, 2_400));
    assert_eq!(components(1_281, cloth.triangles()).count, 1);
    let uses = edge_uses(cloth);
    assert!(uses.values().all(|uses| uses.iter().all(|n| *n <= 1)), "one side of the cloth is its front");
    assert_eq!(uses.values().filter(|uses| *uses != &[1, 1]).count(), 2 * (60 + 20));
    for (name, size) in [("top", 61), ("rings", 6), ("hem", 61)] {
        assert_eq!(shape.groups.get(name).unwrap().len(), size, "{name}");
    }
    let height = |v: &VertexId| cloth.positions()[v.index()].y;
    assert!(shape.groups.get("rings").unwrap().iter().all(|v| height(v) == 2.0));
    assert!(shape.groups.get("top").unwrap().iter().all(|v| height(v) > 1.9));
    assert!(shape.groups.get("hem").unwrap().iter().all(|v| height(v) == 0.0));
    // No quad is stretched beyond use: triangles between a tenth and ten times the mean area.
    let areas: Vec<f64> = cloth
        .triangles()
        .iter()
        .map(|t| t.map(|v| cloth.positions()[v.index()]))
        .map(|[a, b, c]| (b - a).cross(&(c - a)).norm() / 2.0)
        .collect();
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    assert!(areas.iter().all(|area| (mean / 10.0..mean * 10.0).contains(area)));
}

#[test]
fn shapes_are_the_same_every_time_and_at_any_thread_count() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    assert_eq!(pool(1).install(flower), pool(3).install(flower));
    assert_eq!(bird(), bird());
    assert_eq!(curtain(), curtain());
}

/// The bodies of Schulz et al. 2014, Table 1, within 5 %.
#[test]
fn bodies_of_keyed_motions_have_the_published_sizes_and_soles() {
    for (shape, published, soles) in [
        (x().unwrap(), 3_002, &["left-foot", "right-foot", "feet", "left-hand", "right-hand", "hands"][..]),
        (cactus().unwrap(), 8_370, &["foot"]),
        (buddha().unwrap(), 77_642, &["base"]),
    ] {
        let BodyMesh::Tets(mesh) = &shape.body else { panic!("a body of tets") };
        let count = mesh.tets().len();
        assert!(count.abs_diff(published) * 20 <= published, "{count} of {published}");
        assert_eq!(components(mesh.positions().len(), mesh.tets()).count, 1);
        assert!(least_dihedral_angle(mesh) > 10.0);
        for name in soles {
            let places: Vec<Vec3> =
                shape.groups.get(name).unwrap().iter().map(|v| mesh.positions()[v.index()]).collect();
            let (low, high) =
                places.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p.y), high.max(p.y)));
            assert!(places.len() >= 6 && high - low < 0.08, "{name}: {} from {low} to {high}", places.len());
        }
    }
}

/// The bodies of Barbič et al., Deformable Object Animation Using Reduced Optimal Control (2009), that this program has of its
/// own: sizes are the published ones.
#[test]
fn the_bodies_of_optimal_control_are_whole_and_of_the_published_sizes() {
    let feet = &["feet", "head", "tail", "left-foot", "right-leg"];
    check(
        &biped().unwrap(),
        &Expected { vertices: 1_493, elements: 5_249, weight: 3.0, groups: feet, anchor: "feet" },
    );
    let blooms = &["base", "stem", "branch", "leaves", "bloom", "small-bloom"];
    check(
        &pansy().unwrap(),
        &Expected { vertices: 2_713, elements: 7_602, weight: 3.0, groups: blooms, anchor: "base" },
    );
    let limbs = &["head", "trunk", "tail", "left-ear", "right-hind-leg", "left-front-foot"];
    let elephant = elephant().unwrap();
    check(
        &elephant,
        &Expected {
            vertices: 4_736,
            elements: 19_386,
            weight: 3.5,
            groups: limbs,
            anchor: "left-front-foot",
        },
    );
    assert!(near(elephant.skin.unwrap().positions().len(), 42_321));
    let fish = fish().unwrap();
    let BodyMesh::Tets(mesh) = &fish.body else { panic!("a body of tets") };
    let (vertices, tets) = (mesh.positions().len(), mesh.tets().len());
    // Its thin fins are nearly all surface: as many tets as published have more vertices, 885 there.
    assert!(near(tets, 3_477) && vertices < 1_100, "{vertices} / {tets}");
    assert_eq!(components(vertices, mesh.tets()).count, 1);
    for name in ["body", "tail", "back-fin", "belly-fin", "left-fin", "right-fin", "fins"] {
        assert!(fish.groups.get(name).unwrap().len() > 4, "{name}");
    }
}

/// A rig that moves nothing leaves every point where it is, and a stride comes round.
#[test]
fn a_stride_comes_round() {
    let skin = elephant().unwrap().skin.unwrap();
    let rest = skin.positions();
    assert!(elephant_stride(rest, 0.3, 0.0).iter().zip(rest).all(|(a, b)| (a - b).norm() < 1e-14));
    let [begin, end] = [0.0, 1.0].map(|phase| elephant_stride(rest, phase, 1.0));
    assert!(begin.iter().zip(&end).all(|(a, b)| (a - b).norm() < 1e-12));
    let moved = elephant_stride(rest, 0.25, 1.0);
    let farthest = rest.iter().zip(&moved).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!((0.2..0.8).contains(&farthest), "{farthest}");
}
