//! A stand-in for the numerics on a real body: a handle moves its own points at its own frames and nothing else, so that
//! where everything is follows from the document alone.

use crate::studio::stage::{Stage, is_current, studio_at, until};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use supple_model::{ContactKind, Progress, VertexId};
use supple_project::method::{Live, LiveError, Numerics, Play, Points, Shove};
use supple_project::shot::{Edit, Goal, Handle, Length, Method, Move, Segment, Shot, Site, When};
use supple_project::{Body, Cache, ContactPoint, Contacts, Plant, Report, Sample};
use supple_session::{Document, Home, Layout};

pub const FRAMES: usize = 10;
/// The scene's number of the first frame.
pub const START: i32 = 101;
/// The input goes this far along x in a frame.
pub const STEP: f64 = 0.01;
pub const FPS: f64 = 24.0;
/// Frames that a flight takes.
pub const FLIGHT: f64 = 3.0;
/// The frames at which the base touches the floor, counted from 0.
pub const TOUCHES: std::ops::RangeInclusive<usize> = 2..=4;
/// Those at which it stands, counted from 0.
pub const STANDS: std::ops::RangeInclusive<usize> = 6..=8;
/// Nothing may be deeper than this along y.
pub const GROUND: f64 = -0.05;

/// A studio on a block of ten frames that slides along x, without handles.
pub fn block(folder: &Path, draws: bool) -> Stage {
    block_on(folder, draws, 1.0, Arc::default())
}

/// The same on a screen with so many pixels in a point; while `waits` is set, nothing is opened.
pub fn block_on(folder: &Path, draws: bool, pixels: f32, waits: Arc<AtomicBool>) -> Stage {
    block_with(folder, draws, pixels, Puppet { waits, step: STEP }, |_| {})
}

/// A block whose input is simulated, or would be.
pub fn simulated(folder: &Path) -> Stage {
    block_with(folder, false, 1.0, Puppet { waits: Arc::default(), step: STEP }, |shot| {
        shot.motion.input = supple_project::shot::Input::Simulate;
    })
}

/// A block at rest whose motion is made of keys.
pub fn keyed(folder: &Path, draws: bool) -> Stage {
    block_with(folder, draws, 1.0, Puppet { waits: Arc::default(), step: 0.0 }, |shot| {
        shot.edit.choose(Method::Sparse);
        shot.motion = supple_project::shot::Motion {
            start: Some(START),
            frames: Some(FRAMES),
            fps: Some(FPS),
            ..Default::default()
        };
    })
}

/// A block that travels so far along x in a frame.
pub fn travelling(folder: &Path, draws: bool, step: f64) -> Stage {
    block_with(folder, draws, 1.0, Puppet { waits: Arc::default(), step }, |_| {})
}

fn block_with(
    folder: &Path,
    draws: bool,
    pixels: f32,
    puppet: Puppet,
    change: impl FnOnce(&mut Shot),
) -> Stage {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("begin without handles", |shot| {
        shot.edit.handles.clear();
        shot.body.skin = None;
        change(shot);
    });
    let mut stage = studio_at(document, &home, Arc::new(puppet), draws, pixels);
    until(&mut stage, "open", |studio| studio.answer().opening.is_none() && is_current(studio));
    // What plays moves by itself.
    stage.key_press(eframe::egui::Key::Space);
    stage.step();
    stage
}

pub struct Puppet {
    pub waits: Arc<AtomicBool>,
    pub step: f64,
}

