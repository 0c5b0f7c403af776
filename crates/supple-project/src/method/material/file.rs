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

/// Eigenvalues that differ by no more than this part are the same.
const SAME: f64 = 1e-6;

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
        if let Some(part) = &shot.edit.part {
            let problem = format!("it is of the whole body, and `part = {part:?}` in [edit] moves less");
            return Err(foreign(problem).into());
        }
        let modes = uniform_modes(shot, cache, progress).map_err(|error| match error {
            RecoverError::Cancelled(cancelled) => EditError::from(cancelled),
            error => foreign(format!("the modes it is of cannot be had: {error}")).into(),
        })?;
        let rigid = modes.rigid();
        of_this_body(&table, body.positions().len(), &modes.eigenvalues()[rigid..]).map_err(foreign)?;
        let parts = table.modes[0].parts.len();
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

/// Whether a table is of a body of so many vertices and these eigenvalues, none of a rigid mode, as far as it tells.
fn of_this_body(table: &Mixtures, vertices: usize, eigenvalues: &[f64]) -> Result<(), String> {
    if let Some(there) = table.vertices.filter(|there| *there != vertices) {
        return Err(format!("it is of a body of {there} vertices, and this one has {vertices}"));
    }
    let (found, parts) = (eigenvalues.len(), table.modes[0].parts.len());
    if parts > found {
        return Err(format!("its modes are mixtures of {parts}, and this body has {found} to mix"));
    }
    let here = eigenvalues.iter().map(|lambda| lambda / eigenvalues[0]);
    for (k, (there, here)) in table.uniform.iter().zip(here).enumerate() {
        if (there / here - 1.0).abs() > SAME {
            return Err(format!(
                "mode {} of its body is {there:.6} times as stiff as the first, and of this one {here:.6} times; mesh, anchors, \
                 density or Poisson's ratio differ",
                k + 1
            ));
        }
    }
    Ok(())
}
