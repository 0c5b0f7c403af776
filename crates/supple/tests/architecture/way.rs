//! ARCHITECTURE.md lists the files between a mouse that drags and the picture that follows; the calls between them must be
//! there, and they must not become many.

use super::root;
use super::source::code;
use std::collections::BTreeSet;
use std::fs;

/// The most files a newcomer has to open to understand a drag.
const FILES: usize = 25;

/// A row of the table: the file, its functions, and those it calls.
struct Step {
    file: String,
    functions: Vec<String>,
    calls: Vec<String>,
}

fn steps() -> Vec<Step> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let way = text.split("## The way of one mouse drag").nth(1).unwrap().split("\n## ").next().unwrap();
    let words = |cell: &str| -> Vec<String> {
        cell.split(", ").map(str::trim).filter(|word| *word != "–").map(str::to_owned).collect()
    };
    way.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let file = cells[1].trim_matches('`').to_owned();
            Step { file, functions: words(cells[2]), calls: words(cells[4]) }
        })
        .collect()
}

/// The drag of a handle went through forty files, and nobody could say which.
#[test]
fn the_way_of_a_mouse_drag_can_be_followed() {
    let steps = steps();
    let files: BTreeSet<&str> = steps.iter().map(|step| step.file.as_str()).collect();
    assert!(steps.len() > 10 && files.len() == steps.len() && files.len() <= FILES, "{} files", files.len());
    let mut called: BTreeSet<&str> = BTreeSet::new();
    for step in &steps {
        let source = code(&fs::read_to_string(root().join("crates").join(&step.file)).unwrap());
        for function in &step.functions {
            let is_there = [format!("fn {function}("), format!("fn {function}<")];
            assert!(is_there.iter().any(|fun| source.contains(fun)), "{}: no fn {function}", step.file);
        }
        for call in &step.calls {
            let is_called =
                [".", "::", " ", "="].iter().any(|before| source.contains(&format!("{before}{call}(")));
            assert!(is_called, "{}: {call} is not called", step.file);
            let has_it = |other: &&Step| other.functions.contains(call);
            assert!(steps.iter().any(|other| has_it(&other)), "{}: no file of the way has {call}", step.file);
            called.insert(call);
        }
    }
    // The window's toolkit calls those that begin and end it: the mouse, the frame, the picture.
    let inner = &steps[1..steps.len() - 1];
    for step in inner.iter().filter(|step| !step.file.ends_with("frame.rs")) {
        let is_called = step.functions.iter().any(|function| called.contains(function.as_str()));
        assert!(is_called, "{}: nothing on the way calls it", step.file);
    }
}
