//! Where handles are, over all modes of the ground: what a material is chosen over, whatever shapes it has.

use super::error::MaterialError;
use super::ground::Ground;
use crate::method::drag::DragMethod;
use crate::method::error::EditError;
use supple_model::{Progress, Readout};
use supple_spacetime::Row;

/// Reads the handles of a shot over all modes.
pub(super) struct Reader {
    /// An editor of all modes with the same handles.
    whole: DragMethod,
}

impl Reader {
    /// Of the handles there are, in their order.
    pub fn new(ground: &Ground, progress: &Progress) -> Result<Self, EditError> {
        Ok(Self { whole: ground.whole(progress)? })
    }

    /// Where the handles are.
    pub fn readout(&self) -> Result<&dyn Readout, EditError> {
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

    /// At how many elements the body is looked at; none where it is looked at as a whole.
    pub fn elements(&self) -> Option<usize> {
        None
    }

    /// How exact that is.
    pub fn cubature_error(&self) -> Option<f64> {
        None
    }
}
