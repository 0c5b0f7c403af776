//! Where handles are, over all modes of the ground: what a material is chosen over, whatever shapes it has.
//!
//! They are read on the reduced warp of the body, or on the whole one where that misses too much.

use super::error::MaterialError;
use super::ground::Ground;
use super::reduced::Reduced;
use crate::method::drag::DragMethod;
use crate::method::error::EditError;
use supple_elastic::ReducedReadout;
use supple_model::{Progress, Readout};
use supple_spacetime::Row;

/// Reads the handles of a shot over all modes.
pub(super) struct Reader {
    /// An editor of all modes with the same handles.
    whole: DragMethod,
    /// The same handles on the reduced warp.
    few: Option<(Reduced, ReducedReadout)>,
    /// Why there is none.
    note: Option<String>,
}

impl Reader {
    /// Of the handles there are, in their order. The reduced warp is made where it is not there yet.
    pub fn new(ground: &Ground, progress: &Progress) -> Result<Self, EditError> {
        let whole = ground.whole(&progress.part(0.0, 0.1))?;
        let reads = whole.grips().is_some_and(|(handles, full)| {
            // Poses are not read, and what is not warped is read at once.
            !(handles.is_empty() || full.motion().is_plain())
        });
        let reduced = if reads { ground.reduced(&progress.part(0.1, 1.0))? } else { None };
        Self::over(whole, reduced)
    }

    /// The same for a hand that does not wait: the whole warp is read while the reduced one has not been made.
    pub fn at_once(ground: &Ground, progress: &Progress) -> Result<Self, EditError> {
        let whole = ground.whole(progress)?;
        Self::over(whole, ground.reduced_so_far())
    }

    fn over(whole: DragMethod, reduced: Option<&Reduced>) -> Result<Self, EditError> {
        let note = reduced.and_then(Reduced::note);
        let full = whole.grips().map(|(_, full)| full).filter(|full| !full.motion().is_plain());
        let few = match (reduced, full) {
            (Some(reduced), Some(full)) if note.is_none() => {
                Some((reduced.clone(), ReducedReadout::of(reduced.warp.clone(), full)?))
            }
            _ => None,
        };
        Ok(Self { whole, few, note })
    }

    /// Where the handles are.
    pub fn readout(&self) -> Result<&dyn Readout, EditError> {
        match &self.few {
            Some((_, few)) => Ok(few),
            None => Ok(self.whole_readout()?),
        }
    }

    /// Where the whole warp has them.
    pub fn whole_readout(&self) -> Result<&dyn Readout, EditError> {
        let (_, readout) = self.whole.grips().ok_or(MaterialError::NotRead)?;
        Ok(readout)
    }

    /// What keeps contacts.
    pub fn contact_rows(&self) -> Vec<Row> {
        self.whole.contact_rows()
    }

    /// The editor of all modes.
    pub fn whole(&self) -> &DragMethod {
        &self.whole
    }

    /// The reduced warp; none where the body is looked at as a whole.
    pub fn reduced(&self) -> Option<&Reduced> {
        self.few.as_ref().map(|(reduced, _)| reduced)
    }

    /// Why the body is looked at as a whole, where that is worth saying.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}
