//! What people read is plain English in animators' words: phrases that were replaced once do not come back.

use super::root;
use super::source::{Kind, pieces};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, iter};

/// Retired words and phrases, and what to say instead. A `$` at the end means the end of a sentence.
const RETIRED: &[(&str, &str)] = &[
    ("As the system", "System"),
    ("Both views together", "Link views"),
    ("By its ending", "Format follows the extension"),
    ("Do not save", "Don't save"),
    ("Done again", "Redone"),
    ("Each of them", "Every vertex"),
    ("Handle of", "Add … handle"),
    ("Hear", "Unmute"),
    ("Let go", "Cancel"),
    ("Own", "Custom"),
    ("Parallel", "Orthographic"),
    ("Size of everything", "Interface scale"),
    ("Stale", "Out of date"),
    ("Streamers", "Motion trail"),
    ("Strobe", "Onion skin"),
    ("Take back", "Revert"),
    ("Their middle", "Average"),
    ("Turn, do not stretch", "Preserve shape (rotate instead of stretch)"),
    ("Walk around", "Orbit the camera"),
    ("Wiggle-free", "Smooth (no wobble)"),
    ("across the surface", "along the normal"),
    ("as the surface suggests", "Automatic"),
    ("as the input", "Match original"),
    ("ask for fewer", "lower …"),
    ("asked for by", "…: say which handles"),
    ("asked to be", "goal"),
    ("asked to move", "goal … from the input"),
    ("at the last colour", "Scale maximum"),
    ("by itself", "automatic"),
    ("cannot be: it", "must be …, got …"),
    ("center of mass", "centre of mass"),
    ("could not be written", "cannot write …"),
    ("did not end as it should", "closed unexpectedly"),
    ("dies within", "falloff"),
    ("does not go with", "cannot be combined with"),
    ("file of its own", "is read from a file"),
    ("frames a second", "fps"),
    ("frames of the strobe", "Onion skin frames"),
    ("from the least costly", "optimality"),
    ("has to be", "must be …, got …"),
    ("have to be", "must be …, got …"),
    ("hear it again", "unmute"),
    ("holding handles", "solving"),
    ("how the motion answers", "how the motion responds"),
    ("How the motion answers", "How the motion responds"),
    ("in a unit", "1 unit = … m"),
    ("in its way", "obstacles"),
    ("in the hand", "being dragged"),
    ("is no normal", "must be finite and not zero, got …"),
    ("is no obstacle", "must be …, got …"),
    ("is no weight", "must be greater than 0, got …"),
    ("is there already", "already exists"),
    ("it can be edited", "editing starts when …"),
    ("let go", "cancel, release"),
    ("lets go", "cancels, releases"),
    ("of its own", "override, custom"),
    ("of their time per frame", "of physical time per frame"),
    ("plane of the screen", "view plane"),
    ("save it to keep it", "Save to keep it"),
    ("seen from", "relative to"),
    ("shall", "must, or the plain verb"),
    ("stands as in the first frame", "is animated; frozen at the first frame as scenery"),
    ("stands for itself", "self-contained"),
    ("that may change", "affected, editable"),
    ("the file says none", "Not set (…)"),
    ("the way of one", "the path of one"),
    ("the ways of", "the paths of"),
    ("unknown kind of", "unknown … format"),
    ("walk around", "orbit the camera"),
    ("was left out", "was ignored"),
    ("were asked for", "requested"),
    ("what is asked", "constraint, goal"),
    ("what is wrong", "invalid values"),
    ("which it cannot be", "must be …, got …"),
    ("which nothing may leave", "the only folder that may be used"),
    ("without$", "[default: …]"),
    ("without deforming it", "rigid modes: the body is free to move"),
];

/// The first retired phrase in a text, and what to say instead.
fn retired(text: &str) -> Option<(&'static str, &'static str)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    RETIRED.iter().copied().find(|(phrase, _)| {
        let (words, ends) = phrase.strip_suffix('$').map_or((*phrase, false), |words| (words, true));
        text.match_indices(words).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            let stops = after.trim_start_matches(' ').chars().next().is_none_or(|c| ".,;\n".contains(c));
            !before.ends_with(is_letter) && !after.starts_with(is_letter) && (!ends || stops)
        })
    })
}

