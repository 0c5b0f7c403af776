//! USD scenes of several files, and of files that refer to themselves.

use crate::scenes::{assert_near, folder, frame, message, names, samples};
use supple_formats::{open_scene, read_usd};

const MESH: &str = "int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]";

#[test]
fn references_classes_and_variants_within_a_file() {
    let mut scene = read_usd(samples::USDA_COMPOSED.as_bytes()).unwrap();
    assert_eq!(names(&scene), ["/one", "/two", "/three"]);
    let first = |scene: &mut supple_formats::Scene, object: usize| frame(&mut scene.objects[object], 0);
    assert_near(&first(&mut scene, 0)[1..2], &[[1.0, 0.0, 0.0]], "as it is");
    assert_near(&first(&mut scene, 1)[1..2], &[[1.0, 0.0, 5.0]], "placed by a class");
    assert_near(
        &first(&mut scene, 2)[1..2],
        &[[9.0, 0.0, 5.0]],
        "a variant is stronger than what is referred to",
    );
}

#[test]
fn files_refer_to_files() {
    let cape = format!(
        "#usda 1.0\n( defaultPrim = \"cape\" )\ndef Mesh \"cape\" {{ int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n\
         point3f[] points.timeSamples = {{ 0: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], 10: [(10, 0, 0), (1, 0, 0), (0, 1, 0)] }} }}\n\
         def Mesh \"other\" {{ {MESH} }}\n"
    );
    let sub = "#usda 1.0\nover \"world\" { over \"late\" ( active = false ) {} }\n";
    let main = "#usda 1.0\n( subLayers = [ @./sub.usda@ ]\n startTimeCode = 0\n endTimeCode = 4 )\n\
                def Xform \"world\" {\n\
                def \"cape\" ( references = @./cape.usda@ (offset = 2; scale = 0.1) ) {}\n\
                def \"other\" ( payload = @cape.usda@</other> ) { double3 xformOp:translate = (0, 0, 3)\n\
                uniform token[] xformOpOrder = [\"xformOp:translate\"] }\n\
                def \"gone\" ( references = @missing.usda@ ) {}\n\
                def \"late\" ( references = @cape.usda@ ) {}\n}\n";
    let files =
        [("main.usda", main.as_bytes()), ("sub.usda", sub.as_bytes()), ("cape.usda", cape.as_bytes())];
    let folder = folder(&files);
    let mut scene = open_scene(folder.path().join("main.usda")).unwrap();
    assert_eq!(names(&scene), ["/world/cape", "/world/other"]);
    let xs: Vec<f64> = (0..5).map(|index| frame(&mut scene.objects[0], index)[0][0]).collect();
    assert_eq!(xs, [0.0, 0.0, 0.0, 10.0, 10.0], "from frame 2 to 3, ten times as fast");
    assert_near(&frame(&mut scene.objects[1], 0)[1..2], &[[1.0, 0.0, 3.0]], "placed where it is referred to");
    assert_eq!(scene.notes.len(), 1);
    assert!(
        scene.notes[0].starts_with("\"missing.usda\", referenced by the file, was ignored"),
        "{:?}",
        scene.notes
    );
}

#[test]
fn circles_are_errors() {
    let cases: [(&str, &str); 5] = [
        ("def \"a\" ( references = </a> ) {}", "a.usda: a reference to \"/a\" is part of a cycle"),
        (
            "def \"a\" ( references = </b> ) {}\ndef \"b\" ( inherits = </a> ) {}",
            "a.usda: a reference to \"/b\" is part of a cycle",
        ),
        ("def \"a\" { def \"b\" ( references = </a> ) {} }", "a.usda: a prim below more than 512 others"),
        ("def \"a\" ( references = @b.usda@ ) {}", "a.usda: a reference to \"/x\" is part of a cycle"),
        ("def \"a\" ( payload = @./a.usda@</a> ) {}", "a.usda: a reference to \"/a\" is part of a cycle"),
    ];
    let back = b"#usda 1.0\n( defaultPrim = \"x\" )\ndef \"x\" ( references = @a.usda@</a> ) {}\n";
    for (text, expected) in cases {
        let folder = folder(&[("a.usda", format!("#usda 1.0\n{text}\n").as_bytes()), ("b.usda", back)]);
        let text = message(open_scene(folder.path().join("a.usda")), folder.path());
        assert!(text.starts_with(expected) || text.contains("more memory"), "{text}");
    }
    let layers = b"#usda 1.0\n( subLayers = [ @a.usda@ ] )\n";
    let folder = folder(&[("a.usda", layers)]);
    let text = message(open_scene(folder.path().join("a.usda")), folder.path());
    assert_eq!(text, "a.usda: the sublayer a.usda is part of a cycle");
}

#[test]
fn references_that_double_end_in_time() {
    // 2^40 prims, were they all made.
    let mut text = "#usda 1.0\n".to_owned();
    for i in 0..40 {
        let next = i + 1;
        text += &format!(
            "def \"p{i}\" {{ def \"a\" ( references = </p{next}> ) {{}}\n def \"b\" ( references = </p{next}> ) {{}} }}\n"
        );
    }
    let error = read_usd(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "the prims would need more memory than a file of this size can justify: the file is damaged, export \
         or copy it again"
    );

    // The same without prims in between: 2^40 times the last one.
    let mut text = "#usda 1.0\n".to_owned();
    for i in 0..40 {
        let next = i + 1;
        text += &format!("def \"p{i}\" ( references = [ </p{next}>, </p{next}> ] ) {{}}\n");
    }
    let error = read_usd(format!("{text}def \"p40\" {{}}\n").as_bytes()).unwrap_err().to_string();
    assert!(error.contains("more memory than a file of this size can justify"), "{error}");
}
