//! Abaqus input, `.inp` or `.abq`: the mesh in it.
//! ```text
//! ** a comment
//! *NODE, NSET=ALL
//! 10, 0.0, 0.0, 0.0              label and position
//! ...
//! *ELEMENT, TYPE=C3D4, ELSET=BODY
//! 1, 10, 20, 30, 40              label and corners
//! *NSET, NSET=BASE
//! 10, 20, 30                     labels, or names of sets
//! *ELSET, ELSET=EALL, GENERATE
//! 1, 31746, 1                    first, last and step
//! ```
//! Labels may be any numbers, in any order; nodes and elements keep the order of the file. Keywords
//! and names ignore case. A set given again grows. Elements are tets (`C3D4`, `C3D4H`) or hexahedra
//! (`C3D8` with `R`, `H` or `I`), all of one kind; any other type is an error. Whatever else a model
//! holds (materials, steps, loads) is skipped.

mod keyword;
mod labels;
mod read;
mod write;

pub use read::read_abaqus;
pub use write::write_abaqus;
