//! A stroke alphabet.
//!
//! Each letter is a set of polylines on a grid. A point is two hexadecimal digits, `x` then `y`;
//! `y` runs down from 0, the top of a capital, over 3, the top of a small letter, to 8, the base
//! line, and `b`, the end of a descender. A comma lifts the pen; a lone point is a dot.

/// Rows from the top of a capital to the base line.
pub(crate) const CAP_HEIGHT: f64 = 8.0;
/// Columns are a little narrower than rows.
const COLUMN: f64 = 0.86;
/// Space between letters, in rows.
const SPACING: f64 = 2.3;
/// Width of a blank, in columns.
const BLANK: f64 = 2.0;

const STROKES: [(char, &str); 135] = [
    ('A', "08 30 68,15 55"),
    ('B', "08 00 40 51 53 44 04,44 55 57 48 08"),
    ('C', "61 50 20 02 06 28 58 67"),
    ('D', "08 00 40 62 66 48 08"),
    ('E', "50 00 08 58,04 44"),
    ('F', "50 00 08,04 44"),
    ('G', "61 50 20 02 06 28 48 66 64 34"),
    ('H', "00 08,60 68,04 64"),
    ('I', "00 08"),
    ('J', "40 46 38 18 06"),
    ('K', "00 08,50 05,23 58"),
    ('L', "00 08 58"),
    ('M', "08 00 35 60 68"),
    ('N', "08 00 68 60"),
    ('O', "20 40 62 66 48 28 06 02 20"),
    ('P', "08 00 40 51 54 45 05"),
    ('Q', "20 40 62 66 48 28 06 02 20,45 68"),
    ('R', "08 00 40 51 53 44 04,34 58"),
    ('S', "51 40 10 01 03 14 44 55 57 48 18 07"),
    ('T', "00 60,30 38"),
    ('U', "00 06 28 48 66 60"),
    ('V', "00 38 60"),
    ('W', "00 28 41 68 80"),
    ('X', "00 68,60 08"),
    ('Y', "00 34 60,34 38"),
    ('Z', "00 60 08 68"),
    ('a', "43 48,44 33 13 04 07 18 38 47"),
    ('b', "00 08,04 13 33 44 47 38 18 07"),
    ('c', "44 33 13 04 07 18 38 47"),
    ('d', "40 48,44 33 13 04 07 18 38 47"),
    ('e', "05 45 44 33 13 04 07 18 38 47"),
    ('f', "30 20 11 18,03 33"),
    ('g', "43 4a 3b 1b 0a,44 33 13 04 07 18 38 47"),
    ('h', "00 08,04 13 33 44 48"),
    ('i', "03 08,01"),
    ('j', "13 1a 0b,11"),
    ('k', "00 08,33 06,15 38"),
    ('l', "00 07 18"),
    ('m', "03 08,04 13 23 34 38,34 43 53 64 68"),
    ('n', "03 08,04 13 33 44 48"),
    ('o', "13 33 44 47 38 18 07 04 13"),
    ('p', "03 0b,04 13 33 44 47 38 18 07"),
    ('q', "43 4b,44 33 13 04 07 18 38 47"),
    ('r', "03 08,05 14 23 33"),
    ('s', "44 33 13 04 15 36 47 38 18 07"),
    ('t', "11 17 28 38,03 33"),
    ('u', "03 07 18 38 47,43 48"),
    ('v', "03 28 43"),
    ('w', "03 18 34 58 63"),
    ('x', "03 48,43 08"),
    ('y', "03 28,43 28 1b 0b"),
    ('z', "03 43 08 48"),
    ('0', "20 30 52 56 38 28 06 02 20"),
    ('1', "12 30 38"),
    ('2', "01 10 40 51 53 08 58"),
    ('3', "01 10 40 51 53 44 24,44 55 57 48 18 07"),
    ('4', "48 40 05 55"),
    ('5', "50 00 03 43 54 57 48 18 07"),
    ('6', "50 30 02 06 18 48 57 54 43 13 04"),
    ('7', "00 50 18"),
    ('8', "10 40 51 53 44 14 03 01 10,14 05 07 18 48 57 55 44"),
    ('9', "08 28 56 52 40 10 01 04 15 45 54"),
    ('.', "08"),
    (',', "18 0a"),
    (':', "04,08"),
    (';', "14,18 0a"),
    ('!', "00 05,08"),
    ('?', "01 10 30 41 42 24 25,28"),
    ('-', "04 44"),
    ('\u{2212}', "04 44"),
    ('+', "04 44,22 26"),
    ('\u{b1}', "03 43,21 25,07 47"),
    ('=', "03 43,05 45"),
    ('_', "09 59"),
    ('/', "08 40"),
    ('\\', "00 48"),
    ('|', "00 0a"),
    ('(', "20 02 06 28"),
    (')', "00 22 26 08"),
    ('[', "20 00 08 28"),
    (']', "00 20 28 08"),
    ('{', "20 11 13 04 15 17 28"),
    ('}', "00 11 13 24 15 17 08"),
    ('<', "42 04 46"),
    ('>', "02 44 06"),
    ('*', "21 25,02 44,42 04"),
    ('#', "20 18,50 48,03 63,05 65"),
    ('$', "51 40 10 01 03 14 44 55 57 48 18 07,30 38"),
    ('%', "10 21 12 01 10,56 67 58 47 56,60 08"),
    ('&', "68 11 20 30 41 42 05 07 18 38 65"),
    ('@', "52 32 23 25 36 56,52 56 66 63 50 20 02 06 28 58"),
    ('\'', "00 02"),
    ('"', "00 02,20 22"),
    ('`', "00 12"),
    ('^', "02 20 42"),
    ('~', "05 14 35 44"),
    ('\u{b0}', "10 21 12 01 10"),
    ('\u{b2}', "01 10 21 04 24"),
    ('\u{b3}', "00 20 11 22 23 14 04"),
    ('\u{b5}', "03 0b,07 18 38 47,43 48"),
    ('\u{d7}', "03 47,43 07"),
    ('\u{b9}', "01 10 14"),
    ('\u{b7}', "05"),
    ('\u{207b}', "02 22"),
    ('\u{2013}', "04 54"),
    ('\u{2014}', "04 84"),
    ('\u{2016}', "00 0a,20 2a"),
    ('\u{2026}', "08,28,48"),
    ('\u{2190}', "05 65,23 05 27"),
    ('\u{2192}', "05 65,43 65 47"),
    ('\u{2207}', "00 60 38 00"),
    ('\u{221a}', "05 15 28 50 80"),
    ('\u{221e}', "04 13 23 45 55 64 53 43 25 15 04"),
    ('\u{2248}', "04 13 34 43,07 16 37 46"),
    ('\u{2264}', "41 03 45,07 47"),
    ('\u{2265}', "01 43 05,07 47"),
    ('\u{394}', "08 30 68 08"),
    ('\u{3a3}', "61 60 00 34 08 68 67"),
    ('\u{3a9}', "08 28 26 04 02 20 40 62 64 46 48 68"),
    ('\u{3b1}', "43 36 28 18 07 04 13 23 35 48"),
    ('\u{3b2}', "0b 02 10 30 41 43 34 14,34 45 47 38 18 07"),
    ('\u{3b3}', "03 13 27 2b,43 27"),
    ('\u{3b4}', "40 20 11 12 34 45 47 38 18 07 05 14 34"),
    ('\u{3b5}', "44 33 13 04 15 35,15 06 07 18 38 47"),
    ('\u{3b8}', "10 30 42 46 38 18 06 02 10,04 44"),
    ('\u{3bb}', "00 10 48,24 08"),
    ('\u{3bc}', "03 0b,07 18 38 47,43 48"),
    ('\u{3bd}', "03 28 43"),
    ('\u{3c0}', "03 53,13 18,43 48"),
    ('\u{3c1}', "0b 04 13 33 44 47 38 18 07"),
    ('\u{3c3}', "53 13 04 07 18 38 47 44 33"),
    ('\u{3c4}', "03 43,23 27 38"),
    ('\u{3c6}', "20 2b,13 33 44 47 38 18 07 04 13"),
    ('\u{3c9}', "13 04 07 18 28 37 35,37 48 58 67 64 53"),
    (' ', ""),
];

