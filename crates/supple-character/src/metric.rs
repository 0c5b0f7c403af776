//! What an edit costs in a frame: how far it moves the points of the figure.
//!
//! > G = mean over frames and points of (∂p/∂d)ᵀ (∂p/∂d)  (Gleicher 1997, Eq. 3, divided by the number of points)
//!
//! kept as a 3×3 block per joint: moved by one freedom of a joint, points go |r|² I − r rᵀ far for arms r in the joint's own
//! axes, which hardly changes along a motion. An arm of [`Scale::arm`](crate::constraint::Scale) is added, or bones would
//! roll about themselves for nothing; axes that the motion does not use weigh 25 times more. With `Diagonal` only the
//! diagonal counts, as published.

use crate::figure::Figure;
use crate::freedoms::Freedoms;
use crate::motion::Motion;
use crate::skeleton::Turns;
use faer::Mat;
use nalgebra::{Matrix3, Vector3};

/// Which entries of the metric count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// A block per joint.
    #[default]
    Blocks,
    /// The diagonal, as published.
    Diagonal,
}

/// Frames that are looked at, at most.
const SAMPLES: usize = 40;

/// G, freedoms × freedoms.
#[must_use]
pub fn metric(
    figure: &Figure,
    motion: &Motion,
    window: (usize, usize),
    freedoms: &Freedoms,
    kind: Metric,
) -> Mat<f64> {
    let joints = figure.skeleton.joints();
    let points = joints.len() as f64;
    let arm = figure.scale().arm;
    let blocks = arms(figure, motion, window);
    let mut G = Mat::<f64>::zeros(freedoms.len(), freedoms.len());
    let mut below = vec![1.0; joints.len()];
    for j in (0..joints.len()).rev() {
        if let Some(parent) = joints[j].parent {
            below[parent] += below[j];
        }
    }
    for (j, joint) in joints.iter().enumerate() {
        for at in freedoms.moves(j).into_iter().flatten() {
            G[(at, at)] += below[j] / points;
        }
        let Some(at) = freedoms.turns(j) else { continue };
        let block = figure.stiff[j] * (blocks[j] + Matrix3::identity() * (arm * arm)) * figure.stiff[j];
        match joint.turns {
            Turns::Fixed => {}
            Turns::Hinge(axis) => {
                G[(at, at)] +=
                    axis.dot(&((blocks[j] + Matrix3::identity() * (arm * arm)) * axis.into_inner()));
            }
            Turns::Ball => {
                for r in 0..3 {
                    for c in (0..3).filter(|c| kind == Metric::Blocks || *c == r) {
                        G[(at + r, at + c)] += block[(r, c)];
                    }
                }
            }
        }
    }
    G
}

/// Mean of |r|² I − r rᵀ over frames and all points below each joint, divided by the number of points.
fn arms(figure: &Figure, motion: &Motion, window: (usize, usize)) -> Vec<Matrix3<f64>> {
    let joints = figure.skeleton.joints();
    let step = ((window.1 - window.0) / SAMPLES).max(1);
    let frames: Vec<usize> = (window.0..=window.1).step_by(step).collect();
    let mut sums = vec![Matrix3::zeros(); joints.len()];
    for frame in &frames {
        let world = motion.world(&figure.skeleton, *frame);
        // Number, sum and outer products of the points below each joint, in the axes of the scene.
        let mut below: Vec<(f64, Vector3<f64>, Matrix3<f64>)> =
            world.positions.iter().map(|p| (1.0, *p, p * p.transpose())).collect();
        for j in (0..joints.len()).rev() {
            if let Some(parent) = joints[j].parent {
                let (count, sum, outer) = below[j];
                let above = &mut below[parent];
                *above = (above.0 + count, above.1 + sum, above.2 + outer);
            }
        }
        for (j, (count, sum, outer)) in below.iter().enumerate() {
            let c = world.positions[j];
            let about = outer - c * sum.transpose() - sum * c.transpose() + c * c.transpose() * *count;
            let W = world.rotations[j];
            let own = W.transpose() * (Matrix3::identity() * about.trace() - about) * W;
            sums[j] += 0.5 * (own + own.transpose());
        }
    }
    let count = (frames.len() * joints.len()) as f64;
    sums.iter().map(|sum| sum / count).collect()
}
