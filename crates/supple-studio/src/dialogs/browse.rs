//! Looking for a file: the system's own dialog, beside the window; where there is none, a list of files in it.

use super::file_list::FileList;
use eframe::egui::Context;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A dialog that ends sooner without an answer was never seen: nobody is that quick.
const UNSEEN: Duration = Duration::from_millis(400);

/// A dialog that may be open.
#[derive(Default)]
pub struct Browse {
    answer: Option<Receiver<(Option<PathBuf>, Duration)>>,
    /// Whether a new file is looked for.
    saves: bool,
    /// Where from.
    from: PathBuf,
    list: Option<FileList>,
    /// Whether the system turned out to have no dialog.
    has_none: bool,
}

impl Browse {
    /// Asks for a file, beginning at a path; `wake` is called when there is an answer.
    pub fn ask(&mut self, saves: bool, from: &Path, wake: impl FnOnce() + Send + 'static) {
        if self.answer.is_some() || self.list.is_some() {
            return;
        }
        (self.saves, self.from) = (saves, from.to_path_buf());
        if self.has_none {
            self.list = Some(FileList::new(saves, from));
            return;
        }
        let (sender, receiver) = channel();
        self.answer = Some(receiver);
        std::thread::spawn(move || {
            let (dialog, begin) = (rfd::FileDialog::new(), Instant::now());
            let chosen = if saves { dialog.save_file() } else { dialog.pick_file() };
            // Nobody waits for it when the window was closed.
            let _ = sender.send((chosen, begin.elapsed()));
            wake();
        });
    }

    /// The file that was chosen, once.
    pub fn chosen(&mut self) -> Option<PathBuf> {
        if let Some(path) = self.list.as_mut().and_then(FileList::chosen) {
            self.list = None;
            return Some(path);
        }
        let answer = self.answer.as_ref()?.try_recv();
        if !matches!(answer, Err(std::sync::mpsc::TryRecvError::Empty)) {
            self.answer = None;
        }
        let (chosen, took) = answer.ok()?;
        if chosen.is_none() && took < UNSEEN {
            self.has_none = true;
            self.list = Some(FileList::new(self.saves, &self.from));
        }
        chosen
    }

    /// Does not ask the system.
    pub fn use_own_list(&mut self) {
        self.has_none = true;
    }

    /// Whether the list of files is shown.
    pub fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    /// Shows the list of files, where that is what there is.
    pub fn show(&mut self, ctx: &Context) {
        if self.list.as_mut().is_some_and(|list| !list.show(ctx)) {
            self.list = None;
        }
    }

    /// Stops looking.
    pub fn close(&mut self) {
        self.list = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a portal the dialog ends at once, as if it had been cancelled.
    #[test]
    fn a_dialog_that_nobody_saw_gives_way_to_the_list() {
        let answered = |chosen: Option<PathBuf>, took: Duration| {
            let (sender, receiver) = channel();
            sender.send((chosen, took)).unwrap();
            let mut browse = Browse { answer: Some(receiver), ..Browse::default() };
            (browse.chosen(), browse.is_listed())
        };
        assert_eq!(answered(None, Duration::from_millis(20)), (None, true));
        assert_eq!(answered(None, Duration::from_secs(2)), (None, false), "somebody cancelled it");
        let file = PathBuf::from("/a.toml");
        assert_eq!(answered(Some(file.clone()), Duration::from_secs(2)), (Some(file), false));
    }
}
