//! From a path to a reader or writer of motion, the format chosen by the ending.

use crate::gltf::GltfWriter;
use crate::motion::{
    Layout, MotionFormat, MotionReader, MotionSettings, MotionWriter, PointCacheWriter, SeriesKind,
    SeriesNames, SeriesReader, SeriesWriter, find_series, read_mdd, read_pc2, what_is_in,
};
use crate::usd::UsdWriter;
use crate::{FormatError, Problem, SurfaceFile};
use std::path::{Path, PathBuf};

/// Whether a path means a motion rather than a mesh: `.pc2`, `.mdd`; an `.obj` or `.ply` whose name ends
/// in digits and has at least one sibling of the same name with another number, or a pattern of such
/// files with `#`s in place of the number. Scenes, as `.usda` or `.glb`, are for [`crate::open_scene`].
///
/// For meshes this looks into the folder; one that cannot be looked into holds no motion.
#[must_use]
pub fn is_motion_path(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    match format_of(path) {
        Some(MotionFormat::Pc2 | MotionFormat::Mdd) => true,
        Some(MotionFormat::ObjSeries | MotionFormat::PlySeries) => match find_series(path) {
            Ok(series) => series.is_some(),
            // A pattern that is wrong is still meant to be one.
            Err(error) => matches!(error.problem, Problem::ManyPatterns(_)),
        },
        Some(MotionFormat::Usd | MotionFormat::Gltf) | None => false,
    }
}

/// Opens a motion: `.pc2`, `.mdd`, or a series of `.obj` or `.ply` files by any of its files or by its
/// pattern `name.####.obj`. The header is checked against the length of the file; the frames are checked as
/// they are read.
///
/// # Errors
/// An ending that is none of these, a file that cannot be read, a header that does not fit the file,
/// a series with a gap; all name the file.
pub fn open_motion(path: impl AsRef<Path>) -> Result<Box<dyn MotionReader>, FormatError> {
    let path = path.as_ref();
    if path.is_dir() {
        return Err(FormatError::whole_file(Problem::Folder(what_is_in(path))).in_file(path));
    }
    let open = || crate::open_file(path).map_err(|error| FormatError::whole_file(Problem::Unreadable(error)));
    let motion: Result<Box<dyn MotionReader>, FormatError> = match format_of(path) {
        Some(MotionFormat::Pc2) => {
            open().and_then(read_pc2).map(|motion| Box::new(motion.in_file(path)) as Box<_>)
        }
        Some(MotionFormat::Mdd) => {
            open().and_then(read_mdd).map(|motion| Box::new(motion.in_file(path)) as Box<_>)
        }
        Some(MotionFormat::ObjSeries) => {
            SeriesReader::open(path, SeriesKind::Obj).map(|motion| Box::new(motion) as Box<_>)
        }
        Some(MotionFormat::PlySeries) => {
            SeriesReader::open(path, SeriesKind::Ply).map(|motion| Box::new(motion) as Box<_>)
        }
        Some(MotionFormat::Usd | MotionFormat::Gltf) | None => {
            Err(FormatError::whole_file(Problem::UnknownMotion))
        }
    };
    // A series names the one of its files that is wrong.
    motion.map_err(|error| if error.path.is_some() { error } else { error.in_file(path) })
}

/// Begins a motion file, in the format of its ending.
///
/// All but `.pc2` and `.mdd` hold the faces too and need the `topology`, whose positions are not written; `.usda`,
/// `.glb` and `.gltf` also hold what it carries. Where it has normals, each of several frames gets those of its own
/// shape, smooth and hard where the `topology` is. A series of `.obj` or `.ply` files takes its names from a pattern
/// `name.####.obj`, or from the path of its first file where that ends in the number of the first frame, and is otherwise
/// `name.0001.obj` and so on for `name.obj`.
///
/// # Errors
/// An ending that is no motion's, settings that the format has no room for, a `topology` with
/// another number of vertices or none where one is needed, a folder or file that cannot be written;
/// all name the file.
pub fn create_motion(
    path: impl AsRef<Path>,
    settings: MotionSettings,
    topology: Option<&SurfaceFile>,
) -> Result<Box<dyn MotionWriter>, FormatError> {
    let path = path.as_ref();
    let create = || -> Result<Box<dyn MotionWriter>, FormatError> {
        let format = format_of(path).ok_or(FormatError::whole_file(Problem::UnknownMotion))?;
        settings.check()?;
        if let Some(topology) = topology
            && topology.positions.len() != settings.vertices
        {
            return Err(FormatError::whole_file(Problem::OtherCount {
                what: "vertices",
                culprit: "the surface".to_owned(),
                found: topology.positions.len(),
                reference: "the motion".to_owned(),
                expected: settings.vertices,
            }));
        }
        Ok(match format {
            MotionFormat::Pc2 => Box::new(PointCacheWriter::new(path, Layout::Pc2, settings)?),
            MotionFormat::Mdd => Box::new(PointCacheWriter::new(path, Layout::Mdd, settings)?),
            MotionFormat::ObjSeries => {
                Box::new(SeriesWriter::new(path, SeriesKind::Obj, settings, topology)?)
            }
            MotionFormat::PlySeries => {
                Box::new(SeriesWriter::new(path, SeriesKind::Ply, settings, topology)?)
            }
            MotionFormat::Usd => Box::new(UsdWriter::whole(path, settings, needed(topology)?)?),
            MotionFormat::Gltf => Box::new(GltfWriter::new(path, settings, needed(topology)?)?),
        })
    };
    create().map_err(|error| error.in_file(path))
}