impl Numerics for Puppet {
    fn open(
        &self,
        shot: &Shot,
        _: &Cache,
        progress: &Progress,
        deliver: &mut dyn FnMut(Box<dyn Live>),
    ) -> Result<(), LiveError> {
        while self.waits.load(Ordering::Relaxed) {
            progress.report("waiting", 0.5)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        let body = Arc::new(Body::load(shot).map_err(|error| LiveError::said(&error))?);
        deliver(Box::new(Held {
            stage: stage(body, shot.edit.modes, self.step, FRAMES, Vec::new()),
            handles: Vec::new(),
            hand: None,
            settled: false,
            step: self.step,
        }));
        Ok(())
    }
}

fn stage(
    body: Arc<Body>,
    modes: usize,
    step: f64,
    frames: usize,
    joints: Vec<f64>,
) -> Arc<supple_project::method::Stage> {
    let rest: Vec<[f32; 3]> = body.positions().iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect();
    Arc::new(supple_project::method::Stage {
        triangles: body.surface.iter().map(|t| t.map(|v| v.0)).collect(),
        clock: supple_model::Clock { start: supple_model::Frame(START), frames, fps: FPS },
        modes,
        wanted_modes: modes,
        contacts: touching(&body),
        size: 1.0,
        way: supple_project::method::Way::of(frames, frames, |frame| {
            let x = (step * frame as f64) as f32;
            let drawn = rest.iter().map(|p| [p[0] + x, p[1], p[2]]).collect();
            Arc::new(Points { drawn, body: None })
        }),
        body: Some(body),
        rest,
        joints,
        ..supple_project::method::Stage::default()
    })
}

/// The base touches the floor for a while.
fn touching(body: &Body) -> Contacts {
    let base = body.groups.get("base").unwrap();
    let at = |frame: usize, vertex: VertexId| ContactPoint {
        frame,
        vertices: vec![(vertex, 1.0)],
        normal: nalgebra::Vector3::y(),
        kind: ContactKind::Slide,
        plant: None,
    };
    let mut contacts = Contacts::default();
    contacts.all = TOUCHES.flat_map(|frame| base.iter().map(move |v| at(frame, *v))).collect();
    contacts.plants = vec![Plant { frames: STANDS, vertices: base.to_vec(), is_low: true }];
    contacts
}

struct Held {
    stage: Arc<supple_project::method::Stage>,
    handles: Vec<Handle>,
    hand: Option<(usize, [f64; 3])>,
    settled: bool,
    step: f64,
}

impl Held {
    fn input_at(&self, vertex: usize, frame: usize) -> [f64; 3] {
        let [x, y, z] = self.stage.rest[vertex].map(f64::from);
        [x + self.step * frame as f64, y, z]
    }

    /// How far a vertex is moved in a frame.
    fn moved(&self, vertex: usize, frame: usize) -> [f64; 3] {
        let number = START + frame as i32;
        let mut moved = [0.0; 3];
        for (index, handle) in self.handles.iter().enumerate() {
            let is_there = match &handle.site {
                Site::Vertex(v) => v.index() == vertex,
                Site::Vertices(list) => list.contains(&VertexId::new(vertex)),
                Site::Group(name) => {
                    let members = self.stage.body.as_ref().and_then(|body| body.groups.get(name).ok());
                    members.is_some_and(|members| members.contains(&VertexId::new(vertex)))
                }
                _ => false,
            };
            if !is_there || handle.muted == Some(true) || !handle.when.range().contains(&number) {
                continue;
            }
            // Where the vertex it is seen from is, and how far that is moved itself.
            let (mut origin, mut along) = ([0.0; 3], [0.0; 3]);
            if let Some(Site::Vertex(other)) = handle.relative_to {
                let input = self.input_at(other.index(), frame);
                along = self.moved(other.index(), frame);
                origin = [0, 1, 2].map(|c| input[c] + along[c]);
            }
            let more = self.hand.filter(|hand| hand.0 == index).map_or([0.0; 3], |hand| hand.1);
            let input = self.input_at(vertex, frame);
            match handle.goal {
                Goal::By(by) => moved = [0, 1, 2].map(|c| along[c] + by[c] + more[c]),
                Goal::To(to) => moved = [0, 1, 2].map(|c| origin[c] + to[c] + more[c] - input[c]),
                Goal::Turn { turn, ref then } => {
                    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::from(turn.axis));
                    let rotation = nalgebra::Rotation3::from_axis_angle(&axis, turn.degrees.to_radians());
                    let about = nalgebra::Vector3::from(turn.about);
                    let place = about + rotation * (nalgebra::Vector3::from(input) - about);
                    let by = if let Some(Move::By(by)) = then { *by } else { [0.0; 3] };
                    moved = [0, 1, 2].map(|c| place[c] + by[c] - input[c]);
                }
                _ => {}
            }
        }
        moved
    }
}

