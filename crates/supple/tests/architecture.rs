//! ARCHITECTURE.md says which crate uses which; the manifests must agree. So must what is said of dependencies, of the
//! Rust that is needed and of the examples.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod lengths;
mod source;
mod way;
mod words;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Crate → crates of this workspace it uses, from the manifests (normal dependencies).
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    folders
        .map(|folder| {
            let text = fs::read_to_string(folder.unwrap().path().join("Cargo.toml")).unwrap();
            let manifest: toml_edit::DocumentMut = text.parse().unwrap();
            let name = manifest["package"]["name"].as_str().unwrap().to_owned();
            let used = manifest["dependencies"].as_table_like().unwrap().iter();
            (name, used.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("supple")).collect())
        })
        .collect()
}

/// The same from the table, in its order.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let is_crate =
        |line: &&str| line.starts_with("| `supple") && !line.split('|').nth(1).unwrap().contains('/');
    let rows = text.lines().filter(is_crate);
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let used = cells[3].split(", ").filter(|word| *word != "–").map(|word| format!("supple-{word}"));
        (cells[1].trim_matches('`').to_owned(), used.collect())
    })
    .collect()
}

#[test]
fn the_table_of_crates_is_true() {
    let manifests = manifests();
    let table = table();
    for (name, used) in &table {
        assert_eq!(manifests.get(name), Some(used), "the row of {name} in ARCHITECTURE.md");
    }
    assert_eq!(table.len(), manifests.len(), "a row for every crate");
}

#[test]
fn crates_use_only_crates_above_them() {
    let mut above = BTreeSet::new();
    for (name, used) in table() {
        let below: Vec<_> = used.difference(&above).collect();
        assert!(below.is_empty(), "{name} uses {below:?}, which come later in the table");
        above.insert(name);
    }
}

#[test]
fn what_must_not_meet_does_not_meet() {
    let apart = ["supple-elastic", "supple-spacetime", "supple-character", "supple-formats"];
    for (name, used) in manifests() {
        if apart.contains(&name.as_str()) {
            let meets: Vec<_> = used.iter().filter(|other| apart.contains(&other.as_str())).collect();
            assert!(meets.is_empty(), "{name} uses {meets:?}");
        }
    }
}

/// The modules of a crate that lie directly under its root, and which of the others each of them names.
fn modules(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let top = |file: &Path| {
        let inside = file.strip_prefix(source).unwrap();
        let first = Path::new(inside.components().next().unwrap().as_os_str());
        first.file_stem().unwrap().to_str().unwrap().to_owned()
    };
    let mut files = Vec::new();
    let mut folders = vec![source.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()) {
            let is_test = item.file_stem().is_some_and(|name| name == "tests");
            match item.extension().is_some_and(|ending| ending == "rs") {
                _ if is_test => {}
                true => files.push(item),
                false if item.is_dir() => folders.push(item),
                false => {}
            }
        }
    }
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|file| file.exists());
    let root = fs::read_to_string(root.unwrap()).unwrap();
    let known: BTreeSet<String> =
        files.iter().map(|file| top(file)).filter(|name| !["lib", "main"].contains(&name.as_str())).collect();
    // What the root lends its name to.
    let mut lent: BTreeMap<String, String> = BTreeMap::new();
    for line in root.replace('\n', " ").split(';').filter_map(|item| item.split("use ").nth(1)) {
        if let Some((module, names)) = line.split_once("::").filter(|(module, _)| known.contains(*module)) {
            let words =
                names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            lent.extend(words.map(|word| (word.to_owned(), module.to_owned())));
        }
    }
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| known.contains(&top(file))) {
        let text = fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: String =
            text.lines().map(|line| line.split("//").next().unwrap_or("").to_owned() + " ").collect();
        let named = graph.entry(top(file)).or_default();
        for after in code.split("crate::").skip(1) {
            let list = after.strip_prefix('{').map_or(after, |list| list.split('}').next().unwrap_or(list));
            let items = if after.starts_with('{') { list.split(',').collect() } else { vec![list] };
            for item in items {
                let word: String =
                    item.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let module = lent.get(&word).unwrap_or(&word);
                if known.contains(module) && *module != top(file) {
                    named.insert(module.clone());
                }
            }
        }
    }
    graph
}

