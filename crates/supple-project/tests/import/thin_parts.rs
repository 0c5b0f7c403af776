//! A ball with two horns, a sixtieth of its size thick: most resolutions lose them.

use crate::import::files::{Place, Settings, all, file, single};
use supple_formats::{SurfaceFile, open_scene};
use supple_mesh::{Vec3, components};
use supple_model::VertexId;
use supple_project::shot::{BodyKind, Goal, Handle, Site, When};
use supple_project::{Body, Import, ImportKind, Matter};

/// Rings around an axis that is askew: a horn, the ball, a horn. Closed, 2,900 vertices.
fn horned() -> SurfaceFile {
    let (around, rings) = (36_u32, 80_u32);
    let turn = nalgebra::Rotation3::new(Vec3::new(0.4, 0.3, 0.7));
    // From tip to tip; the ball reaches from −0.5 to 0.5, the horns to ±1, and are 2/60 thick.
    let ring = |k: u32| {
        let z = -1.0 + 2.0 * f64::from(k) / f64::from(rings);
        let ball = (0.25 - z * z).max(0.0).sqrt();
        let tip = ((1.0 - z.abs()) / 0.02).min(1.0);
        (z, ball.max(0.0167 * tip.sqrt()))
    };
    let mut surface = SurfaceFile::default();
    let mut add = |p: Vec3| {
        // Horns are curved.
        let bent = p + Vec3::x() * 0.3 * (p.z.abs() - 0.5).max(0.0).powi(2);
        surface.positions.push(single((turn * bent).into()));
    };
    add(Vec3::new(0.0, 0.0, -1.0));
    for k in 1..rings {
        let (z, radius) = ring(k);
        for j in 0..around {
            let angle = f64::from(j) * std::f64::consts::TAU / f64::from(around);
            add(Vec3::new(radius * angle.cos(), radius * angle.sin(), z));
        }
    }
    add(Vec3::new(0.0, 0.0, 1.0));
    let vertex = |k: u32, j: u32| match k {
        0 => 0,
        k if k == rings => 1 + around * (rings - 1),
        k => 1 + around * (k - 1) + j % around,
    };
    for (k, j) in (0..rings).flat_map(|k| (0..around).map(move |j| (k, j))) {
        let [a, b, c, d] = [vertex(k, j), vertex(k, j + 1), vertex(k + 1, j + 1), vertex(k + 1, j)];
        surface
            .triangles
            .extend([[a, b, c], [a, c, d]].into_iter().filter(|[a, b, c]| a != b && b != c && c != a));
    }
    surface
}

fn nodding(surface: &SurfaceFile, frames: usize) -> Vec<Vec<[f64; 3]>> {
    let frame = |k: usize| {
        let turn = nalgebra::Rotation3::new(Vec3::new(0.3, 0.0, 0.2) * (0.5 * k as f64).sin());
        surface
            .positions
            .iter()
            .map(|p| single((turn * Vec3::from(*p) + Vec3::y() * 0.1 * k as f64).into()))
            .collect()
    };
    (0..frames).map(frame).collect()
}

fn pieces(body: &Body) -> usize {
    match &body.matter {
        Matter::Solid(solid) => components(solid.mesh().positions().len(), solid.mesh().tets()).count,
        Matter::Voxels(voxels) => components(voxels.mesh().positions().len(), voxels.mesh().voxels()).count,
        _ => panic!("a volume"),
    }
}

#[test]
fn horns_make_no_body_beyond_the_wanted_size() {
    let surface = horned();
    let vertices = surface.positions.len();
    assert_eq!(vertices, 2846);
    let frames = nodding(&surface, 6);
    for kind in [ImportKind::Auto, ImportKind::Solid] {
        let place = Place::new();
        let path = place.motion("a.glb", &surface, &frames, Settings::default());
        let imported = place.import_as(Import { file: file(&path), kind, ..Import::default() }).unwrap();
        assert!(imported.body[0] <= vertices * 3 / 2, "{kind:?}: {}", imported.body[0]);
        assert!(!imported.notes.is_empty(), "{kind:?}");
        let body = Body::load(&imported.shot).unwrap();
        assert_eq!(pieces(&body), 1, "{kind:?}: {:?}", imported.notes);
        if kind == ImportKind::Auto {
            assert_eq!(
                imported.shot.body.kind,
                BodyKind::Voxels,
                "tets lose the horns: {:?}",
                imported.notes
            );
        }
        // Both tips ride along as they should: no edit, no change; a pull on the ball does not fling them about.
        let read = |path| all(open_scene(path).unwrap().objects[0].frames.as_mut());
        let inputs = read(path.clone());
        assert_eq!(read(place.solve(&[], "none.glb", true)), inputs, "{kind:?}");
        let by = [0.0, 0.15, 0.1];
        let middle = 1 + 36 * 40;
        let pull =
            |vertex: usize| Handle::new(When::Frame(14), Site::Vertex(VertexId::new(vertex)), Goal::By(by));
        let edited = read(place.solve(&[pull(middle)], "out.glb", true));
        let moved = |v: usize| Vec3::from(edited[3][v]) - Vec3::from(inputs[3][v]);
        assert!((moved(middle) - Vec3::from(by)).norm() < 1e-5, "{kind:?}: {:?}", moved(middle));
        for tip in [0, vertices - 1] {
            assert!(moved(tip).norm() < 8.0 * Vec3::from(by).norm(), "{kind:?}: {:?}", moved(tip));
        }
        if kind == ImportKind::Auto {
            let edited = read(place.solve(&[pull(0)], "tip.glb", true));
            let moved = Vec3::from(edited[3][0]) - Vec3::from(inputs[3][0]);
            assert!((moved - Vec3::from(by)).norm() < 1e-5, "the tip: {moved:?}");
        }
    }
}
