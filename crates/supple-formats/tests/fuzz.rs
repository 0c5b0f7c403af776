//! Every reader on damaged files: 20,000 mutations of small valid ones, the same on every run.
//!
//! Whatever the bytes, a reader returns. What it accepts has finite coordinates, indices that exist,
//! and no more of anything than the bytes give reason for. Each entry of [`FUZZ_TARGETS`] takes any
//! bytes, so a coverage-guided fuzzer can be put in front of it as it stands.

mod behind;

use crate::samples::{self, ENCODINGS, Encoding, scenes as scene_samples};
use std::io::Cursor;
use std::panic::catch_unwind;
use supple_formats::{
    Elements, FormatError, Group, MeshFile, MotionReader, NodeFile, SurfaceFile, VolumeFile,
};
use supple_formats::{Scene, read_fbx, read_gltf, read_usd};
use supple_formats::{read_abaqus, read_bou, read_ele, read_gmsh, read_interp, read_medit};
use supple_formats::{read_contacts, read_groups, read_mdd, read_pc2, read_track};
use supple_formats::{read_node, read_obj, read_ply, read_stl, read_veg};

const MUTATIONS: u64 = 20_000;

/// For the reader of a library, which takes a millisecond for each.
const SLOW_MUTATIONS: u64 = 3_000;

