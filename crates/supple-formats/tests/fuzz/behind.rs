//! Damage behind valid headers: files are taken apart, one or two of their fields are changed, and they are put together
//! again with all outer sizes, offsets and compressed blocks right, so that readers get to the field itself.
//!
//! Any answer will do that is no panic, that holds what [`FUZZ_TARGETS`] demands, and that takes no more than
//! [`MOST_MEMORY`]. `SUPPLE_FUZZ=100` tries a hundred times as many.

mod bvh;
mod usdc;

use super::mutate::Random;
use super::targets::FUZZ_TARGETS;
use crate::samples::{self, ENCODINGS, Encoding, scenes as scene_samples};
use serde_json::Value;
use std::panic::catch_unwind;

const RUNS: u64 = 4_000;

/// Of the whole process, whose other tests run meanwhile; bytes.
const MOST_MEMORY: u64 = 160 << 20;

/// Numbers that counts, offsets and indices should not be.
const ODD: [i64; 20] = [
    0,
    1,
    2,
    3,
    -1,
    -2,
    7,
    127,
    255,
    65_535,
    65_536,
    1 << 20,
    (1 << 24) - 1,
    1 << 24,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    1 << 40,
    i64::MAX,
    i64::MIN,
];

impl Random {
    /// A number that should not be where `there` is: an odd one, a neighbour, or its double.
    fn odd(&mut self, there: i64) -> i64 {
        match self.below(8) {
            0 => there.wrapping_add(1),
            1 => there.wrapping_sub(1),
            2 => there.wrapping_mul(2),
            3 => self.next() as i64,
            _ => ODD[self.below(ODD.len())],
        }
    }

    /// The place of one of them, unless there is none.
    fn one<T>(&mut self, of: &[T]) -> Option<usize> {
        (!of.is_empty()).then(|| self.below(of.len()))
    }
}

/// Makes `runs` files and reads them.
fn damaged(name: &str, make: impl Fn(&mut Random) -> Vec<u8> + std::panic::RefUnwindSafe) {
    let (_, target) = FUZZ_TARGETS.iter().find(|(target, _)| *target == name).expect("a known reader");
    let more = std::env::var("SUPPLE_FUZZ").ok().and_then(|times| times.parse::<u64>().ok()).unwrap_or(1);
    let runs = RUNS * more.max(1);
    let mut accepted = 0;
    for run in 0..runs {
        let bytes = make(&mut Random(run));
        match catch_unwind(|| target(&bytes)) {
            Ok(was_accepted) => accepted += u64::from(was_accepted),
            Err(_) => panic!("{name}, run {run}, fails on {:?}", String::from_utf8_lossy(&bytes)),
        }
        if let Some(peak) = peak_memory() {
            assert!(peak < MOST_MEMORY, "{name}, run {run}: {} MB for {} bytes", peak >> 20, bytes.len());
        }
    }
    assert!(accepted > runs / 100 && accepted < runs * 99 / 100, "{accepted} of {runs} were accepted");
}

/// The most memory this process has had, where the system says.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? << 10)
}

/// All numbers and words of a tree, one of which is changed.
fn damage_json(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(map) => {
            let at = random.below(map.len());
            let key = map.keys().nth(at).cloned();
            match key {
                Some(key) if random.below(24) == 0 => drop(map.remove(&key)),
                Some(key) => damage_json(&mut map[&key], random),
                None => {}
            }
        }
        Value::Array(list) => match random.one(list) {
            Some(at) if random.below(24) == 0 => list.push(list[at].clone()),
            Some(at) => damage_json(&mut list[at], random),
            None => list.push(0.into()),
        },
        Value::Number(there) => {
            let kinds = [5120, 5121, 5122, 5123, 5125, 5126];
            *value = match random.below(5) {
                0 => kinds[random.below(6)].into(),
                1 => (random.below(16)).into(),
                2 => serde_json::json!(1e308),
                _ => random.odd(there.as_i64().unwrap_or(1)).into(),
            };
        }
        Value::String(text) => {
            let words =
                ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4", "weights", "translation", "CUBICSPLINE", "STEP"];
            *text = words[random.below(words.len())].to_owned();
        }
        Value::Bool(is) => *is = !*is,
        Value::Null => *value = 0.into(),
    }
}