/// Line and text of every string literal of a source, up to its tests; breaks of a line within one are taken out.
fn literals(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let unquoted = |text: &str| text[1..].strip_suffix('"').unwrap_or(&text[1..]).to_owned();
    let (mut found, mut line) = (Vec::new(), 1);
    for (kind, text) in pieces(source) {
        match kind {
            Kind::Text => found.push((line, joined(&unquoted(text)))),
            Kind::RawText => {
                let quoted = text.trim_start_matches(|c: char| c.is_alphabetic()).trim_matches('#');
                found.push((line, unquoted(quoted)));
            }
            Kind::Code | Kind::Comment | Kind::Character => {}
        }
        line += text.matches('\n').count();
    }
    found
}

fn joined(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let first = parts.next().unwrap_or_default();
    iter::once(first).chain(parts.map(str::trim_start)).collect()
}

/// All sources below a folder but those of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The window, errors, reports and notes said things like "Hear all handles again" and "which it cannot be".
#[test]
fn no_retired_word_comes_back() {
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        sources(&folder.unwrap().path().join("src"), &mut files);
    }
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in &files {
        for (line, text) in literals(&fs::read_to_string(file).unwrap()) {
            count += 1;
            if let Some((phrase, better)) = retired(&text) {
                wrong.push(format!("{}:{line}: {phrase:?}, say {better:?}: {text}", file.display()));
            }
        }
    }
    assert!(files.len() > 300 && count > 3000, "{count} strings of {} files", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fifteen options of the command line had a help that ended in "without".
#[test]
fn no_retired_word_is_in_the_help() {
    let help = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_supple")).args(args).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let commands = |text: &str| -> Vec<String> {
        let list = text.split_once("Commands:\n").map_or("", |(_, list)| list);
        let names = list.lines().take_while(|line| line.starts_with("  "));
        names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let plain = help(&[]);
    let mut texts = vec![plain.clone()];
    for command in commands(&plain) {
        let text = help(&[&command]);
        texts.extend(commands(&text).iter().map(|sub| help(&[&command, sub])));
        texts.push(text);
    }
    assert!(texts.len() > 15, "{} helps", texts.len());
    let wrong: Vec<_> = texts
        .iter()
        .flat_map(|text| items(text))
        .filter_map(|item| {
            retired(&item).map(|(phrase, better)| format!("{phrase:?}, say {better:?}: {item}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The pages said "lets go" and "seen from" long after the window had better words.
#[test]
fn no_retired_word_is_in_the_pages() {
    let pages = fs::read_dir(root().join("docs")).unwrap().map(|page| page.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let pages: Vec<PathBuf> =
        pages.chain(["README.md", "docs/gallery/index.md"].map(|page| root().join(page))).collect();
    assert!(pages.len() > 8, "{} pages", pages.len());
    let mut wrong = Vec::new();
    for page in &pages {
        for (line, text) in fs::read_to_string(page).unwrap().lines().enumerate() {
            if let Some((phrase, better)) = retired(text) {
                wrong.push(format!("{}:{}: {phrase:?}, say {better:?}: {text}", page.display(), line + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentences of a help: lines that were broken to fit are one again.
fn items(help: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in help.lines() {
        let words = line.trim_start();
        let begins = words.is_empty() || words.starts_with('-') || line.len() - words.len() <= 2;
        match items.last_mut().filter(|_| !begins) {
            Some(item) => *item = format!("{item} {words}"),
            None => items.push(words.to_owned()),
        }
    }
    items
}

#[test]
fn literals_are_found_and_words_are_whole() {
    let source = "// \"shall\"\nlet a = '\"'; f::<'a>(r#\"by \"itself\"\"#, \"one \\\n    two \\\" three\", '\\'');\n\
                  #[cfg(test)]\nmod tests { \"shall\" }";
    let found = literals(source);
    assert_eq!(found, [(2, "by \"itself\"".to_owned()), (2, "one two \\\" three".to_owned())]);
    assert!(retired("all that shall be").is_some() && retired("shallow").is_none());
    assert!(retired("the skin where there is one without").is_some() && retired("without units").is_none());
}
