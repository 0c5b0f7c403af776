//! What the mouse has taken hold of: a handle that is being moved, or a press that is not yet a pull.

mod pushing;
mod turning;
mod typed;

pub use pushing::Pushing;
pub use turning::Turning;
pub use typed::Typed;

use crate::axis_handle::Part;
use crate::camera::Vec3;
use crate::numbers::{metres, snap_step};
use eframe::egui::Pos2;
use supple_project::shot::Goal;
use supple_session::{Along, Pull, Ray};

/// The mouse is down on something that is not in the hand yet.
#[derive(Clone, Debug)]
pub enum Press {
    /// On a vertex; how far the edit moves it was asked for.
    Vertex {
        vertex: u32,
        at: Pos2,
        ray: Ray,
        /// Whether it was moved far enough to be a pull.
        pulls: bool,
        /// Whether the mouse is up again, so that a handle is all that is wanted.
        released: bool,
    },
    /// A box is drawn.
    Box {
        from: Pos2,
        to: Pos2,
        /// What was under the mouse; a box that stays a point is a click on it.
        vertex: Option<u32>,
    },
}

/// Where the mouse is, and whether it goes in round steps.
#[derive(Clone, Copy, Debug)]
struct Pointed {
    ray: Ray,
    snaps: bool,
}

/// A handle that is taken hold of.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Which, by its place in the shot.
    pub index: usize,
    /// By which part of its axis handle.
    pub part: Part,
    /// Where that is.
    pub grip: Vec3,
    /// From where on the screen.
    pub ray: Ray,
}

/// A handle that is being moved: where it may go, how far it went, numbers instead of the mouse.
#[derive(Clone, Debug)]
pub struct Gesture {
    pub index: usize,
    pub part: Part,
    /// Whether no button holds it: it was taken by a key, and a click puts it down.
    pub is_free: bool,
    /// The vertices that it was made of: they are picked again if it is let go.
    pub picked: Vec<u32>,
    start: Goal,
    at: Vec3,
    normal: Option<Vec3>,
    first: Ray,
    last: Pointed,
    pull: Option<Pull>,
    /// Where it is turned instead of moved.
    turning: Option<Turning>,
    /// Whether a goal that is turned can be moved, too.
    moves_turns: bool,
    /// What one length of shift means for the goal.
    scale: f64,
    typed: Typed,
    /// How far the goal was moved.
    moved: [f64; 3],
}

impl Gesture {
    /// Takes hold of a handle whose goal is `start`. One length of shift means `scale` for the goal; the surface there has
    /// this normal, and the eye looks forward.
    pub fn new(taken: Taken, start: Goal, scale: f64, normal: Option<Vec3>, forward: Vec3) -> Self {
        let Taken { index, part, grip, ray } = taken;
        let mut gesture = Self {
            index,
            part,
            is_free: false,
            picked: Vec::new(),
            start,
            at: grip,
            normal,
            first: ray,
            last: Pointed { ray, snaps: false },
            pull: None,
            turning: None,
            moves_turns: false,
            scale,
            typed: Typed::default(),
            moved: [0.0; 3],
        };
        gesture.aim(part, forward);
        gesture
    }

    /// Lets goals that are turned be moved, too.
    pub fn moving_turns(mut self) -> Self {
        self.moves_turns = true;
        self
    }

    /// Turns it from now on instead of moving it.
    pub fn turn(&mut self, begin: impl FnOnce(Vec3, &Ray) -> Turning) {
        self.turning = Some(begin(self.at, &self.first));
        self.typed.keep(1);
    }

    /// Lets it go another way: along an axis, in a plane.
    fn aim(&mut self, part: Part, forward: Vec3) {
        self.part = part;
        self.pull = self.along(forward).and_then(|along| Pull::new(self.at.into(), along, &self.first));
        let count = self.directions().len();
        self.typed.keep(count);
    }

    /// Lets it go another way, or anywhere where it goes that way already; answers whether there is such a way.
    pub fn constrain(&mut self, part: Part, forward: Vec3) -> bool {
        let has_way = part != Part::Normal || self.normal.is_some();
        if has_way {
            self.aim(if self.part == part { Part::Screen } else { part }, forward);
        }
        has_way
    }