/// Shown for letters that the alphabet lacks: an empty box.
const UNKNOWN: &str = "00 50 58 08 00";

/// One letter.
pub(crate) struct Glyph {
    strokes: &'static str,
}

/// The glyph of a letter.
pub(crate) fn glyph(letter: char) -> Glyph {
    let strokes = STROKES.iter().find(|(known, _)| *known == letter).map_or(UNKNOWN, |&(_, strokes)| strokes);
    Glyph { strokes }
}

impl Glyph {
    /// From the left side of this letter to that of the next, in rows.
    pub fn advance(&self) -> f64 {
        let points = self.strokes.split([' ', ',']).filter(|point| !point.is_empty()).map(place);
        points.map(|[x, _]| x).reduce(f64::max).unwrap_or(BLANK * COLUMN) + SPACING
    }

    /// Straight strokes, in rows from the top left corner; a dot is a stroke without length.
    pub fn segments(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        self.strokes.split(',').filter(|stroke| !stroke.is_empty()).flat_map(|stroke| {
            let points: Vec<[f64; 2]> = stroke.split(' ').map(place).collect();
            (0..points.len().max(2) - 1)
                .map(|i| [points[i], points[(i + 1).min(points.len() - 1)]])
                .collect::<Vec<_>>()
        })
    }
}

/// The place of a grid point, in rows.
fn place(point: &str) -> [f64; 2] {
    let mut digits = point.chars().map(|c| f64::from(c.to_digit(16).unwrap_or(0)));
    let mut next = || digits.next().unwrap_or(0.0);
    [next() * COLUMN, next()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_ascii_can_be_written_and_every_point_is_on_the_grid() {
        for c in ' '..='~' {
            assert!(STROKES.iter().any(|(known, _)| *known == c), "{c:?}");
        }
        for (letter, strokes) in STROKES {
            for point in strokes.split([' ', ',']).filter(|p| !p.is_empty()) {
                let digits: Vec<_> = point.chars().map(|c| c.to_digit(12)).collect();
                assert!(digits.len() == 2 && digits.iter().all(Option::is_some), "{letter:?} {point:?}");
            }
        }
        assert_eq!(glyph('\u{4e00}').strokes, UNKNOWN);
    }

    #[test]
    fn strokes_and_dots_become_segments() {
        let i: Vec<_> = glyph('i').segments().collect();
        assert_eq!(i, [[[0.0, 3.0], [0.0, 8.0]], [[0.0, 1.0], [0.0, 1.0]]]);
        assert_eq!(glyph(' ').segments().count(), 0);
        assert!(glyph(' ').advance() > 0.0);
    }
}
