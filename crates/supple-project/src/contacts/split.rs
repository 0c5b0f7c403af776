//! Cutting clusters that are too large for one contact to stand for all of them.
//!
//! - **too long**: an edit that is held at one frame is free before and after. The frames are cut so that the
//!   fewest pieces of about equal length remain.
//! - **too wide**: likewise in space. The box of the vertices at rest, or of those they touch, is cut in the
//!   middle of its longest side.
//! - **bent**: on an edge of a stair or around a ball the mean normal n̄ says nothing about contacts far from
//!   it, and opposite normals cancel. Where nᵀn̄ < [`BENT`] for one of them, those nearer to the normal
//!   farthest from n̄ part from those nearer to the one farthest from that.
//!
//! Each cut leaves two parts that are not empty, so it ends. What is cut need not be connected any more; the
//! caller looks at that again.

use super::cluster::Graph;
use supple_mesh::{Aabb, Vec3};

/// The cosine of the largest angle, 30°, between a normal and the mean.
const BENT: f64 = 0.866_025_403_784_438_6;

impl Graph<'_> {
    /// Two parts of a part that is too large; `None` when it is not.
    pub(super) fn split(&self, part: &[usize], frames: usize, size: f64) -> Option<[Vec<usize>; 2]> {
        self.cut_time(part, frames).or_else(|| self.cut_space(part, size)).or_else(|| self.cut_normals(part))
    }

    fn cut_time(&self, part: &[usize], frames: usize) -> Option<[Vec<usize>; 2]> {
        let frame = |contact: &usize| self.contacts[*contact].frame;
        let first = part.iter().map(frame).min()?;
        let length = part.iter().map(frame).max()? - first + 1;
        let pieces = length.div_ceil(frames);
        let cut = first + length * (pieces / 2) / pieces;
        (pieces > 1).then(|| in_two(part, |contact| frame(contact) < cut))
    }

    fn cut_space(&self, part: &[usize], size: f64) -> Option<[Vec<usize>; 2]> {
        let place = |contact: &usize| self.rest[self.contacts[*contact].vertex().index()];
        let touched =
            |contact: &usize| self.touched(*contact).map_or(Vec3::zeros(), |v| self.rest[v.index()]);
        cut_box(part, place, size).or_else(|| cut_box(part, touched, size))
    }

    fn cut_normals(&self, part: &[usize]) -> Option<[Vec<usize>; 2]> {
        let normal = |contact: &usize| self.contacts[*contact].normal;
        // The one most unlike a direction, the first of equals.
        let most_unlike = |direction: &Vec3| {
            let likeness = |contact: &usize| normal(contact).dot(direction);
            part.iter().min_by(|a, b| likeness(a).total_cmp(&likeness(b))).map(&normal)
        };
        // Opposite normals may cancel: then any of them shows it.
        let sum: Vec3 = part.iter().map(&normal).sum();
        let mean = sum.try_normalize(1e-9 * part.len() as f64).unwrap_or_else(|| normal(&part[0]));
        let one = most_unlike(&mean).filter(|n| n.dot(&mean) < BENT)?;
        let other = most_unlike(&one)?;
        Some(in_two(part, |contact| normal(contact).dot(&one) >= normal(contact).dot(&other)))
    }
}

/// Two parts of a part whose places need a box with a longer diagonal than `size`.
fn cut_box(part: &[usize], place: impl Fn(&usize) -> Vec3, size: f64) -> Option<[Vec<usize>; 2]> {
    let places: Vec<Vec3> = part.iter().map(&place).collect();
    let bounds = Aabb::around(&places);
    let axis = bounds.size().imax();
    let (middle, end) = (bounds.center()[axis], bounds.max[axis]);
    // The end itself is never in the first half, even where rounding puts the middle there.
    (bounds.size().norm() > size).then(|| {
        in_two(part, |contact| {
            let at = place(contact)[axis];
            at <= middle && at < end
        })
    })
}

fn in_two(part: &[usize], is_first: impl Fn(&usize) -> bool) -> [Vec<usize>; 2] {
    let (one, other) = part.iter().partition(|contact| is_first(contact));
    [one, other]
}
