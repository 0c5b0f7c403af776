//! What `import supple` is made of: shots, motions in arrays of numpy, and live editing, for the Python package in `python/`.
//!
//! | file | |
//! |---|---|
//! | `array` | numbers of numpy, read and written where they lie |
//! | `work` | work without the interpreter: progress, Ctrl-C, threads, forks |
//! | `errors` | the classes of what goes wrong |
//! | `memory` | what was freed goes back to the system |
//! | `words` | units, axes and the like, by their names |
//! | `surface` | a motion in an array as a shot, and an edit of it as another array |
//! | `shot` | a shot by its dotted keys |
//! | `session`, `editing` | a shot in the hand |
//! | `commands`, `render` | the commands of the command line |
//!
//! It wires `supple-project` and computes nothing. What people read of it is Python: `python/src/supple`. Values of shots cross as
//! TOML and answers as JSON, so that a new key or a new finding needs no code here.

mod array;
mod commands;
mod editing;
mod errors;
mod memory;
mod render;
mod session;
mod shot;
mod surface;
mod words;
mod work;

use pyo3::prelude::*;

/// The module `supple._core`.
#[pymodule]
#[pyo3(name = "_core")]
fn core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<shot::Shot>()?;
    module.add_class::<session::Session>()?;
    module.add_function(wrap_pyfunction!(work::threads, module)?)?;
    module.add_function(wrap_pyfunction!(shot::check_handles, module)?)?;
    commands::add(module)?;
    module.add_function(wrap_pyfunction!(render::render, module)?)
}
