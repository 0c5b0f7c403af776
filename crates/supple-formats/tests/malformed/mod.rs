//! Small malformed files, and exactly what is said about each.

mod bvh;
mod gmsh;
mod medit;
mod motion;
mod ply;
mod stl;
mod tables;

use std::fmt::Debug;
use supple_formats::{FormatError, NodeFile};
use supple_formats::{read_abaqus, read_bou, read_ele, read_interp, read_node, read_obj, read_veg};

fn assert_messages<T: Debug>(read: impl Fn(&[u8]) -> Result<T, FormatError>, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        match read(text.as_bytes()) {
            Ok(contents) => panic!("{text:?} was accepted as {contents:?}"),
            Err(error) => assert_eq!(error.to_string(), *message, "on {text:?}"),
        }
    }
}

#[test]
fn obj() {
    let triangle = |rest: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{rest}");
    let owned: Vec<(String, &str)> = [
        ("f 1 2\n", "line 4: expected at least 3 corners, found 2"),
        ("f 1 2 4\n", "line 4: there is no vertex 4: there are 3, numbered from 1"),
        ("f 0 1 2\n", "line 4: there is no vertex 0: there are 3, numbered from 1"),
        ("f 1 2 -4\n", "line 4: there is no vertex -4: there are 3, numbered from 1"),
        ("f 1 2 \\\n 99999999999\n", "line 4: there is no vertex 99999999999: there are 3, numbered from 1"),
        ("f 1/1 2/1 3/1\n", "line 4: there is no texture coordinate 1: there are 0, numbered from 1"),
        (
            "f 1 2 3x\n",
            "line 4: expected a corner: vertex, vertex/texture or vertex/texture/normal, found \"3x\"",
        ),
        (
            "f 1/1/1/1 2 3\n",
            "line 4: expected a corner: vertex, vertex/texture or vertex/texture/normal, found \"1/1/1/1\"",
        ),
        ("vt\n", "line 4: expected texture coordinates, found the end of the line"),
        ("g a b c d e f g h i j k l m n o p q\n", "line 4: a face in more than 16 groups is not supported"),
    ]
    .map(|(rest, message)| (triangle(rest), message))
    .into();
    let cases: Vec<(&str, &str)> = owned.iter().map(|(text, message)| (text.as_str(), *message)).collect();
    assert_messages(read_obj, &cases);
    assert_messages(
        read_obj,
        &[
            ("", "the file has no vertices"),
            ("f 1 2 3\n", "the file has no vertices"),
            ("v 0 0\n", "line 1: expected 3 coordinates, found the end of the line"),
            ("# ok\n\nv 0 0 x\n", "line 3: expected 3 coordinates, found \"x\""),
            ("v 0 nan 0\n", "line 1: \"nan\" is not a finite number"),
            ("v 0 1e400 0\n", "line 1: \"1e400\" is not a finite number"),
            (
                "v 0 \u{1b}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 0\n",
                "line 1: expected 3 coordinates, found \"\\u{1b}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\"",
            ),
        ],
    );
}

const VEG_VERTICES: &str = "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
const VEG_TET: &str = "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n";

#[test]
fn veg() {
    assert_messages(
        read_veg,
        &[
            ("", "the file has no vertices"),
            ("hello\n", "line 1: expected a section such as *VERTICES, found \"hello\""),
            ("*NODES\n", "line 1: expected a section of a .veg file, found \"*NODES\""),
            (
                "*INCLUDE a.veg\n",
                "line 1: *INCLUDE (put the text of \"a.veg\" in its place) is not supported",
            ),
            ("*VERTICES\n*ELEMENTS\n", "line 2: expected the number of vertices, found \"*ELEMENTS\""),
            ("*VERTICES\n-4 3 0 0\n", "line 2: expected the number of vertices, found \"-4\""),
            (
                "*VERTICES\n4000000000 3 0 0\n",
                "line 2: the file announces 4000000000 vertices here, but 0 follow",
            ),
            ("*VERTICES\n0 3 0 0\n*ELEMENTS\nTET\n0 4 0\n", "the file has no vertices"),
            (
                "*VERTICES\n1 3 0 0\n2 0 0 0\n",
                "line 3: expected the first vertex to have number 0 or 1, found \"2\"",
            ),
            ("*VERTICES\n2 3 0 0\n1 0 0 0\n3 0 0 0\n", "line 4: expected vertex 2, found \"3\""),
            (
                "*VERTICES\n1 3 0 0\n1 0 0\n",
                "line 3: expected a vertex number and 3 coordinates, found the end of the line",
            ),
            (
                "*VERTICES\n1 3 0 0\n1 0 0 0 7\n",
                "line 3: expected a vertex number and 3 coordinates, found \"7\"",
            ),
            ("*VERTICES\n1 3 0 0\n1 0 0 -inf\n", "line 3: \"-inf\" is not a finite number"),
            ("*ELEMENTS\nTET\n", "line 1: expected *VERTICES first, found \"*ELEMENTS\""),
            (VEG_VERTICES, "the file has no elements"),
        ],
    );
}

