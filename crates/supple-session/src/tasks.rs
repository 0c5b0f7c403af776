//! The jobs there are: opening a sample, import, export, finding plants, bake, recovery of the material, saving large files, autosave.
//!
//! A job reads the document when it is made, never while it runs, and writes nothing but files of its own; what it comes
//! to becomes part of the document, if at all, as one step of undo: [`Document::take_in`].

use crate::{
    Adopted, Autosave, Document, Exported, Home, JobError, JobKind, Notice, Outcome, SessionError, Task,
};
use std::fs;
use std::path::Path;

use supple_model::Progress;
use supple_project::feet;
use supple_project::method::{self, Method};
use supple_project::recover::{RecoverOptions, recover_shot};
use supple_project::shot::Handle;
use supple_project::{
    Body, Cache, ExportError, ExportOptions, Import, Moving, Sample, Shot, Solved, WriteOptions, save_baked,
    solve_into,
};

impl Document {
    /// Writes the files of a sample and opens it, beside the window.
    #[must_use]
    pub fn sample_task(&self, sample: &'static Sample, home: &Home) -> Task {
        let home = home.clone();
        Task::new(JobKind::OpenSample(sample.name), self.generation(), move |_| {
            Ok(Outcome::Opened(Box::new(Self::sample(sample, &home)?)))
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
        Some(Task::new(JobKind::Save(name_of(&path)), self.generation(), move |progress| {
            let folder = path.parent().unwrap_or(Path::new(""));
            let adopted = Adopted::copy(&files, folder, progress)?;
            Ok(Outcome::Copied(path, adopted))
        }))
    }

    /// Makes an untitled document of an animated surface, beside the window. This one stays as it is.
    #[must_use]
    pub fn import_task(&self, import: Import) -> Task {
        let home = self.home().clone();
        Task::new(JobKind::Import(name_of(&import.file.path)), self.generation(), move |progress| {
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
        Ok(Task::new(JobKind::Bake, self.generation(), move |progress| {
            let edited = folder.join(format!("{stem}-baked.pc2"));
            let next = folder.join(format!("{stem}.toml"));
            let baked = || -> Result<Shot, JobError> {
                let mut method = open(&shot, &cache, &progress.part(0.0, 0.5))?;
                let how = WriteOptions { of: Some(method.about().moving), flat: true, frames: None };
                let progress = progress.part(0.5, 1.0);
                solve_into(&edited, &shot, method.as_mut(), &how, &progress)?;
                save_baked(&shot, &method.about(), &edited, &next)?;
                Ok(Shot::load(&next)?)
            };
            let baked = baked();
            if baked.is_err() || progress.check().is_err() {
                let _ = fs::remove_dir_all(&folder);
            }
            Ok(Outcome::Baked(Box::new(baked?)))
        }))
    }

    /// Finds what material the input motion is of, learning from its first half, and makes the shot one of it, beside the
    /// window.
    ///
    /// # Errors
    /// When there is no folder for the table of its modes.
    pub fn recover_task(&mut self) -> Result<Task, SessionError> {
        let folder = self.new_folder()?;
        let (shot, cache) = (self.shot().clone(), self.cache());
        let stem = Path::new(self.title()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Task::new(JobKind::Recover, self.generation(), move |progress| {
            let next = folder.join(format!("{stem}.toml"));
            let recovered = || -> Result<Outcome, JobError> {
                let body = Body::read(&shot, progress)?;
                let options = RecoverOptions { output: Some(next.clone()), ..RecoverOptions::default() };
                let found = recover_shot(&shot, &body, &cache, &options, progress)?;
                Ok(Outcome::Recovered(Box::new(found), Box::new(Shot::load(&next)?)))
            };
            let recovered = recovered();
            if recovered.is_err() || progress.check().is_err() {
                let _ = fs::remove_dir_all(&folder);
            }
            recovered
        }))
    }

    /// Writes the edited motion, format by extension, beside the window.
    #[must_use]
    pub fn export_task(&self, path: &Path, options: ExportOptions) -> Task {
        let (shot, cache, path) = (self.shot().clone(), self.cache(), path.to_path_buf());
        Task::new(JobKind::Export(name_of(&path)), self.generation(), move |progress| {
            let mut method = open(&shot, &cache, &progress.part(0.0, 0.5))?;
            let about = method.about();
            if options.skin && about.subject.skin().is_none() {
                return Err(ExportError::NoSkin.into());
            }
            let frames = options.range(about.clock)?;
            let of = options.skin.then_some(Moving::Skin);
            let how = WriteOptions { of, flat: options.flat, frames: Some(frames) };
            let solved = solve_into(&path, &shot, method.as_mut(), &how, &progress.part(0.5, 1.0));
            let Solved { written, report, lost, .. } = solved?;
            Ok(Outcome::Exported(Box::new(Exported { path, written, report, lost })))
        })
    }

    /// Finds where the feet of a character stand in its input, beside the window.
    #[must_use]
    pub fn plants_task(&self) -> Task {
        let shot = self.shot().clone();
        Task::new(JobKind::FindPlants, self.generation(), move |progress| {
            Ok(Outcome::Plants(feet::found(&shot, progress)?))
        })
    }

    /// Makes plants that were found handles, but for those that are held, as one step of undo.
    pub fn take_plants(&mut self, step: &str, found: Vec<Handle>) -> Notice {
        let count = found.len();
        let missing = feet::not_held(self.shot(), found);
        let added = missing.len();
        self.change(step, |shot| shot.edit.handles.extend(missing));
        Notice::PlantsFound { added, held_already: count - added }
    }

    /// Writes what [`Self::autosave`] asks for, beside the window.
    #[must_use]
    pub fn autosave_task(&self, autosave: Autosave) -> Task {
        Task::new(JobKind::Autosave, self.generation(), move |_| {
            autosave.write()?;
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
fn open(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<Box<dyn Method>, JobError> {
    progress.report("reading the body", 0.0)?;
    Ok(method::open_shot(shot, cache, progress)?)
}

/// What a file is called.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
