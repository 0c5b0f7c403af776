//! A motion on its stage: what is drawn at a frame, with what stands around it and what is marked.

use super::{FloorOptions, Refusal, RenderFailed, RenderOptions, Streamed};
use crate::motion::Moving;
use crate::picture::{Colouring, Drawn, Film, Picture, Side, Survey, Wanted};
use crate::scenery::Track;
use crate::shot::Shot;
use crate::simulate::scenery;
use std::ops::Range;
use std::path::Path;
use supple_mesh::{Aabb, TriMesh, Vec3};
use supple_model::Progress;
use supple_render::{Colour, UpAxis};

/// Colours of the input and of the edited motion beside each other.
const INPUT: Colour = Colour::rgb(236, 196, 60);
const OUTPUT: Colour = Colour::rgb(200, 62, 52);
/// A motion beside the spline through its poses.
const OWN: Colour = Colour::rgb(62, 104, 186);
const SPLINE: Colour = Colour::rgb(236, 196, 60);
/// How much of what is behind the input it lets through.
const GHOST: f64 = 0.45;
/// Ways of points, at their beginning and end: before the edit, and after.
const INPUT_WAY: [Colour; 2] = [Colour::rgb(244, 214, 96), Colour::rgb(196, 140, 0)];
/// The other stripes of what was before.
const STRIPES: Colour = Colour::rgb(64, 52, 20);
const OUTPUT_WAY: [Colour; 2] = [Colour::rgb(250, 170, 190), Colour::rgb(84, 4, 24)];
/// Where a handle is, and where it was asked to be.
const IS: Colour = Colour::rgb(0, 158, 115);
const ASKED: Colour = Colour::rgb(24, 92, 196);
const TOUCH: Colour = Colour::rgb(0, 128, 92);
/// How long a contact's normal is drawn, as a part of the longest side.
const NORMAL: f64 = 0.06;
/// The faintest frame of a strobe.
const FAINTEST: f64 = 0.22;
/// Bones of frames that follow each other in a strobe, so that one is told from the next.
const STROBED: [Colour; 2] = [Colour::rgb(70, 130, 196), Colour::rgb(226, 138, 52)];

/// A motion on its stage.
pub struct Composition<'a> {
    pub film: Film,
    options: &'a RenderOptions,
    /// The sides that are drawn, the main one first.
    sides: Vec<Side>,
    colouring: Option<Colouring>,
    pub survey: Survey,
    scenery: Vec<TriMesh>,
    /// How it moves, for the first of it.
    tracks: Vec<Option<Track>>,
    floor: Option<f64>,
    name: String,
}

impl<'a> Composition<'a> {
    /// Looks over the frames to be drawn, counted from 0.
    pub fn new(
        file: &Path,
        options: &'a RenderOptions,
        mut film: Film,
        shot: Option<&Shot>,
        frames: &[usize],
        progress: &Progress,
    ) -> Result<Self, RenderFailed> {
        let edited = film.method().is_some();
        let motion = &options.motion;
        if !edited && (motion.ghost || motion.handles) {
            let option = if motion.ghost { "--ghost" } else { "--handles" };
            return Err(Refusal::NoEdits { option }.of(file));
        }
        if motion.spline && film.method().is_none_or(|method| motion.input || method.spline(0).is_none()) {
            return Err(Refusal::NoSpline.of(file));
        }
        let colouring = options.colour;
        if !edited && colouring == Some(Colouring::Edit) {
            return Err(Refusal::NoEditColours.of(file));
        }
        let side = if edited && !motion.input { Side::Output } else { Side::Input };
        let with_streamers = !motion.streamers.is_empty();
        let sides = match side {
            Side::Output if motion.ghost || with_streamers => vec![Side::Output, Side::Input],
            _ => vec![side],
        };
        let vertex = |point: &Streamed| match point {
            Streamed::Vertex(vertex) => Ok(*vertex),
            Streamed::Joint(joint) => film.at_joint(joint),
        };
        let vertices = motion.streamers.iter().map(vertex).collect::<Result<Vec<_>, _>>()?;
        let way = way(frames, &film);
        let wanted = Wanted { frames: frames.to_vec(), sides: sides.clone(), colouring, vertices, way };
        let survey = film.survey(&wanted, progress)?;
        let mut stage = Self {
            film,
            options,
            sides,
            colouring,
            survey,
            scenery: Vec::new(),
            tracks: Vec::new(),
            floor: None,
            name: name(file),
        };
        stage.furnish(shot)?;
        Ok(stage)
    }

    /// Floor and scenery.
    fn furnish(&mut self, shot: Option<&Shot>) -> Result<(), RenderFailed> {
        let around = Aabb::around(&self.survey.around);
        let axis = if self.options.up() == UpAxis::Z && shot.is_some() { 2 } else { 1 };
        let without = self.options.floor == FloorOptions::Without;
        self.floor = self.options.floor.height(|| around.min[axis]);
        let Some(shot) = shot else { return Ok(()) };
        let mut seen = shot.clone();
        if let Some(floor) = &shot.simulate.floor
            && (self.floor.is_some() || without || shot.simulate.gravity[axis] < 0.0)
        {
            // One that lies level is drawn as a floor, another as what stands around.
            seen.simulate.floor = None;
            if !without {
                self.floor = self.floor.or(Some(floor.height));
            }
        }
        self.scenery = scenery(&seen, &around)?;
        self.tracks = Track::of_obstacles(&seen);
        Ok(())
    }

