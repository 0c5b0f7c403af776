//! The names of files that are not finished, and what becomes of those whose program was killed.
//!
//! A file in the making is `.supple-unfinished-PLACE-PID-BEGIN-XXXXXX`: the program that writes it, when that began, and a
//! sign of the machine and its running system, since numbers of programs mean nothing on another one. Whoever writes to a
//! folder removes those whose program is gone, and any that is older than a day.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Begin of the names of what is not finished.
pub const UNFINISHED: &str = ".supple-unfinished-";

/// How old a file gets whose program cannot be asked for.
const ABANDONED: Duration = Duration::from_hours(24);

/// Begin of the name of a file this program is about to write.
#[must_use]
pub fn unfinished_prefix() -> String {
    let own = std::process::id();
    match (place(), begin_of(own)) {
        (Some(place), Some(begin)) => format!("{UNFINISHED}{place:08x}-{own}-{begin}-"),
        _ => UNFINISHED.to_owned(),
    }
}

/// Removes what programs that are gone have left in a folder. What cannot be removed stays: it is in nobody's way.
pub fn sweep_unfinished(folder: &Path) {
    let Ok(listing) = fs::read_dir(folder) else { return };
    for item in listing.flatten() {
        let name = item.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED)) else { continue };
        // Of the link itself, where it is one.
        let Ok(metadata) = item.metadata() else { continue };
        let is_old = || {
            let age = metadata.modified().ok().and_then(|then| SystemTime::now().duration_since(then).ok());
            age.is_some_and(|age| age > ABANDONED)
        };
        let is_left = is_alive(rest).map_or_else(is_old, |is_alive| !is_alive);
        if is_left {
            let _ = match metadata.is_dir() {
                true => fs::remove_dir_all(item.path()),
                false => fs::remove_file(item.path()),
            };
        }
    }
}

/// The place, program and begin that a name speaks of.
fn parts(rest: &str) -> Option<(u32, u32, u64)> {
    let mut parts = rest.splitn(4, '-');
    let place = u32::from_str_radix(parts.next()?, 16).ok()?;
    let (program, begin) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next().map(|_| (place, program, begin))
}

/// Whether the program that wrote this still runs; `None` for what was written elsewhere, or does not say by whom.
fn is_alive(rest: &str) -> Option<bool> {
    let (there, program, begin) = parts(rest)?;
    (there == place()?).then(|| begin_of(program) == Some(begin))
}

/// A number for this machine since it was switched on, and for the room its programs are numbered in.
#[cfg(target_os = "linux")]
fn place() -> Option<u32> {
    // Where programs of others are hidden, they only look as if they were gone.
    begin_of(1)?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let room = fs::read_link("/proc/self/ns/pid").ok()?;
    // FNV-1a: names need to differ, no more.
    let bytes = boot.trim().bytes().chain(room.to_string_lossy().bytes().collect::<Vec<_>>());
    Some(bytes.fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
}

/// When a program began, in ticks since the machine was switched on; `None` when it is gone.
#[cfg(target_os = "linux")]
fn begin_of(program: u32) -> Option<u64> {
    let line = fs::read_to_string(format!("/proc/{program}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything.
    let (_, after) = line.rsplit_once(')')?;
    after.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn place() -> Option<u32> {
    None
}

#[cfg(not(target_os = "linux"))]
fn begin_of(_: u32) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    /// After a kill `.supple-unfinished-*` stayed beside the shot for ever, hundreds of megabytes each.
    #[test]
    fn what_the_dead_leave_goes_and_what_the_living_write_stays() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, age: Duration| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        let (new, old) = (Duration::from_secs(60), Duration::from_hours(25));
        let own = format!("{}aaaaaa", unfinished_prefix());
        put(&own, old);
        put(".supple-unfinished-AbC123", new);
        put(".supple-unfinished-AbC456", old);
        put(".supple-unfinished-00000000-1-7-elsewhere", new);
        put(".supple-unfinished-00000000-1-8-elsewhere", old);
        put("shot.toml", old);
        let mut kept =
            vec![".supple-unfinished-00000000-1-7-elsewhere", ".supple-unfinished-AbC123", "shot.toml"];
        if cfg!(target_os = "linux") {
            kept.push(&own);
            let place = place().unwrap();
            // A number that was given again: the program that has it began at another time.
            put(&format!(".supple-unfinished-{place:08x}-{}-1-bbbbbb", std::process::id()), new);
            let series = folder.path().join(format!(".supple-unfinished-{place:08x}-4294967294-5-cccccc"));
            fs::create_dir(&series).unwrap();
            fs::write(series.join("a.0001.obj"), "v").unwrap();
        }
        sweep_unfinished(folder.path());
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|item| item.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        kept.sort_unstable();
        assert_eq!(left, kept);
    }
}
