//! A material that was found before: the table that `supple recover` writes.
//!
//! Its modes are mixtures of those that the body would have if it were of one material, so that these are the modes W of
//! the edit, and S is the table as it stands: C is the identity.

use super::error::MaterialError;
use crate::Cache;
use crate::body::Body;
use crate::method::drag::Prepared;
use crate::method::error::EditError;
use crate::recover::{RecoverError, uniform_modes};
use crate::shot::Shot;
use faer::Mat;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_elastic::Basis;
use supple_formats::{Mixtures, load_mixtures};
use supple_model::Progress;
use supple_spacetime::{Material, Oscillator};

/// A material that a file says, and the modes it is a mixture of.
pub(super) struct FromFile {
    /// W, rigid modes first.
    pub basis: Arc<Basis>,
    /// λ of each of W, up to a factor.
    pub eigenvalues: Vec<f64>,
    table: Mixtures,
    file: PathBuf,
    rigid: usize,
}

impl FromFile {
    /// Reads the table of a shot, and prepares the modes it is of.
    pub fn read(
        path: &Path,
        (shot, body): (&Shot, &Arc<Body>),
        prepared: &Prepared,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let table = load_mixtures(path).map_err(|error| MaterialError::Table(Box::new(error)))?;
        let foreign = |problem: String| MaterialError::File { file: path.to_path_buf(), problem };
        let here = body.positions().len();
        if let Some(there) = table.vertices.filter(|there| *there != here) {
            let problem = format!("it is of a body of {there} vertices, and this one has {here}");
            return Err(foreign(problem).into());
        }
        if let Some(part) = &shot.edit.part {
            let problem = format!("it is of the whole body, and `part = {part:?}` in [edit] moves less");
            return Err(foreign(problem).into());
        }
        if let Some(still) = table.modes.iter().position(|mode| mode.eigenvalue == 0.0) {
            return Err(foreign(format!("mode {} has no stiffness", still + 1)).into());
        }
        let modes = uniform_modes(shot, cache, progress).map_err(|error| match error {
            RecoverError::Cancelled(cancelled) => EditError::from(cancelled),
            error => foreign(format!("the modes it is of cannot be had: {error}")).into(),
        })?;
        let rigid = modes.rigid();
        let (found, parts) = (modes.count() - rigid, table.modes[0].parts.len());
        if parts > found {
            let problem = format!("its modes are mixtures of {parts}, and this body has {found} to mix");
            return Err(foreign(problem).into());
        }
        let eigenvalues = modes.eigenvalues()[..rigid + parts].to_vec();
        let whole = prepared.moved.figure.basis(body, modes);
        let shapes = whole.shapes().subcols(0, rigid + parts).to_owned();
        let basis = Arc::new(Basis::new(shapes, whole.free().clone()));
        Ok(Self { basis, eigenvalues, table, file: path.to_path_buf(), rigid })
    }

    /// The material; rigid modes are damped by α.
    pub fn material(&self, alpha: f64) -> Result<Material, EditError> {
        let (rigid, shapes) = (self.rigid, self.table.modes.len());
        let S = Mat::from_fn(self.eigenvalues.len(), rigid + shapes, |j, k| match (j < rigid, k < rigid) {
            (true, true) => f64::from(u8::from(j == k)),
            (false, false) => self.table.modes[k - rigid].parts[j - rigid],
            _ => 0.0,
        });
        let own = self.table.modes.iter().map(|mode| (mode.eigenvalue, mode.damping));
        let oscillators = std::iter::repeat_n((0.0, alpha), rigid)
            .chain(own)
            .map(|(eigenvalue, damping)| Oscillator { eigenvalue, delta: 0.5 * damping })
            .collect();
        Material::new(vec![1.0; self.eigenvalues.len()], &S, oscillators).map_err(|error| {
            MaterialError::File { file: self.file.clone(), problem: error.to_string() }.into()
        })
    }
}
