//! What handles can hold, and what can be asked of it.

use super::bodies::{FPS, FRAMES, Kind, LENGTH, START, Scene, apart, pull, release, tip};
use nalgebra::Rotation3;
use std::fs;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_project::shot::{Axes, End, Ends, Feel, Goal, Handle, Site, Together, Turn, When};
use supple_project::{Body, EditReport, Status};

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
const BY: [f64; 3] = [-0.1, 0.3, 0.2];

fn at(site: Site, goal: Goal) -> Handle {
    Handle::new(When::Frame(FRAME), site, goal)
}

/// The edited motion of a shot with these handles.
fn solve(scene: &mut Scene, handles: Vec<Handle>) -> (Vec<Vec<Vec3>>, EditReport) {
    scene.shot.edit.handles = handles;
    scene.solved()
}

fn by_mass(body: &Body, members: &[VertexId], frame: &[Vec3]) -> Vec3 {
    let masses = body.elastic.masses();
    let total: f64 = members.iter().map(|v| masses[v.index()]).sum();
    members.iter().map(|v| frame[v.index()] * (masses[v.index()] / total)).sum()
}

fn near(a: Vec3, b: Vec3) -> bool {
    (a - b).norm() <= 1e-6 * LENGTH
}

#[test]
fn a_group_is_held_by_its_mean_or_vertex_by_vertex() {
    // Enough modes for each of nine vertices to be anywhere.
    let mut scene = Scene::new(Kind::Solid).with(|shot| shot.edit.modes = 100);
    let (input, body) = (scene.input(), scene.body());
    let right = body.groups.get("right").unwrap().to_vec();
    let (by, group) = (Vec3::from(BY), Site::Group("right".into()));
    let (moved, report) = solve(&mut scene, vec![at(group.clone(), Goal::By(BY))]);
    assert_eq!(report.status, Status::Settled);
    let mean = |frames: &[Vec<Vec3>]| by_mass(&body, &right, &frames[INDEX]);
    assert!(near(mean(&moved), mean(&input) + by));
    // Not weighed by mass it is another point: an end face of tets has corners of unequal masses.
    let evenly = |frames: &[Vec<Vec3>]| -> Vec3 {
        right.iter().map(|v| frames[INDEX][v.index()]).sum::<Vec3>() / right.len() as f64
    };
    assert!(!near(evenly(&moved), evenly(&input) + by));
    let (moved, _) = solve(&mut scene, vec![at(group.clone(), Goal::To([1.5, 0.8, 0.3]))]);
    assert!(near(mean(&moved), Vec3::new(1.5, 0.8, 0.3)));

    // Three of them, wherever they are; and all, which are more than so stiff a face can grant: that is said.
    let corners = [right[0], right[2], right[8]].to_vec();
    let each = |site| Handle { points: Some(Together::Each), ..at(site, Goal::By(BY)) };
    let cases = [(Site::Vertices(corners.clone()), corners.clone(), 1e-6), (group, right.clone(), 1e-3)];
    for (site, held, tolerance) in cases {
        let (moved, report) = solve(&mut scene, vec![each(site)]);
        for v in &held {
            let off = moved[INDEX][v.index()] - input[INDEX][v.index()] - by;
            assert!(off.norm() < tolerance * LENGTH, "{v}: {off}");
        }
        assert!(report.handles[0].redundant || report.handles[0].error < 1e-6 * LENGTH, "{report:?}");
    }
    // `to` of each: all moved alike, so that their middle is there.
    let middle = corners.iter().map(|v| input[INDEX][v.index()]).sum::<Vec3>() / 3.0;
    let goal = Goal::To((middle + by).into());
    let (moved, _) = solve(&mut scene, vec![Handle { goal, ..each(Site::Vertices(corners.clone())) }]);
    assert!(corners.iter().all(|v| near(moved[INDEX][v.index()], input[INDEX][v.index()] + by)));
}

