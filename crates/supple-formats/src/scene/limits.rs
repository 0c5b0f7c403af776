//! What keeps a file from taking more than it gives: bounds on memory in proportion to the file, and a wall
//! around code of others.

use crate::{FormatError, Problem, check_memory};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most frames a scene may have: more is a wrong number in its header.
pub(crate) const MOST_FRAMES: usize = 100_000;

/// The most memory that is granted whatever the size of the file; scenes may refer to the same mesh many
/// times, or compress well.
const GRANTED: u64 = 256 << 20;

/// How many bytes of memory a byte of the file is worth beyond that.
const PER_BYTE: u64 = 32;

/// How much memory the contents of a file may still take.
pub(crate) struct Budget {
    left: u64,
    /// What has been counted and may be used again.
    counted: HashSet<(&'static str, usize)>,
    /// What everything takes, copies of the same too.
    in_all: u64,
}

impl Budget {
    pub fn for_file(length: u64) -> Self {
        let left = GRANTED.saturating_add(length.saturating_mul(PER_BYTE));
        Self { left, counted: HashSet::new(), in_all: 0 }
    }

    /// More files come to the first.
    pub fn extend(&mut self, length: u64) {
        self.left = self.left.saturating_add(length.saturating_mul(PER_BYTE));
    }

    /// Takes what `count` things of `size` bytes need, before they are made.
    pub fn take(&mut self, what: &'static str, count: u64, size: u64) -> Result<(), FormatError> {
        match count.checked_mul(size).and_then(|bytes| self.left.checked_sub(bytes)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(FormatError::whole_file(Problem::TooLarge { what })),
        }
    }

    /// The same for what a file has once, as array `number`, and may use many times: it is counted once, and all that
    /// is made of it has to fit into this machine.
    pub fn take_shared(
        &mut self,
        what: &'static str,
        number: usize,
        count: u64,
        size: u64,
    ) -> Result<(), FormatError> {
        if self.counted.insert((what, number)) {
            self.take(what, count, size)?;
        }
        self.in_all = self.in_all.saturating_add(count.saturating_mul(size));
        check_memory(1, self.in_all, || format!("all {what} of the scene"))
            .map_err(|problem| FormatError::whole_file(problem.into()))
    }
}

/// Runs code of others: what it panics with becomes an error.
pub(crate) fn guarded<T>(
    reader: &'static str,
    run: impl FnOnce() -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        Err(FormatError::whole_file(Problem::rejected(reader, &message)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_ends() {
        let mut budget = Budget::for_file(10);
        budget.take("points", GRANTED, 1).unwrap();
        budget.take("points", 80, 4).unwrap();
        let error = budget.take("points", 1, 1).unwrap_err().to_string();
        assert_eq!(
            error,
            "the points would need more memory than a file of this size can justify: the file is damaged, \
             export or copy it again"
        );
        assert!(Budget::for_file(u64::MAX).take("points", u64::MAX, 2).is_err());
    }

    /// A scene of thousands of nodes with the same few arrays was refused, as if each had its own.
    #[test]
    fn what_is_shared_is_counted_once() {
        let mut budget = Budget::for_file(0);
        for _ in 0..8 {
            budget.take_shared("vertices", 3, GRANTED, 1).unwrap();
        }
        budget.take_shared("vertices", 4, 1, 1).unwrap_err();
        let mut budget = Budget::for_file(u64::MAX);
        let error = (0..64).find_map(|_| budget.take_shared("vertices", 3, 1 << 40, 1).err());
        if cfg!(target_os = "linux") {
            let error = error.unwrap().to_string();
            assert!(error.starts_with("all vertices of the scene would take "), "{error}");
        }
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = guarded("a reader", || -> Result<(), FormatError> { panic!("index {}", 7) });
        assert_eq!(error.unwrap_err().to_string(), "a reader cannot read the file: \"index 7\"");
    }
}
