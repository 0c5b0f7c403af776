//! The pages of the documentation do what they say: every `sh` block is run, every `toml` block is read.
//!
//! A block runs in a folder of its own, with `supple` on the path and the files that pages speak of ([`FILES`]). One that
//! begins with ```` ```sh,norun REASON ```` is listed and not run. `rust` blocks are doctests of `supple-project`, `python`
//! blocks are run by `python/test/test_docs.py`.

use crate::cli::run::Place;
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use supple_formats::{MotionSettings, SurfaceFile, create_motion};
use supple_model::Frame;
use supple_project::{Sample, Shot};

/// Makes a file in a folder.
type Make = fn(&Path);

/// What pages speak of without making it: its name, and who makes it.
const FILES: &[(&str, Make)] = &[
    ("cape.usda", cape),
    ("beam/beam.toml", |folder| sample(folder, "beam")),
    ("bird/bird.toml", |folder| sample(folder, "bird")),
];

/// A fenced block of a page.
struct Block {
    page: String,
    line: usize,
    /// What stands behind the opening fence.
    info: String,
    text: String,
}

impl Block {
    /// The language, and why the block is not run, if so.
    fn language(&self) -> (&str, Option<&str>) {
        match self.info.split_once(",norun") {
            Some((language, reason)) => (language, Some(reason.trim())),
            None => (&self.info, None),
        }
    }

