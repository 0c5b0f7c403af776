//! Other programs on the same matrices, started from here so that both are timed in one run.

use anyhow::{Context, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use supple_project::Body;

/// What `modes` runs.
pub const MODES: &str = "SciPy eigsh with CHOLMOD, same run";

const SCRIPT: &str = include_str!("../../../../bench/peers/modes.py");

/// What the script prints.
#[derive(Deserialize)]
pub struct ModesAnswer {
    pub seconds: f64,
    pub residual: f64,
    pub highest: f64,
}

/// The lowest `count` modes of `body` by SciPy.
pub fn modes(body: &Body, count: usize) -> anyhow::Result<ModesAnswer> {
    let matrices = tempfile::tempdir()?;
    write_matrices(body, matrices.path())?;
    let script = install("modes.py", SCRIPT)?;
    let output = Command::new("python3")
        .arg(&script)
        .arg(matrices.path())
        .arg(count.to_string())
        .stderr(Stdio::inherit())
        .output()
        .context("--peers needs python3 (Debian: apt-get install python3)")?;
    if !output.status.success() {
        bail!("the peer {} failed: {}", script.display(), output.status);
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("what {} printed", script.display()))
}

/// Puts a script where its virtual environment can stay from run to run.
fn install(name: &str, script: &str) -> anyhow::Result<PathBuf> {
    let folder = supple_project::user_folder()
        .context("--peers needs a home folder for its virtual environment")?
        .join("peers");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, script).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// The lower triangle of K in compressed columns, and the mass of every unknown.
fn write_matrices(body: &Body, folder: &Path) -> anyhow::Result<()> {
    let elastic = &body.elastic;
    let stiffness = elastic.stiffness(&vec![0.0; 3 * elastic.masses().len()], &body.free);
    let pattern = stiffness.pattern().scalar();
    let (mut columns, mut rows, mut values) = (vec![0_u64], Vec::new(), Vec::new());
    let mut next = stiffness.values().iter();
    for j in 0..pattern.ncols() {
        for (i, value) in pattern.row_idx_of_col(j).zip(&mut next) {
            if i >= j {
                rows.push(i as u64);
                values.push(*value);
            }
        }
        columns.push(rows.len() as u64);
    }
    let masses = body.free.vertices().iter().flat_map(|v| [elastic.masses()[v.index()]; 3]);
    let write = |name: &str, bytes: Vec<u8>| {
        fs::write(folder.join(name), bytes).with_context(|| format!("writing {name} for the peer"))
    };
    write("columns.u64", columns.into_iter().flat_map(u64::to_le_bytes).collect())?;
    write("rows.u64", rows.into_iter().flat_map(u64::to_le_bytes).collect())?;
    write("values.f64", values.into_iter().flat_map(f64::to_le_bytes).collect())?;
    write("masses.f64", masses.flat_map(f64::to_le_bytes).collect())
}
