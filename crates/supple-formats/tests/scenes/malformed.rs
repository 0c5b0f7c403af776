//! Small malformed scenes, and exactly what is said about each.

use crate::scenes::{frame, samples};
use supple_formats::{FormatError, Scene, read_fbx, read_gltf, read_usd};

fn assert_messages(read: fn(&[u8]) -> Result<Scene, FormatError>, cases: &[(Vec<u8>, &str)]) {
    for (bytes, message) in cases {
        match read(bytes) {
            Ok(scene) => panic!("{:?} was accepted as {scene:?}", String::from_utf8_lossy(bytes)),
            Err(error) => {
                assert_eq!(error.to_string(), *message, "on {:?}", String::from_utf8_lossy(bytes));
            }
        }
    }
}

fn edited(text: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn usda() {
    let edit = |from: &str, to: &str| edited(samples::USDA, from, to);
    assert_messages(
        read_usd,
        &[
            (b"".to_vec(), "expected a USD file, which begins with #usda or PXR-USDC, found \"\""),
            (b"#usda 1.0\n".to_vec(), "the file has no meshes"),
            (b"hello".to_vec(), "expected a USD file, which begins with #usda or PXR-USDC, found \"hello\""),
            (
                edit("1, 2, 3, 0", "1, 2, 3, 9"),
                "\"/root/cape\": there is no point 9: there are 5, numbered from 0",
            ),
            (edit("[4, 3, 3]", "[4, 3]"), "\"/root/cape\": the file announces 7 corners here, but 10 follow"),
            (edit("[4, 3, 3]", "[4, -1, 3]"), "\"/root/cape\": expected a number of corners, found \"-1\""),
            (
                edit("(1, 0, 0.25)", "(1, nan, 0.25)"),
                "\"/root/cape\": vertex 1 of frame 1 is at NaN, which is not a finite number",
            ),
            (edit("(1, 0, 0.25)", "(1, x, 0.25)"), "line 32: \"/root/cape\": expected a number, found \"x\""),
            (
                edit("endTimeCode = 3", "endTimeCode = 1e8"),
                "the frames would need more memory than a file of this size can justify: the file is \
                 damaged, export or copy it again",
            ),
            (
                edit("int[] indices = [1, 2]", "int[] indices = [1, 7]"),
                "\"/root/cape\": there is no face 7: there are 3, numbered from 0",
            ),
            (
                samples::USDA.as_bytes()[..600].to_vec(),
                "line 27: expected the bracket that closes the one here, found the end of the file",
            ),
        ],
    );
}

#[test]
fn meshes_that_change_name_the_frame() {
    let text = samples::USDA.replace(
        "int[] faceVertexCounts = [4, 3, 3]",
        "int[] faceVertexCounts.timeSamples = { 1: [4, 3, 3], 2: [4, 3, 3], 3: [4, 6] }",
    );
    let error = read_usd(text.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("frame 3 of \"/root/cape\" has 2 faces, but earlier frames have 3"), "{error}");
    let text = samples::USDA.replace(
        "int[] faceVertexCounts = [4, 3, 3]",
        "int[] faceVertexCounts.timeSamples = { 1: [4, 3, 3], 2: [3, 4, 3] }",
    );
    let error = read_usd(text.as_bytes()).unwrap_err().to_string();
    assert!(
        error.starts_with("frame 2 of \"/root/cape\" has different faces than earlier frames"),
        "{error}"
    );
    // Points are not looked at before their frame.
    let text = samples::USDA.replace("3: [(0, 0, 0), ", "3: [");
    let mut scene = read_usd(text.as_bytes()).unwrap();
    frame(&mut scene.objects[0], 1);
    let error = scene.objects[0].frames.read(2, &mut [[0.0; 3]; 5]).unwrap_err().to_string();
    assert!(
        error.contains("frame 3 of") && error.contains("has 4 points, but earlier frames have 5"),
        "{error}"
    );
}

#[test]
fn usdc() {
    let whole = include_bytes!("../samples/files/small.usdc");
    let mut cases = Vec::new();
    for end in [9, 40, 88, 300, 1000, whole.len() - 1] {
        cases.push(whole[..end].to_vec());
    }
    // The table of contents is beyond the file, then at its beginning.
    for at in [u64::MAX, 0] {
        let mut bytes = whole.to_vec();
        bytes[16..24].copy_from_slice(&at.to_le_bytes());
        cases.push(bytes);
    }
    for bytes in cases {
        let error = read_usd(&bytes).unwrap_err().to_string();
        assert!(error.len() < 200, "{error}");
    }
    let mut old = whole.to_vec();
    old[9] = 3;
    assert_messages(read_usd, &[(old, "byte 8: version 0.3.0 of .usdc is not supported")]);
}

#[test]
fn usdz() {
    let whole = include_bytes!("../samples/files/small.usdz");
    let find = |mark: &[u8]| whole.windows(4).position(|window| window == mark).unwrap();
    let (entry, end) = (find(b"PK\x01\x02"), find(b"PK\x05\x06"));
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = whole.to_vec();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let compressed = "the compressed or encrypted file \"small.usdc\" in a .usdz is not supported";
    assert_messages(
        read_usd,
        &[
            (whole[..end].to_vec(), "expected the end of a zip archive, found something else"),
            // What a zip bomb is: a method of compression, or a size that is not that of the bytes.
            (changed(entry + 10, &[8, 0]), compressed),
            (changed(entry + 24, &[0xFF; 4]), compressed),
            (changed(entry + 20, &[0xFF; 8]), "expected a file of the archive, found something else"),
            (changed(entry, b"PK\x01\x09"), "expected an entry of the directory, found something else"),
        ],
    );
    let many = read_usd(&changed(end + 10, &[0xFF; 2])).unwrap_err().to_string();
    assert!(many.contains("the directory"), "{many}");
}

#[test]
fn gltf() {
    let text = String::from_utf8(samples::gltf()).unwrap();
    let edit = |from: &str, to: &str| edited(&text, from, to);
    assert_messages(
        read_gltf,
        &[
            (b"{}".to_vec(), "the file has no meshes"),
            (
                b"{".to_vec(),
                "line 1: expected the JSON of glTF, found \"EOF while parsing an object at line 1 co…\"",
            ),
            (edit("\"children\":[1,2]", "\"children\":[1,0]"), "node 0 is part of a cycle"),
            (edit("\"children\":[4]", "\"children\":[3]"), "node 3 is part of a cycle"),
            (
                edit("\"children\":[4]", "\"children\":[99]"),
                "there is no node 99: there are 5, numbered from 0",
            ),
            (edit("\"children\":[4]", "\"children\":[1]"), "the parent of node 1 is defined twice"),
            (
                edit("\"mesh\":0", "\"mesh\":7"),
                "\"/root/cape\": there is no mesh 7: there are 2, numbered from 0",
            ),
            (
                edit("\"count\":4", "\"count\":4000000000"),
                "\"/root/cape\": expected an array of 4000000000 entries of 12 bytes, found a view of 48 bytes",
            ),
            (
                edit("{\"componentType\":5126,\"count\":4", "{\"componentType\":5126,\"count\":4000000000"),
                "\"/root/cape\": the arrays would need more memory than a file of this size can justify: \
                 the file is damaged, export or copy it again",
            ),
            (
                edit("\"bufferView\":0", "\"bufferView\":50"),
                "\"/root/cape\": there is no buffer view 50: there are 12, numbered from 0",
            ),
            (
                edit("\"joints\":[3,4]", "\"joints\":[3]"),
                "\"/root/sleeve\": there is no joint 1: there are 1, numbered from 0",
            ),
            (
                edit("\"joints\":[3,4]", "\"joints\":[3,44]"),
                "\"/root/sleeve\": there is no node 44: there are 5, numbered from 0",
            ),
            (edit("\"sampler\":1", "\"sampler\":9"), "there is no sampler 9: there are 2, numbered from 0"),
            (
                edit("{\"asset\"", "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""),
                "the required extension \"KHR_draco_mesh_compression\" is not supported",
            ),
            (
                edit("\"uri\":\"data:", "\"uri\":\"nothing:"),
                "\"nothing:application/octet-stream;base64,…\": a buffer outside the folder of the scene is \
                 not supported",
            ),
        ],
    );
    let whole = samples::glb();
    for end in [11, 13, 40, whole.len() - 4] {
        let error = read_gltf(&whole[..end]).unwrap_err().to_string();
        assert!(error.len() < 200, "{error}");
    }
    let mut old = whole.clone();
    old[4] = 1;
    assert_messages(read_gltf, &[(old, "byte 4: version 1 of glTF is not supported")]);
}

#[test]
fn fbx() {
    let whole = include_bytes!("../samples/files/small.fbx");
    for bytes in [&whole[..0], b"hello", &whole[..30], &whole[..5000], &whole[..whole.len() / 2]] {
        let error = read_fbx(bytes).unwrap_err().to_string();
        assert!(
            error.starts_with("ufbx cannot read the file: ") || error == "the file has no meshes",
            "{error}"
        );
    }
}
