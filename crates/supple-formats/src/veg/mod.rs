//! VegaFEM's volumetric meshes, `.veg`.
//! ```text
//! *VERTICES
//! 5 3 0 0                    vertices, then always 3 0 0
//! 1 0 0 0                    number and position
//! ...
//! *ELEMENTS
//! TET                        or CUBIC
//! 2 4 0                      elements, corners, then always 0
//! 1 1 2 3 4                  number and corners
//! 2 2 3 4 5
//! *MATERIAL steel
//! ENU, 7800, 2e11, 0.3       density, Young's modulus, Poisson's ratio
//! *SET core
//! 2,                         elements
//! *REGION
//! core, steel                a set, or allElements, and its material
//! ```
//! Vertices and elements each count from 0 or from 1, as their first row says. `*INCLUDE` and
//! materials other than `ENU` are errors.

mod read;
mod write;

pub use read::read_veg;
pub use write::write_veg;
