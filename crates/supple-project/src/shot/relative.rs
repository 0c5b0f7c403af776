//! Paths relative to the shot, when the shot moves.
//!
//! Works on the names alone: no file needs to exist, and symbolic links are not followed.

use std::path::{Component, Path, PathBuf};

/// `path`, which starts from the absolute folder `from`, as seen from the absolute folder `to`.
/// Absolute paths become relative as well, unless they share nothing with `to` but the root, where
/// a chain of `..` would help nobody.
pub(super) fn rebase(path: &Path, from: &Path, to: &Path) -> PathBuf {
    if path.is_relative() && from == to {
        return path.to_path_buf();
    }
    let target = normal(&from.join(path));
    let to = normal(to);
    let shared = target.components().zip(to.components()).take_while(|(a, b)| a == b).map(|(a, _)| a);
    let (count, named) = shared.fold((0, false), |(count, named), component| {
        (count + 1, named || matches!(component, Component::Normal(_)))
    });
    if !named {
        return target;
    }
    let up = to.components().skip(count).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(target.components().skip(count)).collect();
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}

/// Without `.` and `..`.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_the_same_place_from_the_new_folder() {
        for (path, from, to, expected) in [
            ("a.msh", "/p/film", "/p/film", "a.msh"),
            ("./x/../a.msh", "/p/film", "/p/film", "./x/../a.msh"),
            ("a.msh", "/p/film", "/p/film/v2", "../a.msh"),
            ("a.msh", "/p/film/v2", "/p/film", "v2/a.msh"),
            ("../lib/a.msh", "/p/film", "/p/other/x", "../../lib/a.msh"),
            ("../../../../a.msh", "/p/film", "/p/film/v2", "/a.msh"),
            ("/p/film/mesh/a.msh", "/p/film", "/p/film", "mesh/a.msh"),
            ("/p/film", "/p/film", "/p/film", "."),
            ("/data/a.msh", "/p/film", "/p/film", "/data/a.msh"),
            ("a.msh", "/data", "/p/./film/../film", "/data/a.msh"),
        ] {
            let rebased = rebase(Path::new(path), Path::new(from), Path::new(to));
            assert_eq!(rebased, Path::new(expected), "{path} from {from} to {to}");
            assert_eq!(normal(&Path::new(to).join(rebased)), normal(&Path::new(from).join(path)));
        }
    }
}