    /// All that is to be seen of a frame.
    pub fn picture(&mut self, index: usize) -> Result<Picture, RenderFailed> {
        let mut picture = self.surface(index, self.sides[0])?;
        self.caption(index, &mut picture);
        if self.options.motion.ghost {
            let ghost = self.surface(index, Side::Input)?;
            picture.add_ghost(ghost, GHOST);
        }
        if let Some(spline) = self.spline(index) {
            picture.colour = OWN;
            picture.add_ghost(spline, GHOST);
        }
        self.dress(index, &mut picture);
        if self.options.motion.handles {
            self.mark_handles(index, &mut picture);
        }
        if self.options.motion.contacts {
            let length = NORMAL * Aabb::around(&self.survey.around).size().max();
            let touching = self.film.contacts(index, self.sides[0])?;
            let arrow = |[at, normal]: [Vec3; 2]| [at, at + normal * length];
            picture.add_arrows(touching.into_iter().map(arrow).collect(), TOUCH);
        }
        Ok(picture)
    }

    /// Several frames in one picture.
    pub fn strobe(&mut self, frames: &[usize]) -> Result<Picture, RenderFailed> {
        let (last, earlier) = frames.split_last().ok_or(RenderFailed::NoFrames)?;
        let mut picture = self.picture(*last)?;
        let alternates = self.film.has_bones() && !self.options.motion.ghost && self.colouring.is_none();
        if alternates {
            picture.colour = STROBED[0];
        }
        for (k, index) in earlier.iter().enumerate() {
            let strength = FAINTEST + (0.85 - FAINTEST) * k as f64 / earlier.len() as f64;
            let mut frame = self.surface(*index, self.sides[0])?;
            if alternates {
                frame.colour = STROBED[(earlier.len() - k) % 2];
            }
            picture.add_ghost(frame, strength);
            if self.options.motion.ghost {
                let frame = self.surface(*index, Side::Input)?;
                picture.add_ghost(frame, GHOST * strength);
            }
        }
        let numbers: Vec<String> =
            frames.iter().map(|index| self.film.clock.number(*index).to_string()).collect();
        if !self.options.no_caption {
            picture.caption = format!("{}\nframes {}", self.name, numbers.join(", "));
        }
        Ok(picture)
    }

    /// A frame of the spline through the poses, where that is wanted.
    fn spline(&self, index: usize) -> Option<Picture> {
        let method = self.film.method().filter(|_| self.options.motion.spline)?;
        let drawn = self.options.drawn.unwrap_or(Drawn::Skin);
        let mut picture =
            Picture::of_frame(method.about().subject, Moving::Body, drawn, &method.spline(index)?);
        picture.colour = SPLINE;
        Some(picture)
    }

    fn surface(&mut self, index: usize, side: Side) -> Result<Picture, RenderFailed> {
        let colouring = self.colouring.filter(|_| side == self.sides[0]);
        let mut picture = self.film.picture(index, side, colouring)?;
        if self.options.motion.ghost {
            picture.colour = if side == Side::Input { INPUT } else { OUTPUT };
        }
        picture.colour_up_to(self.survey.most);
        picture.wireframe = self.options.wireframe && side == self.sides[0];
        Ok(picture)
    }

    /// What stands around, the floor, and the ways of points.
    fn dress(&self, index: usize, picture: &mut Picture) {
        if !self.scenery.is_empty() {
            picture.add_scenery(self.scenery.clone());
            for (k, track) in self.tracks.iter().enumerate() {
                if let Some(points) = track.as_ref().and_then(|track| track.points(index)) {
                    picture.move_scenery(k, points);
                }
            }
            picture.shine();
        }
        if let Some(height) = self.floor {
            picture.stand_on(height);
        }
        for (side, paths) in self.survey.paths.iter().rev() {
            let colours = if *side == Side::Input { INPUT_WAY } else { OUTPUT_WAY };
            for path in paths {
                let stripes = (*side == Side::Input && self.survey.paths.len() > 1).then_some(STRIPES);
                picture.add_striped_trail(path.clone(), colours, stripes);
            }
        }
    }

    fn mark_handles(&self, index: usize, picture: &mut Picture) {
        let marks = self.film.handles(index);
        picture.mark_in(marks.iter().map(|mark| mark.asked).collect(), ASKED);
        let size = self.film.method().map_or(1.0, |method| method.about().size);
        for mark in &marks {
            let error = (mark.asked - mark.at).norm() / size;
            // Nobody sees less, and two discs in one place hide each other.
            if error > 2e-3 {
                picture.mark_in(vec![mark.at], IS);
                picture.add_arrows(vec![[mark.at, mark.asked]], ASKED);
            }
            let words = format!("{}, error {}", mark.key, percent(error));
            picture.label(mark.asked, words, ASKED);
        }
    }

    fn caption(&self, index: usize, picture: &mut Picture) {
        if self.options.no_caption {
            return;
        }
        let frame = self.film.clock.number(index);
        let colours = match (self.options.motion.ghost, self.options.motion.spline) {
            (true, _) => "\ninput yellow, edited red",
            (false, true) => "\nmotion blue, spline yellow",
            (false, false) => "",
        };
        picture.caption = format!("{}\nframe {frame}{colours}", self.name);
    }
}

/// The frames whose ways are drawn: from the first to the last that is, or a second around a single one.
fn way(frames: &[usize], film: &Film) -> Range<usize> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return 0..0 };
    let second = if first == last { film.clock.fps.ceil() as usize } else { 0 };
    first.saturating_sub(second)..(last + second + 1).min(film.clock.frames)
}

fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    if percent < 1e-3 {
        "less than 0.001 % of the size".into()
    } else {
        format!("{percent:.3} % of the size")
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().display().to_string()
}