/// The name of a reader, and the check that it keeps its promises on any bytes, which says whether
/// they were accepted.
type FuzzTarget = (&'static str, fn(&[u8]) -> bool);

const FUZZ_TARGETS: &[FuzzTarget] = &[
    ("obj", |bytes| accepted(read_obj(bytes), |file| check_surface(&file, bytes.len()))),
    ("stl", |bytes| accepted(read_stl(bytes), |file| check_surface(&file, bytes.len()))),
    ("ply", |bytes| accepted(read_ply(bytes), |file| check_surface(&file, bytes.len()))),
    ("gmsh", |bytes| accepted(read_gmsh(bytes), |file| check_mesh(&file, bytes.len()))),
    ("medit", |bytes| accepted(read_medit(bytes), |file| check_mesh(&file, bytes.len()))),
    ("veg", |bytes| accepted(read_veg(bytes), |file| check_volume(&file, bytes.len()))),
    ("abaqus", |bytes| accepted(read_abaqus(bytes), |file| check_volume(&file, bytes.len()))),
    ("node", |bytes| accepted(read_node(bytes), |file| check_positions(&file.positions, bytes.len()))),
    ("ele", |bytes| {
        let nodes = NodeFile { positions: vec![[0.0; 3]; 5], first_number: 1 };
        accepted(read_ele(bytes, nodes), |file| check_volume(&file, bytes.len().max(5)))
    }),
    ("bou", |bytes| accepted(read_bou(bytes), |vertices| assert!(vertices.len() <= bytes.len()))),
    ("interp", |bytes| {
        accepted(read_interp(bytes), |file| {
            assert!(file.pairs.len() <= bytes.len());
            assert_eq!(file.rows().len() * file.pairs_per_vertex, file.pairs.len());
            assert!(file.pairs.iter().all(|(_, weight)| weight.is_finite()));
        })
    }),
    ("pc2", |bytes| match read_pc2(Cursor::new(bytes)) {
        Ok(mut motion) => check_motion(&mut motion, bytes.len()),
        Err(error) => accepted(Err(error), |()| {}),
    }),
    ("mdd", |bytes| match read_mdd(Cursor::new(bytes)) {
        Ok(mut motion) => check_motion(&mut motion, bytes.len()),
        Err(error) => accepted(Err(error), |()| {}),
    }),
    ("usda", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("usdc", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("usdz", |bytes| accepted_scene(read_usd(bytes), bytes.len())),
    ("gltf", |bytes| accepted_scene(read_gltf(bytes), bytes.len())),
    ("glb", |bytes| accepted_scene(read_gltf(bytes), bytes.len())),
    ("fbx", |bytes| accepted_scene(read_fbx(bytes), bytes.len())),
    ("contacts", |bytes| {
        accepted(read_contacts(bytes), |contacts| {
            assert!(contacts.len() <= bytes.len());
            let length = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
            assert!(contacts.iter().all(|contact| (length(contact.normal) - 1.0).abs() < 0.011));
        })
    }),
    ("groups", |bytes| {
        accepted(read_groups(bytes), |groups| {
            assert!(groups.iter().map(|group| group.members.len()).sum::<usize>() <= bytes.len());
            for group in &groups {
                assert!(!group.name.is_empty() && !group.members.is_empty());
                assert!(group.members.windows(2).all(|pair| pair[0] < pair[1]));
            }
        })
    }),
    ("track", |bytes| {
        accepted(read_track(bytes), |track| {
            assert!(track.rows.len() * track.columns.len() <= bytes.len());
            assert!(!track.columns.is_empty() && !track.rows.is_empty());
            assert!(track.rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for (frame, values) in &track.rows {
                assert_eq!(values.len(), track.columns.len());
                assert_eq!(track.at(*frame), *values);
                assert!(track.at(frame + 0.25).iter().all(|x| x.is_finite()));
            }
        })
    }),
];

/// Small valid files for each reader, by name: those that are only text, and the others.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let texts = TEXTS.iter().filter(|(target, _)| *target == name).flat_map(|(_, texts)| *texts);
    let mut seeds: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).collect();
    let all = |write: fn(Encoding) -> Vec<u8>| ENCODINGS.map(write);
    match name {
        "gmsh" => seeds.extend([all(samples::gmsh2), all(samples::gmsh4)].concat()),
        "ply" => seeds.extend(all(samples::ply)),
        "stl" => seeds.push(samples::stl()),
        "pc2" => seeds.push(samples::pc2()),
        "mdd" => seeds.push(samples::mdd()),
        "usdc" => seeds.push(include_bytes!("samples/files/small.usdc").to_vec()),
        "usdz" => seeds.push(include_bytes!("samples/files/small.usdz").to_vec()),
        "fbx" => seeds.push(include_bytes!("samples/files/small.fbx").to_vec()),
        "glb" => seeds.push(scene_samples::glb()),
        "gltf" => seeds.push(scene_samples::gltf()),
        _ => {}
    }
    seeds
}

const TEXTS: &[(&str, &[&str])] = &[
    ("usda", &[scene_samples::USDA, scene_samples::USDA_COMPOSED]),
    (
        "obj",
        &[
            "# seed\no box\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1e0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n\
             g left right\nusemtl red\nf 1/1/1 2/2/1 3/3/1\nf -4//1 \\\n -2//1 -1//1\ng\nf 1 2 3 4\np 1 2\nl 1 2\n",
            "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        ],
    ),
    (
        "veg",
        &[
            "# seed\n*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTET\n2 4 0\n\
             1 1 2 3 4\n2 2 3 4 5\n*MATERIAL steel\nENU, 7800, 2e11, 0.3\n*SET core\n2,\n*REGION\ncore, steel\n\
             *REGION\nallElements, steel\n",
            "*VERTICES\n8 3 0 0\n0 0 0 0\n1 1 0 0\n2 1 1 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 1 1 1\n7 0 1 1\n\
             *ELEMENTS\nCUBIC\n1 8 0\n0 0 1 2 3 4 5 6 7\n",
        ],
    ),
    (
        "abaqus",
        &[
            "*HEADING\nseed\n** comment\n*NODE, NSET=ALL\n10, 0., 0., 0.\n20, 1., 0., 0.\n30, 0., 1., 0.\n\
             40, 0., 0., 1.\n50, 1., 1., 1.\n*ELEMENT, TYPE=C3D4, ELSET=BODY\n1, 10, 20, 30, 40\n\
             2, 20, 30,\n40, 50\n*NSET, NSET=BASE\n10, 20, ALL\n*NSET, NSET=G, GENERATE\n10, 50, 10\n\
             *ELSET, ELSET=EALL, GENERATE\n1, 4000000000, 1\n*ELSET, ELSET=TWO\nBODY, 2\n",
            "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n\
             *ELEMENT, TYPE=C3D8\n1,1,2,3,4,5,6,7,8\n",
        ],
    ),
    (
        "stl",
        &[
            "solid lid\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0\n\
           endloop\n endfacet\nendsolid lid\nsolid two\nfacet normal nan nan nan\nouter loop\nvertex 1 0 0\n\
           vertex 1 1 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid\n",
        ],
    ),
    (
        "ply",
        &["ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
           property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_index\nend_header\n\
           0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n"],
    ),
    (
        "medit",
        &[
            "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 1 1 1\n\
             Corners\n1\n1\nTriangles\n1\n1 2 3 3\nTetrahedra\n2\n1 2 3 4 7\n2 3 4 5 8\nEnd\n",
            "MeshVersionFormatted 1 Dimension 3 Vertices 4\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n\
             Quadrilaterals 1\n1 2 3 4 5\n",
        ],
    ),
    ("node", &["5 3 1 1\n1 0 0 0 9 1\n2 1 0 0 9 1\n3 0 1 0 9 1\n4 0 0 1 9 0\n5 1 1 1 9 0\n# end\n"]),
    ("ele", &["2 4 1\n1 1 2 3 4 7\n2 2 3 4 5 8.5\n# end\n"]),
    ("bou", &["4\n0\t3\t5\t9\n", "1,4,6,\n10,\n"]),
    (
        "contacts",
        &[
            "# floor\nframe,vertex,nx,ny,nz,kind\n1,0,0,1,0,stick\n2,7, 0.6, -0.8, 0, slide\n-3,9,0,0,1,slide # c\n",
        ],
    ),
    ("groups", &["# hand\nname,index\nleft hem,12\ncuff,0\nleft hem, 3 # c\n", "name,index\n"]),
    ("track", &["frame,x,left hand\n1,0,5\n2.5,1e3,-1\n# c\n10,0.25,1e308\n", "frame,x\n0,1\n"]),
    ("interp", &["0 5 0.25 7 0.75\n1 6 1.000001 5 -0.000001\n2 5 0 9 1\n"]),
];

/// Words that have broken parsers before.
const WORDS: &[&str] = &[
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "-9223372036854775808",
    "-1",
    "0",
    "1",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "1e-999",
    "1e308",
    ",",
    ",,",
    "/",
    "//",
    "\\",
    "*",
    "**",
    "#",
    "é",
    "*NSET, NSET=X, GENERATE",
    "1, 4294967295, 1",
    "*SET a",
    "g a b c d e f",
    "$Nodes",
    "$EndElements",
    "Vertices",
    "endsolid",
    "frame,a,a",
    "1,2,3",
    "stick",
    "property list char uint64 a",
    "element face 4000000000",
    "over",
    "</root/cape>",
    "[",
    "{",
    "None",
    "1e9:",
    "\"count\":4000000000",
    "\"byteStride\":0",
    "\"children\":[0]",
    "",
];

/// Bytes that have broken parsers of binary files.
const PATTERNS: &[&[u8]] = &[
    &[0xFF; 4],
    &[0; 4],
    &[0xFF; 8],
    &[0; 8],
    &[0, 0, 0, 0x80],
    &[0, 0, 0, 1],
    &[1, 0, 0, 0],
    &[0x7F, 0xFF, 0xFF, 0xFF],
    &[0, 0, 0x80, 0x7F],
    &[0, 0, 0xC0, 0x7F],
    &[0, 0, 0, 0, 0, 0, 0xF0, 0x7F],
    &[0x7F, 0xF8, 0, 0, 0, 0, 0, 0],
];

fn accepted<T>(result: Result<T, FormatError>, check: impl FnOnce(T)) -> bool {
    match result {
        Ok(contents) => {
            check(contents);
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 500, "an error stays readable: {error}");
            false
        }
    }
}

fn check_positions(positions: &[[f64; 3]], bytes: usize) {
    assert!(positions.len() <= bytes);
    assert!(positions.iter().flatten().all(|x| x.is_finite()));
}

fn check_groups(groups: &[Group], of: usize, bytes: usize) {
    assert!(groups.len() <= bytes);
    // 16 groups named by `g`, one by `o`, one by `usemtl`: the most that one byte can stand for.
    assert!(groups.iter().map(|group| group.members.len()).sum::<usize>() <= 18 * bytes);
    assert!(groups.iter().flat_map(|group| &group.members).all(|&member| (member as usize) < of));
}

fn check_surface(file: &SurfaceFile, bytes: usize) {
    let exists = |count: usize| move |&index: &u32| (index as usize) < count;
    check_positions(&file.positions, bytes);
    assert!(file.triangles.len() <= bytes && file.uvs.len() <= bytes);
    assert!(file.triangles.iter().flatten().all(exists(file.positions.len())));
    assert!(file.uvs.iter().flatten().all(|x| x.is_finite()));
    assert!(file.triangle_uvs.is_empty() || file.triangle_uvs.len() == file.triangles.len());
    assert!(file.triangle_uvs.iter().flatten().flatten().all(exists(file.uvs.len())));
    assert!(file.normals.iter().flatten().all(|x| x.is_finite()));
    assert!(file.triangle_normals.is_empty() || file.triangle_normals.len() == file.triangles.len());
    assert!(file.triangle_normals.iter().flatten().flatten().all(exists(file.normals.len())));
    assert!(file.triangle_materials.is_empty() || file.triangle_materials.len() == file.triangles.len());
    assert!(file.triangle_materials.iter().flatten().all(exists(file.materials.len())));
    assert!(file.colours.is_empty() || file.colours.len() == file.positions.len());
    assert!(file.colours.iter().flatten().all(|x| x.is_finite()));
    assert!(file.faces() <= file.triangles.len() && file.polygons.iter().all(|corners| *corners >= 3));
    check_groups(&file.vertex_groups, file.positions.len(), bytes);
}

/// Reads every frame, and says whether all are good.
fn check_motion(motion: &mut dyn MotionReader, bytes: usize) -> bool {
    let (vertices, frames) = (motion.vertices(), motion.frames());
    assert!(vertices > 0 && frames > 0 && 12 * vertices * frames < bytes);
    let info = motion.info();
    assert!(info.step > 0.0 && info.start.is_none_or(f64::is_finite) && info.fps.is_none_or(|fps| fps > 0.0));
    assert!(info.times.is_empty() || info.times.len() == frames);
    let mut positions = vec![[f64::NAN; 3]; vertices];
    (0..frames).all(|frame| match motion.read(frame, &mut positions) {
        Ok(()) => {
            check_positions(&positions, bytes);
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("vertex"), "{error}");
            false
        }
    })
}

/// Whether a scene is accepted, and so are all its frames.
fn accepted_scene(scene: Result<Scene, FormatError>, bytes: usize) -> bool {
    let mut scene = match scene {
        Ok(scene) => scene,
        Err(error) => return accepted(Err(error), |()| {}),
    };
    assert!(!scene.objects.is_empty() && scene.frames > 0 && scene.fps.is_none_or(|fps| fps > 0.0));
    assert!(scene.metres_per_unit.is_none_or(|unit| unit > 0.0));
    // Instances and packed arrays give more than there are bytes, but not endlessly.
    let most = 1000 * bytes;
    scene.objects.iter_mut().all(|object| {
        let vertices = object.surface.positions.len();
        assert!(!object.name.is_empty());
        check_surface(&object.surface, most);
        assert!(object.rest.as_ref().is_none_or(|rest| rest.len() == vertices));
        assert_eq!((object.frames.frames(), object.frames.vertices()), (scene.frames, vertices));
        let mut positions = vec![[f64::NAN; 3]; vertices];
        (0..scene.frames.min(5)).all(|frame| match object.frames.read(frame, &mut positions) {
            Ok(()) => {
                check_positions(&positions, most);
                true
            }
            Err(error) => {
                assert!(error.to_string().len() < 500, "{error}");
                false
            }
        })
    })
}

fn check_mesh(file: &MeshFile, bytes: usize) {
    match file {
        MeshFile::Surface(file) => check_surface(file, bytes),
        MeshFile::Volume(file) => check_volume(file, bytes),
    }
}

fn check_volume(file: &VolumeFile, bytes: usize) {
    let exists = |index: &u32| (*index as usize) < file.positions.len();
    check_positions(&file.positions, bytes);
    assert!(file.elements.len() <= bytes);
    match &file.elements {
        Elements::Tets(tets) => assert!(tets.iter().flatten().all(exists)),
        Elements::Hexes(hexes) => assert!(hexes.iter().flatten().all(exists)),
    }
    check_groups(&file.vertex_groups, file.positions.len(), bytes);
    check_groups(&file.element_groups, file.elements.len(), bytes);
    assert!(file.materials.len() <= bytes && file.regions.len() <= bytes);
    assert_eq!(file.element_materials().len(), file.elements.len());
}

/// SplitMix64: enough for choosing, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let word = WORDS[random.below(WORDS.len())].bytes();
    match random.below(9) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 => bytes.insert(at, random.next() as u8),
        2 => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(8)))),
        3 => bytes.truncate(at),
        4 | 5 => {
            // The word around `at` becomes another.
            let separates = |b: &u8| b.is_ascii_whitespace() || *b == b',';
            let start = bytes[..at].iter().rposition(separates).map_or(0, |before| before + 1);
            let end = bytes[at..].iter().position(separates).map_or(bytes.len(), |after| at + after);
            bytes.splice(start.min(end)..end, word);
        }
        6 => {
            let pattern = PATTERNS[random.below(PATTERNS.len())];
            let end = bytes.len().min(at + pattern.len());
            bytes.splice(at..end, pattern.iter().copied());
        }
        7 => {
            let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            lines.insert(to, lines[from].clone());
            *bytes = lines.join(&b'\n');
        }
        _ => {
            let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(from, to);
            *bytes = lines.join(&b'\n');
        }
    }
}

