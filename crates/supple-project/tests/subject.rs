//! A subject without elasticity: a ribbon whose points ride along a spline, by a method of its own. It is written and
//! drawn through the seam like any body. (A window shows one, too: the stand-in of the session's tests has no body.)

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::sync::Arc;
use supple_formats::open_motion;
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, Progress, Status, VertexId};
use supple_project::method::{About, EditedFrame, Method, Side};
use supple_project::picture::{Colouring, Drawn, Film};
use supple_project::shot::{Body as BodyShot, BodyKind, Input, Shot};
use supple_project::{Contacts, EditError, HandleMark, Moving, Report, Subject, WriteOptions, solve_into};
use supple_render::{UpAxis, View};

const FRAMES: usize = 12;
/// How far the edit lifts all of it.
const LIFT: f64 = 0.5;

/// Two rows of points with triangles between them.
#[derive(Debug)]
struct Ribbon {
    rest: Vec<Vec3>,
    triangles: Vec<[VertexId; 3]>,
}

impl Subject for Ribbon {
    fn positions(&self) -> &[Vec3] {
        &self.rest
    }

    fn triangles(&self) -> &[[VertexId; 3]] {
        &self.triangles
    }
}

/// A ribbon that rides along a spline.
struct Riding {
    subject: Arc<dyn Subject>,
    contacts: Contacts,
    lift: f64,
}

impl Riding {
    fn new() -> Self {
        let length = 10;
        let rest = (0..length).flat_map(|i| [0.0, 0.1].map(|z| Vec3::new(0.1 * f64::from(i), 0.0, z)));
        let squares = (0..length as u32 - 1).flat_map(|i| {
            let a = 2 * i;
            [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]].map(|corners| corners.map(VertexId))
        });
        let ribbon = Ribbon { rest: rest.collect(), triangles: squares.collect() };
        Self { subject: Arc::new(ribbon), contacts: Contacts::default(), lift: 0.0 }
    }

    /// A point of the ribbon at a frame: of a cubic through four places.
    fn place(rest: &Vec3, frame: usize) -> Vec3 {
        let knots =
            [Vec3::zeros(), Vec3::new(0.3, 0.8, 0.0), Vec3::new(0.9, -0.4, 0.3), Vec3::new(1.6, 0.2, 0.0)];
        let t = (0.05 * frame as f64 + 0.3 * rest.x).clamp(0.0, 1.0);
        let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
        knots.iter().zip(weights).map(|(knot, weight)| knot * weight).sum::<Vec3>() + Vec3::z() * rest.z
    }
}

impl Method for Riding {
    fn about(&self) -> About<'_> {
        About {
            subject: &self.subject,
            moving: Moving::Body,
            rest: self.subject.positions(),
            clock: Clock { start: Frame(1), frames: FRAMES, fps: 24.0 },
            seconds_per_frame: 1.0 / 24.0,
            size: 1.0,
            modes: 0,
            contacts: &self.contacts,
            notes: &[],
            warnings: &[],
        }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        let lift = if side == Side::Output { self.lift } else { 0.0 };
        for (out, rest) in positions.iter_mut().zip(self.subject.positions()) {
            *out = (Self::place(rest, index) + Vec3::y() * lift).into();
        }
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        self.lift = LIFT;
        let rest = self.subject.positions();
        let mut positions = vec![[0.0; 3]; rest.len()];
        for index in 0..FRAMES {
            progress.check()?;
            self.frame(Side::Output, index, &mut positions);
            let moved = rest.iter().map(|x| Self::place(x, index) - x);
            let input: Vec<f64> = moved.flat_map(<[f64; 3]>::from).collect();
            each(&EditedFrame { index, input: &input, positions: &positions })?;
        }
        Ok(Report { iterations: 1, ..Report::of_status(Status::Settled) })
    }

    fn marks(&self, _: usize) -> Vec<HandleMark> {
        Vec::new()
    }
}

/// A shot that asks for nothing of a body.
fn shot(folder: &std::path::Path) -> Shot {
    let mut shot = Shot::new(folder, BodyShot::new(BodyKind::Springs, "none.obj")).unwrap();
    shot.motion.input = Input::Rest;
    shot
}

#[test]
fn it_is_written_like_any_body() {
    let folder = tempfile::tempdir().unwrap();
    let mut method = Riding::new();
    for name in ["ribbon.pc2", "ribbon.usda", "ribbon.glb"] {
        let file = folder.path().join(name);
        let solved = solve_into(
            &file,
            &shot(folder.path()),
            &mut method,
            &WriteOptions::default(),
            &Progress::silent(),
        )
        .unwrap();
        assert_eq!((solved.written.frames, solved.report.status), (FRAMES, Status::Settled), "{name}");
    }
    let mut written = open_motion(folder.path().join("ribbon.pc2")).unwrap();
    assert_eq!((written.frames(), written.vertices()), (FRAMES, method.about().rest.len()));
    let mut found = vec![[0.0; 3]; written.vertices()];
    written.read(7, &mut found).unwrap();
    for (found, rest) in found.iter().zip(method.about().rest) {
        let expected = Riding::place(rest, 7) + Vec3::y() * LIFT;
        assert!((Vec3::from(*found) - expected).norm() < 1e-6);
    }
}

#[test]
fn it_is_drawn_like_any_body() {
    let mut film = Film::of_method(Box::new(Riding::new()), None, Drawn::Skin, &Progress::silent()).unwrap();
    assert_eq!(film.clock.frames, FRAMES);
    let (before, after) = (film.places(3, Side::Input).unwrap(), film.places(3, Side::Output).unwrap());
    assert_eq!(before.len(), 20);
    assert!(before.iter().zip(&after).all(|(a, b)| (b - a - Vec3::y() * LIFT).norm() < 1e-12));
    let picture = film.picture(3, Side::Output, Some(Colouring::Edit)).unwrap();
    assert!((picture.largest_value() - LIFT).abs() < 1e-12);
    let strained = film.picture(3, Side::Output, Some(Colouring::Strain)).unwrap();
    assert!(strained.largest_value() > 0.1, "of its surface, for it has no elements");
    let image = picture.scene(View::Front, UpAxis::Y, 1.0).render(48, 48).unwrap();
    let mut bytes = Vec::new();
    image.write_png(&mut bytes).unwrap();
    let empty =
        supple_render::Scene::new(picture.scene(View::Front, UpAxis::Y, 1.0).camera).render(48, 48).unwrap();
    let mut nothing = Vec::new();
    empty.write_png(&mut nothing).unwrap();
    assert!(bytes != nothing);
}
