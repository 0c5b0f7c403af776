//! From a file of an animated surface to a shot, and back.
//!
//! - [`space`]: the unit and the axis up of a file; inside all is in metres, y up;
//! - [`source`]: one object of a file, as frames inside;
//! - [`skin`]: the surface at rest with its groups, and what its frames say together; [`shape`]: which body suits it,
//!   [`resolution`]: how fine; [`new`]: the shot, [`beside`]: its files;
//! - [`preview`]: what an import will be of, before it begins; [`mod@convert`]: from one format to another;
//! - [`answer`]: both in one call, and what they tell.

mod answer;
mod beside;
mod convert;
mod error;
mod new;
mod preview;
mod resolution;
mod shape;
mod skin;

pub use answer::{ConvertAnswer, FitAnswer, ImportAnswer, convert, import};
pub use convert::{Conversion, Converted};
pub use error::ImportError;
pub use new::{Import, Imported, RestShape};
pub use preview::{
    ImportChecked, ImportField, ImportPreview, ImportWrong, PreviewFrame, PreviewObject, PreviewScene,
    PreviewState,
};
pub use shape::{Edges, ImportKind};
