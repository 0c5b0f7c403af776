//! From a file of an animated surface or a skeleton to a shot, and back.
//!
//! | file | |
//! |---|---|
//! | `skin` | the surface at rest with its groups, and what its frames say together |
//! | `shape`, `resolution` | which body suits it, and how fine |
//! | `new`, `beside` | the shot, and its files |
//! | `skeleton`, `character` | what is in the file of a skeleton, and the shot of it |
//! | `bones` | a skeleton as a surface |
//! | `made` | a shot of either |
//! | `preview` | what an import will be of, before it begins |
//! | `keep` | a shot in memory becomes files |
//! | `convert`, `rewrite` | from one format to another; from a skeleton to a skeleton |
//! | `answer` | [`import()`] and [`convert()`]: both in one call, and what they tell |

mod answer;
mod beside;
mod bones;
mod character;
mod convert;
mod error;
mod keep;
mod made;
mod new;
mod preview;
mod resolution;
mod rewrite;
mod shape;
mod skeleton;
mod skin;

pub use answer::{CharacterAnswer, ConvertAnswer, FitAnswer, ImportAnswer, SurfaceAnswer, convert, import};
pub use character::ImportedCharacter;
pub use convert::{Conversion, Converted};
pub use error::ImportError;
pub use keep::{KeptFiles, keep};
pub use made::NewShot;
pub use new::{Import, Imported, RestShape};
pub use preview::{
    ImportChecked, ImportField, ImportPreview, ImportWrong, PreviewFrame, PreviewObject, PreviewScene,
    PreviewState,
};
pub use shape::{Edges, ImportKind};
pub use skeleton::{FoundSkeleton, UnitFrom};
