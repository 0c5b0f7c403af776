//! A `.usdc` taken apart, damaged and put together again: its tables are packed and refer to each other.

use super::damaged;
use crate::fuzz::mutate::Random;
use crate::fuzz::targets::FUZZ_TARGETS;

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
    let whole = Crate::open(include_bytes!("../../samples/files/small.usdc"));
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