#[test]
fn a_point_near_by_is_the_vertex_there_and_the_centre_of_mass_is_that_of_all() {
    let mut scene = Scene::new(Kind::Solid);
    let (input, body) = (scene.input(), scene.body());
    let aim = Vec3::new(1.2, 0.45, -0.1);
    let nearest = body.positions().iter().enumerate();
    let (nearest, _) = nearest.min_by(|a, b| (a.1 - aim).norm().total_cmp(&(b.1 - aim).norm())).unwrap();
    let (moved, _) = solve(&mut scene, vec![at(Site::Near(aim.into()), Goal::By(BY))]);
    assert!(near(moved[INDEX][nearest], input[INDEX][nearest] + Vec3::from(BY)));

    let all: Vec<VertexId> = (0..body.positions().len()).map(VertexId::new).collect();
    for mut scene in [scene, Scene::new(Kind::Flying)] {
        let input = scene.input();
        let (moved, _) = solve(&mut scene, vec![at(Site::CenterOfMass, Goal::By(BY))]);
        let middle = |frames: &[Vec<Vec3>]| by_mass(&body, &all, &frames[INDEX]);
        assert!(near(middle(&moved), middle(&input) + Vec3::from(BY)));
    }
}

#[test]
fn vertices_are_those_of_the_skin_where_there_is_one() {
    // The body moves, the skin rides on it.
    let mut scene = Scene::at_rest(Kind::Skin);
    let (input, body) = (scene.input(), scene.body());
    let skin = body.skin.as_ref().unwrap();
    let vertex = VertexId(20);
    let (corners, weights) = skin.embedding.rows().nth(vertex.index()).unwrap();
    let (corners, weights) = (corners.to_vec(), weights.to_vec());
    let place = |frame: &[Vec3]| -> Vec3 {
        corners.iter().zip(&weights).map(|(corner, weight)| frame[corner.index()] * *weight).sum()
    };
    let (moved, _) = solve(&mut scene, vec![at(Site::Vertex(vertex), Goal::By(BY))]);
    assert!(near(place(&moved[INDEX]), place(&input[INDEX]) + Vec3::from(BY)));
    let (moved, _) = solve(&mut scene, vec![at(Site::BodyVertex(vertex), Goal::By(BY))]);
    assert!(near(moved[INDEX][vertex.index()], input[INDEX][vertex.index()] + Vec3::from(BY)));

    // The skin moves, nothing is known of the body.
    let mut scene = Scene::new(Kind::Skin).with(|shot| shot.edit.modes = 60);
    let input = scene.input();
    let (moved, _) = solve(&mut scene, vec![at(Site::Vertex(vertex), Goal::By(BY))]);
    assert!(near(moved[INDEX][vertex.index()], input[INDEX][vertex.index()] + Vec3::from(BY)));
    let group = Handle { points: Some(Together::Each), ..at(Site::Group("right".into()), Goal::By(BY)) };
    let (moved, _) = solve(&mut scene, vec![group]);
    let at_the_end: Vec<usize> = (0..input[0].len()).filter(|v| input[0][*v].x > LENGTH - 0.1).collect();
    assert!(at_the_end.len() >= 3);
    let off = |v: &usize| (moved[INDEX][*v] - input[INDEX][*v] - Vec3::from(BY)).norm();
    assert!(at_the_end.iter().all(|v| off(v) < 1e-3 * LENGTH));
}

#[test]
fn single_coordinates_leave_the_others_free() {
    let mut scene = Scene::new(Kind::Solid);
    let input = scene.input();
    let tip = tip(&input);
    let all = pull(FRAME, tip, Goal::By(BY));
    let (_, whole) = solve(&mut scene, vec![all.clone()]);
    for axes in [[false, true, false], [true, false, true]] {
        let (moved, report) = solve(&mut scene, vec![Handle { axes: Some(Axes(axes)), ..all.clone() }]);
        let change = moved[INDEX][tip.index()] - input[INDEX][tip.index()];
        for axis in 0..3 {
            let off = (change[axis] - BY[axis]).abs();
            assert!(if axes[axis] { off <= 1e-6 * LENGTH } else { off > 1e-3 }, "{axis} of {axes:?}: {off}");
        }
        assert!(report.energy < 0.999 * whole.energy, "it costs less");
    }
}

