//! Small scenes: two of USD as text, glTF in both forms. Those in bytes are in `files`, made by
//! `oracles/make_samples.py`.

/// A moving mesh as USD, with most of what the text can say.
pub const USDA: &str = r#"#usda 1.0
(
    defaultPrim = "root"
    upAxis = "Z"
    metersPerUnit = 0.01
    timeCodesPerSecond = 24
    startTimeCode = 1
    endTimeCode = 3
)

def Xform "root" (
    kind = "component"
)
{
    double3 xformOp:translate.timeSamples = {
        1: (0, 0, 0),
        3: (0, 0, 2),
    }
    float3 xformOp:rotateXYZ = (10, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]

    def Mesh "cape" (
        prepend apiSchemas = ["MaterialBindingAPI"]
    )
    {
        int[] faceVertexCounts = [4, 3, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 0, 1, 4, 1, 2, 4]
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (
            interpolation = "vertex"
        )
        point3f[] points.timeSamples = {
            1: [(0, 0, 0), (1, 0, 0.25), (1, 1, 0.25), (0, 1, 0), (0.5, 0.5, 1.125)],
            2: [(0, 0, 0), (1, 0, 0.5), (1, 1, 0.5), (0, 1, 0), (0.5, 0.5, 1.25)],
            3: [(0, 0, 0), (1, 0, 0.75), (1, 1, 0.75), (0, 1, 0), (0.5, 0.5, 1.375)],
        }
        color3f[] primvars:displayColor = [(1, 0, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
            interpolation = "faceVarying"
        )
        int[] primvars:st:indices = [0, 1, 2, 3, 0, 1, 2, 1, 2, 3]
        float[] primvars:pin = [1, 1, 0, 0, 0] (
            interpolation = "vertex"
        )
        point3f[] primvars:rest = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)] (
            interpolation = "vertex"
        )
        rel material:binding = </root/looks/red>

        def GeomSubset "top"
        {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1, 2]
            rel material:binding = </root/looks/blue>
        }
    }
}
"#;

/// References, classes and variants within one file.
pub const USDA_COMPOSED: &str = r#"#usda 1.0
class "_placed" {
    double3 xformOp:translate = (0, 0, 5)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
def Mesh "one" {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
}
def "two" ( references = </one> ; inherits = </_placed> ) {}
def "three" (
    prepend references = </two> (offset = 1; scale = 2)
    variants = { string size = "large" }
    prepend variantSets = "size"
) {
    variantSet "size" = {
        "large" {
            point3f[] points = [(0, 0, 0), (9, 0, 0), (0, 9, 0)]
        }
        "small" { def Mesh "none" {} }
    }
}
"#;

/// A `.gltf` whose buffer is text: two nodes that move, one with morph targets, one of them sparse, and one
/// with a skin.
pub fn gltf() -> Vec<u8> {
    let (json, bytes) = gltf_parts();
    let uri = format!("data:application/octet-stream;base64,{}", base64(&bytes));
    json.replace(r#""byteLength":BYTES"#, &format!(r#""byteLength":{},"uri":"{uri}""#, bytes.len()))
        .into_bytes()
}

/// The same as `.glb`.
pub fn glb() -> Vec<u8> {
    let (json, bytes) = gltf_parts();
    let mut json = json.replace("BYTES", &bytes.len().to_string()).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    for number in [2, 28 + json.len() + bytes.len(), json.len()] {
        file.extend((number as u32).to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(&json);
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(&bytes);
    file
}

fn gltf_parts() -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    let mut views = Vec::new();
    let mut view = |data: &[u8]| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), data.len()));
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    };
    let floats = |list: &[f32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    view(&floats(&[0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.])); // 0 points
    view(&[0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0]); // 1 indices, u16
    view(&floats(&[0., 0., 1., 0., 0., 1., 0., 0., 1., 0., 0., 1.])); // 2 first target
    view(&[3]); // 3 where the second target is not 0
    view(&floats(&[0., 5., 0.])); // 4 and what it is there
    view(&floats(&[1.0 / 24.0, 2.0 / 24.0, 3.0 / 24.0])); // 5 times
    view(&floats(&[0., 0., 1., 0., 0., 1.])); // 6 weights
    view(&floats(&[0., 0., 0., 1., 0., 0., 2., 0., 0.])); // 7 translations
    view(&[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]); // 8 joints, u8
    view(&[255, 0, 0, 0, 0, 255, 0, 0, 128, 127, 0, 0, 255, 0, 0, 0]); // 9 weights of joints, parts of 255
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    view(&floats(&[identity, identity].concat())); // 10 inverse bind matrices
    view(&floats(&[0., 0., 1., 0., 1., 1., 0., 1.])); // 11 texture coordinates
    let accessor = |view: usize, kind: &str, component: u32, count: usize, more: &str| {
        format!(
            r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{kind}"{more}}}"#
        )
    };
    let sparse = r#"{"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":3,"componentType":5121},"values":{"bufferView":4}}}"#;
    let accessors = [
        accessor(0, "VEC3", 5126, 4, ""),
        accessor(1, "SCALAR", 5123, 6, ""),
        accessor(2, "VEC3", 5126, 4, ""),
        sparse.to_owned(),
        accessor(5, "SCALAR", 5126, 3, ""),
        accessor(6, "SCALAR", 5126, 6, ""),
        accessor(7, "VEC3", 5126, 3, ""),
        accessor(8, "VEC4", 5121, 4, ""),
        accessor(9, "VEC4", 5121, 4, r#","normalized":true"#),
        accessor(10, "MAT4", 5126, 2, ""),
        accessor(11, "VEC2", 5126, 4, ""),
    ];
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,3]}}],
"nodes":[{{"name":"root","children":[1,2]}},{{"name":"cape","mesh":0,"scale":[2,2,2]}},
{{"name":"sleeve","mesh":1,"skin":0}},{{"name":"hip","children":[4]}},{{"name":"knee"}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":10}},"indices":1,"material":0,"targets":[{{"POSITION":2}},{{"POSITION":3}}]}}]}},
{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":7,"WEIGHTS_0":8}},"indices":1}},{{"attributes":{{"POSITION":0}},"mode":5}}]}}],
"materials":[{{"name":"red"}}],"skins":[{{"joints":[3,4],"inverseBindMatrices":9}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":1,"path":"weights"}}}},{{"sampler":1,"target":{{"node":0,"path":"translation"}}}},
{{"sampler":1,"target":{{"node":4,"path":"translation"}}}}],
"samplers":[{{"input":4,"output":5}},{{"input":4,"output":6,"interpolation":"STEP"}}]}}],
"accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":BYTES}}]}}"#,
        accessors.join(","),
        views.join(",")
    );
    (json, bytes)
}

pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = if i <= chunk.len() { DIGITS[(bits >> (18 - 6 * i) & 63) as usize] } else { b'=' };
            text.push(char::from(digit));
        }
    }
    text
}
