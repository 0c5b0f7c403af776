//! The forces that make a motion, as a file: in the coordinates of its basis, or on every vertex.
//!
//! ```text
//! # control forces, basis 3f0c…          the name of all bases of the motion: they mean nothing in others
//! frame,w1,w2,…                          what leads from this frame to the next
//! 1,-0.25,3.5,…
//! ```

use super::chain::Chain;
use super::error::{ControlError, ForcesProblem};
use super::reduced::hashed;
use super::setup::Setup;
use crate::method::error::EditError;
use crate::motion::MotionError;
use crate::{KeyHasher, Kind, atomic};
use std::fmt::Write;
use std::path::Path;
use supple_elastic::KeyBasis;
use supple_formats::MotionSettings;

const FORCES: Kind = Kind::new("forces", 1);
const TITLE: &str = "# control forces, basis ";
/// Letters of the name of a basis.
const NAME: usize = 16;

/// The name of some bases, one after the other.
pub(super) fn name_of<'a>(bases: impl Iterator<Item = &'a KeyBasis>) -> String {
    let hasher = bases.fold(KeyHasher::new(FORCES), hashed);
    let mut name = hasher.finish().to_string();
    name.truncate(NAME);
    name
}

/// Writes the forces of a motion, in the format that the ending says.
pub(super) fn write(path: &Path, setup: &Setup, chain: &Chain) -> Result<(), EditError> {
    let wrong = |source| MotionError::Write { file: path.to_path_buf(), source };
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("csv")) {
        return on_vertices(path, setup, chain);
    }
    let name = name_of(chain.pieces.iter().map(|piece| &piece.ready.basis));
    let most = chain.pieces.iter().map(|piece| piece.ready.basis.coordinates()).max().unwrap_or(0);
    let columns: Vec<String> = (1..=most).map(|k| format!("w{k}")).collect();
    let mut text = format!("{TITLE}{name}\nframe,{}\n", columns.join(","));
    for piece in &chain.pieces {
        let r = piece.ready.basis.coordinates();
        for (k, w) in piece.solution.forces.chunks_exact(r).enumerate() {
            let _ = write!(text, "{}", chain.shown.clock.number(piece.ready.begin + k));
            w.iter().for_each(|w| {
                let _ = write!(text, ",{w:?}");
            });
            text.push('\n');
        }
    }
    Ok(atomic::replace(path, text.as_bytes()).map_err(wrong)?)
}

/// Newtons on every vertex, frame by frame, as a motion file; nothing acts in the last frame.
fn on_vertices(path: &Path, setup: &Setup, chain: &Chain) -> Result<(), EditError> {
    let (vertices, clock) = (setup.body.positions().len(), chain.shown.clock);
    let settings = MotionSettings::new(vertices, clock.start, clock.fps, clock.frames);
    let mut writer = supple_formats::create_motion(path, settings, None).map_err(MotionError::from)?;
    let mut frames = vec![vec![[0.0; 3]; vertices]; clock.frames];
    for piece in &chain.pieces {
        let r = piece.ready.basis.coordinates();
        for (k, w) in piece.solution.forces.chunks_exact(r).enumerate() {
            let force = piece.moves.spread(w, k as f64);
            let each = force.chunks_exact(3).map(|force| [force[0], force[1], force[2]]);
            frames[piece.ready.begin + k] = each.collect();
        }
    }
    for frame in &frames {
        writer.write(frame).map_err(MotionError::from)?;
    }
    Ok(writer.finish().map_err(MotionError::from)?)
}

/// The forces of a file, row by row, as [`write`] wrote them: their basis, and numbers of every row.
pub(super) fn read(path: &Path) -> Result<(String, Vec<Vec<f64>>), EditError> {
    let wrong = |problem: String| {
        let problem = ForcesProblem::Table(problem);
        EditError::from(ControlError::Forces { file: path.to_path_buf(), problem })
    };
    let bytes = supple_formats::read_file(path).map_err(|error| wrong(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text".to_owned()))?;
    let mut lines = (1..).zip(text.lines());
    let name = lines.next().and_then(|(_, line)| line.strip_prefix(TITLE)).map(str::trim);
    let Some(name) = name else {
        return Err(wrong(
            "it does not begin as `supple solve --forces` writes it, with the name of a basis".to_owned(),
        ));
    };
    let mut rows = Vec::new();
    for (line, text) in lines.skip(1).filter(|(_, text)| !text.trim().is_empty()) {
        let numbers = text.split(',').skip(1).map(|entry| entry.trim().parse::<f64>());
        let row =
            numbers.collect::<Result<Vec<f64>, _>>().ok().filter(|row| row.iter().all(|w| w.is_finite()));
        rows.push(row.ok_or_else(|| wrong(format!("line {line} has something that is no finite number")))?);
    }
    Ok((name.to_owned(), rows))
}
