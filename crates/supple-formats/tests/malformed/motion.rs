//! PC2 and MDD.

use crate::samples;
use std::io::Cursor;
use supple_formats::{FormatError, MotionReader, PointCache};
use supple_formats::{read_mdd, read_pc2};

type Bytes = Cursor<Vec<u8>>;

/// A copy of `bytes` with others from `at` on.
fn with<const N: usize>(bytes: &[u8], at: usize, others: [u8; N]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + N].copy_from_slice(&others);
    bytes
}

fn assert_messages(
    read: fn(Bytes) -> Result<PointCache<Bytes>, FormatError>,
    cases: impl IntoIterator<Item = (Vec<u8>, &'static str)>,
) {
    for (bytes, message) in cases {
        let error = read(Cursor::new(bytes)).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn pc2() {
    let good = samples::pc2();
    let not_pc2 = |found: &str| {
        format!("byte 0: expected a PC2 file, which begins with POINTCACHE2 and a zero byte, found {found}")
    };
    for (bytes, found) in
        [(&b""[..], "\"\""), (b"POINTCACHE", "\"POINTCACHE\""), (b"POINTCACHE3\0...", "\"POINTCACHE3\\0\"")]
    {
        assert_eq!(read_pc2(Cursor::new(bytes)).unwrap_err().to_string(), not_pc2(found));
    }
    let cut = "byte 28: the file announces 3 frames, but 2 follow: it is incomplete, export or copy it again";
    let none =
        "byte 28: the file announces 3 frames, but 0 follow: it is incomplete, export or copy it again";
    let huge = "byte 28: the file announces 2147483647 frames, but 0 follow: it is incomplete, export or \
                copy it again";
    let longer = [good.as_slice(), b"."].concat();
    let everything = with(&with(&good, 16, i32::MAX.to_le_bytes()), 28, i32::MAX.to_le_bytes());
    assert_messages(
        read_pc2,
        [
            (good[..31].to_vec(), "expected a header of 32 bytes, found 31"),
            (with(&good, 12, 2i32.to_le_bytes()), "byte 12: version 2 of PC2 is not supported"),
            (with(&good, 16, [0; 4]), "byte 16: the file has no vertices"),
            (with(&good, 16, [0xFF; 4]), "byte 16: expected a number of vertices above 0, found -1"),
            (
                with(&good, 20, f32::INFINITY.to_le_bytes()),
                "byte 20: a start at frame inf is not a finite number",
            ),
            (with(&good, 24, [0; 4]), "byte 24: expected a rate above 0 frames, found 0"),
            (with(&good, 24, f32::NAN.to_le_bytes()), "byte 24: expected a rate above 0 frames, found NaN"),
            (with(&good, 28, [0; 4]), "byte 28: the file has no frames"),
            (
                with(&good, 28, i32::MIN.to_le_bytes()),
                "byte 28: expected a number of frames above 0, found -2147483648",
            ),
            (good[..good.len() - 1].to_vec(), cut),
            (good[..32].to_vec(), none),
            (everything, huge),
            (
                longer,
                "byte 176: 1 bytes follow the last frame: the header does not match the file, export or \
                 copy it again",
            ),
            (
                with(&good, 28, 1i32.to_le_bytes()),
                "byte 80: 96 bytes follow the last frame: the header does not match the file, export or \
                 copy it again",
            ),
        ],
    );
}

#[test]
fn mdd() {
    let good = samples::mdd();
    let longer = [good.as_slice(), &[0; 48]].concat();
    let everything = with(&good, 0, [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
    assert_messages(
        read_mdd,
        [
            (vec![], "expected the numbers of frames and vertices, 8 bytes, found 0"),
            (good[..7].to_vec(), "expected the numbers of frames and vertices, 8 bytes, found 7"),
            (with(&good, 0, [0; 4]), "byte 0: the file has no frames"),
            (with(&good, 0, [0xFF; 4]), "byte 0: expected a number of frames above 0, found -1"),
            (with(&good, 4, [0; 4]), "byte 4: the file has no vertices"),
            (
                with(&good, 4, [0x80, 0, 0, 0]),
                "byte 4: expected a number of vertices above 0, found -2147483648",
            ),
            (
                good[..9].to_vec(),
                "byte 0: the file announces 3 frames, but 0 follow: it is incomplete, export or copy it again",
            ),
            (
                good[..good.len() - 48].to_vec(),
                "byte 0: the file announces 3 frames, but 2 follow: it is incomplete, export or copy it again",
            ),
            (
                everything,
                "byte 0: the file announces 2147483647 frames, but 0 follow: it is incomplete, export or \
                 copy it again",
            ),
            (
                longer,
                "byte 164: 48 bytes follow the last frame: the header does not match the file, export or \
                 copy it again",
            ),
            (
                with(&good, 12, f32::NEG_INFINITY.to_be_bytes()),
                "byte 12: the time of frame 2, -inf, is not a finite number",
            ),
        ],
    );
}

#[test]
fn coordinates_that_are_no_numbers() {
    let message = |motion: &mut dyn MotionReader, frame: usize| {
        motion.read(0, &mut [[0.0; 3]; 4]).expect("the other frames are good");
        motion.read(frame, &mut [[0.0; 3]; 4]).unwrap_err().to_string()
    };
    // The y of vertex 1, in the second and in the third frame.
    let bytes = with(&samples::pc2(), 32 + 48 + 16, f32::NAN.to_le_bytes());
    assert_eq!(
        message(&mut read_pc2(Cursor::new(bytes)).unwrap(), 1),
        "byte 96: vertex 1 of frame 12.5 is at NaN, which is not a finite number"
    );
    let bytes = with(&samples::mdd(), 20 + 96 + 16, f32::INFINITY.to_be_bytes());
    assert_eq!(
        message(&mut read_mdd(Cursor::new(bytes)).unwrap(), 2),
        "byte 132: vertex 1 of frame 4 is at inf, which is not a finite number"
    );
    // From 0 seconds on the scene's number is not known, and frames are counted from 1.
    let bytes = with(&with(&samples::mdd(), 8, [0; 12]), 20 + 96, f32::INFINITY.to_be_bytes());
    assert_eq!(
        message(&mut read_mdd(Cursor::new(bytes)).unwrap(), 2),
        "byte 116: vertex 0 of frame 3 is at inf, which is not a finite number"
    );
}
