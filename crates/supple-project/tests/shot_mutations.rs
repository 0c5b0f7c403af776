//! Shot files nobody would write: whatever can be read can be written, over whatever was there
//! before, and the rest is an error that says where.

use std::fs;
use supple_project::shot::{Ends, Shape, Shot};

const FULL: &str = include_str!("shot_full.toml");
const CHARACTER: &str = include_str!("shot_character.toml");

/// A small deterministic generator, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Somewhere some characters are replaced by nothing, by a piece of syntax or by others of the text.
fn garble(text: &str, random: &mut Random) -> String {
    const PIECES: [&str; 18] = [
        "[",
        "]",
        "[[",
        "{",
        "}",
        "=",
        "\"",
        "'''",
        "\n",
        ",",
        ".",
        "nan",
        "-1",
        "1e400",
        "é",
        "\u{feff}",
        "#",
        "99999999999999999999",
    ];
    let mut text: Vec<char> = text.chars().collect();
    let from = random.below(text.len());
    let to = (from + random.below(12)).min(text.len());
    let piece: Vec<char> = match random.below(3) {
        0 => Vec::new(),
        1 => PIECES[random.below(PIECES.len())].chars().collect(),
        _ => {
            let start = random.below(text.len());
            text[start..(start + 20).min(text.len())].to_vec()
        }
    };
    text.splice(from..to, piece);
    text.into_iter().collect()
}

/// Some line is dropped, or a digit of it replaced by another.
fn vary(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = random.below(lines.len());
    if random.below(2) == 0 {
        lines.remove(line);
    } else {
        let digit = random.below(10).to_string();
        lines[line] = lines[line].replacen(|c: char| c.is_ascii_digit(), &digit, 1);
    }
    lines.join("\n")
}

#[test]
fn a_mutated_shot_is_refused_or_read_and_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bridge.toml");
    let mut random = Random(1);
    let (mut read, mut refused) = (0, 0);
    for i in 0..2000 {
        let mut text = [FULL, CHARACTER][i / 8 % 2].to_owned();
        for _ in 0..=random.below(3) {
            text = if i % 8 == 0 { vary(&text, &mut random) } else { garble(&text, &mut random) };
        }
        match Shot::parse(&path, &text) {
            Ok(mut shot) => {
                let before = shot.clone();
                shot.save(&path).unwrap();
                assert_eq!(shot, before, "what was read can be written");
                assert_eq!(Shot::load(&path).unwrap(), shot);
                read += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("bridge.toml:"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(read > 150 && refused > 1000, "the mutations are of both sorts: {read} read, {refused} refused");
}

/// The same for what only a character has.
#[test]
fn any_history_of_a_character_can_be_saved_over_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.toml");
    fs::write(&path, CHARACTER).unwrap();
    let full = Shot::load(&path).unwrap();
    let plain = Shot::new(folder.path(), full.body.clone()).unwrap();
    let (mut shot, mut random) = (full.clone(), Random(3));
    for i in 0..100 {
        let random = &mut random;
        let (Shape::Skeleton(rig), Shape::Skeleton(all)) = (&mut shot.body.shape, &full.body.shape) else {
            panic!("a skeleton")
        };
        pick(&mut rig.joints, [all.joints[..2].to_vec(), all.joints.clone()], random);
        shuffle(&mut rig.limits, &all.limits, random);
        pick(&mut shot.edit.character, [None, full.edit.character.clone()], random);
        let both = [full.edit.layers.clone(), full.edit.layers[..1].to_vec()];
        pick(&mut shot.edit.layers, both, random);
        shuffle(&mut shot.edit.handles, &full.edit.handles, random);
        pick(&mut shot.motion, [plain.motion.clone(), full.motion.clone()], random);
        let before = shot.clone();
        shot.save(&path).unwrap();
        assert_eq!(shot, before, "{i}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(Shot::parse(&path, &text).unwrap(), shot, "{i}:\n{text}");
        assert!(text.starts_with("# Every key"), "{i}:\n{text}");
    }
}

/// Drops, repeats and moves entries of a list, taking new ones from another.
fn shuffle<T: Clone>(list: &mut Vec<T>, all: &[T], random: &mut Random) {
    for _ in 0..random.below(3) {
        if list.len() > 6 || (!list.is_empty() && random.below(2) == 0) {
            list.remove(random.below(list.len()));
        }
        list.insert(random.below(list.len() + 1), all[random.below(all.len())].clone());
    }
}

fn pick<T: Clone>(value: &mut T, others: [T; 2], random: &mut Random) {
    match random.below(4) {
        0 => value.clone_from(&others[0]),
        1 => value.clone_from(&others[1]),
        _ => {}
    }
}

/// Whatever changes, the file is changed and not written anew: its comment stays.
#[test]
fn any_history_of_edits_can_be_saved_over_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bridge.toml");
    fs::write(&path, FULL).unwrap();
    let full = Shot::load(&path).unwrap();
    let plain = Shot::new(folder.path(), full.body.clone()).unwrap();
    let mut shot = full.clone();
    let mut random = Random(2);
    for i in 0..150 {
        let random = &mut random;
        pick(&mut shot.body.skin, [None, full.body.skin.clone()], random);
        pick(&mut shot.body.material, [None, full.body.material], random);
        shuffle(&mut shot.body.anchors, &full.body.anchors, random);
        shuffle(&mut shot.body.regions, &full.body.regions, random);
        pick(&mut shot.motion, [plain.motion.clone(), full.motion.clone()], random);
        pick(&mut shot.edit.ends, [Ends::Loop, full.edit.ends], random);
        pick(&mut shot.edit.damping, [None, full.edit.damping], random);
        pick(&mut shot.edit.window, [None, full.edit.window.clone()], random);
        shuffle(&mut shot.edit.handles, &full.edit.handles, random);
        shuffle(&mut shot.edit.poses, &full.edit.poses, random);
        pick(&mut shot.simulate, [plain.simulate.clone(), full.simulate.clone()], random);
        shuffle(&mut shot.simulate.obstacles, &full.simulate.obstacles, random);
        shuffle(&mut shot.loads, &full.loads, random);
        pick(&mut shot.contacts, [None, full.contacts.clone()], random);
        let before = shot.clone();
        shot.save(&path).unwrap();
        assert_eq!(shot, before, "{i}");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(Shot::parse(&path, &text).unwrap(), shot, "{i}:\n{text}");
        assert!(text.starts_with("# Every key"), "{i}:\n{text}");
    }
}