#[test]
fn veg_elements() {
    assert_messages(
        |bytes| read_veg(&[VEG_VERTICES.as_bytes(), bytes].concat()),
        &[
            ("*VERTICES\n", "line 7: section \"*VERTICES\" is defined twice"),
            ("*SET a\n1\n", "line 7: expected *ELEMENTS first, found \"*SET\""),
            ("*ELEMENTS\nPRISM\n", "line 8: expected TET or CUBIC, found \"PRISM\""),
            (
                "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n",
                "line 9: the file announces 2 elements here, but 1 follow",
            ),
            (
                "*ELEMENTS\nTET\n1 4 0\n1 1 2 3 5\n",
                "line 10: there is no vertex 5: there are 4, numbered from 1",
            ),
            (
                "*ELEMENTS\nTET\n1 4 0\n1 0 1 2 3\n",
                "line 10: there is no vertex 0: there are 4, numbered from 1",
            ),
            (
                "*ELEMENTS\nTET\n1 8 0\n1 1 2 3 4 1 2 3 4\n",
                "line 10: expected an element number and 4 vertex numbers, found \"1\"",
            ),
            (
                "*ELEMENTS\nCUBIC\n1 8 0\n1 1 2 3 4\n",
                "line 10: expected an element number and 8 vertex numbers, found the end of the line",
            ),
        ],
    );
}

#[test]
fn veg_materials() {
    assert_messages(
        |bytes| read_veg(&[VEG_VERTICES.as_bytes(), VEG_TET.as_bytes(), bytes].concat()),
        &[
            ("*ELEMENTS\n", "line 11: section \"*ELEMENTS\" is defined twice"),
            ("*MATERIAL\n", "line 11: expected a name, found the end of the line"),
            ("*MATERIAL a\n", "the file has no material after its last *MATERIAL"),
            (
                "*MATERIAL a\nMOONEYRIVLIN, 1, 2, 3, 4\n",
                "line 12: a material of type \"MOONEYRIVLIN\" (only ENU is) is not supported",
            ),
            (
                "*MATERIAL a\nENU, 1000, 1e7\n",
                "line 12: expected ENU, density, Young's modulus, Poisson's ratio, found the end of the line",
            ),
            ("*MATERIAL a\nENU, 1, 1, 0\n*MATERIAL a\n", "line 13: material \"a\" is defined twice"),
            ("*SET a\n2,\n", "line 12: there is no element 2: there are 1, numbered from 1"),
            ("*SET a\n1, b\n", "line 12: expected element numbers, found \"b\""),
            ("*SET a\n*SET a\n", "line 12: set \"a\" is defined twice"),
            ("*REGION\n", "the file has no set and material after its last *REGION"),
            (
                "*REGION\nallElements\n",
                "line 12: expected a set, a comma and a material, found \"allElements\"",
            ),
            ("*REGION\na, b\n", "line 12: set \"a\" is not defined before this point"),
            ("*REGION\nallElements, b\n", "line 12: material \"b\" is not defined before this point"),
        ],
    );
}

#[test]
fn abaqus() {
    assert_messages(
        read_abaqus,
        &[
            ("", "the file has no nodes"),
            ("\u{0}\u{1}\n", "the file has no nodes"),
            (
                "*NODE\n1, 0, 0\n",
                "line 2: expected a node number and 3 coordinates, found the end of the line",
            ),
            ("*NODE\n1.5, 0, 0, 0\n", "line 2: expected a node number and 3 coordinates, found \"1.5\""),
            ("*NODE\n** ok\n1, 0, 0, NaN\n", "line 3: \"NaN\" is not a finite number"),
            ("*NODE\n1, 0, 0, 0\n1, 0, 0, 1\n", "line 3: node 1 is defined twice"),
            ("*NODE, NSET=\n", "line 1: expected NSET= and a value, found \"*NODE, NSET=\""),
            ("*NODE, INPUT=a.inp\n", "line 1: *NODE with INPUT is not supported"),
            (
                "*INCLUDE, INPUT=a.inp\n",
                "line 1: *INCLUDE (paste the included file here instead) is not supported",
            ),
        ],
    );
}

#[test]
fn abaqus_elements_and_sets() {
    assert_messages(
        |bytes| read_abaqus(&[b"*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n", bytes].concat()),
        &[
            ("*ELEMENT\n", "line 6: expected TYPE= and a value, found \"*ELEMENT\""),
            ("*ELEMENT, TYPE=S3\n", "line 6: element type \"S3\" is not supported"),
            ("*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 9\n", "line 7: node 9 is not defined before this point"),
            (
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n",
                "line 7: expected an element number and 4 node numbers, found the end of the line",
            ),
            (
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4, 5\n",
                "line 7: expected an element number and 4 node numbers, found \"5\"",
            ),
            (
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3,\n*STEP\n",
                "line 8: expected an element number and 4 node numbers, found \"*STEP\"",
            ),
            (
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3,\n",
                "expected an element number and 4 node numbers, found the end of the file",
            ),
            ("*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n1, 1, 2, 3, 4\n", "line 8: element 1 is defined twice"),
            (
                "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*ELEMENT, TYPE=C3D8\n",
                "line 8: a mesh of tets and hexahedra together is not supported",
            ),
            ("*NSET\n", "line 6: expected NSET= and a value, found \"*NSET\""),
            ("*NSET, NSET=A, ELSET=B\n", "line 6: *NSET with ELSET is not supported"),
            ("*NSET, NSET=A\n1, 5\n", "line 7: node 5 is not defined before this point"),
            ("*NSET, NSET=A\n1, B\n", "line 7: set \"B\" is not defined before this point"),
            (
                "*NSET, NSET=A, GENERATE\n1\n",
                "line 7: expected first label, last label and step, found the end of the line",
            ),
            (
                "*NSET, NSET=A, GENERATE\n1, 4, 0\n",
                "line 7: expected a range that ascends, found \"1, 4, 0\"",
            ),
            ("*ELSET, ELSET=A\n1\n", "line 7: element 1 is not defined before this point"),
        ],
    );
}

