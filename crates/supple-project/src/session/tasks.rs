//! The jobs there are: opening a sample, import, export, bake, saving large files, autosave.
//!
//! A job reads the document when it is made, never while it runs, and writes nothing but files of its own; what it comes
//! to becomes part of the document, if at all, as one step of undo: [`Document::take_in`].

use super::document::Document;
use super::export::exported;
use super::jobs::Task;
use super::{Adopted, Autosave, Home, SessionError};
use crate::body::Body;
use crate::edit::{EditReport, Editor};
use crate::import::{Import, Imported};
use crate::motion::{MotionOutput, Moving, Written};
use crate::samples::Sample;
use crate::shot::Shot;
use crate::{Cache, EditError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_model::{Frame, Progress};

/// What came of a job.
#[derive(Debug)]
pub enum Outcome {
    /// A document of its own was made of an animated surface.
    Imported(Box<Imported>, Box<Document>),
    /// The edited motion is the input of this shot.
    Baked(Box<Shot>),
    /// The edited motion was written.
    Exported(Box<Exported>),
    /// The document can be recovered.
    Autosaved,
    /// A document of its own.
    Opened(Box<Document>),
    /// The files of the shot are beside the file it shall be saved to.
    Copied(PathBuf, Adopted),
}

/// What was exported.
#[derive(Debug)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub written: Written,
    /// What the edit came to.
    pub report: EditReport,
    /// What the format lost of it, if that matters.
    pub lost: Option<String>,
}

/// How to export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// The vertices of the skin instead of those of the body, as is done anyway where the skin came with the motion.
    pub skin: bool,
    /// A .usda that stands for itself, not a layer over the original.
    pub flat: bool,
    /// The first and the last frame, the scene's numbers; all of them without.
    pub frames: Option<[i32; 2]>,
}

impl Document {
    /// Writes the files of a sample and opens it, beside the window.
    #[must_use]
    pub fn sample_task(&self, sample: &'static Sample, home: &Home) -> Task {
        let home = home.clone();
        Task::new(format!("Open {}", sample.name), self.generation(), move |_| {
            Ok(Outcome::Opened(Box::new(Self::sample(sample, &home).map_err(words)?)))
        })
    }

    /// Puts what was imported, baked or came with a sample beside the file the shot shall be saved to, beside the window;
    /// nothing where there is none of that.
    #[must_use]
    pub fn copy_task(&self, path: &Path) -> Option<Task> {
        let (files, path) = (self.own_files(), path.to_path_buf());
        if files.is_empty() {
            return None;
        }
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Some(Task::new(format!("Save {title}"), self.generation(), move |progress| {
            let folder = path.parent().unwrap_or(Path::new(""));
            let adopted = Adopted::copy(&files, folder, progress).map_err(words)?;
            Ok(Outcome::Copied(path, adopted))
        }))
    }

    /// Makes an untitled document of an animated surface, beside the window. This one stays as it is.
    #[must_use]
    pub fn import_task(&self, import: Import) -> Task {
        let home = self.home().clone();
        let title = import.file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Task::new(format!("Import {title}"), self.generation(), move |progress| {
            let (imported, document) = Self::imported(&import, &home, progress)?;
            Ok(Outcome::Imported(Box::new(imported), Box::new(document)))
        })
    }

    /// Makes the edited motion the input of the shot and begins anew without handles, beside the window.
    ///
    /// # Errors
    /// When there is no folder for the motion.
    pub fn bake_task(&mut self) -> Result<Task, SessionError> {
        let folder = self.new_folder()?;
        let (shot, cache) = (self.shot().clone(), self.cache());
        let stem = Path::new(self.title()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Task::new("Bake", self.generation(), move |progress| {
            let edited = folder.join(format!("{stem}-baked.pc2"));
            let next = folder.join(format!("{stem}.toml"));
            let baked = || -> Result<Shot, String> {
                let mut solved = Solved::open(&shot, &cache, &progress.part(0.0, 0.5))?;
                let of = solved.editor.moving();
                let how = ExportOptions { flat: true, ..ExportOptions::default() };
                solved.write(&edited, of, how, &progress.part(0.5, 1.0))?;
                solved.editor.save_baked(&edited, &next).map_err(words)?;
                Shot::load(&next).map_err(words)
            };
            let baked = baked();
            if baked.is_err() || progress.check().is_err() {
                let _ = fs::remove_dir_all(&folder);
            }
            Ok(Outcome::Baked(Box::new(baked?)))
        }))
    }

