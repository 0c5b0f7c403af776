//! Bodies that nothing holds: their rigid motion is a spline through their poses, or scripted.

use super::{Place, seconds};
use nalgebra::Rotation3;
use supple_mesh::Vec3;
use supple_model::Status;
use supple_project::shot::Pose;

fn floating() -> Place {
    let place = Place::bar(31).with(|shot| {
        shot.body.anchors.clear();
        seconds(shot, 0.01);
    });
    place.basis(|basis| basis.modes = 4)
}

/// Bent, moved and turned.
fn bent(x: &Vec3) -> Vec3 {
    let bent = x + Vec3::new(0.0, 0.15 * (x.x - 1.0).powi(2), 0.0);
    Rotation3::new(Vec3::z() * 0.8) * bent + Vec3::new(0.5, 0.3, 0.0)
}

#[test]
fn a_free_body_goes_and_turns_where_its_poses_are() {
    let mut place = floating();
    place.write("bent.obj", bent);
    place.shot.edit.poses = vec![Pose::of_file(31, "bent.obj")];
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    let body = place.body();
    let off = (motion.frames[30].iter().zip(body.positions()))
        .map(|(there, x)| (there - bent(x)).norm())
        .fold(0.0, f64::max);
    assert!(off < 1e-6 * motion.size, "{off}");
    assert!(motion.frames[0].iter().zip(body.positions()).all(|(a, b)| (a - b).norm() < 1e-9));
}

#[test]
fn a_scripted_path_moves_it_as_the_table_says() {
    let mut place = floating();
    place.write("bent.obj", |x| x + Vec3::new(0.0, 0.15 * (x.x - 1.0).powi(2), 0.0));
    std::fs::write(place.folder.path().join("path.csv"), "frame,x,rz\n1,0,0\n16,0.5,0\n31,1,90\n").unwrap();
    place.shot.edit.poses = vec![Pose::of_file(31, "bent.obj")];
    let place = place.own(|own| own.rigid = Some("path.csv".into()));
    let motion = place.solve();
    let body = place.body();
    let masses = body.elastic.masses();
    let center = |places: &[Vec3]| {
        places.iter().zip(masses).map(|(x, m)| x * *m).sum::<Vec3>() / masses.iter().sum::<f64>()
    };
    let rest = center(body.positions());
    assert!((center(&motion.frames[30]) - rest - Vec3::x()).norm() < 1e-6);
    assert!((center(&motion.frames[15]) - rest - Vec3::x() * 0.5).norm() < 1e-6);
    let place = place.with(|shot| {
        shot.body.anchors = vec![supple_project::shot::Anchor::Group("left".into())];
    });
    let anchored = Place::bar(31).own(|own| own.rigid = Some(place.folder.path().join("path.csv")));
    assert!(anchored.try_solve().err().unwrap().contains("`rigid`"));
}
