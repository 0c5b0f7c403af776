//! What the report says of elements that are turned inside out.

use super::bodies::{Kind, LENGTH, START, Scene, pull, tip};
use supple_mesh::{Vec3, shapes, signed_volume};
use supple_project::Inverted;
use supple_project::shot::Goal;

/// An element that an edit turned in forty frames was told as forty elements, and what the input has turned itself was not
/// told at all: the report names the worst frame, how many there are in it, and how many of the input's.
#[test]
fn turned_elements_are_those_of_the_worst_frame() {
    const FRAMES: usize = 30;
    const INDEX: usize = 15;
    let mesh = shapes::box_mesh(Vec3::new(LENGTH, 0.4, 0.4), [6, 2, 2]).unwrap();
    // All along, the input has a vertex of the middle pushed far into the body.
    let dented = |_: usize, p: &Vec3| {
        let is_pushed = (p - Vec3::new(0.5 * LENGTH, 0.4, 0.2)).norm() < 1e-9;
        if is_pushed { p - Vec3::new(0.0, 0.9, 0.0) } else { *p }
    };
    let scene = Scene::moving(Kind::Solid, FRAMES, dented);
    let input = scene.input();
    let back = pull(START + INDEX as i32, tip(&input), Goal::To([0.1 * LENGTH, 0.5 * LENGTH, 0.2]));
    let scene = scene.with(|shot| {
        shot.edit.exact = false;
        shot.edit.handles = vec![back];
    });
    let (moved, report) = scene.solved();
    let volume = |at: &[Vec3], tet: &[supple_model::VertexId; 4]| {
        let [a, b, c, d] = tet.map(|v| at[v.index()]);
        signed_volume(a, b, c, d)
    };
    let counts: Vec<[usize; 2]> = (0..FRAMES)
        .map(|i| {
            let own = mesh.tets().iter().filter(|tet| volume(&input[i], tet) <= 0.0).count();
            let by_edit = mesh.tets().iter().filter(|tet| {
                volume(&input[i], tet) > 0.05 * volume(mesh.positions(), tet) && volume(&moved[i], tet) <= 0.0
            });
            [by_edit.count(), own]
        })
        .collect();
    let most = counts.iter().map(|[by_edit, _]| *by_edit).max().unwrap();
    let worst = counts.iter().position(|[by_edit, _]| *by_edit == most).unwrap();
    let in_all: usize = counts.iter().map(|[by_edit, _]| by_edit).sum();
    assert!(most > 0 && in_all > most && counts[worst][1] > 0, "{counts:?}");
    let expected = Inverted { count: most, frame: START + worst as i32, input: counts[worst][1] };
    assert_eq!(report.inverted, Some(expected));
}
