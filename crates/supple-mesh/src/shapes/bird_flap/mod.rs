//! The gull in flight, keyframed: a motion that an artist would make by hand, no simulation.
//!
//! This is the kind of motion that Barbič, Sin and Grinspun (2012, §7, figures 3 and 4) edit on their
//! seagull: a surface animated by key poses, whose skin knows nothing of elasticity.
//!
//! - `score`: which pose at what frame;
//! - `curve`: the angles in between;
//! - `pose`: what angles do to points, the same for skin and cage;
//! - `chain`: how a limb bends.

mod chain;
mod curve;
mod pose;
mod score;

use super::Shape;
use crate::Vec3;
use pose::Posed;
use score::Score;

/// The gull of [`bird`](super::bird) in flight: it starts and ends at rest, and its group "body" stays
/// exactly where it is throughout.
#[derive(Clone, Debug)]
pub struct Flap {
    score: Score,
    /// At rest.
    skin: Vec<Vec3>,
    body: Vec<Vec3>,
}

impl Flap {
    /// How many frames the motion has.
    pub const FRAMES: usize = 255;
    /// How many of them a second takes.
    pub const FRAMES_PER_SECOND: f64 = 24.0;

    /// The motion of this gull.
    #[must_use]
    pub fn of(bird: &Shape) -> Self {
        Self {
            score: Score::new(),
            skin: bird.skin.as_ref().map(|skin| skin.positions().to_vec()).unwrap_or_default(),
            body: bird.body.positions().to_vec(),
        }
    }

    /// Where the skin's vertices are at frame `index`.
    ///
    /// # Panics
    /// When there is no such frame, or the skin has not as many vertices.
    pub fn skin(&self, index: usize, positions: &mut [Vec3]) {
        self.place(index, &self.skin, positions);
    }

    /// Where the body's vertices, those of its cage, are at frame `index`, moved by the same field as
    /// the skin's.
    ///
    /// # Panics
    /// When there is no such frame, or the body has not as many vertices.
    pub fn body(&self, index: usize, positions: &mut [Vec3]) {
        self.place(index, &self.body, positions);
    }

    fn place(&self, index: usize, rest: &[Vec3], positions: &mut [Vec3]) {
        assert!(index < Self::FRAMES, "frame {index} of {}", Self::FRAMES);
        assert_eq!(rest.len(), positions.len(), "as many positions as vertices");
        let posed = Posed::new(&self.score.at(index as f64));
        for (position, p) in positions.iter_mut().zip(rest) {
            *position = posed.place(*p);
        }
    }
}

#[cfg(test)]
mod tests;
