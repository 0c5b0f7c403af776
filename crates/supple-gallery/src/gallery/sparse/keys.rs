//! What all that motion is made of: the keys of several built-in shots.

use super::motion::Motion;
use super::row::keys;
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

/// A shot, where its keys are seen from, how many in a row, and what is asked.
const SHOWN: &[(&str, From, usize, &str)] = &[
    ("block-twist", From(30.0, 16.0), 3, "the top, once"),
    (
        "cactus-jump",
        From(20.0, 8.0),
        4,
        "velocity and place of the centre of mass, then the foot relative to the centre of mass",
    ),
    ("x-walk", From(-58.0, 8.0), 4, "the foot that swings: lifted, put down, and how fast"),
    ("buddha", From(40.0, 10.0), 3, "the belly, three times"),
];

/// Figure 8.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "Keyed parts are dark and at their goals, the rest of the body is pale, as it was found. \
         Arrows are velocities, dots centres of mass. Bodies that are dark all over are at rest at the start \
         and at the end. `supple render SHOT --keys` draws these pictures.",
    );
    for (k, (sample, view, columns, words)) in SHOWN.iter().enumerate() {
        let part = |k: usize| k as f64 / SHOWN.len() as f64;
        let motion = Motion::of(workshop, sample, &progress.part(part(k), part(k + 1)))?;
        let name = format!("sparse-keys-{sample}");
        workshop.show(&mut section, &name, &keys(&motion, *view, *columns)?, format!("{sample}: {words}"))?;
        section.number(format!("keys of {sample}"), motion.method.key_moments().len() as f64, "");
    }
    Ok(section)
}