/// 1,000 nodes in 2,000 ranges of a few bytes each would be two million members.
#[test]
fn abaqus_ranges_cannot_outgrow_the_file() {
    let nodes: String = (1..=1000).map(|label| format!("{label},0,0,0\n")).collect();
    let sets: String = (0..2000).map(|set| format!("*NSET,NSET={set},GENERATE\n1,9999\n")).collect();
    let text = format!("*NODE\n{nodes}{sets}");
    let error = read_abaqus(text.as_bytes()).unwrap_err();
    let limit = 4 * text.len();
    let line = 1 + 1000 + 2 * (limit / 1000 + 1);
    let expected =
        format!("line {line}: the sets have more than {limit} members, too many for a file of this size");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn node() {
    assert_messages(
        read_node,
        &[
            ("# nothing\n", "the file has no vertices"),
            ("4\n", "line 1: expected the number of vertices, then 3, found the end of the line"),
            ("4 2 0 0\n", "line 1: a mesh in 2 dimensions is not supported"),
            ("0 3 0 0\n", "the file has no vertices"),
            ("2 3 0 0\n0 0 0 0\n", "line 1: the file announces 2 vertices here, but 1 follow"),
            ("1 3 0 0\n0 0 0 0\n1 0 0 0\n", "line 1: the file announces 1 vertices here, but 2 follow"),
            ("1 3 0 0\n5 0 0 0\n", "line 2: expected the first vertex to have number 0 or 1, found \"5\""),
            (
                "1 3 0 0\n0 0 0\n",
                "line 2: expected a vertex number and 3 coordinates, found the end of the line",
            ),
            ("1 3 0 0\n0 0 0 infinity\n", "line 2: \"infinity\" is not a finite number"),
        ],
    );
}

#[test]
fn ele() {
    assert_messages(
        |bytes| read_ele(bytes, NodeFile { positions: vec![[0.0; 3]; 4], first_number: 1 }),
        &[
            ("", "the file has no tets"),
            ("x\n", "line 1: expected the numbers of tets, corners and attributes, found \"x\""),
            ("1 10 0\n", "line 1: an element with 10 corners is not supported"),
            ("1 4 0\n1 0 1 2 3\n", "line 2: there is no vertex 0: there are 4, numbered from 1"),
            ("1 4 0\n1 1 2 3 5\n", "line 2: there is no vertex 5: there are 4, numbered from 1"),
            (
                "1 4 1\n1 1 2 3 4\n",
                "line 2: expected a tet number, 4 vertex numbers and the announced attributes, found the end of the line",
            ),
            ("3 4 0\n1 1 2 3 4\n", "line 1: the file announces 3 tets here, but 1 follow"),
        ],
    );
}

#[test]
fn bou() {
    assert_messages(
        read_bou,
        &[
            ("", "the file has no vertices"),
            ("516\n", "line 1: the file announces 516 vertices here, but 0 follow"),
            ("\n3\n1 2\n", "line 2: the file announces 3 vertices here, but 2 follow"),
            ("2\n1 -2\n", "line 2: expected a vertex number, found \"-2\""),
            ("1,\n2, 0\n", "line 2: expected vertex numbers from 1 in a list with commas, found \"0\""),
            ("1,4294967296\n", "line 1: expected a vertex number, found \"4294967296\""),
        ],
    );
}

#[test]
fn interp() {
    assert_messages(
        read_interp,
        &[
            ("", "the file has no rows"),
            (
                "0\n",
                "line 1: expected a skin vertex, then pairs of body vertex and weight, found the end of the line",
            ),
            (
                "0 1 0.5 2\n",
                "line 1: expected a skin vertex, then pairs of body vertex and weight, found the end of the line",
            ),
            (
                "0 1.5 0.5\n",
                "line 1: expected a skin vertex, then pairs of body vertex and weight, found \"1.5\"",
            ),
            ("0 1 nan\n", "line 1: \"nan\" is not a finite number"),
            ("0 1 1\n2 1 1\n", "line 2: expected the row of skin vertex 1, found \"2\""),
            ("0 1 1\n1 1 1 2 0\n", "line 2: expected as many pairs as in the first row, 1, found 2"),
        ],
    );
}
