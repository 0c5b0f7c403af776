//! The keys of a motion for the eye: what is asked, when, and of which vertices.

use super::chain::jump;
use super::{Place, each, turn};
use nalgebra::Rotation3;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::Cache;
use supple_project::method::{self, Asked, KeyMoment};
use supple_project::shot::{Ends, Goal, Handle, Site, When};

fn keys(place: &Place) -> Vec<KeyMoment> {
    let cache = Cache::in_folders([place.folder.path().join("cache")]);
    let progress = Progress::silent();
    let mut method = method::open(&place.shot, place.body(), &cache, &progress).unwrap();
    assert!(method.key_moments().is_empty(), "nothing is found yet");
    method.solve(&progress, &mut |_| Ok(())).unwrap();
    method.key_moments()
}

fn places(asked: &Asked) -> &[(VertexId, Vec3)] {
    let Asked::Places(places) = asked else { panic!("{asked:?}") };
    places
}

/// Targets were told from where the motion has the points, and were elsewhere for motions warped afterwards.
#[test]
fn a_part_is_where_it_is_asked_to_be_whatever_was_found() {
    let about = Vec3::new(0.0, 0.5, 0.0);
    let tilted = Rotation3::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    for (exact, warp) in [(true, true), (false, true), (false, false)] {
        let mut place = Place::new("block");
        let goal = turn(about.into(), [0.0, 0.0, 1.0], 90.0);
        place.shot.edit.handles = vec![each(When::Frame(25), "top", goal)];
        (place.shot.edit.exact, place.shot.edit.warp) = (exact, warp);
        let body = place.body();
        let keys = keys(&place);
        assert_eq!(keys.iter().map(|key| key.time).collect::<Vec<_>>(), [1.0, 25.0, 49.0]);
        assert!(keys.iter().all(|key| key.segment.is_none() && key.asked.len() == 1));
        let top = places(&keys[1].asked[0]);
        assert_eq!(top.len(), body.groups.get("top").unwrap().len());
        for (v, goal) in top {
            let there = about + tilted * (body.positions()[v.index()] - about);
            assert!((goal - there).norm() < 1e-9, "{exact} {warp}: {goal:?} {there:?}");
        }
        for end in [&keys[0], &keys[2]] {
            let whole = places(&end.asked[0]);
            assert!(whole.iter().all(|(v, goal)| (goal - body.positions()[v.index()]).norm() < 1e-9));
            assert_eq!(whole.len(), body.positions().len());
        }
    }
}

#[test]
fn a_mean_moves_all_of_its_part_and_a_loop_has_no_ends() {
    let mut place = Place::new("block");
    let mean = Handle::new(When::Frame(9), Site::Group("top".into()), Goal::By([0.0, 0.1, 0.0]));
    let center = Handle::new(When::Frame(30), Site::CenterOfMass, Goal::By([0.05, 0.0, 0.0]));
    let velocity = Handle::new(When::Frame(30), Site::Group("top".into()), Goal::Velocity([0.0, 0.3, 0.0]));
    place.shot.edit.handles = vec![mean, center, velocity];
    place.shot.edit.ends = Ends::Loop;
    let (body, keys) = (place.body(), keys(&place));
    assert_eq!(keys.iter().map(|key| key.time).collect::<Vec<_>>(), [9.0, 30.0]);
    let masses = body.elastic.masses();
    let (mut moved, mut mass) = (Vec3::zeros(), 0.0);
    for (v, goal) in places(&keys[0].asked[0]) {
        moved += masses[v.index()] * (goal - body.positions()[v.index()]);
        mass += masses[v.index()];
    }
    assert!((moved / mass - Vec3::new(0.0, 0.1, 0.0)).norm() < 1e-9, "{moved:?}");
    let rest = place.center(body.positions());
    let Asked::Center(dot) = keys[1].asked[0] else { panic!("{:?}", keys[1].asked) };
    assert!((dot - rest - Vec3::new(0.05, 0.0, 0.0)).norm() < 1e-9, "{dot:?}");
    let Asked::Velocity { at, velocity } = keys[1].asked[1] else { panic!("{:?}", keys[1].asked) };
    assert_eq!(velocity, Vec3::new(0.0, 0.3, 0.0));
    let top: Vec<Vec3> = places(&keys[0].asked[0])
        .iter()
        .map(|(v, _)| masses[v.index()] * Vec3::from(keys[1].positions[v.index()]))
        .collect();
    assert!((at - top.iter().sum::<Vec3>() / mass).norm() < 1e-9, "{at:?}");
}

#[test]
fn a_jump_has_its_start_its_take_off_its_landing_and_its_rest() {
    let place = jump();
    let keys = keys(&place);
    assert_eq!(keys.iter().map(|key| key.segment).collect::<Vec<_>>(), [Some(1), Some(1), Some(2), Some(3)]);
    assert!(keys[1].asked.iter().any(|asked| matches!(asked, Asked::Velocity { .. })), "{:?}", keys[1].asked);
    // In flight, parts are seen from the centre of mass: it is there, too.
    let found: Vec<Vec3> = keys[2].positions.iter().map(|place| Vec3::from(*place)).collect();
    let centers: Vec<Vec3> = keys[2]
        .asked
        .iter()
        .filter_map(|asked| if let Asked::Center(at) = asked { Some(*at) } else { None })
        .collect();
    assert_eq!(centers.len(), 1);
    assert!((centers[0] - place.center(&found)).norm() < 1e-9);
    // Firmly held, the feet are nearly where they are asked to be.
    let worst = places(&keys[2].asked[0]).iter().map(|(v, goal)| (goal - found[v.index()]).norm());
    assert!(worst.fold(0.0, f64::max) < 0.05);
}
