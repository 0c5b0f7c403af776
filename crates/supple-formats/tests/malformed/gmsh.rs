//! Gmsh, text and binary.

use crate::malformed::assert_messages;
use crate::samples::{ENCODINGS, Encoding, gmsh2, gmsh4};
use supple_formats::read_gmsh;

const NODES: &str = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";

/// Below the format section of version 2.2, which takes 3 lines.
fn assert_messages_2(cases: &[(&str, &str)]) {
    let format = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    assert_messages(|bytes| read_gmsh(&[format, bytes].concat()), cases);
}

/// Below the nodes of version 2.2, which end on line 10.
fn assert_element_messages_2(cases: &[(&str, &str)]) {
    let begin = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{NODES}$Elements\n");
    assert_messages(|bytes| read_gmsh(&[begin.as_bytes(), bytes].concat()), cases);
}

/// Below the format section of version 4.1, which takes 3 lines.
fn assert_messages_4(cases: &[(&str, &str)]) {
    let format = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
    assert_messages(|bytes| read_gmsh(&[format, bytes].concat()), cases);
}

#[test]
fn sections() {
    assert_messages(
        read_gmsh,
        &[
            ("", "the file has no $MeshFormat"),
            ("hello\n", "line 1: expected $MeshFormat, found \"hello\""),
            ("$NOD\n4\n", "line 1: expected $MeshFormat, found \"$NOD\""),
            (
                "$MeshFormat\n",
                "line 2: expected a version, 0 or 1 for text or binary, and the size of a word, found the end of the file",
            ),
            (
                "$MeshFormat\n4 0 8\n",
                "line 2: version \"4\" of the format (only 2.2 and 4.1 are) is not supported",
            ),
            (
                "$MeshFormat\n2.2 2 8\n",
                "line 2: expected a version, 0 or 1 for text or binary, and the size of a word, found \"2\"",
            ),
            (
                "$MeshFormat\n2.2 1 4\n",
                "line 2: expected a version, 0 or 1 for text or binary, and the size of a word, found \"4\"",
            ),
            ("$MeshFormat\n2.2 0 8\n$Nodes\n", "line 3: expected $EndMeshFormat, found \"$Nodes\""),
            (
                "$MeshFormat\n4.1 1 8\nabcd\n",
                "byte 20: expected the number 1, which shows the order of bytes, found \"1684234849\"",
            ),
            (
                "$MeshFormat\n4.1 1 8\nab",
                "byte 20: expected the number 1, which shows the order of bytes, found the end of the file",
            ),
        ],
    );
    assert_messages_2(&[
        ("", "the file has no tets, hexahedra or triangles"),
        ("$Elements\n", "line 4: expected $Nodes first, found \"$Elements\""),
        ("$EndNodes\n", "line 4: expected a section such as $Nodes, found \"$EndNodes\""),
        ("4\n", "line 4: expected a section such as $Nodes, found \"4\""),
        ("$Comments\nno end\n", "line 4: expected $EndComments, found the end of the file"),
        ("$ParametricNodes\n", "line 4: a mesh with $ParametricNodes is not supported"),
        ("$PhysicalNames\n-1\n", "line 5: expected the number of physical groups, found \"-1\""),
        (
            "$PhysicalNames\n1\n2 x \"a\"\n",
            "line 6: expected the dimension, number and name of a physical group, found \"x\"",
        ),
        (&format!("{NODES}{NODES}"), "line 11: section \"$Nodes\" is defined twice"),
        (NODES, "the file has no tets, hexahedra or triangles"),
    ]);
}

#[test]
fn nodes_of_version_2() {
    assert_messages_2(&[
        ("$Nodes\n", "line 5: expected the number of nodes, found the end of the file"),
        ("$Nodes\n1 2\n", "line 5: expected the number of nodes, found \"2\""),
        (
            "$Nodes\n4000000000\n$EndNodes\n",
            "line 6: expected a node number and 3 coordinates, found \"$EndNodes\"",
        ),
        ("$Nodes\n1\n1 0 0\n", "line 6: expected a node number and 3 coordinates, found the end of the line"),
        ("$Nodes\n1\n1 0 0 0 0\n", "line 6: expected a node number and 3 coordinates, found \"0\""),
        ("$Nodes\n1\n1 0 0 inf\n", "line 6: \"inf\" is not a finite number"),
        ("$Nodes\n2\n1 0 0 0\n1 0 0 1\n", "line 7: node 1 is defined twice"),
        ("$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "line 7: expected $EndNodes, found \"2\""),
    ]);
}