fn fuzz(name: &str) {
    let (_, target) = FUZZ_TARGETS.iter().find(|(target, _)| *target == name).expect("a known reader");
    let seeds = seeds(name);
    for seed in &seeds {
        assert!(target(seed), "the seed itself is valid: {}", String::from_utf8_lossy(seed));
    }
    let mut accepted = 0;
    let mutations = if name == "fbx" { SLOW_MUTATIONS } else { MUTATIONS };
    for run in 0..mutations {
        let mut random = Random(run);
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(6) {
            mutate(&mut bytes, &mut random);
        }
        match catch_unwind(|| target(&bytes)) {
            Ok(was_accepted) => accepted += u64::from(was_accepted),
            Err(_) => panic!("{name}, run {run}, fails on {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    // Were all refused, or none, the mutations would not reach both sides of the checks.
    assert!(accepted > mutations / 100 && accepted < mutations * 99 / 100, "{accepted} were accepted");
}

#[test]
fn obj_survives_any_bytes() {
    fuzz("obj");
}

#[test]
fn stl_survives_any_bytes() {
    fuzz("stl");
}

#[test]
fn ply_survives_any_bytes() {
    fuzz("ply");
}

#[test]
fn gmsh_survives_any_bytes() {
    fuzz("gmsh");
}

#[test]
fn medit_survives_any_bytes() {
    fuzz("medit");
}

#[test]
fn veg_survives_any_bytes() {
    fuzz("veg");
}

#[test]
fn abaqus_survives_any_bytes() {
    fuzz("abaqus");
}

#[test]
fn node_survives_any_bytes() {
    fuzz("node");
}

#[test]
fn ele_survives_any_bytes() {
    fuzz("ele");
}

#[test]
fn bou_survives_any_bytes() {
    fuzz("bou");
}

#[test]
fn interp_survives_any_bytes() {
    fuzz("interp");
}

#[test]
fn pc2_survives_any_bytes() {
    fuzz("pc2");
}

#[test]
fn mdd_survives_any_bytes() {
    fuzz("mdd");
}

#[test]
fn usda_survives_any_bytes() {
    fuzz("usda");
}

#[test]
fn usdc_survives_any_bytes() {
    fuzz("usdc");
}

#[test]
fn usdz_survives_any_bytes() {
    fuzz("usdz");
}

#[test]
fn gltf_survives_any_bytes() {
    fuzz("gltf");
}

#[test]
fn glb_survives_any_bytes() {
    fuzz("glb");
}

#[test]
fn fbx_survives_any_bytes() {
    fuzz("fbx");
}

#[test]
fn contacts_survive_any_bytes() {
    fuzz("contacts");
}

#[test]
fn groups_survive_any_bytes() {
    fuzz("groups");
}

#[test]
fn tracks_survive_any_bytes() {
    fuzz("track");
}

#[test]
fn every_target_survives_noise_that_is_not_text() {
    for (name, target) in FUZZ_TARGETS {
        let mut random = Random(7);
        for length in 0..300 {
            let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            assert!(!target(&bytes), "{name} takes noise for a file: {bytes:?}");
        }
    }
}
