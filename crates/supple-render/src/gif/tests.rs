//! Whole files, read back by a small reader of the format.

use super::lzw::tests::expand;
use super::*;

/// A decoded file: the picture after each frame, and how long it is shown.
struct Decoded {
    size: [usize; 2],
    frames: Vec<(Vec<[u8; 3]>, usize)>,
    /// Pixels that were written for each frame.
    written: Vec<usize>,
}

fn decode(bytes: &[u8]) -> Decoded {
    let word = |at: usize| usize::from(bytes[at]) | usize::from(bytes[at + 1]) << 8;
    assert_eq!((&bytes[..6], bytes[10]), (&b"GIF89a"[..], 0xf7));
    let size = [word(6), word(8)];
    let palette: Vec<[u8; 3]> = bytes[13..13 + 768].chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    let mut at = 13 + 768;
    assert_eq!(&bytes[at..at + 19], b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00");
    at += 19;
    let mut picture = vec![[0; 3]; size[0] * size[1]];
    let mut decoded = Decoded { size, frames: Vec::new(), written: Vec::new() };
    while bytes[at] != 0x3b {
        assert_eq!(bytes[at..at + 4], [0x21, 0xf9, 4, 5]);
        let (delay, transparent) = (word(at + 4), bytes[at + 6]);
        assert_eq!((bytes[at + 7], bytes[at + 8]), (0, 0x2c));
        let [left, top, width, height] = [9, 11, 13, 15].map(|offset| word(at + offset));
        assert_eq!(bytes[at + 17..at + 19], [0, 8]);
        at += 19;
        let mut data = Vec::new();
        while bytes[at] != 0 {
            let length = usize::from(bytes[at]);
            data.extend(&bytes[at + 1..=at + length]);
            at += 1 + length;
        }
        at += 1;
        let pixels = expand(&data);
        assert_eq!(pixels.len(), width * height);
        for (i, &index) in pixels.iter().enumerate().filter(|(_, index)| **index != transparent) {
            picture[(top + i / width) * size[0] + left + i % width] = palette[usize::from(index)];
        }
        decoded.frames.push((picture.clone(), delay));
        decoded.written.push(pixels.len());
    }
    assert_eq!(at + 1, bytes.len());
    decoded
}

/// A disc that moves to the right and back over a gradient.
fn frame(number: u32) -> Image {
    let (width, height) = (64, 48);
    let moved = f64::from(number.min(30 - number));
    let pixel = |x: u32, y: u32| {
        let inside = (f64::from(x) - 10.0 - moved).hypot(f64::from(y) - 20.0) < 8.0;
        if inside { [210, 40, 30, 255] } else { [230 - y as u8, 235 - y as u8, 240 - y as u8, 255] }
    };
    let rgba = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
    Image { width, height, rgba }
}

#[test]
fn frames_come_back_in_nearly_their_colours() {
    let frames: Vec<Image> = (0..30).map(frame).collect();
    let mut gif = GifWriter::new(Vec::new(), 24.0, &[&frames[0], &frames[15]]).unwrap();
    frames.iter().for_each(|frame| gif.frame(frame).unwrap());
    let decoded = decode(&gif.finish().unwrap());
    assert_eq!((decoded.size, decoded.frames.len()), ([64, 48], 30));
    for (frame, (picture, _)) in frames.iter().zip(&decoded.frames) {
        for (pixel, found) in frame.rgba.chunks(4).zip(picture) {
            let worst = (0..3).map(|k| pixel[k].abs_diff(found[k])).max().unwrap();
            assert!(worst <= 4, "{pixel:?} became {found:?}");
        }
    }
    // 30 frames at 24 per second.
    assert_eq!(decoded.frames.iter().map(|(_, delay)| delay).sum::<usize>(), 125);
    // A disc of 16 x 16 pixels that moves by one.
    assert!(decoded.written[1..].iter().all(|&pixels| pixels <= 17 * 17), "{:?}", decoded.written);
}

#[test]
fn a_frame_that_changes_nothing_still_takes_its_time() {
    let still = frame(3);
    let mut gif = GifWriter::new(Vec::new(), 10.0, &[&still]).unwrap();
    (0..3).for_each(|_| gif.frame(&still).unwrap());
    let decoded = decode(&gif.finish().unwrap());
    assert_eq!(decoded.written, [64 * 48, 1, 1]);
    assert!(decoded.frames.iter().all(|(picture, delay)| *picture == decoded.frames[0].0 && *delay == 10));
}

#[test]
fn impossible_motions_are_errors() {
    let picture = frame(0);
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = GifWriter::new(Vec::new(), fps, &[&picture]).err().unwrap();
        assert!(matches!(error, RenderError::FrameRate { .. }));
    }
    assert!(matches!(GifWriter::new(Vec::new(), 24.0, &[]).err(), Some(RenderError::ImageSize { .. })));
    let mut gif = GifWriter::new(Vec::new(), 24.0, &[&picture]).unwrap();
    let other = Image { width: 2, height: 1, rgba: vec![0; 8] };
    gif.frame(&picture).unwrap();
    let error = gif.frame(&other).unwrap_err();
    assert_eq!(error.to_string(), "frame 1 of the GIF has 2 x 1 pixels instead of 64 x 48");
}

#[test]
fn a_failing_writer_is_an_error() {
    let mut room = [0; 100];
    assert!(matches!(GifWriter::new(&mut room[..], 24.0, &[&frame(0)]).err(), Some(RenderError::Gif(_))));
}
