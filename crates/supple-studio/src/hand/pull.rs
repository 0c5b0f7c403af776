//! A handle in the hand: where it may go, how far it went, numbers instead of the mouse.

use super::Typed;
use crate::Studio;
use crate::axis_handle::Part;
use crate::camera::Vec3;
use crate::small_view;
use eframe::egui::{Pos2, Rect};
use supple_project::session::{Along, Pull, Ray};
use supple_project::shot::Goal;

/// A handle in the hand.
#[derive(Clone, Debug)]
pub struct Hand {
    pub index: usize,
    pub part: Part,
    /// Whether no button holds it: it was taken by a key, and a click puts it down.
    pub is_free: bool,
    start: Goal,
    at: Vec3,
    normal: Option<Vec3>,
    first: Ray,
    /// Where the mouse was last, and whether it goes in round steps.
    last: (Ray, bool),
    pull: Option<Pull>,
    /// What one length of shift means for the goal.
    scale: f64,
    typed: Typed,
    /// How far the goal was moved.
    moved: [f64; 3],
}

impl Hand {
    /// The directions that numbers are typed for, with their names: along x y z where the hand is free.
    fn directions(&self) -> Vec<(&'static str, Vec3)> {
        const NAMES: [&str; 3] = ["x", "y", "z"];
        let axes = (0..3).map(|k| (NAMES[k], Vec3::ith(k, 1.0)));
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
        let (ray, snaps) = &self.last;
        let shift = self.pull.as_ref()?.shift(ray, snaps.then(|| snap_step(size)))?;
        Some(shift.map(|x| x * self.scale))
    }

    /// Where it goes and how far it went, in a line.
    pub fn words(&self) -> String {
        let way = match self.part {
            Part::Axis(k) => format!("along {}", ["X", "Y", "Z"][k]),
            Part::Plane(k) => format!("in the {} plane", ["YZ", "XZ", "XY"][k]),
            Part::Screen => "in the view plane".to_owned(),
            Part::Normal => "along the normal".to_owned(),
        };
        if self.typed.is_empty() {
            let [x, y, z] = self.moved.map(small_view::metres);
            let per = if matches!(self.start, Goal::Velocity(_)) { " per second" } else { "" };
            return format!("x {x}  y {y}  z {z}{per}  {way}");
        }
        let fields: Vec<String> = self.directions().iter().map(|(name, _)| (*name).to_owned()).collect();
        let fields = fields.iter().enumerate().map(|(k, name)| format!("{name} {}", self.typed.text(k)));
        format!("{}  Enter to confirm, Esc to cancel", fields.collect::<Vec<_>>().join("  "))
    }
}

impl Studio {
    /// Takes a handle in the hand, as a step of undo to be.
    pub(super) fn take(&mut self, index: usize, part: Part, ray: Ray) {
        if !self.can_edit() {
            return;
        }
        let Some(grip) = self.grip(index) else { return };
        self.session.document.begin_gesture("Drag handle");
        self.hold(index, part, grip, ray);
    }

    /// Takes the selected handle without a button, from wherever the mouse is: Blender's G.
    pub(crate) fn take_selected(&mut self, mouse: Option<Pos2>) {
        let rect = self.rects[0];
        let Some(index) = self.selected.filter(|_| self.hand.is_none() && self.press.is_none()) else {
            return;
        };
        let Some(grip) = self.grip(index) else {
            self.toasts.good("The selected handle is not active at this frame");
            return;
        };
        let Some(at) = mouse.or_else(|| self.eye(0).project(&grip, rect)) else { return };
        self.take(index, Part::Screen, self.eye(0).ray(at, rect));
        if let Some(hand) = &mut self.hand {
            hand.is_free = true;
        }
    }

