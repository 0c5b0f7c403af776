//! The poses that an edit asks for: from meshes, motions, skins and forces to displacements of the body.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::fs;
use std::path::Path;
use supple_formats::{SurfaceFile, write_obj};
use supple_model::{Clock, Frame, Progress};
use supple_project::shot::{Hold, Load, Method, Pose, PoseVelocity, Push, Shot, Site, When};
use supple_project::{Body, KeyPose, Sample, key_poses, pose};

const CLOCK: Clock = Clock { start: Frame(1), frames: 48, fps: 24.0 };

fn bar(folder: &Path) -> (Shot, Body) {
    let mut shot = Shot::load(&Sample::named("bar").unwrap().write(folder).unwrap()).unwrap();
    shot.edit.method = Method::Control;
    let body = Body::load(&shot).unwrap();
    (shot, body)
}

/// Where the body is under a displacement that grows along x, times `amount`.
fn bent(body: &Body, amount: f64) -> Vec<[f64; 3]> {
    body.positions().iter().map(|p| [p.x, p.y + amount * p.x * p.x, p.z]).collect()
}

/// Points alone, as a mesh file.
fn write(file: &Path, positions: Vec<[f64; 3]>) {
    let mut bytes = Vec::new();
    let surface = SurfaceFile { triangles: vec![[0, 1, 2]], positions, ..SurfaceFile::default() };
    write_obj(&surface, &mut bytes).unwrap();
    fs::write(file, bytes).unwrap();
}

fn solve(shot: &Shot, body: &Body) -> Result<Vec<KeyPose>, String> {
    key_poses(shot, body, CLOCK, &Progress::silent()).map_err(|error| error.to_string())
}

/// The largest difference between a displacement and places.
fn off(body: &Body, pose: &KeyPose, places: &[[f64; 3]]) -> f64 {
    let differ = pose.displacement.chunks_exact(3).zip(body.positions()).zip(places);
    differ.flat_map(|((u, x), p)| (0..3).map(move |c| (x[c] + u[c] - p[c]).abs())).fold(0.0, f64::max)
}

#[test]
fn a_mesh_of_the_body_is_its_displacement_and_a_group_its_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shot, body) = bar(folder.path());
    write(&folder.path().join("bent.obj"), bent(&body, 0.3));
    shot.edit.poses = vec![Pose {
        group: Some("right".into()),
        velocity: Some(PoseVelocity::Of([0.0, 2.0, 0.0])),
        hold: Hold::Soft(3.0),
        ..Pose::of_file(12, folder.path().join("bent.obj"))
    }];
    let found = solve(&shot, &body).unwrap();
    assert_eq!(
        (found.len(), found[0].when.clone(), found[0].number, found[0].hold),
        (1, When::Frame(12), 1, Hold::Soft(3.0))
    );
    assert!(off(&body, &found[0], &bent(&body, 0.3)) < 1e-12);
    assert_eq!(found[0].vertices.as_deref(), Some(body.groups.get("right").unwrap()));
    let velocity = found[0].velocity.as_ref().unwrap();
    assert!(velocity.chunks_exact(3).all(|v| v == [0.0, 2.0, 0.0]));
}

#[test]
fn a_range_takes_its_frames_from_a_motion_from_the_named_one_on() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shot, body) = bar(folder.path());
    for frame in 100..110 {
        let file = folder.path().join(format!("dance.{frame:04}.obj"));
        write(&file, bent(&body, 0.01 * f64::from(frame)));
    }
    let dance = Pose {
        when: When::Frames(5..=12),
        every: Some(3),
        file_frame: Some(101),
        ..Pose::of_file(0, folder.path().join("dance.####.obj"))
    };
    shot.edit.poses = vec![dance.clone()];
    let found = solve(&shot, &body).unwrap();
    assert_eq!(found.iter().map(|pose| pose.when.clone()).collect::<Vec<_>>(), [5, 8, 11].map(When::Frame));
    for (pose, of) in found.iter().zip([1.01, 1.04, 1.07]) {
        assert!(off(&body, pose, &bent(&body, of)) < 1e-12, "{}", pose.when);
    }
    shot.edit.poses = vec![Pose { file_frame: Some(105), ..dance }];
    let problem = solve(&shot, &body).unwrap_err();
    assert!(
        problem.starts_with("pose 1: ") && problem.ends_with("has no frame 111; it has frames 100 to 109"),
        "{problem}"
    );
}

#[test]
fn loads_give_what_supple_pose_gives() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shot, body) = bar(folder.path());
    let load = Load {
        site: Site::Group("right".into()),
        push: Push::Force([0.0, 12.0, 0.0]),
        frames: None,
        stage: None,
    };
    let mut asked = Pose::of_file(3, "unused.obj");
    (asked.file, asked.loads) = (None, vec![load.clone()]);
    shot.edit.poses = vec![asked];
    let found = solve(&shot, &body).unwrap();
    shot.loads = vec![load];
    shot.pins.clear();
    let expected = pose(&shot, &body, false, &Progress::silent()).unwrap();
    assert!(off(&body, &found[0], &expected.positions) < 1e-12);
    assert!(found[0].displacement.iter().any(|u| u.abs() > 1e-3));
}

#[test]
fn what_is_wrong_with_a_pose_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shot, body) = bar(folder.path());
    let (file, few) = (folder.path().join("bent.obj"), folder.path().join("few.obj"));
    write(&file, bent(&body, 0.3));
    write(&few, vec![[0.0; 3]; 7]);
    let good = Pose::of_file(12, &file);
    let count = body.positions().len();
    let skin = body.skin.as_ref().unwrap().mesh.positions().len();
    let cases = [
        (Pose::of_file(60, &file), "pose 2: there is no frame 60; the motion has frames 1 to 48".to_owned()),
        (Pose::of_file(12, &file), "pose 2: pose 1 asks for the same vertices at frame 12".to_owned()),
        (
            Pose::of_file(13, &few),
            format!("pose 2: {}: 7 vertices, but the body has {count} and its skin {skin}", few.display()),
        ),
        (
            Pose { file_frame: Some(4), ..Pose::of_file(13, &file) },
            format!("pose 2: {} is one mesh, so it has no `file_frame`", file.display()),
        ),
        (
            Pose { velocity: Some(PoseVelocity::File(few.clone())), ..Pose::of_file(13, &file) },
            format!("pose 2: {} has 7 velocities, but the body has {count} vertices", few.display()),
        ),
    ];
    for (bad, expected) in cases {
        shot.edit.poses = vec![good.clone(), bad];
        assert_eq!(solve(&shot, &body).unwrap_err(), expected);
    }
    shot.edit.poses = vec![Pose { group: Some("rihgt".into()), ..good }];
    assert!(solve(&shot, &body).unwrap_err().contains("right"));
}
