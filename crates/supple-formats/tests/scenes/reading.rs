//! What is read of each format.

use crate::scenes::{assert_near, folder, frame, names, samples};
use supple_formats::{Placement, SceneInfo, Up, open_scene, read_fbx, read_gltf, read_usd};
use supple_model::Frame;

/// The points of the sample in its own space, by frame of the scene.
fn cape(number: f64) -> Vec<[f64; 3]> {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
    points.map(|[x, y, z]| [x, y, z + 0.25 * number * x]).into()
}

#[test]
fn usd_as_text() {
    let mut scene = read_usd(samples::USDA.as_bytes()).unwrap();
    assert_eq!(names(&scene), ["/root/cape"]);
    assert_eq!((scene.up, scene.metres_per_unit, scene.fps), (Some(Up::Z), Some(0.01), Some(24.0)));
    assert_eq!((scene.start, scene.frames), (Some(Frame(1)), 3));
    let object = &mut scene.objects[0];
    assert!(object.animated && matches!(object.placement, Placement::Moving(_)));
    let (sin, cos) = 10_f64.to_radians().sin_cos();
    for index in 0..3 {
        let place = |[x, y, z]: [f64; 3]| [x, cos * y - sin * z, sin * y + cos * z + index as f64];
        let expected: Vec<[f64; 3]> = cape(index as f64 + 1.0).into_iter().map(place).collect();
        assert_near(&frame(object, index), &expected, "a frame");
        let back = object.placement.at(index).inverse().unwrap();
        let local: Vec<[f64; 3]> = frame(object, index).into_iter().map(|p| back.apply(p)).collect();
        assert_near(&local, &cape(index as f64 + 1.0), "the way back");
    }
    let surface = &object.surface;
    assert_eq!(surface.polygons, [4, 3, 3]);
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 4], [1, 2, 4]]);
    assert_eq!(surface.triangle_uvs[3], Some([1, 2, 3]));
    assert_eq!(surface.materials, ["red", "blue"]);
    assert_eq!(surface.triangle_materials, [Some(0), Some(0), Some(1), Some(1)]);
    let groups: Vec<(&str, &[u32])> =
        surface.vertex_groups.iter().map(|group| (group.name.as_str(), group.members.as_slice())).collect();
    assert_eq!(groups, [("top", &[0, 1, 2, 4][..]), ("pin", &[0, 1])]);
    assert!(surface.colours.is_empty(), "one colour for all is not one for each");
    let rest: Vec<[f64; 3]> =
        cape(0.0).into_iter().map(|[x, y, z]| [x, cos * y - sin * z, sin * y + cos * z]).collect();
    assert_near(object.rest.as_ref().unwrap(), &rest, "the rest shape, where the object is first");
    assert_eq!(object.derived, ["normals"]);
}

#[test]
fn usd_as_bytes_and_in_an_archive() {
    let bytes: [&[u8]; 2] =
        [include_bytes!("../samples/files/small.usdc"), include_bytes!("../samples/files/small.usdz")];
    for bytes in bytes {
        let mut scene = read_usd(bytes).unwrap();
        assert_eq!(names(&scene), ["/root/cape", "/twin/cape"]);
        assert_eq!((scene.up, scene.metres_per_unit, scene.start), (Some(Up::Z), Some(0.01), Some(Frame(1))));
        for object in &mut scene.objects {
            for index in 0..3 {
                let place = |[x, y, z]: [f64; 3]| [x, y, z + index as f64];
                let expected: Vec<[f64; 3]> = cape(index as f64 + 1.0).into_iter().map(place).collect();
                assert_near(&frame(object, index), &expected, "a frame");
            }
            assert_eq!(object.surface.polygons, [4, 3, 3]);
            let groups: Vec<&str> =
                object.surface.vertex_groups.iter().map(|group| group.name.as_str()).collect();
            assert_eq!(groups, ["top", "pin"]);
        }
    }
}

#[test]
fn samples_are_joined_by_lines_and_frames_follow_the_rate() {
    let text = "#usda 1.0\n( timeCodesPerSecond = 48\n framesPerSecond = 24\n startTimeCode = 2\n endTimeCode = 8 )\n\
                def Mesh \"m\" { int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n\
                point3f[] points.timeSamples = { 2: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], 6: [(4, 0, 0), (1, 0, 0), (0, 1, 0)] } }";
    let mut scene = read_usd(text.as_bytes()).unwrap();
    assert_eq!(
        (scene.start, scene.frames, scene.fps, scene.codes_per_frame),
        (Some(Frame(1)), 4, Some(24.0), 2.0)
    );
    let xs: Vec<f64> = (0..4).map(|index| frame(&mut scene.objects[0], index)[0][0]).collect();
    assert_eq!(xs, [0.0, 2.0, 4.0, 4.0]);
}

