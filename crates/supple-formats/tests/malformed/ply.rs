//! PLY, text and binary.

use crate::malformed::assert_messages;
use crate::samples::{self, ENCODINGS};
use supple_formats::read_ply;

#[test]
fn header() {
    assert_messages(
        read_ply,
        &[
            ("", "line 1: expected ply, found the end of the file"),
            ("plyer\n", "line 1: expected ply, found \"plyer\""),
            (
                "ply\n",
                "line 2: expected format, then ascii, binary_little_endian or binary_big_endian, then 1.0, found the end of the file",
            ),
            (
                "ply\nformat text 1.0\n",
                "line 2: expected format, then ascii, binary_little_endian or binary_big_endian, then 1.0, found \"text\"",
            ),
            (
                "ply\nformat ascii 2.0\n",
                "line 2: expected format, then ascii, binary_little_endian or binary_big_endian, then 1.0, found \"2.0\"",
            ),
            (
                "ply\nformat ascii 1.0\n",
                "line 3: expected comment, element, property or end_header, found the end of the file",
            ),
            ("ply\nformat ascii 1.0\nend_header\n", "the file has no vertices"),
            (
                "ply\nformat ascii 1.0\nvertex 3\n",
                "line 3: expected comment, element, property or end_header, found \"vertex\"",
            ),
            ("ply\nformat ascii 1.0\nproperty int x\n", "line 3: expected element first, found \"property\""),
            (
                "ply\nformat ascii 1.0\nelement vertex -3\n",
                "line 3: expected the name of an element and how many there are, found \"-3\"",
            ),
            (
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty real x\n",
                "line 4: expected a type or list, and the name of a property, found \"real\"",
            ),
            (
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty list uchar x\n",
                "line 4: expected a type or list, and the name of a property, found \"x\"",
            ),
            (
                "ply\nformat ascii 1.0\nelement vertex 3\nelement vertex 3\n",
                "line 4: element \"vertex\" is defined twice",
            ),
            (
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty int x\nend_header\n",
                "the file has no x, y and z among the properties of its vertices",
            ),
            (
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty int x\nelement tristrips 1\nend_header\n",
                "a surface of triangle strips is not supported",
            ),
        ],
    );
}

const VERTEX: &str = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";

#[test]
fn rows() {
    let face = format!("{VERTEX}element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n");
    let below = |row: &str| format!("{face}{row}");
    assert_messages(
        |bytes| read_ply(&[b"ply\nformat ascii 1.0\n", bytes].concat()),
        &[
            (
                &format!("{VERTEX}end_header\n"),
                "line 8: expected the announced properties of a vertex, found the end of the file",
            ),
            (
                &format!("{VERTEX}end_header\n0 0\n"),
                "line 8: expected the announced properties of a vertex, found the end of the line",
            ),
            (&format!("{VERTEX}end_header\n0 0 inf\n"), "line 8: \"inf\" is not a finite number"),
            (
                &format!("{VERTEX}end_header\n0 0 0 0\n"),
                "line 8: expected the announced properties of a vertex, found \"0\"",
            ),
            (
                &format!("{VERTEX}end_header\n0 0 0\n0 0 0\n"),
                "line 9: expected the end of the file, found \"0\"",
            ),
            (
                &format!("{VERTEX}element face 1\nproperty int vertex_indices\nend_header\n0 0 0\n3\n"),
                "the file has no list of vertex_indices in its faces",
            ),
            (&face, "line 11: expected the announced properties of a face, found the end of the file"),
            (&below("2 0 0\n"), "line 11: expected at least 3 corners, found 2"),
            (
                &below("3 0 0\n"),
                "line 11: expected the announced properties of a face, found the end of the line",
            ),
            (&below("-1\n"), "line 11: expected the announced properties of a face, found \"-1\""),
            (&below("3 0 0 1\n"), "line 11: there is no vertex 1: there are 1, numbered from 0"),
            (&below("3 0 0 -1\n"), "line 11: there is no vertex -1: there are 1, numbered from 0"),
            (&below("3 0 0 0.5\n"), "line 11: expected the announced properties of a face, found \"0.5\""),
        ],
    );
}

#[test]
fn binary() {
    for &encoding in &ENCODINGS[1..] {
        let bytes = samples::ply(encoding);
        let end = bytes.len();
        let read = |bytes: &[u8]| read_ply(bytes).unwrap_err().to_string();
        let face = "expected the announced properties of a face, found the end of the file";
        assert_eq!(read(&bytes[..end - 1]), format!("byte {}: {face}", end - 4));
        let trailing = "expected the end of the file, found 2 bytes more";
        assert_eq!(read(&[&bytes[..], &[0, 0]].concat()), format!("byte {end}: {trailing}"));
        let mut other = bytes.clone();
        other[end - 4..].fill(0xFF);
        let vertex = "there is no vertex -1: there are 9, numbered from 0";
        assert_eq!(read(&other), format!("byte {}: {vertex}", end - 4));
        other[end - 13] = 2;
        assert_eq!(read(&other), format!("byte {}: expected at least 3 corners, found 2", end - 13));
    }
}
