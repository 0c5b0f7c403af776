//! Short files and short functions: what does not fit on a few screens is read by nobody.

use super::root;
use super::source::code;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const FILE_LINES: usize = 420;
/// The most lines of a function, from `fn` to its closing brace. Functions and closures inside it are part of it.
const FUNCTION_LINES: usize = 75;

/// Name, first line and lines of every function that has a body.
fn functions(source: &str) -> Vec<(String, usize, usize)> {
    let code = code(source);
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let line = |at: usize| 1 + code[..at].matches('\n').count();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = code[at..].find("fn ").map(|next| at + next) {
        at = next + 3;
        if code[..next].ends_with(is_letter) {
            continue;
        }
        let name =
            code[at..].trim_start().split(|c: char| !is_letter(c) && c != '$').next().unwrap_or_default();
        let Some(end) = body_end(&code[at..]).filter(|_| !name.is_empty()) else { continue };
        found.push((name.to_owned(), line(next), line(at + end) + 1 - line(next)));
        at += end;
    }
    found
}

/// Where the body of a function ends whose name comes first; nothing for one that has none.
fn body_end(code: &str) -> Option<usize> {
    let (mut brackets, mut braces) = (0_i32, 0_i32);
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if braces == 0 && brackets == 0 => return None,
            // Braces in the brackets of a signature are constants.
            '{' if braces > 0 || brackets == 0 => braces += 1,
            '}' if braces > 0 => {
                braces -= 1;
                if braces == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// All sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().map(|item| item.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// One test had 128 lines, one file 570: each had grown a line at a time.
#[test]
fn files_and_functions_are_short() {
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap().map(|folder| folder.unwrap().path()) {
        for part in ["src", "tests", "examples", "benches"] {
            sources(&folder.join(part), &mut files);
        }
    }
    files.sort();
    let (mut count, mut long) = (0, Vec::new());
    for file in &files {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().count();
        let functions = functions(&text);
        count += functions.len();
        if lines > FILE_LINES {
            long.push(format!("{name}: {lines} lines, at most {FILE_LINES}"));
        }
        for (function, first, lines) in functions.iter().filter(|(.., lines)| *lines > FUNCTION_LINES) {
            long.push(format!("{name}:{first}: fn {function} has {lines} lines, at most {FUNCTION_LINES}"));
        }
    }
    assert!(files.len() > 500 && count > 5000, "{count} functions of {} files", files.len());
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn functions_are_measured_from_fn_to_the_closing_brace() {
    let source = "/// fn none() {\n#[test]\npub fn one<const N: usize>(a: [u8; { N }])\nwhere\n    T: Fn(),\n{\n    \
                  let s = \"}\"; // }\n    fn inner() {}\n}\ntrait T {\n    fn open(&self) -> [u8; 3];\n    \
                  fn two(f: fn (u8)) { '}' }\n}\nlet my_fn = 1;\n";
    let found = functions(source);
    assert_eq!(found, [("one".to_owned(), 3, 7), ("two".to_owned(), 12, 1)]);
}
