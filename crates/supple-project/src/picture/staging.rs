//! What is put beside a surface: the frames of an edited motion, ghosts, trails, arrows, a floor.

use super::{Drawn, Picture};
use crate::method::{Method, Side};
use supple_mesh::Vec3;
use supple_render::{
    Arrows, Camera, Colour, Floor, Hidden, Label, Markers, Object, Scene, Shadow, Streamer, UpAxis,
};

/// What is drawn besides the surface and its scenery.
#[derive(Clone, Debug, Default)]
pub(super) struct Staging {
    ghosts: Vec<Ghost>,
    trails: Vec<Trail>,
    arrows: Vec<(Vec<[Vec3; 2]>, Colour, Hidden)>,
    marks: Vec<(Vec<Vec3>, Colour)>,
    labels: Vec<Label>,
    floor: Option<f64>,
    sun: bool,
}

/// The way of a point.
#[derive(Clone, Debug)]
struct Trail {
    points: Vec<Vec3>,
    colours: [Colour; 2],
    stripes: Option<Colour>,
}

/// A surface through which others are seen.
#[derive(Clone, Debug)]
struct Ghost {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    colour: Colour,
    opacity: f64,
    shadow: Shadow,
}

impl Picture {
    /// A frame of a motion before or after its edit, counted from 0.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn of_edit(method: &dyn Method, side: Side, index: usize, drawn: Drawn) -> Self {
        let about = method.about();
        let mut positions = vec![[0.0; 3]; about.rest.len()];
        method.frame(side, index, &mut positions);
        Self::of_frame(about.subject, about.moving, drawn, &positions)
    }

    /// Puts the surface of another picture beside this one, in its own colour; it is seen through when
    /// `opacity` is less than 1. The camera shows it too.
    pub fn add_ghost(&mut self, other: Self, opacity: f64) {
        self.add_surface(other, opacity, Shadow::default());
    }

    /// The same, with a say in shadows.
    pub(super) fn add_surface(&mut self, other: Self, opacity: f64, shadow: Shadow) {
        let bounds = other.bounds();
        self.framed.extend([bounds.min, bounds.max]);
        let Self { positions, triangles, colour, .. } = other;
        self.staging.ghosts.push(Ghost { positions, triangles, colour, opacity, shadow });
    }

    /// Draws the way of a point, with colours for its first and its last place.
    pub fn add_trail(&mut self, points: Vec<Vec3>, colours: [Colour; 2]) {
        self.add_striped_trail(points, colours, None);
    }

    /// The same, with stripes of another colour where there is one.
    pub fn add_striped_trail(&mut self, points: Vec<Vec3>, colours: [Colour; 2], stripes: Option<Colour>) {
        self.framed.extend(&points);
        self.staging.trails.push(Trail { points, colours, stripes });
    }

    /// Draws arrows from the first to the second point of each pair.
    pub fn add_arrows(&mut self, ends: Vec<[Vec3; 2]>, colour: Colour) {
        self.staging.arrows.push((ends, colour, Hidden::Faint));
    }

    /// The same, seen through whatever is in front.
    pub(super) fn add_arrows_over(&mut self, ends: Vec<[Vec3; 2]>, colour: Colour) {
        self.staging.arrows.push((ends, colour, Hidden::Shown));
    }

    /// Marks these points in a colour of their own, larger than anchors are, and seen through whatever is in front.
    pub fn mark_in(&mut self, points: Vec<Vec3>, colour: Colour) {
        self.staging.marks.push((points, colour));
    }

    /// Writes words at a point.
    pub fn label(&mut self, at: Vec3, words: impl Into<String>, colour: Colour) {
        self.staging.labels.push(Label { colour: Some(colour), ..Label::new(at, words) });
    }

    /// Puts a floor below, and a sun that throws shadows on it.
    pub fn stand_on(&mut self, height: f64) {
        self.staging.floor = Some(height);
        self.shine();
    }

    /// Lets a sun throw shadows on what there is.
    pub fn shine(&mut self) {
        self.staging.sun = true;
    }
}

impl Staging {
    /// Adds all of it to a scene.
    pub fn enter<'a>(&'a self, scene: &mut Scene<'a>, up: UpAxis) {
        for ghost in &self.ghosts {
            let mut object = Object::new(&ghost.positions, &ghost.triangles);
            (object.colour, object.opacity, object.shadow) = (ghost.colour, ghost.opacity, ghost.shadow);
            scene.objects.push(object);
        }
        for Trail { points, colours, stripes } in &self.trails {
            let line = Streamer::new(points);
            scene.streamers.push(Streamer { colours: *colours, stripes: *stripes, ..line });
        }
        for (ends, colour, hidden) in &self.arrows {
            scene.arrows.push(Arrows { colour: *colour, hidden: *hidden, ..Arrows::new(ends) });
        }
        for (points, colour) in &self.marks {
            scene.markers.push(Markers { colour: *colour, hidden: Hidden::Shown, ..Markers::new(points) });
        }
        scene.labels.extend(self.labels.iter().cloned());
        scene.floor = self.floor.map(|height| Floor::new(height, up));
        if self.sun {
            scene.style.sun = Some(Camera::sun_over_shoulder(&scene.camera, up));
        }
    }
}
