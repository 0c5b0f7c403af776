//! `supple studio`, and plain `supple` where there is a display: the window.

use super::demo;
use crate::session::Session;
use std::io::{self, Write};
use std::path::PathBuf;
use supple_studio::{NoWindow, open_window};

/// Options of `supple studio`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  supple studio bird/bird.toml\n\nJSON: none; this command opens a window")]
pub struct StudioArgs {
    /// The shot to open [default: an untitled sample, kept in memory until you save it]
    shot: Option<PathBuf>,
}

pub fn run(args: &StudioArgs) -> anyhow::Result<()> {
    Ok(open_window(args.shot.as_deref())?)
}

/// Plain `supple`: the window, or the demonstration where there is no display or a machine asks.
pub fn run_plain(session: &Session) -> anyhow::Result<()> {
    if session.json {
        return demo::run(session);
    }
    match open_window(None) {
        Err(NoWindow::Display(why)) => {
            demo::run(session)?;
            // Who reads only the beginning of the answer has what he wanted.
            let _ = writeln!(io::stdout(), "\nThe studio was not opened: {why}.");
            Ok(())
        }
        other => Ok(other?),
    }
}
