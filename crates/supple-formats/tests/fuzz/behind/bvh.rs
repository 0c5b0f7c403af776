//! Skeletons of any shape, with one or two of their parts damaged: a `.bvh` is a tree, counts of channels and rows of
//! numbers, and each has to fit the others.

use super::damaged;
use crate::fuzz::mutate::Random;
use std::fmt::Write;

/// What a file is made of, before it is text.
struct Rig {
    /// Words and braces of the tree.
    tree: Vec<String>,
    rows: Vec<Vec<String>>,
    frames: String,
    time: String,
}

const CHANNELS: [&str; 6] = ["Xposition", "yposition", "ZPOSITION", "Zrotation", "Yrotation", "xROTATION"];
const NUMBERS: [&str; 12] =
    ["0", "-0", "1e-05", "+3", "-.5", "7.", "-123.456789", "1e300", "00012", "179.999", "4e-320", "2.5E2"];
const WRONG: [&str; 8] = ["nan", "-inf", "1e999", "1,5", "{", "}", "--1", "0x10"];

fn number(random: &mut Random) -> String {
    NUMBERS[random.below(NUMBERS.len())].to_owned()
}

/// A whole and valid one.
fn rig(random: &mut Random) -> Rig {
    let (mut tree, mut channels, mut depth) = (vec!["HIERARCHY".to_owned()], 0, 0);
    for joint in 0..1 + random.below(8) {
        let keyword = if joint == 0 { "ROOT" } else { "JOINT" };
        let names = ["hips", "leg", "leg", "leg_2", "hips_end", "left toe"];
        tree.push(format!("{keyword} {}", names[random.below(names.len())]));
        tree.push("{".to_owned());
        tree.push(format!("OFFSET {} {} {}", number(random), number(random), number(random)));
        let count = random.below(7);
        let count = if joint == 0 { count.max(1) } else { count };
        let first = random.below(6);
        let names: Vec<&str> = (0..count).map(|k| CHANNELS[(first + k) % 6]).collect();
        tree.push(format!("CHANNELS {count} {}", names.join(" ")));
        channels += count;
        depth += 1;
        for _ in 0..random.below(3) {
            tree.extend(["End Site", "{", "OFFSET 0 1 0", "}"].map(str::to_owned));
        }
        // Up again, but never beyond the root, which ends last.
        for _ in 0..random.below(depth) {
            tree.push("}".to_owned());
            depth -= 1;
        }
    }
    tree.extend(vec!["}".to_owned(); depth]);
    let rows: Vec<Vec<String>> =
        (0..1 + random.below(4)).map(|_| (0..channels).map(|_| number(random)).collect()).collect();
    Rig { frames: rows.len().to_string(), time: "0.0083333".to_owned(), tree, rows }
}

/// One part of it becomes another.
fn damage(rig: &mut Rig, random: &mut Random) {
    let (at, other) = (random.below(rig.tree.len()), random.below(rig.tree.len()));
    let row = random.below(rig.rows.len());
    match random.below(10) {
        0 => drop(rig.tree.remove(at)),
        1 => rig.tree.insert(at, rig.tree[other].clone()),
        2 => rig.tree.swap(at, other),
        3 => {
            let there = rig.frames.parse().unwrap_or(0);
            rig.frames = random.odd(there).to_string();
        }
        4 => rig.time = WRONG[random.below(WRONG.len())].to_owned(),
        5 => drop(rig.rows[row].pop()),
        6 => rig.rows[row].push("0".to_owned()),
        7 => {
            let column = random.below(rig.rows[row].len());
            if let Some(number) = rig.rows[row].get_mut(column) {
                *number = WRONG[random.below(WRONG.len())].to_owned();
            }
        }
        8 => rig.rows.push(rig.rows[row].clone()),
        _ => {
            let wrong = format!(" {} ", random.odd(3));
            if let Some(line) = rig.tree.iter_mut().filter(|line| line.starts_with("CHANNELS")).nth(row) {
                *line = line.replacen(' ', &wrong, 1);
            }
        }
    }
}

/// As text, with ends of lines and blanks as they come.
fn text(rig: &Rig, random: &mut Random) -> Vec<u8> {
    let ends = ["\n", "\r\n", "\r", " \n\n\t"];
    let end = ends[random.below(ends.len())];
    let mut out = String::new();
    for line in &rig.tree {
        let _ = write!(out, "{line}{end}");
    }
    let _ = write!(out, "MOTION{end}Frames: {}{end}Frame Time: {}{end}", rig.frames, rig.time);
    let blank = [" ", "\t", "   "][random.below(3)];
    let rows: Vec<String> = rig.rows.iter().map(|row| row.join(blank)).collect();
    out.push_str(&rows.join(end));
    if random.below(2) == 0 {
        out.push_str(end);
    }
    out.into_bytes()
}

/// Random bytes seldom leave a tree whose braces match, so what comes after them was not reached.
#[test]
fn bvh_survives_trees_and_rows_that_do_not_fit() {
    damaged("bvh", |random| {
        let mut rig = rig(random);
        for _ in 0..random.below(3) {
            damage(&mut rig, random);
        }
        text(&rig, random)
    });
}

/// Were the trees above no files, nothing would be tried.
#[test]
fn bvh_of_any_shape_is_read() {
    for run in 0..2_000 {
        let mut random = Random(run);
        let rig = rig(&mut random);
        let bytes = text(&rig, &mut random);
        let file = supple_formats::read_bvh(&bytes);
        let file = file.unwrap_or_else(|error| panic!("{error} in {}", String::from_utf8_lossy(&bytes)));
        let values = rig.rows.concat();
        let values: Vec<f64> = values.iter().map(|value| value.parse().expect("a number")).collect();
        assert_eq!(file.clips[0].values, values);
    }
}
