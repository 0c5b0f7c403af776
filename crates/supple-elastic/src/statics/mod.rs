//! Statics: the shape a body takes under loads, and the body that belongs to a deformed skin.
//!
//! - [`Poser`]: R(u) = f by Newton's method, with loads that stack and vertices that are pinned on the way
//!   (Barbič, da Silva and Popović 2009, §4.1);
//! - [`Fitter`], [`fit`]: the u whose skin is nearest to a given one, at little strain energy (§4.2, Eq. 5).
//!
//! Both are minima, of E(u) − fᵀu and of Σ w |A u − ū|² + β E(u), found by one method: see [`crate::newton`].

mod error;
mod fit;
mod poser;

pub use error::StaticsError;
pub use fit::{FitReport, FitSettings, Fitter, Smoothness, fit, vertex_areas};
pub use poser::{LoadStep, PoseReport, PoseUpdate, Poser, PoserSettings, Removed};
