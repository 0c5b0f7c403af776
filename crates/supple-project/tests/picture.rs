//! What a picture of a displaced body shows, against closed forms.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::sync::Arc;
use supple_formats::{Elements, VolumeFile, write_veg};
use supple_mesh::{Vec3, shapes};
use supple_model::{Frame, Progress};
use supple_project::picture::{
    Colouring, Drawn, Film, Picture, Side, VideoFormat, VideoWriter, Wanted, save_png, scaled,
};
use supple_project::{Body, Cache, Shot};
use supple_render::{UpAxis, View};

/// Writes `bar.veg`, a bar 4 × 1 × 1.
fn write_bar(folder: &std::path::Path) {
    let mesh = shapes::box_mesh(Vec3::new(4.0, 1.0, 1.0), [4, 1, 1]).unwrap();
    let file = VolumeFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        elements: Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        ..VolumeFile::default()
    };
    let mut bytes = Vec::new();
    write_veg(&file, &mut bytes).unwrap();
    std::fs::write(folder.join("bar.veg"), bytes).unwrap();
}

/// The bar with a skin of one triangle inside it.
fn bar() -> Body {
    let folder = tempfile::tempdir().unwrap();
    write_bar(folder.path());
    let skin = "v 0.5 0.2 0.2\nv 3.9 0.2 0.2\nv 3.9 0.8 0.8\nf 1 2 3\n";
    std::fs::write(folder.path().join("skin.obj"), skin).unwrap();
    let text = "[body]\nkind = 'solid'\nmesh = 'bar.veg'\nskin = 'skin.obj'\n";
    Body::load(&Shot::parse(&folder.path().join("bar.toml"), text).unwrap()).unwrap()
}

/// A stretch along x by a tenth.
fn stretch(body: &Body) -> Vec<f64> {
    body.positions().iter().flat_map(|p| [0.1 * p.x, 0.0, 0.0]).collect()
}

#[test]
fn a_skin_and_its_colours_follow_the_body() {
    let body = bar();
    let u = stretch(&body);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let picture = Picture::of_displaced(&body, Drawn::Skin, &u, Colouring::Displacement);
    let scene = picture.scene(View::Front, UpAxis::Y, 1.0);
    let object = &scene.objects[0];
    let expected = [Vec3::new(0.55, 0.2, 0.2), Vec3::new(4.29, 0.2, 0.2), Vec3::new(4.29, 0.8, 0.8)];
    assert!(object.positions.iter().zip(expected).all(|(p, q)| (p - q).norm() < 1e-12));
    let values = object.scalars.as_ref().unwrap().values;
    assert!(values.iter().zip([0.05, 0.39, 0.39]).all(|(a, b)| close(*a, b)), "{values:?}");

    for drawn in [Drawn::Skin, Drawn::Body] {
        let picture = Picture::of_displaced(&body, drawn, &u, Colouring::Strain);
        let scene = picture.scene(View::Front, UpAxis::Y, 1.0);
        // (1.1² − 1)/2 everywhere.
        assert!(scene.objects[0].scalars.as_ref().unwrap().values.iter().all(|e| close(*e, 0.105)));
    }
}

#[test]
fn the_camera_frames_rest_and_displacement_together() {
    let body = bar();
    let eye = |share: f64| {
        let u = scaled(&body, stretch(&body), share);
        let picture = Picture::of_displaced(&body, Drawn::Body, &u, Colouring::Displacement);
        picture.scene(View::Front, UpAxis::Y, 1.0).camera.eye
    };
    // Shrinking stays within the body at rest, which is framed all the same.
    assert_eq!(eye(-0.1), Picture::of_body(&body, Drawn::Body).scene(View::Front, UpAxis::Y, 1.0).camera.eye);
    assert_ne!(eye(0.1), eye(-0.1));
}

#[test]
fn displacements_are_scaled_to_a_share_of_the_longest_side() {
    let body = bar();
    let u = scaled(&body, stretch(&body), -0.25);
    let least = u.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((least + 1.0).abs() < 1e-12, "{least}");
    let zeros = vec![0.0; u.len()];
    assert_eq!(scaled(&body, zeros.clone(), 0.1), zeros);
}

