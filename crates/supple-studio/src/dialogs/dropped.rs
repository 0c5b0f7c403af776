//! Files that are dropped on the window, or opened: what each of them is.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: unknown file type. Supple opens shots (.toml), motions (.usda .usdc .usd .usdz .gltf .glb .fbx .abc \
     .pc2 .mdd, series of .obj or .ply, .bvh), meshes (.obj .ply .stl), and tables of contacts or groups (.csv)",
    .0.display()
)]
pub struct UnknownFile(pub PathBuf);

/// What was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// A shot.
    Shot(PathBuf),
    /// A motion that needs nothing else: a scene, one of a series of meshes, a skeleton.
    Motion(PathBuf),
    /// A motion without faces.
    Cache(PathBuf),
    /// A mesh.
    Mesh(PathBuf),
    /// A motion without faces, and the mesh they are of.
    CacheWithMesh(PathBuf, PathBuf),
    /// A table of contacts.
    Contacts(PathBuf),
    /// A table of groups.
    Groups(PathBuf),
    /// Anything else.
    Unknown(PathBuf),
}

impl Dropped {
    /// What a file is, by its ending; tables by their first line.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let path = path.to_path_buf();
        match ending.as_str() {
            "toml" => Self::Shot(path),
            "usda" | "usdc" | "usd" | "usdz" | "gltf" | "glb" | "fbx" | "abc" | "bvh" => Self::Motion(path),
            "pc2" | "mdd" => Self::Cache(path),
            "obj" | "ply" | "stl" | "veg" | "inp" | "abq" | "msh" | "mesh" | "node" | "ele" => {
                Self::Mesh(path)
            }
            "csv" => match first_line(&path) {
                line if line.starts_with("name") => Self::Groups(path),
                line if line.contains("vertex") && line.contains("frame") => Self::Contacts(path),
                _ => Self::Unknown(path),
            },
            _ => Self::Unknown(path),
        }
    }

    /// What files that came together are: a point cache and a mesh are one motion, and so are the meshes of a series.
    pub fn all(paths: &[PathBuf]) -> Vec<Self> {
        let mut all: Vec<Self> = paths.iter().map(|path| Self::of(path)).collect();
        let cache = all.iter().position(|dropped| matches!(dropped, Self::Cache(_)));
        let mesh = all.iter().position(|dropped| matches!(dropped, Self::Mesh(_)));
        if let (Some(Self::Cache(cache)), Some(Self::Mesh(mesh))) =
            (cache.map(|k| all[k].clone()), mesh.map(|k| all[k].clone()))
        {
            all.retain(|dropped| !matches!(dropped, Self::Cache(_) | Self::Mesh(_)));
            all.push(Self::CacheWithMesh(cache, mesh));
        }
        // Any file of a series stands for all of it.
        let mut has_mesh = false;
        all.retain(|dropped| !matches!(dropped, Self::Mesh(_)) || !std::mem::replace(&mut has_mesh, true));
        all
    }
}

fn first_line(path: &Path) -> String {
    let mut bytes = [0; 200];
    let length = File::open(path).and_then(|mut file| file.read(&mut bytes)).unwrap_or(0);
    let text = String::from_utf8_lossy(&bytes[..length]).to_lowercase();
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_they_end_in_and_some_belong_together() {
        let all = |names: &[&str]| Dropped::all(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        let pair = [Dropped::CacheWithMesh("a.pc2".into(), "a.obj".into())];
        assert_eq!(all(&["a.pc2", "a.obj"]), pair);
        assert_eq!(all(&["a.obj", "a.pc2"]), pair, "in either order");
        assert_eq!(all(&["a.1.obj", "a.2.obj", "a.3.obj"]), [Dropped::Mesh("a.1.obj".into())], "a series");
        assert_eq!(all(&["A.USDZ"]), [Dropped::Motion("A.USDZ".into())]);
        assert_eq!(all(&["walk.BVH"]), [Dropped::Motion("walk.BVH".into())]);
        assert_eq!(all(&["a.mov"]), [Dropped::Unknown("a.mov".into())]);
        assert_eq!(all(&["none.csv"]), [Dropped::Unknown("none.csv".into())]);
    }

    #[test]
    fn tables_are_what_their_first_line_says() {
        let folder = tempfile::tempdir().unwrap();
        let table = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Dropped::of(&path)
        };
        assert!(matches!(table("g.csv", "name,index\ntip,3\n"), Dropped::Groups(_)));
        assert!(matches!(table("c.csv", "frame,vertex,nx,ny,nz,kind\n"), Dropped::Contacts(_)));
        assert!(matches!(table("x.csv", "a,b\n"), Dropped::Unknown(_)));
    }
}
