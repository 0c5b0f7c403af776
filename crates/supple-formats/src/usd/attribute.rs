//! The value of an attribute at a time.

use super::compose::{Prim, Stage};
use super::spec::{Raw, Retiming, Values};
use crate::FormatError;

/// An attribute of a prim: the strongest of what layers say.
pub(super) struct Attribute {
    pub values: Values,
    pub type_name: String,
    pub value: Option<Raw>,
    /// By time of the scene, ascending; or empty.
    pub samples: Vec<(f64, Raw)>,
    pub interpolation: Option<String>,
}

impl Attribute {
    /// The attribute of this name, unless nothing is said of it.
    pub fn find(stage: &Stage, prim: &Prim, name: &str) -> Option<Self> {
        let mut found: Option<Self> = None;
        for site in &prim.sites {
            let layer = stage.layers.layer(site.layer);
            let spec = layer.prims[site.prim as usize].attributes.iter().find(|a| a.name == name);
            let Some(spec) = spec else {
                continue;
            };
            if let Some(found) = &mut found {
                // Weaker layers may still say what stronger ones leave open.
                found.interpolation = found.interpolation.take().or(spec.interpolation.clone());
            } else if spec.value.is_some() || !spec.samples.is_empty() {
                found = Some(Self {
                    values: layer.values.clone(),
                    type_name: spec.type_name.clone(),
                    value: spec.value,
                    samples: retimed(&spec.samples, site.retiming),
                    interpolation: spec.interpolation.clone(),
                });
            }
        }
        found.filter(|found| !found.samples.is_empty() || found.value.is_some_and(|raw| raw != Raw::Blocked))
    }

    /// The names of all attributes of a prim that begin so, in the order of the file.
    pub fn names(stage: &Stage, prim: &Prim, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for site in &prim.sites {
            for spec in &stage.layers.layer(site.layer).prims[site.prim as usize].attributes {
                if spec.name.starts_with(prefix) && !names.contains(&spec.name) {
                    names.push(spec.name.clone());
                }
            }
        }
        names
    }

    /// What stands for the value at the earliest time, or at all times.
    pub fn first(&self) -> Raw {
        self.samples.first().map(|(_, raw)| *raw).or(self.value).unwrap_or(Raw::Blocked)
    }

    pub fn numbers(&self) -> Result<Vec<f64>, FormatError> {
        self.values.numbers(&self.first())
    }

    pub fn words(&self) -> Result<Vec<String>, FormatError> {
        self.values.words(&self.first())
    }
}

fn retimed(samples: &[(f64, Raw)], retiming: Retiming) -> Vec<(f64, Raw)> {
    let mut samples: Vec<(f64, Raw)> =
        samples.iter().map(|(time, raw)| (retiming.apply(*time), *raw)).collect();
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    samples
}

/// The paths a relationship leads to, as the strongest layer has them.
pub(super) fn targets(stage: &Stage, prim: &Prim, name: &str) -> Vec<String> {
    let relationships = prim
        .sites
        .iter()
        .flat_map(|site| stage.layers.layer(site.layer).prims[site.prim as usize].relationships.iter());
    relationships.filter(|(of, _)| of == name).map(|(_, targets)| targets.clone()).next().unwrap_or_default()
}

/// Between which of `count` ascending times a time lies: the entries before and after, and how far it is
/// between them.
pub(super) fn bracket(count: usize, at: impl Fn(usize) -> f64, time: f64) -> (usize, usize, f64) {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if at(middle) <= time { low = middle + 1 } else { high = middle }
    }
    match low {
        0 => (0, 0, 0.0),
        _ if low == count => (count - 1, count - 1, 0.0),
        _ => (low - 1, low, (time - at(low - 1)) / (at(low) - at(low - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_between_samples() {
        let times = [1.0, 2.0, 4.0];
        for (time, expected) in [
            (0.0, (0, 0, 0.0)),
            (1.0, (0, 1, 0.0)),
            (1.25, (0, 1, 0.25)),
            (3.0, (1, 2, 0.5)),
            (4.0, (2, 2, 0.0)),
            (9.0, (2, 2, 0.0)),
        ] {
            assert_eq!(bracket(3, |i| times[i], time), expected, "{time}");
        }
        assert_eq!(bracket(0, |_| 0.0, 1.0), (0, 0, 0.0));
    }
}
