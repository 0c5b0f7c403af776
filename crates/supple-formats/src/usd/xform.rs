//! Where a prim is: the product of its transform operations, in the order of `xformOpOrder`, and of those of
//! the prims above it.

use super::attribute::{Attribute, bracket};
use super::compose::{Prim, Stage};
use crate::FormatError;
use crate::scene::{Transform, slerp};

/// One operation over time.
struct Operation {
    kind: String,
    is_inverse: bool,
    /// The numbers of the operation, by time; one entry when they do not change.
    samples: Vec<(f64, Vec<f64>)>,
}

/// The operations of one prim.
#[derive(Default)]
pub(super) struct Operations {
    operations: Vec<Operation>,
    /// Whether the prims above do not count.
    pub is_reset: bool,
}

impl Operations {
    pub fn read(stage: &mut Stage, number: usize) -> Result<Self, FormatError> {
        let prim = &stage.prims[number];
        let Some(order) = Attribute::find(stage, prim, "xformOpOrder") else {
            return Ok(Self::default());
        };
        let mut out = Self::default();
        for word in order.words()? {
            if word == "!resetXformStack!" {
                out = Self { operations: Vec::new(), is_reset: true };
                continue;
            }
            let (is_inverse, name) = match word.strip_prefix("!invert!") {
                Some(name) => (true, name),
                None => (false, word.as_str()),
            };
            let Some(kind) = name.strip_prefix("xformOp:") else {
                continue;
            };
            let kind = kind.split(':').next().unwrap_or_default().to_owned();
            let prim = &stage.prims[number];
            if let Some(attribute) = Attribute::find(stage, prim, name) {
                let samples = read_samples(stage, &attribute)?;
                out.operations.push(Operation { kind, is_inverse, samples });
            }
        }
        Ok(out)
    }

    /// The times at which anything is said.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        let moving = self.operations.iter().filter(|operation| operation.samples.len() > 1);
        moving.flat_map(|operation| operation.samples.iter().map(|(time, _)| *time))
    }

    pub fn is_moving(&self) -> bool {
        self.times().next().is_some()
    }

    pub fn at(&self, time: f64) -> Transform {
        self.operations.iter().fold(Transform::IDENTITY, |all, operation| all.after(&operation.at(time)))
    }
}

fn read_samples(stage: &mut Stage, attribute: &Attribute) -> Result<Vec<(f64, Vec<f64>)>, FormatError> {
    stage.layers.budget.take("transforms", attribute.samples.len() as u64 + 1, 160)?;
    if attribute.samples.is_empty() {
        return Ok(vec![(0.0, attribute.numbers()?)]);
    }
    let decode = |(time, raw): &(f64, _)| Ok((*time, attribute.values.numbers(raw)?));
    attribute.samples.iter().map(decode).collect()
}

impl Operation {
    fn at(&self, time: f64) -> Transform {
        let (before, after, t) = bracket(self.samples.len(), |i| self.samples[i].0, time);
        let (Some((_, a)), Some((_, b))) = (self.samples.get(before), self.samples.get(after)) else {
            return Transform::IDENTITY;
        };
        let numbers: Vec<f64> = match (self.kind.as_str(), a.as_array::<4>(), b.as_array::<4>()) {
            ("orient", Some(a), Some(b)) if t > 0.0 => slerp(*a, *b, t).into(),
            _ => a.iter().zip(b).map(|(a, b)| if t == 0.0 { *a } else { a + (b - a) * t }).collect(),
        };
        let transform = operation(&self.kind, &numbers).unwrap_or(Transform::IDENTITY);
        if self.is_inverse { transform.inverse().unwrap_or(Transform::IDENTITY) } else { transform }
    }
}

/// An operation with its numbers; one of another kind, or with too few numbers, does nothing.
fn operation(kind: &str, numbers: &[f64]) -> Option<Transform> {
    Some(match kind {
        "translate" => Transform::translation(*numbers.as_array()?),
        "scale" => Transform::scaling(*numbers.as_array()?),
        "orient" => Transform::rotation(*numbers.as_array()?),
        "transform" => Transform::from_columns(numbers.as_array()?),
        "rotateX" => Transform::turn(0, *numbers.first()?),
        "rotateY" => Transform::turn(1, *numbers.first()?),
        "rotateZ" => Transform::turn(2, *numbers.first()?),
        _ => {
            // rotateXYZ turns about X first; the angles are always those about X, Y and Z.
            let angles: &[f64; 3] = numbers.as_array()?;
            let axes = kind.strip_prefix("rotate").filter(|axes| axes.len() == 3)?;
            axes.bytes().try_fold(Transform::IDENTITY, |all, axis| {
                let axis = usize::from(axis.checked_sub(b'X')?);
                Some(Transform::turn(axis, *angles.get(axis)?).after(&all))
            })?
        }
    })
}

/// The operations of a prim and of those above it, from the top.
pub(super) fn chain(stage: &Stage, all: &[Operations], prim: &Prim, number: usize) -> Vec<usize> {
    let mut chain = vec![number];
    let mut above = prim.parent;
    let mut is_reset = all[number].is_reset;
    while let Some(parent) = above.filter(|_| !is_reset) {
        chain.push(parent);
        is_reset = all[parent].is_reset;
        above = stage.prims[parent].parent;
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_every_kind() {
        let at = |kind: &str, numbers: &[f64], point| {
            operation(kind, numbers).map(|m| m.apply(point).map(|x| (x * 1e9).round() / 1e9))
        };
        assert_eq!(at("translate", &[1.0, 2.0, 3.0], [0.0; 3]), Some([1.0, 2.0, 3.0]));
        assert_eq!(at("scale", &[1.0, 2.0, 3.0], [1.0; 3]), Some([1.0, 2.0, 3.0]));
        assert_eq!(at("rotateZ", &[90.0], [1.0, 0.0, 0.0]), Some([0.0, 1.0, 0.0]));
        // X takes y to z, Z then leaves it.
        assert_eq!(at("rotateXYZ", &[90.0, 0.0, 90.0], [0.0, 1.0, 0.0]), Some([0.0, 0.0, 1.0]));
        assert_eq!(at("rotateZYX", &[90.0, 0.0, 90.0], [0.0, 1.0, 0.0]), Some([-1.0, 0.0, 0.0]));
        // USD's matrices act on rows: the last four numbers are the translation.
        let matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 5.0, 6.0, 7.0, 1.0];
        assert_eq!(at("transform", &matrix, [0.0; 3]), Some([5.0, 6.0, 7.0]));
        assert_eq!(at("shear", &[1.0, 2.0, 3.0], [0.0; 3]), None);
        assert_eq!(at("translate", &[1.0], [0.0; 3]), None);
    }
}