#[test]
fn gltf_in_both_forms() {
    for bytes in [samples::gltf(), samples::glb()] {
        let mut scene = read_gltf(&bytes).unwrap();
        assert_eq!(names(&scene), ["/root/cape", "/root/sleeve"]);
        assert_eq!((scene.up, scene.metres_per_unit, scene.fps), (Some(Up::Y), Some(1.0), Some(24.0)));
        assert_eq!((scene.start, scene.frames), (Some(Frame(1)), 3));
        // Scaled by 2 and moved by the node above, whose steps are 0, 1, 2 along x; morphed by 0, then by the
        // first target, z + 1, then by the second, whose one entry lifts the last vertex by 5.
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let cape = |index: usize| {
            let z = if index == 1 { 1.0 } else { 0.0 };
            let lift = |v: usize| if index == 2 && v == 3 { 5.0 } else { 0.0 };
            let point =
                |v: usize| [2.0 * square[v][0] + index as f64, 2.0 * (square[v][1] + lift(v)), 2.0 * z];
            [0, 1, 2, 3].map(point)
        };
        for index in 0..3 {
            assert_near(&frame(&mut scene.objects[0], index), &cape(index), "morph targets");
        }
        // The joints: the first stays, the second moves along x with the steps. Vertices 0 and 3 follow the first, 1
        // the second, 2 both; behind them the 4 vertices of a strip that follows none.
        for index in 0..3 {
            let shift = [0.0, 1.0, 127.0 / 255.0, 0.0].map(|weight| weight * index as f64);
            let points = [0, 1, 2, 3].map(|v| [square[v][0] + shift[v], square[v][1], 0.0]);
            assert_near(&frame(&mut scene.objects[1], index)[..4], &points, "a skin");
        }
        let [cape, sleeve] = &scene.objects[..] else { panic!("two objects") };
        assert_eq!(cape.surface.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(
            (cape.surface.uvs[2], cape.surface.materials.as_slice()),
            ([1.0, 0.0], &["red".to_owned()][..])
        );
        assert_eq!(sleeve.surface.triangles, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [6, 5, 7]]);
        assert!(sleeve.rest.is_some() && cape.rest.is_none());
        assert_eq!(sleeve.surface.vertex_groups.len(), 2);
    }
}

/// A character in centimetres below a node that makes metres of it had a rest shape a hundred times its size: its body
/// followed the surface with errors of metres.
#[test]
fn the_rest_shape_of_a_skin_is_as_large_as_the_skin() {
    let text = String::from_utf8(samples::gltf()).unwrap();
    let small = text.replace(
        r#"{"name":"hip","children":[4]}"#,
        r#"{"name":"hip","children":[4],"scale":[0.01,0.01,0.01]}"#,
    );
    assert_ne!(small, text);
    for (text, size) in [(text, 1.0), (small, 0.01)] {
        let scene = read_gltf(text.as_bytes()).unwrap();
        let sleeve = &scene.objects[1];
        let points = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [size, size, 0.0], [0.0, size, 0.0]];
        assert_near(&sleeve.rest.as_ref().unwrap()[..4], &points, "the rest shape");
    }
}

/// Scenes of the Khronos samples were refused for extensions that say how a surface shines or where a lamp is, and for
/// one that hides nodes.
#[test]
fn extensions_that_say_nothing_of_shape_are_no_obstacle() {
    let text = String::from_utf8(samples::gltf()).unwrap();
    let read = |required: &str, from: &str, to: &str| {
        let asset = format!("{{\"extensionsRequired\":[{required}],\"asset\"");
        let changed = text.replace("{\"asset\"", &asset).replace(from, to);
        read_gltf(changed.as_bytes())
    };
    let pictures =
        r#""KHR_materials_clearcoat","KHR_materials_variants","KHR_lights_punctual","KHR_texture_basisu""#;
    assert_eq!(read(pictures, "", "").unwrap().objects.len(), 2);
    let hidden = r#""name":"sleeve","extensions":{"KHR_node_visibility":{"visible":false}}"#;
    let scene = read("\"KHR_node_visibility\"", "\"name\":\"sleeve\"", hidden).unwrap();
    assert_eq!(scene.objects.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["/root/cape"]);
    assert_eq!(scene.notes, ["/root/sleeve is hidden and was ignored"]);
    let above = hidden.replace("sleeve", "root");
    let error = read("\"KHR_node_visibility\"", "\"name\":\"root\"", &above).unwrap_err().to_string();
    assert!(error.contains("no meshes") && error.contains("is hidden"), "{error}");
    // Nobody was told of instances that are not there.
    let many = r#""name":"sleeve","extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0}}}"#;
    let scene = read("", "\"name\":\"sleeve\"", many).unwrap();
    assert_eq!(scene.objects.len(), 2);
    assert_eq!(
        scene.notes,
        ["/root/sleeve is read once: its instances (EXT_mesh_gpu_instancing) were ignored"]
    );
    let error = read("\"KHR_draco_mesh_compression\"", "", "").unwrap_err().to_string();
    assert!(error.contains("KHR_draco_mesh_compression"), "{error}");
}