    /// Puts a handle in the hand, a gesture being under way.
    pub(super) fn hold(&mut self, index: usize, part: Part, grip: Vec3, first: Ray) {
        let Some(handle) = self.session.document.shot().edit.handles.get(index) else { return };
        let start = handle.goal.clone();
        let scale = if matches!(start, Goal::Velocity(_)) { 1.0 / self.arrow_seconds() } else { 1.0 };
        self.hand = Some(Hand {
            index,
            part,
            is_free: false,
            start,
            at: grip,
            normal: self.normal_of_selected(),
            first,
            last: (first, false),
            pull: None,
            scale,
            typed: Typed::default(),
            moved: [0.0; 3],
        });
        self.view.hand = Some(index);
        self.has_dragged = true;
        self.aim(part);
    }

    /// Another way to go for what is in the hand; the same one again lets it go anywhere.
    pub(crate) fn constrain(&mut self, part: Part) {
        let Some(hand) = &self.hand else { return };
        if part == Part::Normal && hand.normal.is_none() {
            return;
        }
        self.aim(if hand.part == part { Part::Screen } else { part });
        self.follow_hand();
    }

    fn aim(&mut self, part: Part) {
        let forward = self.eye(0).axes().2;
        let Some(hand) = &mut self.hand else { return };
        hand.part = part;
        hand.pull = hand.along(forward).and_then(|along| Pull::new(hand.at.into(), along, &hand.first));
        let count = hand.directions().len();
        hand.typed.keep(count);
    }

    /// The mouse moved with something in the hand.
    pub(super) fn pull_to(&mut self, to: Pos2, rect: Rect, snaps: bool) {
        let ray = self.eye(0).ray(to, rect);
        if let Some(hand) = &mut self.hand {
            hand.last = (ray, snaps);
        }
        self.follow_hand();
    }

    /// Takes in what is typed with something in the hand.
    pub(crate) fn type_number(&mut self, change: impl FnOnce(&mut Typed, usize)) {
        if let Some(hand) = &mut self.hand {
            let count = hand.directions().len();
            change(&mut hand.typed, count);
        }
        self.follow_hand();
    }

    /// Moves the goal to where the hand is.
    fn follow_hand(&mut self) {
        let size = self.answer.stage.as_ref().map_or(1.0, |stage| stage.size);
        let Some(hand) = &mut self.hand else { return };
        let Some(shift) = hand.shift(size) else { return };
        hand.moved = shift;
        if let Some(goal) = shifted(&hand.start, shift) {
            let index = hand.index;
            self.session.document.update_gesture(|shot| {
                if let Some(handle) = shot.edit.handles.get_mut(index) {
                    handle.goal = goal;
                }
            });
        }
    }

    /// Puts down what is in the hand, where it is.
    pub(crate) fn put_down(&mut self) {
        if self.hand.take().is_some() {
            self.view.hand = None;
            self.session.document.commit_gesture();
        }
    }

    /// Whether handles can be moved yet; says so if not.
    pub(super) fn can_edit(&mut self) -> bool {
        let can_edit = self.answer.stage.as_ref().is_some_and(|stage| stage.can_edit());
        if !can_edit {
            self.toasts.bad("Still preparing the vibration modes. Editing starts in a moment.");
        }
        can_edit
    }
}

/// A goal after it was moved.
fn shifted(goal: &Goal, by: [f64; 3]) -> Option<Goal> {
    let sum = |from: &[f64; 3]| std::array::from_fn(|c| from[c] + by[c]);
    Some(match goal {
        Goal::To(to) => Goal::To(sum(to)),
        Goal::By(from) => Goal::By(sum(from)),
        Goal::Velocity(velocity) => Goal::Velocity(sum(velocity)),
        Goal::Plane { normal, point } => Goal::Plane { normal: *normal, point: sum(point) },
        Goal::Path(_) | Goal::Turn { .. } => return None,
    })
}

/// About a fiftieth of the size, a one, two or five of its power of ten.
pub fn snap_step(size: f64) -> f64 {
    let about = size / 50.0;
    let power = 10.0_f64.powf(about.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|step| *step >= about).unwrap_or(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        let steps = [0.5, 1.0, 7.0, 300.0].map(snap_step);
        for (step, wanted) in steps.into_iter().zip([0.01, 0.02, 0.2, 10.0]) {
            assert!((step / wanted - 1.0).abs() < 1e-9, "{step} is not {wanted}");
        }
    }
}
