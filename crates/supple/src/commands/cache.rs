//! `supple cache`: what the cache holds.

use crate::session::Session;
use crate::text::bytes;
use clap::Subcommand;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use supple_model::text::counted;
use supple_project::cache::{self, CacheCleared, CacheListing};

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

pub fn run(args: &CacheArgs, session: &Session) -> anyhow::Result<()> {
    match &args.action {
        Action::List(FolderArgs { shot }) => session.answer(&cache::list(shot.as_deref())?, listing),
        Action::Clear(FolderArgs { shot }) => session.answer(&cache::clear(shot.as_deref())?, cleared),
    }
}

fn listing(answer: &CacheListing) -> String {
    let folder = answer.folder.display();
    if answer.entries.is_empty() {
        return format!("{folder} is empty");
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let mut text = String::new();
    // Writing to a string cannot fail.
    for entry in &answer.entries {
        let age = age(now.saturating_sub(entry.last_used));
        let file = entry.file.file_name().unwrap_or_default().display();
        let _ = writeln!(text, "{:<10} {:>10}  used {age:<16} {file}", entry.kind, bytes(entry.bytes));
    }
    let entries = counted(answer.entries.len(), "entry", "entries");
    let _ = writeln!(text, "{entries}, {} in {folder}", bytes(answer.bytes));
    text
}

fn cleared(answer: &CacheCleared) -> String {
    let entries = counted(answer.entries, "entry", "entries");
    format!("removed {entries}, {} from {}", bytes(answer.bytes), answer.folder.display())
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
