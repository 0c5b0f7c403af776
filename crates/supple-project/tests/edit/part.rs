//! Edits that are confined to a part of the body.

use super::bodies::{Kind, LENGTH, START, Scene, apart, frames, pull, release, tip};
use supple_mesh::{Vec3, VoxelMesh};
use supple_model::{Progress, VertexId};
use supple_project::Status;
use supple_project::shot::{Anchor, Axis, Goal};

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
const BY: [f64; 3] = [-0.1, 0.3, 0.2];

#[test]
fn what_is_outside_of_the_part_does_not_move_at_all() {
    for kind in [Kind::Solid, Kind::Voxels, Kind::Cloth, Kind::Springs, Kind::Flying, Kind::Skin] {
        for (warp, exact) in [(true, true), (true, false), (false, true)] {
            let scene = Scene::new(kind);
            let (input, body) = (scene.input(), scene.body());
            let tip = tip(&input);
            let scene = scene.with(|shot| {
                shot.edit.part = Some("outer".into());
                shot.edit.warp = warp;
                shot.edit.exact = exact;
                shot.edit.handles = vec![pull(FRAME, tip, Goal::By(BY))];
            });
            let (moved, report) = scene.solved();
            assert_eq!(report.status, Status::Settled, "{kind:?}: {report:?}");
            if exact || !warp {
                let change = moved[INDEX][tip.index()] - input[INDEX][tip.index()];
                assert!((change - Vec3::from(BY)).norm() < 1e-6 * LENGTH, "{kind:?}: {change}");
            }
            let inside: Vec<bool> = match (&body.skin, kind) {
                // A skin moves where one of the vertices it rides on does.
                (Some(skin), Kind::Skin) => {
                    let outer = body.groups.get("outer").unwrap();
                    let rows = skin.embedding.rows();
                    rows.map(|(corners, weights)| {
                        let mut of_part = corners.iter().zip(weights);
                        of_part.any(|(v, weight)| *weight != 0.0 && outer.contains(v))
                    })
                    .collect()
                }
                _ => body.positions().iter().map(|p| p.x >= 0.5 * LENGTH - 1e-9).collect(),
            };
            let mut quiet = 0;
            for (v, &inside) in inside.iter().enumerate() {
                let most = (0..input.len()).map(|f| (moved[f][v] - input[f][v]).norm()).fold(0.0, f64::max);
                if inside {
                    assert!(most > 1e-3, "{kind:?}: vertex {v} moves by {most:e}");
                } else {
                    assert!(most <= 1e-15, "{kind:?}: vertex {v} moves by {most:e}");
                    quiet += 1;
                }
            }
            assert!(quiet > 9);
        }
    }
}

#[test]
fn its_modes_are_those_of_the_part_cut_out_and_held_where_it_was_cut() {
    let scene = Scene::new(Kind::Voxels).with(|shot| shot.edit.part = Some("outer".into()));
    let editor = scene.open();
    let body = scene.body();
    // Only the voxels that have a vertex in the part: those from x = 0.8 on, held there.
    let cells: Vec<[usize; 3]> =
        (0..2).flat_map(|k| (0..2).flat_map(move |j| (4..10).map(move |i| [i, j, k]))).collect();
    let cut = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(0.2), &cells).unwrap();
    let mut file = Scene::at_rest(Kind::Voxels);
    file.shot.body.shape = supple_project::shot::Shape::Mesh("cut.inp".into());
    file.shot.body.anchors = vec![Anchor::Below { axis: Axis::X, at: 0.8 + 1e-9 }];
    let volume = supple_formats::VolumeFile {
        positions: cut.positions().iter().map(|p| (*p).into()).collect(),
        elements: supple_formats::Elements::Hexes(
            cut.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect(),
        ),
        ..Default::default()
    };
    let mut bytes = Vec::new();
    supple_formats::write_abaqus(&volume, &mut bytes).unwrap();
    std::fs::write(file.folder.path().join("cut.inp"), bytes).unwrap();
    let cut = file.body();
    let alone = cut.elastic.modes(&cut.free, editor.modes(), &Progress::silent()).unwrap();

    // What a mode costs says its eigenvalue: E(εu) = ½ε²λ.
    let basis = editor.motion().basis();
    let mut z = vec![0.0; editor.modes()];
    let mut u = vec![0.0; 3 * body.positions().len()];
    for (k, expected) in alone.eigenvalues().iter().enumerate() {
        let mut cost = 0.0;
        for small in [1e-4, -1e-4] {
            z[k] = small;
            basis.displacement(&z, &mut u);
            cost += body.elastic.energy(&u) / (small * small);
        }
        z[k] = 0.0;
        assert!((cost / expected - 1.0).abs() < 1e-3, "mode {k}: {cost} and {expected}");
    }
    let first = alone.eigenvalues()[0];
    let dt = std::f64::consts::TAU / (24.0 * first.sqrt());
    assert!((editor.seconds_per_frame() / dt - 1.0).abs() < 1e-9);
}

#[test]
fn it_is_the_edit_of_a_body_whose_other_vertices_are_anchored() {
    let scene = Scene::new(Kind::Solid);
    let tip = tip(&scene.input());
    let solved = |scene: Scene| {
        let mut editor = scene.open();
        editor.add(pull(FRAME, tip, Goal::By(BY))).unwrap();
        release(&mut editor);
        frames(&editor)
    };
    let of_part = solved(scene.with(|shot| shot.edit.part = Some("outer".into())));
    let anchored = Scene::new(Kind::Solid)
        .with(|shot| shot.body.anchors = vec![Anchor::Below { axis: Axis::X, at: 0.5 * LENGTH - 1e-6 }]);
    let of_anchored = solved(anchored);
    assert!(apart(&of_part, &of_anchored) < 1e-9, "{:e}", apart(&of_part, &of_anchored));
}

#[test]
fn a_group_across_the_border_is_held_by_what_of_it_can_move() {
    let scene = Scene::new(Kind::Solid).with(|shot| shot.edit.part = Some("outer".into()));
    let mut editor = scene.open();
    let inner = scene.body().positions().iter().position(|p| p.x > 0.1 && p.x < 0.9).unwrap();
    let outer = scene.body().positions().iter().position(|p| p.x > 1.5).unwrap();
    let site = supple_project::shot::Site::Vertices([inner, outer].map(VertexId::new).to_vec());
    let input = scene.input();
    let handle =
        supple_project::shot::Handle { site, ..pull(FRAME, VertexId(0), Goal::By([0.0, 0.05, 0.0])) };
    editor.add(handle).unwrap();
    assert_eq!(release(&mut editor).status, Status::Settled);
    let moved = frames(&editor);
    let masses = scene.body().elastic.masses().to_vec();
    let share = masses[outer] / (masses[inner] + masses[outer]);
    let change = moved[INDEX][outer] - input[INDEX][outer];
    assert!((change * share - Vec3::new(0.0, 0.05, 0.0)).norm() < 1e-6 * LENGTH, "{change}");
    assert_eq!(moved[INDEX][inner], input[INDEX][inner]);
}