#[test]
fn goals_are_reached_as_they_are_meant() {
    let mut scene = Scene::new(Kind::Solid).with(|shot| shot.edit.modes = 100);
    let (input, tip) = (scene.input(), tip(&scene.input()));
    let place = |frames: &[Vec<Vec3>], index: usize| frames[index][tip.index()];
    let (moved, _) = solve(&mut scene, vec![pull(FRAME, tip, Goal::To([1.6, 0.9, 0.4]))]);
    assert!(near(place(&moved, INDEX), Vec3::new(1.6, 0.9, 0.4)));

    // A plane of any orientation, and nothing else.
    let (point, normal) = ([0.0, 0.6, 0.1], [0.3, 2.0, -0.5]);
    let (moved, on_plane) = solve(&mut scene, vec![pull(FRAME, tip, Goal::Plane { point, normal })]);
    let height =
        (place(&moved, INDEX) - Vec3::from(point)).dot(&Vec3::from(normal)) / Vec3::from(normal).norm();
    assert!(height.abs() <= 1e-6 * LENGTH, "{height:e}");
    let there: [f64; 3] = place(&moved, INDEX).into();
    let (_, to_there) = solve(&mut scene, vec![pull(FRAME, tip, Goal::To(there))]);
    let costs = (on_plane.energy, to_there.energy);
    assert!((costs.0 - costs.1).abs() <= 1e-3 * costs.0, "the cheapest point of the plane: {costs:?}");

    // A turn is that of every point about the axis.
    let (about, axis, degrees) = ([1.0, 0.2, 0.2], [0.0, 0.0, 2.0], 40.0);
    let right = scene.body().groups.get("right").unwrap().to_vec();
    let corners = [right[0], right[2], right[8]];
    let turn = at(Site::Vertices(corners.to_vec()), Goal::from(Turn { about, axis, degrees }));
    let (moved, _) = solve(&mut scene, vec![turn]);
    let rotation = Rotation3::from_axis_angle(&Vec3::z_axis(), 40f64.to_radians());
    for v in &corners {
        let expected = Vec3::from(about) + rotation * (input[INDEX][v.index()] - Vec3::from(about));
        assert!(near(moved[INDEX][v.index()], expected));
    }

    // A path is linear between its rows, and holds at every frame of a range.
    let path = format!("frame,x,y,z\n{FRAME},1.8,0.5,0.2\n{},1.6,0.9,0.4\n", FRAME + 4);
    fs::write(scene.folder.path().join("path.csv"), path).unwrap();
    let follow =
        Handle { when: When::Frames(FRAME..=FRAME + 4), ..pull(FRAME, tip, Goal::Path("path.csv".into())) };
    let (moved, report) = solve(&mut scene, vec![follow]);
    for k in 0..=4 {
        let part = k as f64 / 4.0;
        let expected = Vec3::new(1.8, 0.5, 0.2).lerp(&Vec3::new(1.6, 0.9, 0.4), part);
        assert!(near(place(&moved, INDEX + k), expected), "{k}: {report:?}");
    }
    let range = Handle { when: When::Frames(FRAME..=FRAME + 3), ..pull(FRAME, tip, Goal::By(BY)) };
    let (moved, _) = solve(&mut scene, vec![range]);
    for index in INDEX..INDEX + 4 {
        assert!(near(place(&moved, index), place(&input, index) + Vec3::from(BY)));
    }
    assert!(!near(place(&moved, INDEX + 4), place(&input, INDEX + 4) + Vec3::from(BY)));
}

#[test]
fn a_velocity_is_read_off_the_written_frames() {
    // The velocity of the path at an instant missed by up to 29 % what one measures between frames.
    let velocity = Vec3::new(-2.0, 1.5, 3.0);
    for (kind, feel) in
        [(Kind::Solid, Feel::Lively), (Kind::Flying, Feel::Lively), (Kind::Cloth, Feel::Smooth)]
    {
        for frame in [FRAME, START + FRAMES as i32 - 1] {
            let scene = Scene::new(kind).with(|shot| shot.edit.feel = feel);
            let (input, tip) = (scene.input(), tip(&scene.input()));
            let scene = scene.with(|shot| {
                shot.edit.ends = Ends::Apart { start: None, end: Some(End::Free) };
                shot.edit.handles = vec![pull(frame, tip, Goal::Velocity(velocity.into()))];
            });
            let (moved, report) = scene.solved();
            // Central differences inside the motion, one-sided at its ends.
            let index = (frame - START) as usize;
            let (before, after) = (index - 1, (index + 1).min(FRAMES - 1));
            let read = |frames: &[Vec<Vec3>]| {
                (frames[after][tip.index()] - frames[before][tip.index()]) * (FPS / (after - before) as f64)
            };
            assert_eq!(report.status, Status::Settled, "{kind:?} {frame}: {report:?}");
            assert!((read(&moved) - velocity).norm() < 1e-5, "{kind:?} {frame}: {}", read(&moved));
            let outcome = &report.handles[0];
            assert!(outcome.of_velocity && outcome.error < 1e-5, "{outcome:?}");
            assert!((outcome.asked - (velocity - read(&input)).norm()).abs() < 1e-9, "{outcome:?}");
        }
    }
}

