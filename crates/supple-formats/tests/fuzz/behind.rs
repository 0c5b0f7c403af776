//! Damage behind valid headers: files are taken apart, one or two of their fields are changed, and they are put together
//! again with all outer sizes, offsets and compressed blocks right, so that readers get to the field itself.
//!
//! Any answer will do that is no panic, that holds what [`super::FUZZ_TARGETS`] demands, and that takes no more than
//! [`MOST_MEMORY`]. `SUPPLE_FUZZ=100` tries a hundred times as many.

use super::scene_samples;
use super::{FUZZ_TARGETS, Random, samples};
use crate::samples::{ENCODINGS, Encoding};
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

/// A `.usdc` taken apart.
#[derive(Clone)]
struct Crate {
    /// Header and values, up to the first section.
    values: Vec<u8>,
    words: Vec<u8>,
    word_count: i64,
    strings: Vec<i64>,
    field_words: Vec<i64>,
    fields: Vec<i64>,
    fieldsets: Vec<i64>,
    path_count: i64,
    paths: [Vec<i64>; 3],
    specs: [Vec<i64>; 3],
    /// A number that is written in the place of the count of a section.
    count: Option<(usize, i64)>,
}

fn number(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// What a block stands for, as LZ4 has it.
fn unpacked(block: &[u8]) -> Vec<u8> {
    assert_eq!(block[0], 0, "one chunk");
    let (mut at, mut out) = (1, Vec::new());
    let length = |at: &mut usize, mut length: usize| {
        while length >= 15 && (length - 15).is_multiple_of(255) {
            *at += 1;
            length += usize::from(block[*at - 1]);
            if block[*at - 1] != 255 {
                break;
            }
        }
        length
    };
    while at < block.len() {
        let token = block[at];
        at += 1;
        let plain = length(&mut at, (token >> 4).into());
        out.extend_from_slice(&block[at..at + plain]);
        at += plain;
        if at == block.len() {
            break;
        }
        let back = usize::from(u16::from_le_bytes([block[at], block[at + 1]]));
        at += 2;
        for _ in 0..length(&mut at, (token & 15).into()) + 4 {
            out.push(out[out.len() - back]);
        }
    }
    out
}

/// A block of plain bytes.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0];
    if bytes.len() < 15 {
        block.push((bytes.len() as u8) << 4);
    } else {
        block.push(0xF0);
        let mut left = bytes.len() - 15;
        while left >= 255 {
            block.push(255);
            left -= 255;
        }
        block.push(left as u8);
    }
    block.extend_from_slice(bytes);
    block
}

/// Whole numbers from their differences; `at` moves behind them.
fn integers(bytes: &[u8], at: &mut usize, count: usize) -> Vec<i64> {
    let length = number(bytes, *at) as usize;
    let block = unpacked(&bytes[*at + 8..*at + 8 + length]);
    *at += 8 + length;
    let frequent = i32::from_le_bytes(block[..4].try_into().expect("four bytes"));
    let codes = &block[4..4 + count.div_ceil(4)];
    let mut rest = &block[4 + codes.len()..];
    let mut last = 0_i32;
    let next = |i: usize| {
        let size = [0, 1, 2, 4][usize::from(codes[i / 4] >> (2 * (i % 4)) & 3)];
        let (own, after) = rest.split_at(size);
        rest = after;
        let difference = match own {
            [] => frequent,
            [a] => i32::from(*a as i8),
            [a, b] => i32::from(i16::from_le_bytes([*a, *b])),
            _ => i32::from_le_bytes(own.try_into().expect("four bytes")),
        };
        last = last.wrapping_add(difference);
        i64::from(last)
    };
    (0..count).map(next).collect()
}

/// The length of their block, and whole numbers as differences of four bytes each.
fn differences(numbers: &[i64]) -> Vec<u8> {
    let mut block = vec![0; 4];
    block.resize(4 + numbers.len().div_ceil(4), 0xFF);
    let mut last = 0_i32;
    for number in numbers {
        block.extend((*number as i32).wrapping_sub(last).to_le_bytes());
        last = *number as i32;
    }
    let block = packed(&block);
    [&(block.len() as u64).to_le_bytes()[..], &block].concat()
}

impl Crate {
    fn open(bytes: &[u8]) -> Self {
        let contents = number(bytes, 16) as usize;
        let section = |name: &str| {
            let rows = (0..number(bytes, contents) as usize).map(|k| contents + 8 + 32 * k);
            let row = rows
                .into_iter()
                .find(|row| bytes[*row..].starts_with(name.as_bytes()) && bytes[row + name.len()] == 0);
            number(bytes, row.expect("a section") + 16) as usize
        };
        let (tokens, strings, fields) = (section("TOKENS"), section("STRINGS"), section("FIELDS"));
        let (fieldsets, paths, specs) = (section("FIELDSETS"), section("PATHS"), section("SPECS"));
        let first = [tokens, strings, fields, fieldsets, paths, specs].into_iter().min().expect("six");
        let count = |at: usize| number(bytes, at) as usize;
        let length = count(tokens + 16);
        let words = unpacked(&bytes[tokens + 24..tokens + 24 + length]);
        let string = |k: usize| {
            let at = strings + 8 + 4 * k;
            i64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
        };
        let mut at = fields + 8;
        let field_words = integers(bytes, &mut at, count(fields));
        let length = count(at);
        let values = unpacked(&bytes[at + 8..at + 8 + length]);
        let three = |mut at: usize, of: usize| [(); 3].map(|()| integers(bytes, &mut at, of));
        Self {
            values: bytes[..first].to_vec(),
            words,
            word_count: number(bytes, tokens),
            strings: (0..count(strings)).map(string).collect(),
            field_words,
            fields: values.chunks_exact(8).map(|value| number(value, 0)).collect(),
            fieldsets: integers(bytes, &mut (fieldsets + 8), count(fieldsets)),
            path_count: number(bytes, paths),
            paths: three(paths + 16, count(paths + 8)),
            specs: three(specs + 8, count(specs)),
            count: None,
        }
    }