/// Sizes of chunks gave damaged files away before accessors, views and nodes were looked at.
#[test]
fn glb_survives_accessors_that_do_not_fit() {
    let whole = scene_samples::glb();
    let size = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().expect("four bytes")) as usize;
    let end = 20 + size(12);
    let json: Value = serde_json::from_slice(&whole[20..end]).expect("its own JSON");
    let data = whole[end + 8..].to_vec();
    damaged("glb", move |random| {
        let (mut json, mut data) = (json.clone(), data.clone());
        for _ in 0..=random.below(2) {
            damage_json(&mut json, random);
        }
        if random.below(4) == 0 {
            let at = random.below(data.len() - 4);
            data[at..at + 4].copy_from_slice(&random.odd(0).to_le_bytes()[..4]);
        }
        let mut text = serde_json::to_vec(&json).expect("a tree is JSON");
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut file = b"glTF".to_vec();
        for number in [2, 28 + text.len() + data.len(), text.len()] {
            file.extend((number as u32).to_le_bytes());
        }
        file.extend(b"JSON");
        file.extend(&text);
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(&data);
        file
    });
}

/// Changes numbers behind the first `from` bytes: words of text, or one, four or eight bytes in their order.
fn damage_numbers(bytes: &mut Vec<u8>, from: usize, encoding: Encoding, random: &mut Random) {
    if encoding == Encoding::Text {
        let is_digit = |b: &u8| b.is_ascii_digit() || *b == b'-';
        let at = from + random.below(bytes.len() - from);
        let Some(start) = bytes[at..].iter().position(is_digit).map(|k| at + k) else { return };
        let end = bytes[start..].iter().position(|b| !is_digit(b)).map_or(bytes.len(), |k| start + k);
        let there = std::str::from_utf8(&bytes[start..end]).ok().and_then(|text| text.parse().ok());
        let odd = random.odd(there.unwrap_or(0)).to_string();
        bytes.splice(start..end, odd.into_bytes());
        return;
    }
    let size = [1, 4, 8][random.below(3)];
    let at = from + random.below(bytes.len().saturating_sub(from + size));
    let odd = random.odd(bytes[at].into());
    let odd = if encoding == Encoding::BigEndian {
        odd.to_be_bytes()[8 - size..].to_vec()
    } else {
        odd.to_le_bytes()[..size].to_vec()
    };
    bytes[at..at + size].copy_from_slice(&odd);
}

/// Where a line ends.
fn position(bytes: &[u8], line: &str) -> Option<usize> {
    let found = bytes.windows(line.len()).position(|window| window == line.as_bytes());
    Some(found? + line.len())
}

/// Lengths of lists stand in the body of a `.ply`, and counts in its header that the body has to bear out.
#[test]
fn ply_survives_counts_that_do_not_fit() {
    damaged("ply", |random| {
        let encoding = ENCODINGS[random.below(3)];
        let mut bytes = samples::ply(encoding);
        let end = position(&bytes, "end_header\n").expect("a header");
        match random.below(4) {
            // A count of the header.
            0 => {
                let mut header = bytes[..end].to_vec();
                let from = position(&header, "element vertex").expect("vertices");
                damage_numbers(&mut header, from, Encoding::Text, random);
                bytes.splice(..end, header);
            }
            // Another type.
            1 => {
                let types = ["char", "uchar", "short", "ushort", "int", "uint", "float", "double"];
                let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
                let (from, to) = (types[random.below(8)], types[random.below(8)]);
                bytes
                    .splice(..end, header.replacen(&format!(" {from} "), &format!(" {to} "), 1).into_bytes());
            }
            _ => damage_numbers(&mut bytes, end, encoding, random),
        }
        bytes
    });
}

/// Blocks of a `.msh` say how many entries follow, of what kind, and for which entity.
#[test]
fn gmsh_survives_blocks_that_do_not_fit() {
    damaged("gmsh", |random| {
        let encoding = ENCODINGS[random.below(3)];
        let write = [samples::gmsh2, samples::gmsh4][random.below(2)];
        let mut bytes = write(encoding);
        let sections = ["$EndPhysicalNames\n", "$Nodes\n", "$Elements\n"];
        for _ in 0..=random.below(2) {
            // Anywhere, where the first damage took the line itself.
            let from = position(&bytes, sections[random.below(3)]).unwrap_or(0);
            damage_numbers(&mut bytes, from, encoding, random);
        }
        bytes
    });
}