#[test]
fn elements_of_version_2() {
    assert_element_messages_2(&[
        ("1\n1 4 0 1 2 3 5\n$EndElements\n", "line 13: node 5 is not defined before this point"),
        (
            "1\n1 4 2 7 1 1 2 3\n$EndElements\n",
            "line 13: expected an element number, type, number of labels, labels and node numbers, found the end of the line",
        ),
        (
            "1\n1 4 0 1 2 3 4 4\n$EndElements\n",
            "line 13: expected an element number, type, number of labels, labels and node numbers, found \"4\"",
        ),
        (
            "1\n1 4 -1 1 2 3 4\n",
            "line 13: expected an element number, type, number of labels, labels and node numbers, found \"-1\"",
        ),
        ("1\n1 6 0 1 2 3 4 1 2\n", "line 13: a prism (Gmsh element type 6) is not supported"),
        ("1\n1 7 0 1 2 3 4 1\n", "line 13: a pyramid (Gmsh element type 7) is not supported"),
        (
            "1\n1 11 0 1 2 3 4 1 2 3 4 1 2\n",
            "line 13: a second-order tet of 10 nodes (Gmsh element type 11; save the mesh at order 1) is not supported",
        ),
        (
            "1\n1 9 0 1 2 3 4 1 2\n",
            "line 13: a second-order triangle of 6 nodes (Gmsh element type 9; save the mesh at order 1) is not supported",
        ),
        ("1\n1 999 0 1\n", "line 13: Gmsh element type 999 is not supported"),
        (
            "2\n1 4 0 1 2 3 4\n2 5 0 1 2 3 4 1 2 3 4\n",
            "line 14: a mesh of tets and hexahedra together is not supported",
        ),
        (
            "2\n1 4 0 1 2 3 4\n$EndElements\n",
            "line 14: expected an element number, type, number of labels, labels and node numbers, found \"$EndElements\"",
        ),
        ("1\n1 1 0 1 2\n$EndElements\n", "the file has no tets, hexahedra or triangles"),
    ]);
}

#[test]
fn version_4() {
    let nodes = "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n";
    let many = format!("$Entities\n1 0 0 0\n1 0 0 0 17{}\n$EndEntities\n", " 1".repeat(17));
    assert_messages_4(&[
        ("$PartitionedEntities\n", "line 4: a mesh with $PartitionedEntities is not supported"),
        (
            "$Entities\n1 0 0\n",
            "line 5: expected the numbers of points, curves, surfaces and volumes, found the end of the line",
        ),
        (
            "$Entities\n0 1 0 0\n1 0 0 0 1 1 1 0\n",
            "line 6: expected an entity: tag, bounds, physical groups, boundary, found the end of the line",
        ),
        (
            "$Entities\n0 1 0 0\n1 0 0 0 1 1 1 0 2 1\n",
            "line 6: expected an entity: tag, bounds, physical groups, boundary, found the end of the line",
        ),
        (&many, "line 6: an entity in more than 16 physical groups is not supported"),
        (
            "$Nodes\n1 1 1 1\n2 1 0 1\n1\n0 0\n",
            "line 8: expected 3 coordinates, then the announced parameters, found the end of the line",
        ),
        (
            "$Nodes\n1 1 1 1\n2 1 1 1\n1\n0 0 0 0.5\n",
            "line 8: expected 3 coordinates, then the announced parameters, found the end of the line",
        ),
        (
            "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n",
            "line 5: the file announces 2 nodes here, but 1 follow",
        ),
        ("$Nodes\n1 2 1 2\n2 1 0 2\n1\n1\n", "line 8: node 1 is defined twice"),
        (
            &format!("{nodes}$Elements\n1 1 1 1\n2 1 9 1\n"),
            "line 16: a second-order triangle of 6 nodes (Gmsh element type 9; save the mesh at order 1) is not supported",
        ),
        (
            &format!("{nodes}$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 4\n"),
            "line 17: node 4 is not defined before this point",
        ),
        (
            &format!("{nodes}$Elements\n1 2 1 2\n2 1 2 1\n1 1 2 3\n$EndElements\n"),
            "line 15: the file announces 2 elements here, but 1 follow",
        ),
        (
            &format!("{nodes}$Elements\n0 0 0 0\n$EndElements\n$Entities\n"),
            "line 17: expected $Entities before $Elements, found \"$Entities\"",
        ),
    ]);
}

/// Where the value that follows `text` begins.
fn after(bytes: &[u8], text: &str) -> usize {
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes());
    at.expect("the sample has this section") + text.len()
}

#[test]
fn binary_errors_name_the_byte() {
    for &encoding in &ENCODINGS[1..] {
        let last = |x: u8| if encoding == Encoding::LittleEndian { [x, 0, 0, 0] } else { [0, 0, 0, x] };
        let read_with = |bytes: &[u8], at: usize, value: [u8; 4]| {
            let mut bytes = bytes.to_vec();
            bytes[at..at + 4].copy_from_slice(&value);
            read_gmsh(&bytes).unwrap_err().to_string()
        };
        let bytes = gmsh2(encoding);
        let nodes = after(&bytes, "$Nodes\n9\n");
        let elements = after(&bytes, "$Elements\n5\n");
        // The second node takes the tag of the first; the first element another type, count and node.
        let second = nodes + 28;
        assert_eq!(read_with(&bytes, second, last(10)), format!("byte {second}: node 10 is defined twice"));
        assert_eq!(
            read_with(&bytes, elements, last(13)),
            format!(
                "byte {elements}: a second-order prism of 18 nodes (Gmsh element type 13; save the mesh at order 1) is not supported"
            )
        );
        assert_eq!(
            read_with(&bytes, elements + 4, last(9)),
            format!(
                "byte {}: expected an element type, number of elements and number of labels, found \"9\"",
                elements + 4
            )
        );
        assert_eq!(
            read_with(&bytes, elements + 24, last(1)),
            format!("byte {}: node 1 is not defined before this point", elements + 24)
        );
        let error = read_gmsh(&bytes[..second + 3]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("byte {second}: expected a node number and 3 coordinates, found the end of the file")
        );

        let bytes = gmsh4(encoding);
        let elements = after(&bytes, "$Elements\n");
        assert_eq!(
            read_with(&bytes, elements + if encoding == Encoding::LittleEndian { 8 } else { 12 }, last(3)),
            format!("byte {elements}: the file announces 3 elements here, but 4 follow")
        );
    }
}