    fn damage(&mut self, random: &mut Random) {
        let kind = random.below(12);
        let list = match kind {
            0 => &mut self.strings,
            1 => &mut self.field_words,
            2 => &mut self.fieldsets,
            3 | 4 => &mut self.paths[random.below(3)],
            5 | 6 => &mut self.specs[random.below(3)],
            7 => &mut self.fields,
            // A count, which the tables behind it do not bear out.
            8 => return self.count = Some((random.below(7), random.odd(self.path_count))),
            // A word without an end, or one more.
            9 => {
                let at = random.below(self.words.len());
                self.words[at] = [0, 0xFF, b'a', b'/', b'.'][random.below(5)];
                return;
            }
            // Type, flags or place of a value.
            10 => {
                if let Some(k) = random.one(&self.fields) {
                    let bits = self.fields[k] as u64;
                    self.fields[k] = match random.below(3) {
                        0 => bits & !(0xFF << 48) | (random.next() % 64) << 48,
                        1 => bits ^ 1 << (61 + random.below(3)),
                        _ => bits & 0xFFFF << 48 | random.odd(bits as i64) as u64 & ((1 << 48) - 1),
                    } as i64;
                }
                return;
            }
            // The length that stands before an array of values, or something in it.
            _ => {
                let at = 88 + random.below(self.values.len() - 96);
                let size = [1, 4, 8][random.below(3)];
                let odd = random.odd(number(&self.values, at)).to_le_bytes();
                self.values[at..at + size].copy_from_slice(&odd[..size]);
                return;
            }
        };
        if let Some(k) = random.one(list) {
            list[k] = if random.below(4) == 0 { list[random.below(list.len())] } else { random.odd(list[k]) };
        }
    }

    fn close(&self) -> Vec<u8> {
        let count = |section: usize, there: i64| match self.count {
            Some((of, odd)) if of == section => odd.to_le_bytes().to_vec(),
            _ => there.to_le_bytes().to_vec(),
        };
        let blocks =
            |lists: &[Vec<i64>]| lists.iter().flat_map(|list| differences(list)).collect::<Vec<u8>>();
        let (words, length) = (packed(&self.words), |list: &[i64]| list.len() as i64);
        let sizes = [self.words.len(), words.len()].map(|size| (size as u64).to_le_bytes()).concat();
        let strings: Vec<u8> = self.strings.iter().flat_map(|k| (*k as u32).to_le_bytes()).collect();
        let values = packed(&self.fields.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        let value_size = (values.len() as u64).to_le_bytes().to_vec();
        let sections = [
            ("TOKENS", [count(0, self.word_count), sizes, words].concat()),
            ("STRINGS", [count(1, length(&self.strings)), strings].concat()),
            (
                "FIELDS",
                [count(2, length(&self.fields)), differences(&self.field_words), value_size, values].concat(),
            ),
            ("FIELDSETS", [count(3, length(&self.fieldsets)), differences(&self.fieldsets)].concat()),
            (
                "PATHS",
                [count(4, self.path_count), count(5, length(&self.paths[0])), blocks(&self.paths)].concat(),
            ),
            ("SPECS", [count(6, length(&self.specs[0])), blocks(&self.specs)].concat()),
        ];
        let (mut bytes, mut contents) = (self.values.clone(), Vec::new());
        for (name, section) in &sections {
            let mut row = name.as_bytes().to_vec();
            row.resize(16, 0);
            row.extend((bytes.len() as u64).to_le_bytes());
            row.extend((section.len() as u64).to_le_bytes());
            contents.extend(row);
            bytes.extend(section);
        }
        let at = (bytes.len() as u64).to_le_bytes();
        bytes[16..24].copy_from_slice(&at);
        bytes.extend((sections.len() as u64).to_le_bytes());
        bytes.extend(contents);
        bytes
    }
}

/// Tables of a `.usdc` are packed and refer to each other, so damage of its bytes hardly ever got behind the first of them.
#[test]
fn usdc_survives_tables_that_do_not_fit() {
    let whole = Crate::open(include_bytes!("../samples/files/small.usdc"));
    let target = FUZZ_TARGETS.iter().find(|(name, _)| *name == "usdc").expect("a known reader").1;
    assert!(target(&whole.close()), "what is put together again is a scene");
    damaged("usdc", move |random| {
        let mut broken = whole.clone();
        for _ in 0..=random.below(2) {
            broken.damage(random);
        }
        broken.close()
    });
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
