//! From paths: the ending chooses the format, and errors name the file.

use std::path::PathBuf;
use supple_formats::{MeshFile, Place, load_bou, load_interp, load_mesh};

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the test folder is writable");
    folder
}

fn tets(mesh: MeshFile) -> usize {
    match mesh {
        MeshFile::Volume(file) => file.elements.len(),
        MeshFile::Surface(_) => panic!("a surface"),
    }
}

#[test]
fn tetgen_files_find_each_other() {
    let folder = folder("tetgen");
    let (node, ele) = (folder.join("box.1.node"), folder.join("box.1.ele"));
    std::fs::write(&node, "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n").unwrap();
    std::fs::write(&ele, "1 4 0\n1 1 2 3 4\n").unwrap();
    assert_eq!(tets(load_mesh(&node).unwrap()), 1);
    assert_eq!(tets(load_mesh(&ele).unwrap()), 1);

    std::fs::write(&ele, "1 4 0\n1 1 2 3 5\n").unwrap();
    let message = load_mesh(&node).unwrap_err().to_string();
    let problem = "line 2: there is no vertex 5: there are 4, numbered from 1";
    assert_eq!(message, format!("{}: {problem}", ele.display()));
}

#[test]
fn the_ending_chooses_the_format() {
    let folder = folder("endings");
    let abaqus = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n";
    for name in ["a.abq", "a.INP"] {
        std::fs::write(folder.join(name), abaqus).unwrap();
        assert_eq!(tets(load_mesh(folder.join(name)).unwrap()), 1);
    }
    let gmsh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
                $Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
    let medit = "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n\
                 Tetrahedra 1\n1 2 3 4 0\n";
    for (name, text) in [("a.msh", gmsh), ("a.mesh", medit)] {
        std::fs::write(folder.join(name), text).unwrap();
        assert_eq!(tets(load_mesh(folder.join(name)).unwrap()), 1);
    }
    let stl = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
               endsolid\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nend_header\n\
               0 0 0\n";
    for (name, text) in [("a.obj", "v 0 0 0"), ("a.stl", stl), ("a.ply", ply)] {
        std::fs::write(folder.join(name), text).unwrap();
        assert!(matches!(load_mesh(folder.join(name)).unwrap(), MeshFile::Surface(_)));
    }
    std::fs::write(folder.join("a.bou"), "1 7").unwrap();
    assert_eq!(load_bou(folder.join("a.bou")).unwrap(), [7]);
    std::fs::write(folder.join("a.interp"), "0 7 1").unwrap();
    assert_eq!(load_interp(folder.join("a.interp")).unwrap().pairs, [(7, 1.0)]);
}

#[test]
fn errors_name_the_file() {
    let folder = folder("errors");
    let veg = folder.join("a.veg");
    std::fs::write(&veg, "*VERTICES\nx\n").unwrap();
    let error = load_mesh(&veg).unwrap_err();
    assert_eq!((error.path.as_deref(), error.place), (Some(veg.as_path()), Some(Place::Line(2))));

    let ply = folder.join("a.ply");
    let header = "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
                  property float z\nend_header\n";
    std::fs::write(&ply, header).unwrap();
    let error = load_mesh(&ply).unwrap_err();
    assert_eq!(error.place, Some(Place::Byte(header.len())));
    let problem = "expected the announced properties of a vertex, found the end of the file";
    assert_eq!(error.to_string(), format!("{}: byte {}: {problem}", ply.display(), header.len()));

    let error = load_mesh(folder.join("a.step")).unwrap_err().to_string();
    let kinds = ".obj, .stl, .ply, .msh, .mesh, .veg, .abq, .inp, .node or .ele";
    assert!(error.ends_with(&format!("a.step: unknown mesh format: expected {kinds}")), "{error}");

    let missing = folder.join("missing.obj");
    let error = load_mesh(&missing).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: cannot be read: ", missing.display())), "{error}");
}