/// A scene of thousands of nodes with one mesh was refused, though nothing in it is large.
#[test]
fn many_nodes_may_share_a_mesh() {
    let strip: Vec<String> = (0..20_000).map(|k| format!("{}", k % 4)).collect();
    let bytes: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .chain(strip.iter().map(|k| k.parse::<u8>().unwrap()))
        .collect();
    let base64: String = samples::base64(&bytes);
    let nodes: Vec<String> = (0..300).map(|k| format!("{{\"name\":\"n{k}\",\"mesh\":0}}")).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5121,"count":19998,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":20000}}],
        "buffers":[{{"byteLength":20048,"uri":"data:application/octet-stream;base64,{base64}"}}]}}"#,
        nodes.join(",")
    );
    let scene = read_gltf(json.as_bytes()).unwrap();
    assert_eq!((scene.objects.len(), scene.objects[299].surface.triangles.len()), (300, 6666));
}

#[test]
fn fbx_with_blend_shapes() {
    let mut scene = read_fbx(include_bytes!("../samples/files/small.fbx")).unwrap();
    assert_eq!(names(&scene), ["/cape"]);
    assert_eq!((scene.up, scene.metres_per_unit, scene.fps), (Some(Up::Y), Some(0.01), Some(24.0)));
    assert_eq!((scene.start, scene.frames), (Some(Frame(1)), 3));
    assert_eq!(scene.objects[0].surface.polygons, [4, 3, 3]);
    // Centimetres with y up; the shape is that of frame 2 half, once and one and a half times.
    for (index, weight) in [0.5, 1.0, 1.5].into_iter().enumerate() {
        let points: Vec<[f64; 3]> =
            cape(2.0 * weight).into_iter().map(|[x, y, z]| [x, z, -y].map(|x| 100.0 * x)).collect();
        for (found, expected) in frame(&mut scene.objects[0], index).iter().zip(&points) {
            assert!(
                (0..3).all(|i| (found[i] - expected[i]).abs() < 1e-4),
                "{found:?} for {expected:?} in {index}"
            );
        }
    }
}

#[test]
fn meshes_and_series_are_scenes_too() {
    let obj = |x: f64| format!("o cape\nv {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").into_bytes();
    let folder = folder(&[("still.obj", &obj(0.0)), ("c.0007.obj", &obj(0.0)), ("c.0008.obj", &obj(2.0))]);
    let still = open_scene(folder.path().join("still.obj")).unwrap();
    assert_eq!((names(&still), still.frames, still.objects[0].animated), (vec!["still"], 1, false));
    let mut series = open_scene(folder.path().join("c.####.obj")).unwrap();
    assert_eq!((names(&series), series.frames, series.start), (vec!["c"], 2, Some(Frame(7))));
    assert_eq!(frame(&mut series.objects[0], 1)[0], [2.0, 0.0, 0.0]);
}

#[test]
fn info_says_what_is_there() {
    let info = SceneInfo::of(&read_usd(samples::USDA.as_bytes()).unwrap());
    assert_eq!((info.format, info.frames, info.fps, info.up), ("usd", 3, Some(24.0), Some(Up::Z)));
    let object = &info.objects[0];
    assert_eq!((object.vertices, object.faces, object.triangles, object.animated), (5, 3, 4, true));
    assert_eq!(object.attributes, ["rest", "normals", "uvs", "materials", "groups", "transform"]);
    assert_eq!(object.groups, [("top".to_owned(), 4), ("pin".to_owned(), 2)]);
    assert_eq!(SceneInfo::of(&read_gltf(&samples::glb()).unwrap()).objects.len(), 2);
}

#[test]
fn alembic_without_blender_says_what_to_do() {
    // Where Blender is installed it refuses the file, and the same steps follow.
    let folder = folder(&[("a.abc", b"Ogawa")]);
    let error = open_scene(folder.path().join("a.abc")).unwrap_err().to_string();
    assert!(
        error.contains("Blender") && error.contains("File > Import > Alembic (.abc), choose a.abc"),
        "{error}"
    );
}
