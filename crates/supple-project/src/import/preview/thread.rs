//! The thread that looks: answers first, frames in between.

use super::reader::Reader;
use super::{ImportField, ImportWrong, Shared, lock};
use crate::import::Import;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use supple_model::Progress;

/// Runs until the preview is dropped.
pub(super) fn run(shared: &Shared, import: &Import, progress: &Progress) {
    if catch_unwind(AssertUnwindSafe(|| look(shared, import, progress))).is_err() {
        let text = format!("{}: reading stopped unexpectedly; try again", import.file.path.display());
        shared.publish(|seen| seen.problem = Some(ImportWrong { field: ImportField::Path, text }));
    }
    shared.publish(|seen| seen.doing = None);
}

fn look(shared: &Shared, import: &Import, progress: &Progress) {
    let mut reader = match Reader::open(import) {
        Ok(reader) => reader,
        Err(wrong) => return shared.publish(|seen| seen.problem = Some(wrong)),
    };
    shared.publish(|seen| {
        seen.scene = Some(reader.scene.clone());
        seen.frames = vec![reader.first()];
    });
    let wanted = reader.scene.wanted();
    for (k, index) in wanted.iter().enumerate() {
        answer(shared, &mut reader);
        let fraction = (k + 1) as f64 / (wanted.len() + 1) as f64;
        if progress.report("reading frames", fraction).is_err() {
            break;
        }
        match reader.frame(*index) {
            Ok(frame) => shared.publish(|seen| seen.frames.push(frame)),
            Err(error) => {
                let wrong = ImportWrong { field: ImportField::Path, text: error.to_string() };
                shared.publish(|seen| seen.problem = Some(wrong));
                break;
            }
        }
    }
    shared.publish(|seen| seen.doing = None);
    while wait(shared) {
        answer(shared, &mut reader);
    }
}

/// Checks what was asked last, if anything was.
fn answer(shared: &Shared, reader: &mut Reader) {
    let asked = lock(&shared.asked).0.clone();
    if let Some(import) = asked {
        let result = reader.check(&import).map(Arc::new);
        shared.publish(|seen| seen.checked = Some((import.clone(), result)));
        // Another question may have come in the meantime.
        lock(&shared.asked).0.take_if(|latest| Arc::ptr_eq(latest, &import));
    }
}

/// Waits for a question; `false` if none will come.
fn wait(shared: &Shared) -> bool {
    let mut asked = lock(&shared.asked);
    while asked.0.is_none() && !asked.1 {
        asked = shared.bell.wait(asked).unwrap_or_else(PoisonError::into_inner);
    }
    !asked.1
}
