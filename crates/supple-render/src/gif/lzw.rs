//! Compression by a growing dictionary (Welch, "A Technique for High-Performance Data
//! Compression"), as GIF has it: codes of 9 to 12 bits, low bits first; 256 empties the dictionary
//! and 257 ends the data.

/// Bits of an uncompressed pixel.
pub(super) const CODE_BITS: u8 = 8;

const CLEAR: u16 = 256;
const END: u16 = 257;
const FIRST: u16 = 258;
const MOST_CODES: u16 = 4096;

/// Codes as a stream of bits.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u16, width: u32) {
        self.pending |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }
}

/// The compressed form of some pixels, without GIF's division into blocks.
pub(super) fn compress(pixels: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut width = 9;
    bits.push(CLEAR, width);
    // The code of each known string followed by each pixel; 0, which no longer string has, when
    // that is not known.
    let mut longer = vec![0_u16; usize::from(MOST_CODES) * 256];
    let mut next = FIRST;
    let mut string: Option<u16> = None;
    for &pixel in pixels {
        let Some(known) = string else {
            string = Some(u16::from(pixel));
            continue;
        };
        let entry = &mut longer[usize::from(known) * 256 + usize::from(pixel)];
        if *entry != 0 {
            string = Some(*entry);
            continue;
        }
        bits.push(known, width);
        string = Some(u16::from(pixel));
        if next < MOST_CODES {
            *entry = next;
            // The reader learns this code one code later, and only then needs the longer form.
            width += u32::from(u32::from(next) == 1 << width);
            next += 1;
        } else {
            bits.push(CLEAR, width);
            longer[..usize::from(next) * 256].fill(0);
            (next, width) = (FIRST, 9);
        }
    }
    if let Some(known) = string {
        bits.push(known, width);
        // The reader learns one more code from this one.
        width += u32::from(u32::from(next) == 1 << width && width < 12);
    }
    bits.push(END, width);
    bits.push(0, 7);
    bits.bytes
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a reader makes of the codes, written from the other side: strings as lists.
    pub fn expand(bytes: &[u8]) -> Vec<u8> {
        let literals = || -> Vec<Vec<u8>> { (0..=257_u16).map(|i| vec![i as u8]).collect() };
        let (mut table, mut width, mut at, mut last) = (literals(), 9, 0, None::<Vec<u8>>);
        let mut out = Vec::new();
        loop {
            let code = (0..width)
                .map(|bit| usize::from(bytes[(at + bit) / 8] >> ((at + bit) % 8) & 1) << bit)
                .sum::<usize>();
            at += width;
            if code == usize::from(END) {
                assert!(bytes.len() * 8 - at < 8, "bytes after the end");
                return out;
            }
            if code == usize::from(CLEAR) {
                (table, width, last) = (literals(), 9, None);
                continue;
            }
            let string = match &last {
                Some(last) if code == table.len() => [&last[..], &last[..1]].concat(),
                _ => table[code].clone(),
            };
            if let Some(last) = last.filter(|_| table.len() < 4096) {
                table.push([&last[..], &string[..1]].concat());
                if table.len() == 1 << width && width < 12 {
                    width += 1;
                }
            }
            out.extend(&string);
            last = Some(string);
        }
    }

    #[test]
    fn everything_comes_back() {
        let mut state = 7_u32;
        let mut noise = |range: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % range) as u8
        };
        for length in [0, 1, 2, 3, 253, 254, 255, 256, 257, 510, 767, 1022, 3838, 3839, 3840, 3841, 60_000] {
            for range in [1, 2, 5, 256] {
                let pixels: Vec<u8> = (0..length).map(|_| noise(range)).collect();
                assert!(expand(&compress(&pixels)) == pixels, "{length} pixels of {range} kinds");
            }
        }
    }

    #[test]
    fn a_plain_picture_nearly_vanishes() {
        assert!(compress(&[9; 100_000]).len() < 800);
    }
}
