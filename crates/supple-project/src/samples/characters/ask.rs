//! What the built-in shots of characters ask: curves with few keys, hinges, limits, feet that stand.

use super::Kept;
use super::feet::Stand;
use crate::ShotError;
use crate::shot::{
    Axis, Bound, Character, End, Ends, Goal, Handle, Joint, Limit, Move, Orientation, Shape, Shot, Site,
    Turns, When,
};

/// Left and right.
const SIDES: [&str; 2] = ["Left", "Right"];

/// So many keys, and what is kept as it is.
pub fn ask(shot: &mut Shot, kept: Kept) -> Result<(), ShotError> {
    shot.edit.set_character_settings(Character { keys: Some(kept.keys), ..Character::default() })?;
    shot.edit.ends = Ends::Apart { start: Some(kept.start), end: Some(End::Free) };
    Ok(())
}

fn joints(shot: &mut Shot, joints: impl IntoIterator<Item = Joint>) {
    if let Shape::Skeleton(skeleton) = &mut shot.body.shape {
        skeleton.joints.extend(joints);
    }
}

/// Knees and elbows turn about one axis, and these joints.
pub fn hinges(shot: &mut Shot, others: &[&str]) {
    let limbs = SIDES.iter().flat_map(|side| ["ForeArm", "Leg"].map(|part| format!("{side}{part}")));
    let names: Vec<String> = limbs.chain(others.iter().map(|name| (*name).to_owned())).collect();
    let hinge = |name| Joint { name, turns: Some(Turns::Hinge), ..Joint::default() };
    joints(shot, names.into_iter().map(hinge));
}

/// No feet and no hands.
pub fn drop_ends(shot: &mut Shot) {
    let ends = SIDES.iter().flat_map(|side| ["Hand", "Foot"].map(|part| format!("{side}{part}")));
    joints(shot, ends.map(|name| Joint { name, drop: true, ..Joint::default() }));
}

/// How far knees, elbows, hips and shoulders swing; only the left ones, or both.
pub fn limits(shot: &mut Shot, one_side: bool, all: bool) {
    let Shape::Skeleton(skeleton) = &mut shot.body.shape else { return };
    let mut ranges = vec![("Leg", -150.0, 2.0), ("ForeArm", -2.0, 150.0)];
    if all {
        ranges.extend([("UpLeg", -45.0, 130.0), ("Arm", -80.0, 190.0), ("Foot", -60.0, 45.0)]);
    }
    for side in &SIDES[..if one_side { 1 } else { 2 }] {
        skeleton.limits.extend(ranges.iter().map(|(part, least, most)| Limit {
            joint: format!("{side}{part}"),
            bound: Bound::Axis { axis: Axis::Z, degrees: *least..=*most },
        }));
    }
}

/// Feet that stand.
pub struct Feet<'a> {
    /// Where, left and right.
    pub stands: &'a [Vec<Stand>; 2],
    /// Frames in which toes stand after their foot was flat.
    pub roll: f64,
    /// How many frames the motion has.
    pub frames: usize,
    /// Whether they may stand elsewhere, as long as they stand.
    pub floats: bool,
    /// Whether there are only ankles.
    pub ankles: bool,
}

impl Feet<'_> {
    /// A plant for each: the toes stay, and while the foot is flat it keeps its orientation.
    pub fn ask(&self, shot: &mut Shot) {
        let at = (!self.floats).then_some(Move::By([0.0; 3]));
        for (side, stands) in SIDES.iter().zip(self.stands) {
            let foot = format!("{side}Foot");
            for stand in stands {
                let flat = self.range(stand.first, stand.last);
                if self.ankles {
                    let site = Site::Joint { name: format!("{side}Leg"), offset: [0.0, -0.43, 0.0] };
                    let plant = flat.map(|flat| Handle::new(flat, site, Goal::Stay { at }));
                    shot.edit.handles.extend(plant);
                    continue;
                }
                let down = self.range(stand.first, stand.last + self.roll);
                let toe = Site::joint(format!("{foot}_end"));
                let plant = down.map(|down| Handle::new(down, toe, Goal::Stay { at }));
                let as_it_is = Goal::Orientation(Orientation::Input);
                let level = flat.map(|flat| Handle::new(flat, Site::joint(&foot), as_it_is));
                shot.edit.handles.extend(plant.into_iter().chain(level));
            }
        }
        shot.edit.handles.sort_by_key(|handle| *handle.when.range().start());
    }

    /// The frames of the motion in a range, counted from 1; none if they are fewer than two.
    fn range(&self, first: f64, last: f64) -> Option<When> {
        let (first, last) = (first.max(0.0) as i32 + 1, (last as i32 + 1).min(self.frames as i32));
        (first < last).then_some(When::Frames(first..=last))
    }
}
