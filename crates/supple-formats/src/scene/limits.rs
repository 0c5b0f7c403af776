//! What keeps a file from taking more than it gives: bounds on memory in proportion to the file, and a wall
//! around code of others.

use crate::{FormatError, Problem};
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
}

impl Budget {
    pub fn for_file(length: u64) -> Self {
        Self { left: GRANTED.saturating_add(length.saturating_mul(PER_BYTE)) }
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
        assert_eq!(error, "the points would take more memory than a file of this size has reason to");
        assert!(Budget::for_file(u64::MAX).take("points", u64::MAX, 2).is_err());
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = guarded("a reader", || -> Result<(), FormatError> { panic!("index {}", 7) });
        assert_eq!(error.unwrap_err().to_string(), "a reader cannot read it: \"index 7\"");
    }
}
