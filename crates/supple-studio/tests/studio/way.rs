//! ARCHITECTURE.md lists the files between a mouse that drags and the picture that follows. Here a handle is dragged with
//! the product's numerics under a debugger, which notes every function of the list that is entered and all that leads
//! there: the list must be what runs, with nothing of ours between that it leaves out.

use crate::studio::stage::{Stage, click, edit_view, sample, settle, until};
use eframe::egui::{Key, Pos2, vec2};
use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A row of the list: the file, its functions, and those it calls.
struct Step {
    file: String,
    functions: Vec<Function>,
    calls: Vec<String>,
}

/// A function, and the lines of all that have its name in the file.
struct Function {
    name: String,
    lines: Vec<RangeInclusive<usize>>,
}

/// A place in the sources: file and line.
type Place = (String, usize);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn listed() -> Vec<Step> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let way = text.split("## The way of one mouse drag").nth(1).unwrap().split("\n## ").next().unwrap();
    let words = |cell: &str| -> Vec<String> {
        cell.split(", ").map(str::trim).filter(|word| *word != "–").map(str::to_owned).collect()
    };
    let rows = way.lines().filter(|line| line.starts_with("| `"));
    let step = |row: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let file = cells[1].trim_matches('`').to_owned();
        let function = |name: String| Function { lines: lines_of(&file, &name), name };
        let functions = words(cells[2]).into_iter().map(function).collect();
        Step { functions, calls: words(cells[4]), file }
    };
    rows.map(step).collect()
}

/// The lines of every function of a name in a file: from `fn` to the brace that closes it.
fn lines_of(file: &str, name: &str) -> Vec<RangeInclusive<usize>> {
    let text = fs::read_to_string(root().join("crates").join(file)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let rest = line.split("fn ").nth(1).and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(['(', '<'])) && !line.ends_with(';')
    };
    let ends = |first: usize| {
        let indent = lines[first].len() - lines[first].trim_start().len();
        let closing = " ".repeat(indent) + "}";
        let mut rest = first..lines.len();
        if lines[first].ends_with('}') { first } else { rest.find(|line| lines[*line] == closing).unwrap() }
    };
    let first = (0..lines.len()).filter(|line| begins(lines[*line]));
    first.map(|first| first + 1..=ends(first) + 1).collect()
}

impl Step {
    /// The function that a place is in, if it is one of these.
    fn function(&self, (file, line): &Place) -> Option<&Function> {
        let is_there = |function: &&Function| function.lines.iter().any(|lines| lines.contains(line));
        self.functions.iter().filter(|_| *file == self.file).find(is_there)
    }
}

/// Where the vertex farthest along z is on the screen.
fn farthest(stage: &Stage) -> Pos2 {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let vertex = (0..rest.len()).max_by(|a, b| rest[*a][2].total_cmp(&rest[*b][2])).unwrap() as u32;
    stage.state().place_on_screen(vertex, edit_view(stage)).unwrap()
}

/// Where the debugger begins to look.
#[inline(never)]
fn the_hand_moves() {
    black_box(1);
}

/// Where it has seen all.
#[inline(never)]
fn the_hand_rests() {
    black_box(2);
}

#[test]
#[ignore = "the other test runs it under a debugger"]
fn one_move_of_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("bird", folder.path(), true);
    settle(&mut stage);
    stage.key_press(Key::Space);
    let at = farthest(&stage);
    click(&mut stage, at);
    settle(&mut stage);
    stage.hover_at(at);
    stage.step();
    stage.drag_at(at);
    stage.step();
    let pull = |stage: &mut Stage, by: f32| {
        stage.hover_at(at + vec2(2.0, -6.0) * by);
        until(stage, "a step", |studio| {
            let generation = studio.session().document.generation();
            studio.answer().step.is_some_and(|step| step.generation == generation)
        });
    };
    // What is prepared when a handle is taken is no part of a move.
    pull(&mut stage, 2.0);
    pull(&mut stage, 3.0);
    the_hand_moves();
    pull(&mut stage, 4.0);
    stage.render().unwrap();
    the_hand_rests();
}

/// The stacks that a drag passes the functions of the list with, innermost place first.
fn passed(listed: &[Step], folder: &Path) -> Vec<Vec<Place>> {
    let functions =
        listed.iter().flat_map(|step| step.functions.iter().map(|function| (&step.file, function)));
    let stretches =
        functions.flat_map(|(file, function)| function.lines.iter().map(move |lines| (file, lines)));
    let text: String =
        stretches.map(|(file, lines)| format!("{file} {} {}\n", lines.start(), lines.end())).collect();
    let [stretches, passed] = ["stretches", "passed"].map(|name| folder.join(name));
    fs::write(&stretches, text).unwrap();
    let run = Command::new("gdb")
        .args(["-nx", "-batch", "-x"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/studio/way.py"))
        .arg("--args")
        .arg(std::env::current_exe().unwrap())
        .args(["studio::way::one_move_of_the_mouse", "--exact", "--ignored"])
        .envs([("WAY_STRETCHES", &stretches), ("WAY_PASSED", &passed)])
        .output()
        .expect("this test needs gdb: apt-get install gdb");
    let said = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    let stacks = fs::read_to_string(&passed).unwrap_or_else(|_| panic!("nothing was passed: {said}"));
    let place = |word: &str| {
        let (file, line) = word.split_once(':').unwrap();
        (file.to_owned(), line.parse().unwrap())
    };
    assert!(!stacks.is_empty(), "nothing was passed: {said}");
    stacks.lines().map(|line| line.split(' ').map(place).collect()).collect()
}

/// Whether a stack enters a function of this name from one of the step, with nothing between that the list leaves out.
fn shows_call(listed: &[Step], stack: &[Place], step: &Step, call: &str) -> bool {
    let is_callee = |place: &Place| {
        let called = |step: &Step| step.function(place).is_some_and(|function| function.name == call);
        listed.iter().filter(|other| other.file != step.file).any(called)
    };
    let caller = stack.iter().skip(1).position(|place| step.function(place).is_some());
    stack.first().is_some_and(is_callee)
        && caller.is_some_and(|caller| {
            let between = &stack[1..=caller];
            between.iter().all(|(file, _)| listed.iter().any(|step| step.file == *file))
        })
}

/// The list was followed through the sources only, where a call that is never made looks like any other.
#[test]
#[ignore = "a step of its own in ./check: it takes a debugger, and that takes half a minute"]
fn a_drag_takes_the_way_that_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let listed = listed();
    let stacks = passed(&listed, folder.path());
    let mut wrong = BTreeSet::new();
    for step in &listed {
        for function in &step.functions {
            let enters = |stack: &Vec<Place>| {
                step.function(&stack[0]).is_some_and(|entered| entered.name == function.name)
            };
            if !stacks.iter().any(enters) {
                wrong.insert(format!("{}: {} is not entered", step.file, function.name));
            }
        }
        for call in &step.calls {
            if !stacks.iter().any(|stack| shows_call(&listed, stack, step, call)) {
                wrong.insert(format!(
                    "{}: {call} is not called, or by way of files that are not listed",
                    step.file
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