    /// Writes the edited motion, format by extension, beside the window.
    #[must_use]
    pub fn export_task(&self, path: &Path, options: ExportOptions) -> Task {
        let (shot, cache, path) = (self.shot().clone(), self.cache(), path.to_path_buf());
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Task::new(format!("Export {title}"), self.generation(), move |progress| {
            let mut solved = Solved::open(&shot, &cache, &progress.part(0.0, 0.5))?;
            let follows = shot.motion.is_fitted();
            if options.skin && solved.body.skin.is_none() {
                return Err("the body has no skin; export the body instead".to_owned());
            }
            let of = if options.skin || follows { Moving::Skin } else { solved.editor.moving() };
            let (written, report) = solved.write(&path, of, options, &progress.part(0.5, 1.0))?;
            let lost = written.lost(&report, solved.editor.size());
            Ok(Outcome::Exported(Box::new(Exported { path, written, report, lost })))
        })
    }

    /// Writes what [`Self::autosave`] asks for, beside the window.
    #[must_use]
    pub fn autosave_task(&self, autosave: Autosave) -> Task {
        Task::new("Autosave", self.generation(), move |_| {
            autosave.write().map_err(words)?;
            Ok(Outcome::Autosaved)
        })
    }

    /// Makes the shot of a bake this document's, as one step of undo; answers whether anything changed.
    ///
    /// # Errors
    /// When the folder of the document is not known any more.
    pub fn take_in(&mut self, step: &str, shot: &Shot) -> Result<bool, SessionError> {
        let path = self.place()?;
        let moved = shot.moved(&path, |_| None)?;
        Ok(self.change(step, |shot| *shot = moved))
    }
}

/// A shot that is solved for its motion.
struct Solved<'a> {
    shot: &'a Shot,
    body: Arc<Body>,
    editor: Editor,
}

impl<'a> Solved<'a> {
    fn open(shot: &'a Shot, cache: &Cache, progress: &Progress) -> Result<Self, String> {
        progress.report("reading the body", 0.0).map_err(words)?;
        let body = Arc::new(Body::load(shot).map_err(words)?);
        let editor = Editor::open(shot, body.clone(), cache, progress).map_err(words)?;
        Ok(Self { shot, body, editor })
    }

    fn write(
        &mut self,
        path: &Path,
        of: Moving,
        options: ExportOptions,
        progress: &Progress,
    ) -> Result<(Written, EditReport), String> {
        let start = self.editor.start();
        let range = exported(options.frames, start.0, self.editor.frames()).map_err(words)?;
        let is_all = range.len() == self.editor.frames();
        let first = Frame(start.0.saturating_add_unsigned(range.start as u32));
        let time = (first, self.editor.fps(), range.len());
        // A layer over the original has all of its frames.
        let flat = options.flat || !is_all;
        let output = MotionOutput::restore(path, self.shot, &self.body, of, time, flat);
        let output = output.map_err(words)?.from_frame(range.start);
        let output = output.of_edit(self.shot, self.editor.moving(), self.editor.motion().clone());
        let mut output = output.map_err(words)?;
        let solved = self.editor.solve(progress, |index, positions| {
            if range.contains(&index) {
                output.write(positions, &[])?;
            }
            Ok::<_, EditError>(())
        });
        let report = solved.map_err(words)?;
        progress.check().map_err(words)?;
        Ok((output.finish().map_err(words)?, report))
    }
}

fn words(error: impl std::error::Error) -> String {
    error.to_string()
}
