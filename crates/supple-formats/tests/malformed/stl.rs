//! STL, text and binary.

use crate::malformed::assert_messages;
use crate::samples;
use supple_formats::read_stl;

#[test]
fn text() {
    let facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    assert_messages(
        read_stl,
        &[
            ("", "expected the word solid, or a header of 84 bytes, found 0 bytes"),
            ("hello", "expected the word solid, or a header of 84 bytes, found 5 bytes"),
            ("solid", "line 1: expected facet or endsolid, found the end of the file"),
            ("solid\nendsolid\n", "the file has no triangles"),
            ("solid\nfacets\n", "line 2: expected facet or endsolid, found \"facets\""),
            (
                "solid\nfacet normal 0 0 1\nouter\nloop\n",
                "line 3: expected outer loop, found the end of the line",
            ),
            (
                "solid\nfacet\nouter loop\nvertex 0 0\n",
                "line 4: expected vertex and 3 coordinates, found the end of the line",
            ),
            (
                "solid\nfacet\nouter loop\nvertex 0 0 1e39x\n",
                "line 4: expected vertex and 3 coordinates, found \"1e39x\"",
            ),
            ("solid\nfacet\nouter loop\nvertex 0 0 nan\n", "line 4: \"nan\" is not a finite number"),
            (
                "solid\nfacet\nouter loop\nvertex 0 0 0 0\n",
                "line 4: expected vertex and 3 coordinates, found \"0\"",
            ),
            (
                "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n",
                "line 6: expected vertex and 3 coordinates, found \"endloop\"",
            ),
            (&format!("solid\n{facet}"), "line 9: expected facet or endsolid, found the end of the file"),
            (&format!("solid\n{facet}endsolid\n{facet}"), "line 10: expected solid, found \"facet\""),
        ],
    );
}

#[test]
fn binary() {
    let read = |bytes: &[u8]| read_stl(bytes).unwrap_err().to_string();
    let mut bytes = samples::stl();
    assert_eq!(read(&bytes[..183]), "byte 80: the file announces 2 triangles here, but 1 follow");
    bytes[80..84].fill(0xFF);
    bytes[0] = b'x';
    assert_eq!(read(&bytes), "byte 80: the file announces 4294967295 triangles here, but 2 follow");
    bytes[80..84].copy_from_slice(&2u32.to_le_bytes());
    bytes[100..104].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(read(&bytes), "byte 100: inf is not a finite number");
    bytes.truncate(84);
    bytes[80..84].fill(0);
    assert_eq!(read(&bytes), "the file has no triangles");
}
