//! Writing a series: all files into a folder of their own beside the target, then each to its name.

use super::SeriesKind;
use crate::motion::point_cache_writer::{check_frame, unwritable};
use crate::motion::series_names::{Member, SeriesNames};
use crate::motion::staged::{replaceable, staging_folder, sync_folder};
use crate::motion::{MotionSettings, MotionWriter};
use crate::normals::MovingNormals;
use crate::obj::{write_obj_normals, write_obj_positions, write_obj_topology};
use crate::{FormatError, Problem, SurfaceFile, write_ply};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSink};
use tempfile::TempDir;

pub(crate) struct SeriesWriter {
    path: PathBuf,
    names: SeriesNames,
    /// An earlier series of the same name, which this one replaces.
    replaced: Vec<Member>,
    staging: TempDir,
    vertices: usize,
    start: i32,
    /// How many frames there are so far.
    frames: i32,
    /// Of every vertex, for OBJ, which writes them beside the positions.
    colours: Vec<[f64; 3]>,
    /// Where the surface has some and moves.
    normals: Option<MovingNormals>,
    contents: Contents,
}

/// What every file holds besides the positions and the normals of its frame.
enum Contents {
    /// The end of the file.
    Obj(Vec<u8>),
    /// The mesh, whose positions are those of the frame being written.
    Ply(Box<SurfaceFile>),
}

impl SeriesWriter {
    pub fn new(
        path: &Path,
        kind: SeriesKind,
        settings: MotionSettings,
        topology: Option<&SurfaceFile>,
    ) -> Result<Self, FormatError> {
        let surface = topology.ok_or(FormatError::whole_file(Problem::NeedsTopology))?;
        let start = whole_start(&settings)?;
        let names = SeriesNames::for_writing(path, start)?;
        let staging = staging_folder(names.folder()).map_err(unwritable)?;
        let replaced = names.members()?;
        check_replaced(&names, &replaced, start, settings.expected_frames)?;
        let normals = settings.moving_normals(surface);
        let surface = normals.as_ref().map_or(surface, MovingNormals::surface);
        let contents = match kind {
            SeriesKind::Obj => {
                let mut topology = Vec::new();
                if normals.is_none() {
                    write_obj_normals(&surface.normals, &mut topology).map_err(unwritable)?;
                }
                write_obj_topology(surface, &mut topology).map_err(unwritable)?;
                Contents::Obj(topology)
            }
            SeriesKind::Ply => Contents::Ply(Box::new(surface.clone())),
        };
        let (path, vertices, colours) = (path.to_path_buf(), settings.vertices, surface.colours.clone());
        let normals = normals.map(MovingNormals::without_rest);
        Ok(Self { path, names, replaced, staging, vertices, start, frames: 0, colours, normals, contents })
    }

    fn write_frame(&mut self, positions: &[[f64; 3]]) -> Result<(), FormatError> {
        let number = self.start.checked_add(self.frames).ok_or_else(|| {
            FormatError::whole_file(Problem::Unsupported(format!("a frame after {}", i32::MAX)))
        })?;
        check_frame(positions, self.vertices, f64::from(number))?;
        let normals = self.normals.as_mut().map_or(&[][..], |normals| normals.at(positions));
        let mut put = || -> io::Result<()> {
            let mut out = BufWriter::new(File::create(self.staging.path().join(self.names.name(number)))?);
            match &mut self.contents {
                Contents::Obj(rest) => {
                    write_obj_positions(positions, &self.colours, &mut out)?;
                    write_obj_normals(normals, &mut out)?;
                    out.write_all(rest)?;
                }
                Contents::Ply(surface) => {
                    surface.positions.copy_from_slice(positions);
                    for (own, normal) in surface.normals.iter_mut().zip(normals) {
                        *own = normal.map(f64::from);
                    }
                    write_ply(surface, &mut out)?;
                }
            }
            let file = out.into_inner()?;
            // As for one file: only what replaces another waits for the disk.
            if self.replaced.is_empty() { Ok(()) } else { file.sync_all() }
        };
        put().map_err(unwritable)?;
        self.frames += 1;
        Ok(())
    }

    fn complete(self) -> Result<(), FormatError> {
        if self.frames == 0 {
            return Err(FormatError::whole_file(Problem::NoFrames));
        }
        let folder = self.names.folder();
        // As many as were written, each a number that `write_frame` has checked.
        for number in (self.start..=i32::MAX).take(self.frames as usize) {
            let name = self.names.name(number);
            fs::rename(self.staging.path().join(&name), folder.join(&name)).map_err(unwritable)?;
        }
        // What is left of an earlier, longer series would look like its end.
        let end = i64::from(self.start) + i64::from(self.frames);
        for old in self.replaced.iter().filter(|old| i64::from(old.number) >= end) {
            fs::remove_file(folder.join(&old.name)).map_err(unwritable)?;
        }
        if !self.replaced.is_empty() {
            sync_folder(folder);
        }
        Ok(())
    }
}

impl FrameSink for SeriesWriter {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.write_frame(positions).map_err(|error| error.in_file(&self.path).into())
    }
}

impl MotionWriter for SeriesWriter {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        let path = self.path.clone();
        self.complete().map_err(|error| error.in_file(path))
    }
}

/// The number of the first file.
fn whole_start(settings: &MotionSettings) -> Result<i32, FormatError> {
    let expected = |expected: &str, found: f64| {
        let (expected, found) = (expected.to_owned(), found.to_string());
        FormatError::whole_file(Problem::Expected { expected, found })
    };
    if settings.step != 1.0 {
        return Err(expected("a step of 1 from frame to frame for numbered files", settings.step));
    }
    let start = settings.start;
    if start.fract() != 0.0 || start < 0.0 || start > f64::from(i32::MAX) {
        return Err(expected("a first frame that is a whole number from 0 for numbered files", start));
    }
    Ok(start as i32)
}

/// Checks that the new series will replace each file there is of its name, and may.
fn check_replaced(
    names: &SeriesNames,
    replaced: &[Member],
    start: i32,
    expected_frames: usize,
) -> Result<(), FormatError> {
    for member in replaced {
        let index = usize::try_from(i64::from(member.number) - i64::from(start));
        if !index.is_ok_and(|index| index < expected_frames) || names.name(member.number) != member.name {
            return Err(FormatError::whole_file(Problem::LeftOver { name: member.name.clone() }));
        }
        replaceable(&names.folder().join(&member.name)).map_err(unwritable)?;
    }
    Ok(())
}