#[test]
fn a_relative_handle_holds_what_is_between_two_places() {
    let mut scene = Scene::new(Kind::Solid);
    let (input, body) = (scene.input(), scene.body());
    let (tip, other) = (tip(&input), body.positions().iter().position(|p| p.x > 0.9).unwrap());
    let between = |frames: &[Vec<Vec3>]| frames[INDEX][tip.index()] - frames[INDEX][other];
    let relative =
        |goal| Handle { relative_to: Some(Site::Vertex(VertexId::new(other))), ..pull(FRAME, tip, goal) };
    let (moved, by) = solve(&mut scene, vec![relative(Goal::By([0.0, 0.2, 0.1]))]);
    assert!(near(between(&moved), between(&input) + Vec3::new(0.0, 0.2, 0.1)));
    assert!(moved[INDEX][other] != input[INDEX][other], "the other is not held");
    let (moved, _) = solve(&mut scene, vec![relative(Goal::To([0.8, 0.5, 0.0]))]);
    assert!(near(between(&moved), Vec3::new(0.8, 0.5, 0.0)));
    // To an anchor it is the same as without.
    let anchor = body.anchors[0];
    let (from_anchor, _) = solve(
        &mut scene,
        vec![Handle {
            relative_to: Some(Site::Vertex(anchor)),
            ..pull(FRAME, tip, Goal::By([0.0, 0.2, 0.1]))
        }],
    );
    let (plain, alone) = solve(&mut scene, vec![pull(FRAME, tip, Goal::By([0.0, 0.2, 0.1]))]);
    assert!(apart(&from_anchor, &plain) <= 1e-6 * LENGTH);
    assert!((by.energy - alone.energy).abs() > 1e-3 * alone.energy);
}

#[test]
fn the_force_on_a_point_is_its_share_of_the_whole() {
    let mut scene = Scene::new(Kind::Solid);
    let (body, vertex) = (scene.body(), tip(&scene.input()));
    scene.shot.edit.handles = vec![pull(FRAME, vertex, Goal::By(BY))];
    let mut editor = scene.open();
    let report = release(&mut editor);
    let peak = report.force.unwrap();
    let (newtons, strongest) = peak.largest.unwrap();
    let mass = body.elastic.masses()[strongest.index()];
    let forces = editor.force_at(&[(strongest, 1.0)]).unwrap();
    assert_eq!(forces.len(), FRAMES);
    let there = forces[((peak.frame - f64::from(START)) as usize).min(INDEX - 1)] * mass;
    let most = forces.iter().copied().fold(0.0, f64::max) * mass;
    assert!(
        there >= newtons * (1.0 - 1e-9) && most >= there && most < 2.0 * newtons,
        "{newtons} {there} {most}"
    );
    assert!(
        forces[INDEX..].iter().all(|force| force * mass < 1e-6 * newtons),
        "nothing pulls after the handle"
    );
    let twice = editor.force_at(&[(strongest, 0.5), (strongest, 1.5)]).unwrap();
    assert!(twice.iter().zip(&forces).all(|(a, b)| (a - 2.0 * b).abs() <= 1e-9 * newtons / mass));
    let anchored = body.anchors[0];
    assert!(
        editor.force_at(&[(anchored, 1.0)]).unwrap().iter().all(|force| *force == 0.0),
        "what is held is not pulled"
    );
}
