//! Reading a series.

use super::SeriesKind;
use crate::load::load;
use crate::motion::series_names::{Member, find_series};
use crate::motion::{MotionInfo, MotionReader};
use crate::{FormatError, Problem, SurfaceFile};
use std::fs;
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSource};

pub(crate) struct SeriesReader {
    kind: SeriesKind,
    folder: PathBuf,
    /// The names of the files, in the order of their numbers.
    names: Vec<String>,
    first: SurfaceFile,
    info: MotionInfo,
}

impl SeriesReader {
    /// The series of which `path` is a file or the pattern.
    pub fn open(path: &Path, kind: SeriesKind) -> Result<Self, FormatError> {
        let Some(names) = find_series(path)? else {
            // Where there is nothing at all, that is what to say.
            return Err(match fs::metadata(path) {
                Ok(_) => FormatError::whole_file(Problem::NotASeries),
                Err(error) => FormatError::whole_file(Problem::Unreadable(error)),
            });
        };
        let members = names.members()?;
        check_numbers(&members)?;
        let start = members.first().ok_or(FormatError::whole_file(Problem::NoMembers))?.number;
        let folder = names.folder().to_path_buf();
        let names: Vec<String> = members.into_iter().map(|member| member.name).collect();
        let first = load(&folder.join(&names[0]), |bytes| kind.read(bytes))?;
        let info = MotionInfo {
            format: kind.format(),
            vertices: first.positions.len(),
            frames: names.len(),
            start: Some(f64::from(start)),
            step: 1.0,
            fps: None,
            times: Vec::new(),
        };
        Ok(Self { kind, folder, names, first, info })
    }

    fn read_frame(&self, index: usize) -> Result<SurfaceFile, FormatError> {
        let path = self.folder.join(&self.names[index]);
        let file = load(&path, |bytes| self.kind.read(bytes))?;
        self.check_topology(&file).map_err(|problem| FormatError::whole_file(problem).in_file(&path))?;
        Ok(file)
    }

    fn check_topology(&self, file: &SurfaceFile) -> Result<(), Problem> {
        let counts = [
            ("vertices", file.positions.len(), self.first.positions.len()),
            ("triangles", file.triangles.len(), self.first.triangles.len()),
        ];
        for (what, found, expected) in counts {
            if found != expected {
                let (culprit, reference) = ("this frame".to_owned(), self.names[0].clone());
                return Err(Problem::OtherCount { what, culprit, found, reference, expected });
            }
        }
        let mut pairs = file.triangles.iter().zip(&self.first.triangles);
        match pairs.position(|(found, expected)| found != expected) {
            None => Ok(()),
            Some(triangle) => Err(Problem::OtherTriangle {
                triangle,
                found: file.triangles[triangle],
                expected: self.first.triangles[triangle],
                first: self.names[0].clone(),
            }),
        }
    }
}

impl FrameSource for SeriesReader {
    fn vertices(&self) -> usize {
        self.info.vertices
    }

    fn frames(&self) -> usize {
        self.info.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        assert_eq!(positions.len(), self.info.vertices, "one position for each vertex");
        positions.copy_from_slice(&self.read_frame(index)?.positions);
        Ok(())
    }
}

impl MotionReader for SeriesReader {
    fn info(&self) -> &MotionInfo {
        &self.info
    }

    fn topology(&self) -> Option<&SurfaceFile> {
        Some(&self.first)
    }
}

/// Checks that every number between the first and the last is there once.
fn check_numbers(members: &[Member]) -> Result<(), FormatError> {
    for pair in members.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let problem = if before.number == after.number {
            Problem::SameNumber { first: before.name.clone(), second: after.name.clone() }
        } else if before.number + 1 < after.number {
            let (before, after, number) = (before.name.clone(), after.name.clone(), before.number + 1);
            Problem::MissingMember { number, before, after }
        } else {
            continue;
        };
        return Err(FormatError::whole_file(problem));
    }
    Ok(())
}