/// A method, a format and a picture could be read only together with all that led back to them.
#[test]
fn no_module_of_a_crate_leads_back_to_itself() {
    for name in manifests().into_keys() {
        let mut graph = modules(&root().join("crates").join(&name).join("src"));
        assert!(graph.len() > 1, "{name}: no modules were found");
        // Modules that use nothing, or only what was taken away, are taken away.
        while let Some(free) = graph.iter().find(|(_, used)| used.is_empty()).map(|(free, _)| free.clone()) {
            graph.remove(&free);
            graph.values_mut().for_each(|used| {
                used.remove(&free);
            });
        }
        // What is named but has no file of code was taken away with its tests.
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        graph.values_mut().for_each(|used| used.retain(|used| left.contains(used)));
        assert!(graph.is_empty(), "{name}: these lead back to themselves: {graph:?}");
    }
}

#[test]
fn every_direct_dependency_is_named_in_the_notices() {
    let notices = fs::read_to_string(root().join("THIRD-PARTY.md")).unwrap();
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml_edit::DocumentMut = text.parse().unwrap();
    let dependencies = manifest["workspace"]["dependencies"].as_table_like().unwrap();
    // Used by tests alone, so not part of what is shipped.
    let tests_only = ["proptest", "egui_kittest", "x11rb"];
    for (name, _) in dependencies.iter().filter(|(name, _)| !name.starts_with("supple")) {
        assert!(notices.contains(name) || tests_only.contains(&name), "{name} is missing in THIRD-PARTY.md");
    }
}

/// Licences under which a dependency may be part of the program.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be met with [`LICENCES`] alone: `AND` before `OR`, `/` an old `OR`, an exception
/// (`WITH`) only ever allows more.
fn is_allowed(expression: &str) -> bool {
    let text = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words: Vec<&str> = text.split_whitespace().rev().collect();
    let allowed = any_of(&mut words);
    allowed == Some(true) && words.is_empty()
}

fn any_of(words: &mut Vec<&str>) -> Option<bool> {
    let mut allowed = all_of(words)?;
    while words.pop_if(|word| *word == "OR").is_some() {
        allowed |= all_of(words)?;
    }
    Some(allowed)
}

fn all_of(words: &mut Vec<&str>) -> Option<bool> {
    let mut allowed = licence(words)?;
    while words.pop_if(|word| *word == "AND").is_some() {
        allowed &= licence(words)?;
    }
    Some(allowed)
}

fn licence(words: &mut Vec<&str>) -> Option<bool> {
    let word = words.pop()?;
    if word == "(" {
        let allowed = any_of(words)?;
        return (words.pop()? == ")").then_some(allowed);
    }
    if words.pop_if(|word| *word == "WITH").is_some() {
        words.pop()?;
    }
    Some(LICENCES.contains(&word))
}

#[test]
fn licences_are_read_as_spdx_means_them() {
    for allowed in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-2.0-only OR MIT",
        "(MIT OR GPL-2.0-only) AND Zlib",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in [
        "",
        "GPL-3.0-or-later",
        "MIT AND GPL-2.0-only",
        "(MIT OR ISC) AND MPL-2.0",
        "MIT OR",
        "(MIT",
        "MIT ISC",
        "mit",
    ] {
        assert!(!is_allowed(refused), "{refused}");
    }
}

/// Notices named the direct dependencies alone: a licence or a source nobody looked at came in with what those need.
#[test]
fn every_dependency_has_an_allowed_licence_and_comes_from_crates_io() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--offline", "--locked", "--format-version", "1"]).current_dir(root());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    for package in packages {
        let name = format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap());
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence), "{name} is under {licence:?}, which LICENCES does not allow");
        match package["source"].as_str() {
            Some(source) => assert_eq!(
                source, "registry+https://github.com/rust-lang/crates.io-index",
                "{name} does not come from crates.io"
            ),
            None => assert!(name.starts_with("supple"), "{name} is a folder on somebody's disk"),
        }
    }
}

