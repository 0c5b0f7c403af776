//! What an import will be of, looked at before it begins: beside the window, with bounded memory.
//!
//! A thread opens the file once and keeps it open. It tells what is inside, then reads frames spread over the motion, a
//! few thousand triangles of each object, and in between checks what else is asked: the object, the rest shape, the
//! groups. Points stay in the unit and axes of the file, so that [`Space::inside`](super::Space::inside) shows another
//! unit or axis at once.

mod field;
mod reader;
mod sample;
mod thread;

pub use field::{ImportField, ImportWrong};
pub use sample::{PreviewFrame, PreviewObject, PreviewScene};

use super::shape::Edges;
use super::{Import, ImportKind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use supple_model::{Progress, ProgressSink};

/// A file that is being looked into. Dropping this stops it.
pub struct ImportPreview {
    shared: Arc<Shared>,
    progress: Progress,
    of: (PathBuf, Option<PathBuf>),
}

/// What came of checking an import.
type CheckResult = Result<Arc<ImportChecked>, ImportWrong>;

/// What is known so far. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct PreviewState {
    /// What is in the file.
    pub scene: Option<Arc<PreviewScene>>,
    /// Frames, spread over the motion, in their order.
    pub frames: Vec<PreviewFrame>,
    /// The last import that was checked, and what came of it.
    pub checked: Option<(Arc<Import>, CheckResult)>,
    /// Why the file cannot be used.
    pub problem: Option<ImportWrong>,
    /// What is being done and how much of it is done, 0 to 1; nothing once all is.
    pub doing: Option<(String, f64)>,
}

/// What an import asks for, found in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportChecked {
    /// Which object.
    pub object: usize,
    /// Its points at rest, those that are drawn.
    pub rest: Vec<[f32; 3]>,
    /// What the rest shape is.
    pub rest_name: String,
    /// Whether the surface is closed.
    pub edges: Edges,
    /// What kind of body it suggests.
    pub kind: ImportKind,
    /// The groups there will be and how many vertices each has, without those that follow from the motion.
    pub groups: Vec<(String, usize)>,
}

struct Shared {
    seen: Mutex<PreviewState>,
    /// What is to be checked next, and whether to end.
    asked: Mutex<(Option<Arc<Import>>, bool)>,
    bell: Condvar,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl ImportPreview {
    /// Begins to look into the file of an import, and checks it. `wake` is called, from another thread, when there is
    /// something new to see.
    #[must_use]
    pub fn of(import: &Import, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            seen: Mutex::new(PreviewState {
                doing: Some(("opening".to_owned(), 0.0)),
                ..PreviewState::default()
            }),
            asked: Mutex::default(),
            bell: Condvar::new(),
            wake: Box::new(wake),
        });
        let progress = Progress::new(shared.clone());
        let of = (import.file.path.clone(), import.file.topology.clone());
        let preview = Self { shared: shared.clone(), progress: progress.clone(), of };
        let import = bare(import);
        preview.check(&import);
        std::thread::spawn(move || thread::run(&shared, &import, &progress));
        preview
    }

    /// Whether it is the file and mesh of this import that it looks into.
    #[must_use]
    pub fn serves(&self, import: &Import) -> bool {
        self.of.0 == import.file.path && self.of.1 == import.file.topology
    }

    /// Checks what an import asks of the file, which has to be the same; the latest counts.
    pub fn check(&self, import: &Import) {
        let import = bare(import);
        let mut asked = lock(&self.shared.asked);
        let known = self.shared.seen().checked.is_some_and(|(of, _)| *of == import);
        if asked.0.as_deref() != Some(&import) && !(asked.0.is_none() && known) {
            asked.0 = Some(Arc::new(import));
            self.shared.bell.notify_all();
        }
    }

    /// What is known so far.
    #[must_use]
    pub fn seen(&self) -> PreviewState {
        self.shared.seen()
    }

    /// Stops reading; what is known stays.
    pub fn cancel(&self) {
        self.progress.cancel();
    }
}

impl Drop for ImportPreview {
    fn drop(&mut self) {
        self.progress.cancel();
        lock(&self.shared.asked).1 = true;
        self.shared.bell.notify_all();
    }
}

impl std::fmt::Debug for ImportPreview {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportPreview").field("of", &self.of).finish_non_exhaustive()
    }
}

/// An import without what needs no look into the file.
fn bare(import: &Import) -> Import {
    let mut bare = Import { force: false, cells: None, kind: ImportKind::Auto, ..import.clone() };
    (bare.file.unit, bare.file.up) = (None, None);
    bare
}

impl Shared {
    fn seen(&self) -> PreviewState {
        lock(&self.seen).clone()
    }

    fn publish(&self, change: impl FnOnce(&mut PreviewState)) {
        change(&mut lock(&self.seen));
        (self.wake)();
    }
}

impl ProgressSink for Shared {
    fn update(&self, stage: &str, fraction: f64) {
        self.publish(|seen| seen.doing = Some((stage.to_owned(), fraction)));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