    /// The mouse is elsewhere.
    pub fn point(&mut self, ray: Ray, snaps: bool) {
        self.last = Pointed { ray, snaps };
        if let Some(turning) = &mut self.turning {
            turning.follow(&ray);
        }
    }

    /// Takes in what is typed.
    pub fn type_number(&mut self, change: impl FnOnce(&mut Typed, usize)) {
        let count = self.directions().len();
        change(&mut self.typed, count);
    }

    /// The goal where the mouse, or what was typed, has it; nothing where they do not say, or it cannot be moved.
    pub fn goal(&mut self, size: f64) -> Option<Goal> {
        if let Some(turning) = &mut self.turning {
            let axis = turning.axis(self.part, self.normal);
            return turning.goal(&self.start, axis, &self.typed, self.last.snaps);
        }
        self.moved = self.shift(size)?;
        shifted(&self.start, self.moved, self.moves_turns)
    }

    /// What was asked for when it was taken.
    pub fn start(&self) -> &Goal {
        &self.start
    }

    /// Whether it is anywhere else than where it was taken.
    pub fn is_moved(&self) -> bool {
        self.moved != [0.0; 3]
    }

    /// The directions that numbers are typed for, with their names: along x y z where the hand is free.
    fn directions(&self) -> Vec<(&'static str, Vec3)> {
        const NAMES: [&str; 3] = ["x", "y", "z"];
        let axes = (0..3).map(|k| (NAMES[k], Vec3::ith(k, 1.0)));
        if let Some(turning) = &self.turning {
            return vec![("°", turning.axis(self.part, self.normal))];
        }
        match self.part {
            Part::Axis(k) => vec![(NAMES[k], Vec3::ith(k, 1.0))],
            Part::Plane(k) => axes.filter(|(name, _)| *name != NAMES[k]).collect(),
            Part::Normal => self.normal.map(|normal| ("n", normal)).into_iter().collect(),
            Part::Screen => axes.collect(),
        }
    }

    fn along(&self, forward: Vec3) -> Option<Along> {
        let axis = |k: usize| Vec3::ith(k, 1.0).into();
        Some(match self.part {
            Part::Axis(k) => Along::Axis(axis(k)),
            Part::Plane(k) => Along::Plane(axis(k)),
            Part::Screen => Along::Plane(forward.into()),
            Part::Normal => Along::Axis(self.normal?.into()),
        })
    }

    /// How far the goal is moved: by what was typed, or else by the mouse; `None` where the mouse says nothing.
    fn shift(&self, size: f64) -> Option<[f64; 3]> {
        if !self.typed.is_empty() {
            let numbers = self.typed.numbers();
            let sum: Vec3 = self.directions().iter().zip(numbers).map(|((_, e), x)| e * x).sum();
            return Some(sum.into());
        }
        let Pointed { ray, snaps } = &self.last;
        let shift = self.pull.as_ref()?.shift(ray, snaps.then(|| snap_step(size)))?;
        Some(shift.map(|x| x * self.scale))
    }

    /// Where it goes and how far it went, in a line.
    pub fn words(&self) -> String {
        if let Some(turning) = &self.turning {
            return turning.words(self.part, &self.typed);
        }
        let way = match self.part {
            Part::Axis(k) => format!("along {}", ["X", "Y", "Z"][k]),
            Part::Plane(k) => format!("in the {} plane", ["YZ", "XZ", "XY"][k]),
            Part::Screen => "in the view plane".to_owned(),
            Part::Normal => "along the normal".to_owned(),
        };
        if self.typed.is_empty() {
            let [x, y, z] = self.moved.map(metres);
            let per = if matches!(self.start, Goal::Velocity(_)) { " per second" } else { "" };
            return format!("x {x}  y {y}  z {z}{per}  {way}");
        }
        let fields: Vec<String> = self.directions().iter().map(|(name, _)| (*name).to_owned()).collect();
        let fields = fields.iter().enumerate().map(|(k, name)| format!("{name} {}", self.typed.text(k)));
        format!("{}  Enter to confirm, Esc to cancel", fields.collect::<Vec<_>>().join("  "))
    }
}

/// A goal after it was moved.
fn shifted(goal: &Goal, by: [f64; 3], moves_turns: bool) -> Option<Goal> {
    let stays = matches!(goal, Goal::Turn { .. }) && !moves_turns;
    if stays { None } else { goal.shifted(by) }
}
