//! How files are damaged: bits, words and lines, the same on every run.

/// Words that have broken parsers before.
const WORDS: &[&str] = &[
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "-9223372036854775808",
    "-1",
    "0",
    "1",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "1e-999",
    "1e308",
    ",",
    ",,",
    "/",
    "//",
    "\\",
    "*",
    "**",
    "#",
    "é",
    "*NSET, NSET=X, GENERATE",
    "1, 4294967295, 1",
    "*SET a",
    "g a b c d e f",
    "$Nodes",
    "$EndElements",
    "Vertices",
    "endsolid",
    "frame,a,a",
    "1,2,3",
    "stick",
    "property list char uint64 a",
    "element face 4000000000",
    "over",
    "</root/cape>",
    "[",
    "{",
    "None",
    "1e9:",
    "\"count\":4000000000",
    "\"byteStride\":0",
    "\"children\":[0]",
    "}",
    "ROOT a",
    "JOINT a {",
    "End Site { }",
    "CHANNELS 6",
    "Frames: 18446744073709551615",
    "",
];

/// Bytes that have broken parsers of binary files.
const PATTERNS: &[&[u8]] = &[
    &[0xFF; 4],
    &[0; 4],
    &[0xFF; 8],
    &[0; 8],
    &[0, 0, 0, 0x80],
    &[0, 0, 0, 1],
    &[1, 0, 0, 0],
    &[0x7F, 0xFF, 0xFF, 0xFF],
    &[0, 0, 0x80, 0x7F],
    &[0, 0, 0xC0, 0x7F],
    &[0, 0, 0, 0, 0, 0, 0xF0, 0x7F],
    &[0x7F, 0xF8, 0, 0, 0, 0, 0, 0],
];

/// SplitMix64: enough for choosing, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, or 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Damages bytes in one of nine ways.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let word = WORDS[random.below(WORDS.len())].bytes();
    match random.below(9) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 => bytes.insert(at, random.next() as u8),
        2 => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(8)))),
        3 => bytes.truncate(at),
        4 | 5 => {
            // The word around `at` becomes another.
            let separates = |b: &u8| b.is_ascii_whitespace() || *b == b',';
            let start = bytes[..at].iter().rposition(separates).map_or(0, |before| before + 1);
            let end = bytes[at..].iter().position(separates).map_or(bytes.len(), |after| at + after);
            bytes.splice(start.min(end)..end, word);
        }
        6 => {
            let pattern = PATTERNS[random.below(PATTERNS.len())];
            let end = bytes.len().min(at + pattern.len());
            bytes.splice(at..end, pattern.iter().copied());
        }
        7 => {
            let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            lines.insert(to, lines[from].clone());
            *bytes = lines.join(&b'\n');
        }
        _ => {
            let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(from, to);
            *bytes = lines.join(&b'\n');
        }
    }
}
