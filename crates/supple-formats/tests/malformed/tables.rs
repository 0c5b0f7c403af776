//! Contacts, groups and tracks.

use crate::malformed::assert_messages;
use supple_formats::{read_contacts, read_groups, read_track};

#[test]
fn contacts() {
    let rows = |rows: &str| format!("frame,vertex,nx,ny,nz,kind\n{rows}");
    let cases = [
        ("1,2,0,1,0\n", "line 2: expected 6 values with commas between them, found 5"),
        ("1,2,0,1,0,stick,\n", "line 2: expected 6 values with commas between them, found 7"),
        ("1 2 0 1 0 stick\n", "line 2: expected 6 values with commas between them, found 1"),
        ("\n1.5,2,0,1,0,stick\n", "line 3: expected a frame, a whole number, found \"1.5\""),
        ("1,-2,0,1,0,stick\n", "line 2: expected a vertex, a whole number from 0, found \"-2\""),
        ("1,,0,1,0,stick\n", "line 2: expected a vertex, a whole number from 0, found \"\""),
        ("1,2,0,up,0,stick\n", "line 2: expected a normal of three numbers, found \"up\""),
        ("1,2,0,inf,0,stick\n", "line 2: \"inf\" is not a finite number"),
        ("1,2,0,2,0,stick\n", "line 2: expected a normal of length 1, found one of length 2.000e0"),
        ("1,2,0,0,0,stick\n", "line 2: expected a normal of length 1, found one of length 0.000e0"),
        ("1,2,1e200,0,0,stick\n", "line 2: expected a normal of length 1, found one of length inf"),
        ("# ok\n1,2,0,1,0,stick\n1,2,0,1,0,glue\n", "line 4: expected stick or slide, found \"glue\""),
    ];
    let owned: Vec<(String, &str)> = cases.iter().map(|(text, message)| (rows(text), *message)).collect();
    let cases: Vec<(&str, &str)> = owned.iter().map(|(text, message)| (text.as_str(), *message)).collect();
    assert_messages(read_contacts, &cases);
    assert_messages(
        read_contacts,
        &[
            ("", "the file has no header"),
            ("# nothing\n", "the file has no header"),
            ("1,2,0,1,0,stick\n", "line 1: expected frame,vertex,nx,ny,nz,kind, found \"1,2,0,1,0,stick\""),
            ("frame,vertex\n", "line 1: expected frame,vertex,nx,ny,nz,kind, found \"frame,vertex\""),
        ],
    );
}

#[test]
fn groups() {
    assert_messages(
        read_groups,
        &[
            ("", "the file has no header"),
            ("hem,1\n", "line 1: expected name,index, found \"hem,1\""),
            ("name,index\nhem\n", "line 2: expected 2 values with commas between them, found 1"),
            ("name,index\nhem,1,2\n", "line 2: expected 2 values with commas between them, found 3"),
            ("name,index\n\n ,1\n", "line 3: expected the name of a group, found \"\""),
            ("name,index\nhem,-1\n", "line 2: expected a vertex, a whole number from 0, found \"-1\""),
            ("name,index\nhem,1.0\n", "line 2: expected a vertex, a whole number from 0, found \"1.0\""),
            (
                "name,index\nhem,4294967296\n",
                "line 2: expected a vertex, a whole number from 0, found \"4294967296\"",
            ),
        ],
    );
}

#[test]
fn tracks() {
    let header = "a header of frame and the names of the columns";
    assert_messages(
        read_track,
        &[
            ("", "the file has no header"),
            ("frame,x\n", "the file has no rows"),
            ("frame\n1\n", &format!("line 1: expected {header}, found \"frame\"")),
            ("x,y\n1,2\n", &format!("line 1: expected {header}, found \"x,y\"")),
            ("1,2\n", &format!("line 1: expected {header}, found \"1,2\"")),
            ("frame,x,,z\n", &format!("line 1: expected {header}, found \"frame,x,,z\"")),
            ("frame,x,y,x\n", "line 1: column \"x\" is defined twice"),
            ("frame,x\n1,2,3\n", "line 2: expected 2 values with commas between them, found 3"),
            ("frame,x\n1\n", "line 2: expected 2 values with commas between them, found 1"),
            ("frame,x\n1,\n", "line 2: expected a number, found \"\""),
            ("frame,x\n1,NaN\n", "line 2: \"NaN\" is not a finite number"),
            ("frame,x\none,1\n", "line 2: expected the number of a frame, found \"one\""),
            (
                "frame,x\n3e9,1\n",
                "line 2: expected the number of a frame, which has at most 31 bits, found \"3000000000\"",
            ),
            (
                "frame,x\n1.5,0\n\n1.25,0\n",
                "line 4: frame 1.25 does not come after frame 1.5 of the previous row: sort the rows by frame",
            ),
            (
                "frame,x\n2,0\n2,1\n",
                "line 3: frame 2 does not come after frame 2 of the previous row: sort the rows by frame",
            ),
        ],
    );
}
