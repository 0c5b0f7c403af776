//! Opening, saving and exporting: a path to type or to look for.

use super::{Leaving, modal};
use crate::Studio;
use eframe::egui::{Context, Key, TextEdit};
use std::path::{Path, PathBuf};
use supple_project::session::{ExportOptions, Session};

/// A file that is asked for.
pub struct FileDialog {
    what: What,
    path: String,
    problem: Option<String>,
    is_new: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Open,
    Save,
    Export(ExportOptions),
}

impl FileDialog {
    pub fn open(session: &Session) -> Self {
        let path = session.recent().paths().first().map_or(String::new(), |path| path.display().to_string());
        Self { what: What::Open, path, problem: None, is_new: true }
    }

    pub fn save_as(session: &Session) -> Self {
        let path = session
            .document
            .path()
            .map_or_else(|| beside(Path::new(session.document.title()), "toml"), Path::to_path_buf);
        Self { what: What::Save, path: path.display().to_string(), problem: None, is_new: true }
    }

    pub fn export(session: &Session) -> Self {
        let of = session.document.path().unwrap_or(Path::new(session.document.title()));
        let stem = of.file_stem().unwrap_or_default().to_string_lossy();
        let path = beside(&of.with_file_name(format!("{stem}-edited")), "glb");
        let what = What::Export(ExportOptions::default());
        Self { what, path: path.display().to_string(), problem: None, is_new: true }
    }
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    std::path::absolute(path.with_extension(extension)).unwrap_or_else(|_| path.to_path_buf())
}

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.file.take() else { return };
    if let Some(path) = studio.dialogs.browse.chosen() {
        dialog.path = path.display().to_string();
    }
    let (title, verb) = match dialog.what {
        What::Open => ("Open a shot", "Open"),
        What::Save => ("Save as", "Save"),
        What::Export(_) => ("Export the edited motion", "Export"),
    };
    let (mut goes, mut cancels) = (false, false);
    let escaped = modal(ctx, title, 480.0, |ui| {
        let label = ui.label("Path");
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut dialog.path).desired_width(380.0));
            let field = field.labelled_by(label.id);
            if std::mem::take(&mut dialog.is_new) {
                field.request_focus();
            }
            goes |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if ui.button("Browse …").on_hover_text("The system's own dialog, where there is one").clicked()
            {
                let ctx = ctx.clone();
                studio.dialogs.browse.ask(dialog.what != What::Open, move || ctx.request_repaint());
            }
        });
        if let What::Export(options) = &mut dialog.what {
            ui.label("By extension: .glb .gltf .usda .pc2 .mdd, name.####.obj or .ply");
            ui.checkbox(&mut options.skin, "Skin").on_hover_text("The vertices of the skin, not of the body");
            ui.checkbox(&mut options.flat, "A .usda that stands for itself")
                .on_hover_text("No layer over the original");
        } else if dialog.what == What::Save && Path::new(&dialog.path).exists() {
            ui.weak("The file there is replaced.");
        }
        if let Some(problem) = &dialog.problem {
            ui.colored_label(crate::colours::RED, problem);
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            goes |= ui.button(verb).clicked();
            cancels = ui.button("Cancel").clicked();
        });
    });
    if goes {
        match act(studio, dialog.what, &dialog.path) {
            Ok(()) => return,
            Err(problem) => dialog.problem = Some(problem),
        }
    }
    if !escaped && !cancels {
        studio.dialogs.file = Some(dialog);
    }
}

fn act(studio: &mut Studio, what: What, path: &str) -> Result<(), String> {
    let path = PathBuf::from(path.trim());
    if path.as_os_str().is_empty() {
        return Err("there is no path yet".to_owned());
    }
    match what {
        What::Open if !path.is_file() => return Err(format!("there is no file {}", path.display())),
        What::Open => studio.dialogs.leave(Leaving::Open(path), &studio.session),
        What::Save => {
            if studio.session.save_as(&path).map_err(|error| error.to_string())? {
                studio.toasts.good(format!("{} is saved", studio.session.document.title()));
            }
        }
        What::Export(options) => {
            let task = studio.session.document.export_task(&path, options);
            studio.session.jobs.start(task);
        }
    }
    Ok(())
}