    fn name(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md, CONTRIBUTING.md and the pages of docs/, by name.
fn pages() -> Vec<String> {
    let listing = fs::read_dir(root().join("docs")).unwrap();
    let names = listing.map(|item| format!("docs/{}", item.unwrap().file_name().to_str().unwrap()));
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.extend(["README.md", "CONTRIBUTING.md"].map(str::to_owned));
    pages.sort();
    pages
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let mut open: Option<Block> = None;
        for (line, text) in (1..).zip(text.lines()) {
            match (&mut open, text.trim_start().strip_prefix("```")) {
                (None, Some(info)) => {
                    let info = info.trim().to_owned();
                    open = Some(Block { page: page.clone(), line, info, text: String::new() });
                }
                (Some(_), Some("")) => blocks.extend(open.take()),
                (Some(block), _) => block.text += &format!("{text}\n"),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{page}: a block that does not end");
    }
    blocks
}

fn sample(folder: &Path, name: &str) {
    Sample::named(name).unwrap().write(&folder.join(name)).unwrap();
}

/// A cape that swings, 72 frames of it, in metres with y up.
fn cape(folder: &Path) {
    const SIDE: u32 = 12;
    let grid = |i: u32| [f64::from(i % SIDE), f64::from(i / SIDE)].map(|k| k / f64::from(SIDE - 1));
    let quads = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let triangles = quads.flat_map(|i| [[i, i + 1, i + SIDE], [i + 1, i + SIDE + 1, i + SIDE]]).collect();
    let rest: Vec<[f64; 3]> =
        (0..SIDE * SIDE).map(grid).map(|[x, y]| [x - 0.5, 0.3 + 1.5 * y, 0.0]).collect();
    let surface = SurfaceFile { positions: rest.clone(), triangles, ..SurfaceFile::default() };
    let settings = MotionSettings::new(rest.len(), Frame(1), 24.0, 72);
    let mut writer = create_motion(folder.join("cape.usda"), settings, Some(&surface)).unwrap();
    for frame in 0..72 {
        let swing = |y: f64| 0.3 * (1.8 - y) * (0.25 * f64::from(frame)).sin();
        let places: Vec<[f64; 3]> = rest.iter().map(|&[x, y, _]| [x, y, swing(y)]).collect();
        writer.write(&places).unwrap();
    }
    writer.finish().unwrap();
}

/// Runs a block as a script that ends with the first command that fails; what it said, if it failed.
fn run(block: &Block) -> Result<(), String> {
    let place = Place::new();
    for (name, make) in FILES {
        // A page may make the file itself.
        let made = name
            .split_once('/')
            .is_some_and(|(sample, _)| block.text.contains(&format!("supple sample {sample}")));
        if block.text.contains(name) && !made {
            make(place.path());
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_supple"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command_of("sh", &["-eux", "-c", &block.text]);
    command.env("PATH", format!("{}:{path}", program.parent().unwrap().display())).stdin(Stdio::null());
    let output = command.output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}: {}", block.name(), String::from_utf8_lossy(&output.stderr))),
    }
}

/// Runs the blocks of a page, and lists those that are not run.
fn check(page: &str) {
    let blocks: Vec<Block> = blocks().into_iter().filter(|block| block.page == page).collect();
    let shell: Vec<&Block> = blocks.iter().filter(|block| block.language().0 == "sh").collect();
    let (run_not, run_them): (Vec<&Block>, Vec<&Block>) =
        shell.into_iter().partition(|block| block.language().1.is_some());
    for block in &run_not {
        let reason = block.language().1.unwrap_or_default();
        assert!(!reason.is_empty(), "{}: not run, and nobody says why", block.name());
        println!("{} is not run: {reason}", block.name());
    }
    let failed: Vec<String> = run_them.par_iter().filter_map(|block| run(block).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A test for each page.
macro_rules! what_pages_tell_to_type_works {
    ($($name:ident: $page:literal,)*) => {
        /// Commands of a page went on being shown after they had become others.
        mod what_pages_tell_to_type_works {
            $(#[test]
            fn $name() {
                super::check($page);
            })*
        }

        /// A page without a test would go stale.
        #[test]
        fn every_page_with_commands_has_a_test() {
            let has_commands = |page: &String| {
                blocks().iter().any(|block| block.page == *page && block.language().0 == "sh")
            };
            let there: Vec<String> = pages().into_iter().filter(has_commands).collect();
            assert_eq!(there, [$($page),*]);
        }
    };
}

what_pages_tell_to_type_works! {
    contributing: "CONTRIBUTING.md",
    readme: "README.md",
    character: "docs/character.md",
    control: "docs/control.md",
    drag: "docs/drag.md",
    feel: "docs/feel.md",
    import: "docs/import.md",
    index: "docs/index.md",
    material: "docs/material.md",
    pictures: "docs/pictures.md",
    python: "docs/python.md",
    recover: "docs/recover.md",
    sparse: "docs/sparse.md",
}

/// Keys of a page went on being shown after they had become others. A block without a body gets one.
#[test]
fn what_pages_tell_to_write_is_read() {
    for block in blocks().iter().filter(|block| block.info == "toml") {
        let body = "\n[body]\nkind = \"solid\"\nmesh = \"body.msh\"\n";
        let text =
            if block.text.contains("[body]") { block.text.clone() } else { format!("{}{body}", block.text) };
        if let Err(problem) = Shot::parse(Path::new("shot.toml"), &text) {
            panic!("{}: {problem}", block.name());
        }
    }
}

/// The function of a page did not compile for weeks: pages with Rust are doctests of the library.
#[test]
fn what_pages_tell_to_program_is_a_doctest() {
    let library = fs::read_to_string(root().join("crates/supple-project/src/lib.rs")).unwrap();
    for block in blocks().iter().filter(|block| block.info.starts_with("rust")) {
        assert_eq!(block.info, "rust", "{}: compiled and run, or not there", block.name());
        let included = format!("include_str!(\"../../../{}\")", block.page);
        assert!(library.contains(&included), "{}: {included} is missing in supple-project", block.name());
    }
}

/// A block in a language nobody checks would go stale.
#[test]
fn pages_speak_languages_that_are_checked() {
    for block in blocks() {
        let (language, _) = block.language();
        assert!(
            ["sh", "toml", "rust", "python", "text"].contains(&language),
            "{}: {language:?}",
            block.name()
        );
    }
}

/// A page that was moved left links behind that lead nowhere.
#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let folder = root().join(&page).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") {
                continue;
            }
            let target = if file.is_empty() { root().join(&page) } else { folder.join(file) };
            assert!(target.exists(), "{page}: {link} leads nowhere");
            let has = |line: &str| line.starts_with('#') && slug(line) == anchor;
            assert!(
                anchor.is_empty() || fs::read_to_string(&target).unwrap().lines().any(has),
                "{page}: there is no heading for {link}"
            );
        }
    }
}

/// What a heading is called in a link.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// A page that nothing leads to is not read.
#[test]
fn the_first_page_leads_to_all_others() {
    let index = fs::read_to_string(root().join("docs/index.md")).unwrap();
    for page in pages() {
        let link = page.strip_prefix("docs/").map_or(format!("(../{page}"), |page| format!("({page}"));
        let is_itself = ["docs/index.md", "README.md"].contains(&page.as_str());
        assert!(is_itself || index.contains(&link), "docs/index.md does not lead to {page}");
    }
    assert!(fs::read_to_string(root().join("README.md")).unwrap().contains("](docs/index.md)"));
}

/// Words meant one thing in the window and another in the file.
#[test]
fn the_glossary_fixes_each_word_in_one_line() {
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let rows: Vec<&str> = glossary.lines().filter(|line| line.starts_with("| **")).collect();
    for word in [
        "shot",
        "body",
        "rest shape",
        "anchor",
        "skin",
        "motion",
        "handle",
        "hold",
        "pose",
        "contact",
        "plant",
        "feel",
        "reach",
        "spread",
        "window",
        "mode",
        "warp",
        "settled",
        "compromise",
        "unfinished",
        "stalled",
    ] {
        let word = format!("**{word}**");
        let lines = rows.iter().filter(|row| row.contains(&word)).count();
        assert_eq!(lines, 1, "{word} in docs/glossary.md");
    }
}

/// Keys were added to the window, and the page about it had never heard of them.
#[test]
fn the_page_of_the_studio_has_all_keys() {
    let source = fs::read_to_string(root().join("crates/supple-studio/src/keys.rs")).unwrap();
    let page = fs::read_to_string(root().join("docs/studio.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let keys: Vec<(&str, &str)> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("key(")?.split_once(", Key::"))
        .filter_map(|(modifier, rest)| Some((modifier, rest.split_once(',')?.0)))
        .collect();
    assert!(keys.len() > 30, "only {} keys", keys.len());
    for (modifier, key) in keys {
        let key = key.trim_start_matches("Arrow").trim_start_matches("Num").replace("Escape", "Esc");
        let held = match modifier {
            "NONE" => "",
            "CTRL" => "Ctrl",
            "SHIFT" => "Shift",
            "ALT" => "Alt",
            "BOTH" => "Ctrl+Shift",
            other => panic!("a modifier {other} that no page has"),
        };
        let whole = if held.is_empty() { format!("`{key}`") } else { format!("`{held}+{key}`") };
        let apart = |row: &&str| {
            !held.is_empty() && row.contains(&format!("`{key}`")) && row.contains(&format!("with {held}"))
        };
        assert!(
            rows.iter().any(|row| row.contains(&whole) || apart(row)),
            "{whole} is missing in docs/studio.md"
        );
    }
}