#[test]
fn a_file_that_is_no_mesh_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.obj");
    std::fs::write(&file, "v 0 0 zero\n").unwrap();
    assert!(Picture::of_file(&file).unwrap_err().to_string().contains("a.obj: line 1"));
    std::fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let picture = Picture::of_file(&file).unwrap();
    assert_eq!(picture.triangles(), 1);
    let image = picture.scene(View::Front, UpAxis::Y, 1.0).render(8, 8).unwrap();
    let error = save_png(&image, &folder.path().join("no/such/a.png")).unwrap_err().to_string();
    assert!(error.contains("no/such/a.png"), "{error}");
}

/// The bar at rest for 12 frames with a handle on its far end at frame 6 that asks for its height alone.
fn lifted(folder: &std::path::Path) -> (Shot, Arc<Body>) {
    write_bar(folder);
    let text = "[body]\nkind = 'solid'\nmesh = 'bar.veg'\nanchors = { below = { axis = 'x', at = 0.0 } }\n\
                [motion]\nframes = 12\n[edit]\nfeel = 'lively'\nmodes = 12\n\
                [[edit.handle]]\nframe = 6\nnear = [4.0, 1.0, 1.0]\nby = [9.0, 0.3, 9.0]\naxes = 'y'\n";
    let shot = Shot::parse(&folder.join("bar.toml"), text).unwrap();
    let body = Arc::new(Body::load(&shot).unwrap());
    (shot, body)
}

#[test]
fn a_film_shows_the_motion_before_and_after_its_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = lifted(folder.path());
    let cache = Cache::of_shot(&folder.path().join("bar.toml"));
    let progress = Progress::silent();
    let mut film = Film::of_edit(&shot, body.clone(), &cache, Drawn::Skin, &progress).unwrap();
    assert_eq!((film.clock.frames, film.clock.number(0), film.index(Frame(12)).unwrap()), (12, 1, 11));
    assert!(film.index(Frame(13)).unwrap_err().to_string().contains("frames 1 to 12"));
    let index = film.index(Frame(6)).unwrap();
    let (before, after) =
        (film.places(index, Side::Input).unwrap(), film.places(index, Side::Output).unwrap());
    assert_eq!(before, body.positions());
    let tip = film.handles(index);
    assert_eq!(tip.len(), 1);
    // Asked for its height alone, it is where it is in the other two.
    assert!((tip[0].asked.y - 1.3).abs() < 1e-12 && (tip[0].at - tip[0].asked).norm() < 1e-6);
    assert_eq!((tip[0].asked.x, tip[0].asked.z), (tip[0].at.x, tip[0].at.z));
    assert!(film.handles(index + 1).is_empty());
    let busiest = film.busiest().unwrap();
    let moved = |v: usize| (after[v] - before[v]).norm();
    assert!((0..before.len()).all(|v| moved(v) <= moved(busiest.index())));

    let wanted = Wanted {
        frames: vec![index],
        sides: vec![Side::Output, Side::Input],
        colouring: Some(Colouring::Edit),
        vertices: vec![busiest],
        way: 0..film.clock.frames,
    };
    let survey = film.survey(&wanted, &progress).unwrap();
    assert!((survey.most - moved(busiest.index())).abs() < 1e-12, "the colours reach as far as the edit");
    let (side, paths) = &survey.paths[0];
    assert_eq!((*side, paths[0].len(), paths[0][index]), (Side::Output, 12, after[busiest.index()]));
    let sees = |p: &Vec3| survey.around.iter().any(|q| q == p);
    assert!(sees(&after[busiest.index()]) && sees(&before[busiest.index()]));
    let beyond = Wanted { vertices: vec![supple_model::VertexId(99)], ..wanted };
    assert!(film.survey(&beyond, &progress).unwrap_err().to_string().contains("no vertex 99"));
}

#[test]
fn a_moving_picture_that_is_not_finished_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let image = supple_render::Image { width: 8, height: 6, rgba: vec![90; 8 * 6 * 4] };
    let begin = || VideoWriter::create(&path, VideoFormat::Gif, 24.0, &[&image]).unwrap();
    let mut video = begin();
    video.frame(&image).unwrap();
    drop(video);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let mut video = begin();
    video.frame(&image).unwrap();
    video.finish().unwrap();
    assert!(std::fs::read(&path).unwrap().starts_with(b"GIF89a"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let error =
        VideoWriter::create(&folder.path().join("no/a.gif"), VideoFormat::Gif, 24.0, &[&image]).unwrap_err();
    assert!(error.to_string().contains("no/a.gif"), "{error}");
}
