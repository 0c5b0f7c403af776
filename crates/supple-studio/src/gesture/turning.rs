//! A part that is being turned: about the view, an axis or the normal, by the mouse or by a number.

use super::typed::Typed;
use crate::axis_handle::Part;
use crate::camera::Vec3;
use supple_project::shot::Goal;
use supple_session::{Ray, Spin, turned};

/// Ctrl turns in steps of so many degrees.
const STEP: f64 = 5.0;

/// A part that is being turned.
#[derive(Clone, Debug)]
pub struct Turning {
    /// Where the input has the middle of the part.
    middle: [f64; 3],
    /// Towards the eye.
    facing: Vec3,
    spin: Spin,
    /// How far it was turned, in degrees about its axis.
    degrees: f64,
}

impl Turning {
    /// Begins to turn a part that is at a place, and whose middle the input has elsewhere, with the mouse at a ray.
    pub fn new(middle: [f64; 3], at: Vec3, forward: Vec3, ray: &Ray) -> Self {
        let facing = -forward;
        Self { middle, facing, spin: Spin::new(at.into(), facing.into(), ray), degrees: 0.0 }
    }

    /// The mouse is elsewhere.
    pub fn follow(&mut self, ray: &Ray) {
        self.spin.follow(ray);
    }

    /// What it turns about.
    pub fn axis(&self, part: Part, normal: Option<Vec3>) -> Vec3 {
        match part {
            Part::Axis(k) | Part::Plane(k) => Vec3::ith(k, 1.0),
            Part::Normal => normal.unwrap_or(self.facing),
            Part::Screen => self.facing,
        }
    }

    /// The goal, turned by what was typed, or else by the mouse.
    pub fn goal(&mut self, start: &Goal, axis: Vec3, typed: &Typed, snaps: bool) -> Option<Goal> {
        self.degrees = if typed.is_empty() {
            let degrees = self.spin.about(axis.into(), self.spin.degrees());
            if snaps { (degrees / STEP).round() * STEP } else { degrees }
        } else {
            typed.numbers()[0]
        };
        if self.degrees == 0.0 {
            return Some(start.clone());
        }
        turned(start, self.middle, axis.into(), self.degrees)
    }

    /// How far it was turned, and about what, in a line.
    pub fn words(&self, part: Part, typed: &Typed) -> String {
        let about = match part {
            Part::Axis(k) | Part::Plane(k) => ["about X", "about Y", "about Z"][k],
            Part::Normal => "about the normal",
            Part::Screen => "about the view direction",
        };
        match typed.is_empty() {
            true => format!("Rotate {:.1}°  {about}", self.degrees),
            false => format!("Rotate {}°  {about}  Enter to confirm, Esc to cancel", typed.text(0)),
        }
    }
}
