//! The system's own file dialog, beside the window. Where there is none, the path field does.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

/// A dialog of the system that may be open.
#[derive(Default)]
pub struct Browse {
    answer: Option<Receiver<Option<PathBuf>>>,
}

impl Browse {
    /// Asks for a file; `wake` is called when there is an answer.
    pub fn ask(&mut self, saves: bool, wake: impl FnOnce() + Send + 'static) {
        if self.answer.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        self.answer = Some(receiver);
        std::thread::spawn(move || {
            let dialog = rfd::FileDialog::new();
            let chosen = if saves { dialog.save_file() } else { dialog.pick_file() };
            // Nobody waits for it when the window was closed.
            let _ = sender.send(chosen);
            wake();
        });
    }

    /// The file that was chosen, once.
    pub fn chosen(&mut self) -> Option<PathBuf> {
        let answer = self.answer.as_ref()?.try_recv();
        if !matches!(answer, Err(std::sync::mpsc::TryRecvError::Empty)) {
            self.answer = None;
        }
        answer.ok().flatten()
    }
}
