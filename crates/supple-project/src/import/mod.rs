//! From a file of an animated surface to a shot, and back.
//!
//! | file | |
//! |---|---|
//! | `skin` | the surface at rest with its groups, and what its frames say together |
//! | `shape`, `resolution` | which body suits it, and how fine |
//! | `new`, `beside` | the shot, and its files |
//! | `preview` | what an import will be of, before it begins |
//! | `convert` | from one format to another |
//! | `answer` | [`import()`] and [`convert()`]: both in one call, and what they tell |

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
