//! Surfaces of what the solver shows: made when a picture is new, kept while it is shown.

use crate::colours;
use crate::look::Look;
use crate::scene::{Drawn, Shape, Surface};
use std::sync::Arc;
use supple_project::method::{Points, Scenery, ShownPoints, Stage};
use supple_session::{Picture, Seen};

/// What was made.
#[derive(Default)]
pub struct Pictures {
    shapes: Vec<(Arc<Stage>, bool, Arc<Shape>)>,
    slots: [Slot<Picture>; 2],
    ghosts: [Slot<Points>; 2],
    /// Those of the ghosts as far as they are away from the edited body.
    faded: [Slot<Picture>; 2],
    strobe: Option<(Arc<Seen>, Vec<Arc<Surface>>)>,
    scenery: Option<(Arc<Stage>, Vec<Drawn>)>,
    /// Scenery that moves, by viewport and place on the stage.
    moved: [Vec<Option<Moved>>; 2],
}

/// Scenery where it is in a frame, and its surface there.
type Moved = (ShownPoints, Arc<Surface>);

/// How something is drawn.
#[derive(Clone, Copy, PartialEq)]
struct How {
    /// Whether the body instead of its skin.
    as_body: bool,
    /// The strain of the last colour, where it has such colours.
    full: Option<f32>,
}

/// One surface that changes with what it is of.
struct Slot<T> {
    of: Option<(Arc<T>, How)>,
    surface: Arc<Surface>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { of: None, surface: Arc::default() }
    }
}

/// The most stages whose triangles are kept: that which is shown, and those before and after it.
const STAGES: usize = 3;

impl Pictures {
    /// The surfaces of a picture, that of the input last. `viewport` is 0 or 1; each has its own.
    pub fn surfaces(
        &mut self,
        picture: &Arc<Picture>,
        viewport: usize,
        look: &Look,
        is_stale: bool,
    ) -> Vec<Drawn> {
        let as_body = look.body && picture.points.body.is_some();
        let shape = self.shape(&picture.stage, as_body);
        let colour = if is_stale { colours::STALE } else { colours::BODY };
        let full = look.strain.then_some(look.strain_full);
        let how = How { as_body, full };
        let surface = self.slots[viewport].of(picture, how, || surface(picture, &shape, as_body, full));
        let mut drawn = vec![Drawn { shape: shape.clone(), surface, colour }];
        if let Some(input) = picture.input.as_ref().filter(|_| look.ghost) {
            let is_moved = input.drawn != picture.points.drawn;
            if is_moved {
                let how = How { as_body, full: None };
                let ghost = self.ghosts[viewport].of(input, how, || surface_of(input, &shape, as_body));
                let ghost = self.faded[viewport].of(picture, how, || faded(&ghost, picture, as_body));
                drawn.push(Drawn { shape, surface: ghost, colour: colours::GHOST });
            }
        }
        drawn
    }

    /// The surfaces of a strobe.
    pub fn strobe(&mut self, seen: &Arc<Seen>, stage: &Arc<Stage>) -> Vec<Drawn> {
        let shape = self.shape(stage, false);
        let is_known = self.strobe.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, seen));
        if !is_known {
            let fits = |points: &&Vec<[f32; 3]>| points.len() == stage.rest.len();
            let make = |points: &Vec<[f32; 3]>| Arc::new(Surface::new(points.clone(), &shape));
            self.strobe = Some((seen.clone(), seen.strobe.iter().filter(fits).map(make).collect()));
        }
        let surfaces = self.strobe.iter().flat_map(|(_, surfaces)| surfaces);
        surfaces
            .map(|surface| Drawn { shape: shape.clone(), surface: surface.clone(), colour: colours::STROBE })
            .collect()
    }

    /// What stands around in a picture.
    pub fn scenery(&mut self, picture: &Picture, viewport: usize) -> Vec<Drawn> {
        let stage = &picture.stage;
        if !self.scenery.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, stage)) {
            let make = |Scenery { points, triangles, .. }: &Scenery| {
                let shape = Shape::new(points, triangles.clone());
                let surface = Arc::new(Surface::new(points.clone(), &shape));
                Drawn { shape, surface, colour: colours::SCENERY }
            };
            self.scenery = Some((stage.clone(), stage.scenery.iter().map(make).collect()));
            self.moved = Default::default();
        }
        let mut all: Vec<Drawn> = self.scenery.iter().flat_map(|(_, drawn)| drawn.clone()).collect();
        let moved = &mut self.moved[viewport];
        moved.resize(all.len(), None);
        for ((drawn, known), points) in all.iter_mut().zip(moved).zip(&picture.scenery) {
            let Some(points) = points else { continue };
            if !known.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, points)) {
                *known = Some((points.clone(), Arc::new(Surface::new(points.to_vec(), &drawn.shape))));
            }
            drawn.surface = known.as_ref().map_or_else(|| drawn.surface.clone(), |(_, at)| at.clone());
        }
        all
    }

    fn shape(&mut self, stage: &Arc<Stage>, as_body: bool) -> Arc<Shape> {
        let fits = |(of, body, _): &&(Arc<Stage>, bool, Arc<Shape>)| {
            *body == as_body && (Arc::ptr_eq(of, stage) || is_same_body(of, stage))
        };
        if let Some((_, _, shape)) = self.shapes.iter().find(fits) {
            return shape.clone();
        }
        let shape = match stage.body.as_ref().filter(|_| as_body) {
            Some(body) => {
                let rest: Vec<[f32; 3]> =
                    body.positions().iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect();
                Shape::new(&rest, body.surface.iter().map(|t| t.map(|v| v.0)).collect())
            }
            None => Shape::of_stage(stage),
        };
        self.shapes.push((stage.clone(), as_body, shape.clone()));
        if self.shapes.len() > 2 * STAGES {
            self.shapes.remove(0);
        }
        shape
    }
}

