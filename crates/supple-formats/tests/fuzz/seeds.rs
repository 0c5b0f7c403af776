//! The valid files that are damaged.

use crate::samples::{self, ENCODINGS, Encoding, rigs, scenes as scene_samples};

/// Small valid files for each reader, by name: those that are only text, and the others.
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let texts = TEXTS.iter().filter(|(target, _)| *target == name).flat_map(|(_, texts)| *texts);
    let mut seeds: Vec<Vec<u8>> = texts.map(|text| text.as_bytes().to_vec()).collect();
    let all = |write: fn(Encoding) -> Vec<u8>| ENCODINGS.map(write);
    match name {
        "gmsh" => seeds.extend([all(samples::gmsh2), all(samples::gmsh4)].concat()),
        "ply" => seeds.extend(all(samples::ply)),
        "stl" => seeds.push(samples::stl()),
        "pc2" => seeds.push(samples::pc2()),
        "mdd" => seeds.push(samples::mdd()),
        "usdc" => seeds.push(include_bytes!("../samples/files/small.usdc").to_vec()),
        "usdz" => seeds.push(include_bytes!("../samples/files/small.usdz").to_vec()),
        "fbx" => seeds.push(include_bytes!("../samples/files/small.fbx").to_vec()),
        "glb" => seeds.push(scene_samples::glb()),
        "gltf" => seeds.push(scene_samples::gltf()),
        _ => {}
    }
    seeds
}

const TEXTS: &[(&str, &[&str])] = &[
    ("bvh", &[rigs::BVH, rigs::ODD_BVH]),
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
    ("mixtures", &["mode,eigenvalue,damping,s1,s2\n1,24.5,0.1,0.6,-0.8\n# c\n2,1e3,0,0.8,0.6\n"]),
    ("track", &["frame,x,left hand\n1,0,5\n2.5,1e3,-1\n# c\n10,0.25,1e308\n", "frame,x\n0,1\n"]),
    ("interp", &["0 5 0.25 7 0.75\n1 6 1.000001 5 -0.000001\n2 5 0 9 1\n"]),
];