/// `check` and README.md named a Rust of their own, which an older compiler than the stated one went unnoticed by.
#[test]
fn the_rust_that_is_needed_is_stated_once() {
    let text = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let manifest: toml_edit::DocumentMut = text("Cargo.toml").parse().unwrap();
    let stated = manifest["workspace"]["package"]["rust-version"].as_str().unwrap().to_owned();
    let check = text("check");
    assert!(check.contains("rust-version") && !check.contains(&stated), "check reads it from Cargo.toml");
    for page in ["README.md", "CONTRIBUTING.md"] {
        let said = text(page);
        let after = said.split("[Rust](https://rustup.rs) ").nth(1).map(|rest| rest.starts_with(&stated));
        assert_eq!(after, Some(true), "{page} says which Rust is needed");
    }
    for (name, manifest) in fs::read_dir(root().join("crates")).unwrap().map(|folder| {
        let file = folder.unwrap().path().join("Cargo.toml");
        (file.clone(), fs::read_to_string(file).unwrap())
    }) {
        assert!(manifest.contains("rust-version.workspace = true"), "{}", name.display());
    }
}

/// An example that opens without a word, or has grown into a program, shows nobody anything.
#[test]
fn examples_are_numbered_short_and_say_what_they_show() {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("crates/supple-project/examples"))
        .unwrap()
        .map(|item| item.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 8, "{} examples", files.len());
    for (k, file) in files.iter().enumerate() {
        let (name, text) = (file.file_name().unwrap().to_str().unwrap(), fs::read_to_string(file).unwrap());
        assert!(name.starts_with(&format!("{:02}_", k + 1)), "{name} has the number of another");
        assert!(text.starts_with("//! "), "{name} does not say what it shows");
        let lines = text.lines().count();
        assert!((20..=50).contains(&lines), "{name} has {lines} lines");
    }
    let check = fs::read_to_string(root().join("check")).unwrap();
    assert!(check.contains("crates/supple-project/examples/*.rs"), "check runs them");
}

/// Types one begins with had pages of methods and no way in.
#[test]
fn types_one_begins_with_have_examples() {
    let types = [
        ("Shot", "supple-project/src/shot/mod.rs"),
        ("Body", "supple-project/src/body/mod.rs"),
        ("Cache", "supple-project/src/cache/store.rs"),
        ("Import", "supple-project/src/import/new.rs"),
        ("DragMethod", "supple-project/src/method/drag/mod.rs"),
        ("Simulator<'a>", "supple-project/src/simulate/mod.rs"),
        ("Modes", "supple-elastic/src/modes.rs"),
        ("Warp", "supple-elastic/src/warp/mod.rs"),
        ("Poser", "supple-elastic/src/statics/poser/mod.rs"),
        ("Kernel", "supple-spacetime/src/kernel/mod.rs"),
    ];
    for (name, file) in types {
        let text = fs::read_to_string(root().join("crates").join(file)).unwrap();
        let above = text.split(&format!("\npub struct {name} {{")).next().unwrap();
        assert!(above.len() < text.len(), "{name} is not in {file}");
        let comment: Vec<&str> = above
            .lines()
            .rev()
            .skip_while(|line| line.starts_with("#["))
            .take_while(|line| line.starts_with("///"))
            .collect();
        assert!(comment.contains(&"/// # Examples"), "{name} has no example");
        assert!(
            comment.iter().filter(|line| line.starts_with("/// ```")).count() >= 2,
            "{name}: an example is code"
        );
    }
}

/// The version stood in three files, and in two of them it was another.
#[test]
fn the_version_is_the_same_everywhere() {
    let text = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let manifest: toml_edit::DocumentMut = text("Cargo.toml").parse().unwrap();
    let version = manifest["workspace"]["package"]["version"].as_str().unwrap().to_owned();
    let (changes, citation) = (text("CHANGELOG.md"), text("CITATION.cff"));
    let mut headings = changes.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(headings.next(), Some("Unreleased"), "what comes next has a place");
    let last = headings.next().unwrap_or_default();
    let (number, date) = last.split_once(' ').unwrap_or_default();
    assert_eq!(number, version, "CHANGELOG.md");
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff");
    let date = date.trim_matches(['(', ')']);
    assert!(
        citation.contains(&format!("\ndate-released: {date}\n")),
        "CITATION.cff says another day than {date}"
    );
    assert_eq!(citation.matches("  - type: ").count(), 5, "a reference for every paper");
}
