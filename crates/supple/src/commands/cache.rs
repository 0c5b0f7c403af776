//! `supple cache`: what the cache holds.

use crate::session::Session;
use crate::text::{bytes, counted};
use anyhow::{Context, bail};
use clap::Subcommand;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use supple_project::{Cache, Cleared, user_folder};

/// Options of `supple cache`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple cache list bridge/bridge.toml\n\nClearing the cache is safe: entries \
                  are computed again when needed."
)]
pub struct CacheArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the entries, last used first
    #[command(
        after_help = "Example:\n  supple cache list bridge/bridge.toml\n\nJSON: folder, entries [kind, bytes, \
                      last_used (seconds since 1970), file], bytes"
    )]
    List(FolderArgs),
    /// Remove all entries; they are computed again when needed
    #[command(
        after_help = "Example:\n  supple cache clear bridge/bridge.toml\n\nJSON: folder, entries, bytes"
    )]
    Clear(FolderArgs),
}

#[derive(Debug, clap::Args)]
struct FolderArgs {
    /// The shot whose cache to use [default: your user cache folder, used when a shot's folder is read-only]
    shot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Listing {
    folder: PathBuf,
    entries: Vec<Line>,
    bytes: u64,
}

#[derive(Serialize)]
struct Line {
    kind: String,
    bytes: u64,
    last_used: u64,
    file: PathBuf,
}

#[derive(Serialize)]
struct Removed {
    folder: PathBuf,
    entries: usize,
    bytes: u64,
}

pub fn run(args: &CacheArgs, session: &Session) -> anyhow::Result<()> {
    let (Action::List(FolderArgs { shot }) | Action::Clear(FolderArgs { shot })) = &args.action;
    let folder = folder(shot.as_deref())?;
    let cache = Cache::in_folders([folder.clone()]);
    match &args.action {
        Action::List(_) => session.answer(&list(folder, &cache)?),
        Action::Clear(_) => {
            let Cleared { entries, bytes } = cache.clear()?;
            session.answer(&Removed { folder, entries, bytes })
        }
    }
}

fn folder(shot: Option<&Path>) -> anyhow::Result<PathBuf> {
    let Some(shot) = shot else {
        return user_folder().context("there is no home folder; set XDG_CACHE_HOME, or give a shot");
    };
    if !shot.is_file() {
        bail!("{}: there is no such shot file", shot.display());
    }
    Ok(shot.with_extension("cache"))
}

fn list(folder: PathBuf, cache: &Cache) -> anyhow::Result<Listing> {
    let entries: Vec<Line> = cache
        .list()?
        .into_iter()
        .map(|entry| Line {
            kind: entry.kind,
            bytes: entry.bytes,
            last_used: entry.last_used.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            file: entry.file,
        })
        .collect();
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    Ok(Listing { folder, entries, bytes })
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        if self.entries.is_empty() {
            return writeln!(f, "{folder} is empty");
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        for entry in &self.entries {
            let age = age(now.saturating_sub(entry.last_used));
            let file = entry.file.file_name().unwrap_or_default().display();
            writeln!(f, "{:<10} {:>10}  used {age:<16} {file}", entry.kind, bytes(entry.bytes))?;
        }
        let entries = counted(self.entries.len(), "entry", "entries");
        writeln!(f, "{entries}, {} in {folder}", bytes(self.bytes))
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = counted(self.entries, "entry", "entries");
        writeln!(f, "removed {entries}, {} from {}", bytes(self.bytes), self.folder.display())
    }
}

/// How long ago, in the largest unit that fits.
fn age(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    match UNITS.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => {
            let n = seconds / unit;
            format!("{n} {name}{} ago", if n == 1 { "" } else { "s" })
        }
        None => "just now".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages_read_well() {
        assert_eq!(
            [5, 60, 7199, 7200, 900_000].map(age).join(", "),
            "just now, 1 minute ago, 1 hour ago, 2 hours ago, 10 days ago"
        );
    }
}
