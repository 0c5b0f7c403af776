//! The jobs there are: opening a sample, import, export, bake, saving large files, autosave.
//!
//! A job reads the document when it is made, never while it runs, and writes nothing but files of its own; what it comes
//! to becomes part of the document, if at all, as one step of undo: [`Document::take_in`].

use super::document::Document;
use super::export::exported;
use super::jobs::Task;
use super::{Adopted, Autosave, Home, SessionError};
use crate::Cache;
use crate::body::Body;
use crate::import::{Import, Imported};
use crate::method::drag::EditReport;
use crate::method::{self, Method};
use crate::motion::Moving;
use crate::samples::Sample;
use crate::shot::Shot;
use crate::solution::{Solved, WriteOptions, Written, save_baked, solve_into};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_model::Progress;

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
                let mut method = open(&shot, &cache, &progress.part(0.0, 0.5))?;
                let how = WriteOptions { of: Some(method.about().moving), flat: true, frames: None };
                let progress = progress.part(0.5, 1.0);
                solve_into(&edited, &shot, method.as_mut(), &how, &progress).map_err(words)?;
                save_baked(&shot, &method.about(), &edited, &next).map_err(words)?;
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
            let mut method = open(&shot, &cache, &progress.part(0.0, 0.5))?;
            let about = method.about();
            if options.skin && about.subject.skin().is_none() {
                return Err("the body has no skin; export the body instead".to_owned());
            }
            let frames = exported(options.frames, about.clock).map_err(words)?;
            let of = options.skin.then_some(Moving::Skin);
            let how = WriteOptions { of, flat: options.flat, frames: Some(frames) };
            let solved = solve_into(&path, &shot, method.as_mut(), &how, &progress.part(0.5, 1.0));
            let Solved { written, report, lost, .. } = solved.map_err(words)?;
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

/// Opens a shot by its method.
fn open(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<Box<dyn Method>, String> {
    progress.report("reading the body", 0.0).map_err(words)?;
    let body = Arc::new(Body::load(shot).map_err(words)?);
    method::open(shot, body, cache, progress).map_err(words)
}

fn words(error: impl std::error::Error) -> String {
    error.to_string()
}
