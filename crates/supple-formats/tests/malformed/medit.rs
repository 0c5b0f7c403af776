//! MEDIT.

use crate::malformed::assert_messages;
use supple_formats::read_medit;

#[test]
fn medit() {
    assert_messages(
        read_medit,
        &[
            ("", "the file has no contents"),
            ("Vertices\n", "line 1: expected MeshVersionFormatted and a number, found \"Vertices\""),
            (
                "MeshVersionUnformatted 1\n",
                "line 1: expected MeshVersionFormatted and a number, found \"MeshVersionUnformatted\"",
            ),
            (
                "MeshVersionFormatted\n",
                "line 2: expected the number of the version, found the end of the file",
            ),
            ("MeshVersionFormatted 1\n", "the file has no tets, hexahedra or triangles"),
            ("MeshVersionFormatted 1\nDimension\n2\n", "line 3: a mesh in 2 dimensions is not supported"),
        ],
    );
}

#[test]
fn sections() {
    let vertices = "Vertices\n3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n";
    let below = |rest: &str| format!("{vertices}{rest}");
    assert_messages(
        |bytes| read_medit(&[b"MeshVersionFormatted 2\nDimension 3\n", bytes].concat()),
        &[
            ("Triangles\n1\n1 2 3 0\n", "line 3: expected Vertices first, found \"Triangles\""),
            ("Vertices\n-3\n", "line 4: expected the number of rows, found \"-3\""),
            (
                "Vertices\n4000000000\n0 0 0 0\nEnd\n",
                "line 6: expected 3 coordinates and a reference, found \"End\"",
            ),
            (
                "Vertices\n1\n0 0 0\n",
                "line 5: expected 3 coordinates and a reference, found the end of the line",
            ),
            ("Vertices\n1\n0 0 nan 0\n", "line 5: \"nan\" is not a finite number"),
            ("Vertices\n1\n0 0 0 0\n0 0 0 0\n", "line 6: expected a keyword such as Vertices, found \"0\""),
            (vertices, "the file has no tets, hexahedra or triangles"),
            (&below(vertices), "line 8: section \"Vertices\" is defined twice"),
            (
                &below("Triangles\n1\n1 2 4 0\n"),
                "line 10: there is no vertex 4: there are 3, numbered from 1",
            ),
            (
                &below("Triangles\n1\n0 1 2 0\n"),
                "line 10: there is no vertex 0: there are 3, numbered from 1",
            ),
            (
                &below("Triangles\n1\n1 2 3\n"),
                "line 10: expected 3 vertex numbers and a reference, found the end of the line",
            ),
            (
                &below("Triangles\n1\n1 2 3 x\n"),
                "line 10: expected 3 vertex numbers and a reference, found \"x\"",
            ),
            (
                &below("Tetrahedra\n2\n1 2 3 1 0\nEnd\n"),
                "line 11: expected 4 vertex numbers and a reference, found \"End\"",
            ),
            (
                &below("Tetrahedra\n1\n1 2 3 1 0\nHexahedra\n1\n1 2 3 1 1 2 3 1 0\n"),
                "line 13: a mesh of tets and hexahedra together is not supported",
            ),
            (
                &below("Hexahedra\n1\n1 2 3 1 0\n"),
                "line 10: there is no vertex 0: there are 3, numbered from 1",
            ),
            (&below("Prisms\n1\n1 2 3 1 2 3 0\n"), "line 9: a mesh with Prisms is not supported"),
            (
                &below("TetrahedraP2\n1\n1 2 3 1 2 3 1 2 3 1 0\n"),
                "line 9: a mesh with TetrahedraP2 is not supported",
            ),
        ],
    );
}
