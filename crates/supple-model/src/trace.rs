//! The way a run takes through the sources, for the test that follows a mouse drag from file to file.
//!
//! A function at the end of a stretch of that way says [`passing!`](crate::passing). In a release that is nothing at all.
//! With debug assertions, and only on a thread that has [`begin`] a trace, the files on the stack are noted: all that
//! lead there, whether anybody has thought of them or not.

use std::backtrace::Backtrace;
use std::cell::RefCell;

thread_local! {
    static FILES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Notes the files that lead here, see [`trace`](crate::trace); nothing in a release.
#[macro_export]
macro_rules! passing {
    () => {
        #[cfg(debug_assertions)]
        $crate::trace::note();
    };
}

/// Begins to note files on this thread.
pub fn begin() {
    FILES.with_borrow_mut(|files| *files = Some(Vec::new()));
}

/// The files of Supple's crates that were noted on this thread, as `CRATE/src/FILE`, each once, in the order they were
/// first passed.
#[must_use]
pub fn files() -> Vec<String> {
    FILES.with_borrow(|files| files.clone().unwrap_or_default())
}

/// Notes the files on the stack, outermost first.
pub fn note() {
    if FILES.with_borrow(Option::is_none) {
        return;
    }
    let stack = Backtrace::force_capture().to_string();
    let mut found: Vec<&str> = stack.lines().filter_map(file).collect();
    found.reverse();
    FILES.with_borrow_mut(|files| {
        let files = files.get_or_insert_default();
        for file in found {
            if !files.iter().any(|known| known == file) {
                files.push(file.to_owned());
            }
        }
    });
}

/// The file of a line of a backtrace, if it is one of ours.
fn file(line: &str) -> Option<&str> {
    let place = line.trim_start().strip_prefix("at ")?;
    let inside = &place[place.find("crates/supple")? + "crates/".len()..];
    let file = &inside[..inside.find(".rs:")? + ".rs".len()];
    (file.contains("/src/") && file != "supple-model/src/trace.rs").then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_stack_once_a_trace_has_begun() {
        passing!();
        assert_eq!(files(), [""; 0]);
        begin();
        passing!();
        assert_eq!(files(), [""; 0], "this file is none of the way");
        let line = "             at ./crates/supple-studio/src/mouse/pull.rs:63:9";
        assert_eq!(file(line), Some("supple-studio/src/mouse/pull.rs"));
        assert_eq!(file("             at /rustc/0/library/core/src/ops/function.rs:253:5"), None);
        assert_eq!(file("             at ./crates/supple-studio/tests/main.rs:1:1"), None);
        assert_eq!(file("  12: supple_studio::mouse::pull"), None);
    }
}
