//! What fits into this machine: asked before anything is made whose size comes from a file.
//!
//! A system that is out of memory ends a program, or everything else, without a word; so a sum is refused beforehand.

use std::fmt;
use std::fs;
use std::sync::OnceLock;

/// The part of the machine's memory that may be taken.
const USABLE: f64 = 0.8;

/// Something that does not fit into this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} would take {}, but this machine has {} of memory, and Supple uses at most 80 % of it",
    Size(*needed),
    Size(*there)
)]
pub struct TooMuchMemory {
    /// What.
    pub what: String,
    /// How many bytes it would take.
    pub needed: u64,
    /// How many bytes there are.
    pub there: u64,
}

/// Checks that `count` things of `size` bytes fit into this machine; what they are is asked for only if not.
///
/// Where the system does not say how much memory it has, everything fits.
///
/// # Errors
/// With the sum, when they do not.
pub fn check_memory(count: u64, size: u64, what: impl FnOnce() -> String) -> Result<(), TooMuchMemory> {
    match machine_memory() {
        Some(there) => check(count, size, there, what),
        None => Ok(()),
    }
}

fn check(count: u64, size: u64, there: u64, what: impl FnOnce() -> String) -> Result<(), TooMuchMemory> {
    let needed = count.saturating_mul(size);
    if needed as f64 <= USABLE * there as f64 {
        return Ok(());
    }
    Err(TooMuchMemory { what: what(), needed, there })
}

/// The memory of this machine, or of the container this runs in, in bytes.
fn machine_memory() -> Option<u64> {
    static MEMORY: OnceLock<Option<u64>> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
        let limits = limits.iter().filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok());
        let own = fs::read_to_string("/proc/self/limits").ok().and_then(|text| address_space(&text));
        limits.chain(own).chain([kilobytes.checked_mul(1024)?]).min()
    })
}

/// The most that this program may take by its own limits (`ulimit -v`), in bytes.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Bytes as a person reads them.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gigabytes = self.0 as f64 / 1e9;
        match gigabytes {
            many if many >= 1e4 => write!(f, "{:.0} TB", many / 1e3),
            some if some >= 0.1 => write!(f, "{some:.1} GB"),
            few => write!(f, "{:.1} MB", few * 1e3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_of_the_machine_are_the_most() {
        let of = |count, size| check(count, size, 16_000_000_000, || "2000000 frames".to_owned());
        assert!(of(12, 1_000_000_000).is_ok());
        let error = of(13, 1_000_000_000).unwrap_err().to_string();
        assert_eq!(
            error,
            "2000000 frames would take 13.0 GB, but this machine has 16.0 GB of memory, and Supple uses at \
             most 80 % of it"
        );
        let error = of(u64::MAX, 2).unwrap_err().to_string();
        assert!(error.contains("would take 18446744 TB"), "{error}");
        assert!(check_memory(1, 1, String::new).is_ok());
    }

    #[test]
    fn the_limit_of_a_shell_counts() {
        let text = |soft: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax address space   {soft}  unlimited   bytes\n")
        };
        assert_eq!(address_space(&text("6144000000")), Some(6_144_000_000));
        assert_eq!(address_space(&text("unlimited")), None);
    }
}