impl Play for Held {
    fn points(&mut self, frame: usize) -> Points {
        let at = |v: usize| {
            let (input, moved) = (self.input_at(v, frame), self.moved(v, frame));
            [0, 1, 2].map(|c| (input[c] + moved[c]) as f32)
        };
        Points { drawn: (0..self.stage.rest.len()).map(at).collect(), body: None }
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        let at = |v: usize| self.input_at(v, frame).map(|x| x as f32);
        Arc::new(Points { drawn: (0..self.stage.rest.len()).map(at).collect(), body: None })
    }

    fn depth(&self, frame: usize) -> Option<f64> {
        let height = |v: usize| self.input_at(v, frame)[1] + self.moved(v, frame)[1];
        let lowest = (0..self.stage.rest.len()).map(height).fold(f64::INFINITY, f64::min);
        self.hand.and((lowest < GROUND).then_some(GROUND - lowest))
    }
}

impl Live for Held {
    fn stage(&self) -> &Arc<supple_project::method::Stage> {
        &self.stage
    }

    /// Keys of segments are at the frames nearest to them; flights take [`FLIGHT`] frames.
    fn ask(&mut self, edit: &Edit, _: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        let length = |segment: &Segment| match segment.length {
            Length::Frames(frames) => frames,
            Length::Flight(_) => FLIGHT,
        };
        let lengths: Vec<f64> = edit.segments.iter().map(length).collect();
        let layout = Layout::of_lengths(&lengths);
        if let Some(body) = self.stage.body.clone() {
            let frames = if lengths.is_empty() { FRAMES } else { layout.frames() };
            let spans = (0..layout.count()).filter_map(|k| layout.span(k));
            let joints = lengths.first().map(|_| 0.0).into_iter().chain(spans.map(|[_, end]| end)).collect();
            self.stage = stage(body, self.stage.modes, self.step, frames, joints);
        }
        let place = |(number, handle): (Option<usize>, &Handle)| {
            let time = number.and_then(|number| layout.time(number - 1, &handle.when));
            let mut handle = handle.clone();
            if let Some(time) = time {
                handle.when = When::Frame(START + time.round() as i32);
            }
            handle
        };
        (self.handles, self.settled) = (edit.all_handles().map(place).collect(), false);
        Ok(vec![None; self.handles.len()])
    }

    fn can_retarget(&self) -> bool {
        true
    }

    fn push(&mut self, frame: usize, shove: Option<&Shove>) -> Result<Points, LiveError> {
        let by = shove.map_or([0.0; 3], |shove| shove.by);
        let mut points = self.points(frame);
        points.drawn.iter_mut().for_each(|p| *p = [0, 1, 2].map(|c| p[c] + by[c] as f32));
        Ok(points)
    }

    fn retarget(&mut self, goal: &Goal, _: &Progress) -> Result<f64, LiveError> {
        let (index, _) = self.hand.ok_or(LiveError::NothingDragged)?;
        self.handles[index].goal = goal.clone();
        Ok(0.0)
    }

    fn grab(&mut self, handle: usize, _: usize, _: &Progress) -> Result<(), LiveError> {
        self.hand = Some((handle, [0.0; 3]));
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], _: &Progress) -> Result<f64, LiveError> {
        self.hand = self.hand.map(|(handle, _)| (handle, shift));
        Ok(0.0)
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {
        self.hand = None;
    }

    fn settle(&mut self, _: &Progress) -> Result<(), LiveError> {
        self.settled = true;
        Ok(())
    }

    fn report(&mut self, _: &Progress, _: &mut dyn FnMut(&mut dyn Play)) -> Result<Report, LiveError> {
        assert!(self.settled, "a report is of what is settled");
        Ok(crate::studio::fake::report(0.0))
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        (0..self.stage.clock.frames).map(|frame| frame as f64).collect()
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        self.moved(vertex as usize, frame)
    }
}