/// Whether two stages are those of one body, as before and after its modes are there.
fn is_same_body(a: &Stage, b: &Stage) -> bool {
    matches!((&a.body, &b.body), (Some(a), Some(b)) if Arc::ptr_eq(a, b))
}

impl<T> Slot<T> {
    fn of(&mut self, what: &Arc<T>, how: How, make: impl FnOnce() -> Surface) -> Arc<Surface> {
        if !self.of.as_ref().is_some_and(|(of, was)| Arc::ptr_eq(of, what) && *was == how) {
            self.surface = Arc::new(make());
            self.of = Some((what.clone(), how));
        }
        self.surface.clone()
    }
}

/// Where the input is within this part of the size of the edited body it is not drawn; it is whole at the second.
const FADES: [f32; 2] = [0.002, 0.012];

/// The input, fading where it comes to lie on the edited body: there it would flicker through it.
fn faded(ghost: &Surface, picture: &Picture, as_body: bool) -> Surface {
    let edited = picture.points.body.as_ref().filter(|_| as_body).unwrap_or(&picture.points.drawn);
    let size = (picture.stage.size as f32).max(1e-12);
    let colour = |(p, q): (&[f32; 3], &[f32; 3])| {
        let away = (0..3).map(|c| (p[c] - q[c]).powi(2)).sum::<f32>().sqrt() / size;
        let part = ((away - FADES[0]) / (FADES[1] - FADES[0])).clamp(0.0, 1.0);
        [0, 0, 0, (255.0 * (1.0 - part)) as u8]
    };
    let mut colours: Vec<[u8; 4]> = ghost.points.iter().zip(edited).map(colour).collect();
    colours.resize(ghost.points.len(), [0; 4]);
    Surface { points: ghost.points.clone(), normals: ghost.normals.clone(), colours, bounds: ghost.bounds }
}

fn surface(picture: &Picture, shape: &Shape, as_body: bool, full: Option<f32>) -> Surface {
    let mut surface = surface_of(&picture.points, shape, as_body);
    if let (Some(full), Some(strain)) = (full, &picture.strain) {
        let values = strain.body.as_ref().filter(|_| as_body).unwrap_or(&strain.drawn);
        let colour = |value: &f32| colours::of_part(value / full).to_array();
        surface.colours = values.iter().map(colour).collect();
        surface.colours.resize(surface.points.len(), [0; 4]);
    }
    surface
}

fn surface_of(points: &Points, shape: &Shape, as_body: bool) -> Surface {
    let drawn = points.body.as_ref().filter(|_| as_body).unwrap_or(&points.drawn);
    Surface::new(drawn.clone(), shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the edit fades out the ghost lay on the body and flickered through it.
    #[test]
    fn a_ghost_is_not_there_where_it_lies_on_the_body() {
        let drawn = vec![[0.0; 3], [0.001, 0.0, 0.0], [0.0, 0.007, 0.0], [0.0, 0.0, 0.1]];
        let stage = Arc::new(Stage { size: 1.0, rest: vec![[0.0; 3]; 4], ..Stage::default() });
        let points = Points { drawn, body: None };
        let picture = Picture {
            generation: Default::default(),
            stage,
            frame: 0,
            points,
            input: None,
            strain: None,
            scenery: Vec::new(),
            depth: None,
            near: Vec::new(),
        };
        let ghost = Surface::new(vec![[0.0; 3]; 4], &Shape::default());
        let missing: Vec<u8> = faded(&ghost, &picture, false).colours.iter().map(|c| c[3]).collect();
        assert_eq!((missing[0], missing[1], missing[3]), (255, 255, 0));
        assert!((100..155).contains(&missing[2]), "half of it: {missing:?}");
    }
}