/// The format and the files of a motion that [`create_motion`] would write to `path`: one, two of a `.gltf`, or one for
/// every frame.
///
/// # Errors
/// An ending that is no motion's, more than one pattern in a name; all name the file.
pub fn motion_files(
    path: impl AsRef<Path>,
    start: i32,
    frames: usize,
) -> Result<(MotionFormat, Vec<PathBuf>), FormatError> {
    let path = path.as_ref();
    let list = || {
        let format = format_of(path).ok_or(FormatError::whole_file(Problem::UnknownMotion))?;
        let files = match format {
            MotionFormat::ObjSeries | MotionFormat::PlySeries => {
                let names = SeriesNames::for_writing(path, start)?;
                let numbers =
                    (0..u32::try_from(frames).unwrap_or(u32::MAX)).map(|k| start.saturating_add_unsigned(k));
                numbers.map(|number| names.folder().join(names.name(number))).collect()
            }
            MotionFormat::Gltf
                if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf")) =>
            {
                vec![path.to_path_buf(), path.with_extension("bin")]
            }
            _ => vec![path.to_path_buf()],
        };
        Ok((format, files))
    };
    list().map_err(|error: FormatError| error.in_file(path))
}

/// The files that are there and that a motion written to `path` from frame `start` on would replace.
#[must_use]
pub fn replaced_files(path: impl AsRef<Path>, start: i32) -> Vec<PathBuf> {
    let path = path.as_ref();
    let files = match format_of(path) {
        Some(MotionFormat::ObjSeries | MotionFormat::PlySeries) => {
            let names = SeriesNames::for_writing(path, start);
            names.and_then(|names| names.files()).unwrap_or_default()
        }
        _ => motion_files(path, start, 1).map_or_else(|_| vec![path.to_path_buf()], |(_, files)| files),
    };
    files.into_iter().filter(|file| file.exists()).collect()
}

/// Whether a motion at `path` holds numbers in single precision, with seven digits: all formats do but series of text or of
/// doubles.
#[must_use]
pub fn is_single_precision(path: impl AsRef<Path>) -> bool {
    match format_of(path.as_ref()) {
        Some(MotionFormat::ObjSeries | MotionFormat::PlySeries) | None => false,
        Some(MotionFormat::Pc2 | MotionFormat::Mdd | MotionFormat::Usd | MotionFormat::Gltf) => true,
    }
}

fn needed(topology: Option<&SurfaceFile>) -> Result<&SurfaceFile, FormatError> {
    topology.ok_or(FormatError::whole_file(Problem::NeedsTopology))
}

fn format_of(path: &Path) -> Option<MotionFormat> {
    let extension = path.extension()?.to_ascii_lowercase();
    match extension.to_str()? {
        "pc2" => Some(MotionFormat::Pc2),
        "mdd" => Some(MotionFormat::Mdd),
        "usda" => Some(MotionFormat::Usd),
        "gltf" | "glb" => Some(MotionFormat::Gltf),
        "obj" => Some(MotionFormat::ObjSeries),
        "ply" => Some(MotionFormat::PlySeries),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_motion_are_known_before_it_is_written() {
        let names = |path: &str| {
            let (_, files) = motion_files(path, 9, 2).unwrap();
            files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("a/b.pc2"), ["a/b.pc2"]);
        assert_eq!(names("a/b.GLTF"), ["a/b.GLTF", "a/b.bin"]);
        assert_eq!(names("a/b.glb"), ["a/b.glb"]);
        assert_eq!(names("a/b.###.obj"), ["a/b.009.obj", "a/b.010.obj"]);
        assert_eq!(names("a/b.ply"), ["a/b.0009.ply", "a/b.0010.ply"]);
        assert!(
            motion_files("a/b.mov", 1, 1)
                .unwrap_err()
                .to_string()
                .starts_with("a/b.mov: unknown motion format")
        );
    }
}
