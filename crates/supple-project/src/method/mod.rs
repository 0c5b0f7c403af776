//! Methods: how a motion answers what is asked of it. Here is the seam where they plug in; each has a room of its own.
//!
//! | | |
//! |---|---|
//! | [`open`], [`Method`] | a shot that is solved as a whole |
//! | [`Keyed`] | one whose motion is known between its frames |
//! | [`RealNumerics`] | opens a shot for a window, in stages: its input to look at, then what can be edited |
//! | [`Live`] | a shot that was opened: handles are followed, dragged and let go, and frames are shown |
//! | [`Stage`], [`Points`] | what of it stays, and what moves |
//! | [`Posing`] | a body that is posed by hand, whatever the method: loads that stack, pins |
//! | [`drag`] | Barbič, Sin and Grinspun 2012 |
//! | [`character`] | Gleicher 1997 |
//! | [`control`] | Barbič, da Silva and Popović 2009 |
//! | [`material`] | Li, Huang, de Goes, Jin, Bao and Desbrun 2014 |
//! | [`sparse`] | Schulz, von Tycowicz, Seidel and Hildebrandt 2014 |
//!
//! Only this file chooses between methods.

mod about;
pub mod character;
pub mod control;
pub mod drag;
mod error;
mod kept;
mod key_live;
mod key_moment;
mod keyed;
mod live;
mod live_error;
mod looking;
pub mod material;
mod player;
mod posing;
mod report;
pub mod sparse;
mod stage;
mod time;
mod way;

pub use crate::scenery::{Scenery, ShownPoints};
pub use about::{About, EditedFrame, Method, Side};
pub use character::CharacterMethod;
pub use error::{EditError, HandleProblem};
pub use key_moment::{Asked, KeyMoment};
pub use keyed::{Keyed, WholeKey};
pub use live::{Iterate, Live, LiveError, Making, NearMark, Numerics, Play, Shove, SoFar};
pub use posing::{Balance, Hand, PoseAsk, PoseSession, PoseStep, Posing};
pub use report::{Curve, Finding, Findings, Found, HandleOutcome, Quantity, Report, Value};
pub use stage::{Points, Stage};
pub use way::Way;

use crate::Cache;
use crate::body::Body;
use crate::motion::InputMotion;
use crate::shot::{self, Shot};
use control::ControlMethod;
use drag::DragMethod;
use kept::{Kept, Same, Stamps};
use looking::Looking;
use material::MaterialMethod;
use sparse::SparseMethod;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use supple_model::Progress;

/// Opens a shot by its method, with all that it asks for.
///
/// # Errors
/// Names the part of the shot to blame, see [`EditError`].
pub fn open(
    shot: &Shot,
    body: Arc<Body>,
    cache: &Cache,
    progress: &Progress,
) -> Result<Box<dyn Method>, EditError> {
    match shot.edit.method {
        shot::Method::Drag => Ok(Box::new(DragMethod::open(shot, body, cache, progress)?)),
        shot::Method::Sparse => Ok(Box::new(SparseMethod::open(shot, body, cache, progress)?)),
        shot::Method::Control => Ok(Box::new(ControlMethod::open(shot, body, cache, progress)?)),
        shot::Method::Material => Ok(Box::new(MaterialMethod::open(shot, body, cache, progress)?)),
        other @ shot::Method::Character => Err(EditError::Method { method: other.name() }),
    }
}

/// Opens a shot by its method, its body too.
///
/// # Errors
/// As [`open`], and whatever is wrong with the body.
pub fn open_shot(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<Box<dyn Method>, EditError> {
    if shot.edit.method == shot::Method::Character {
        return Ok(Box::new(CharacterMethod::open(shot, progress)?));
    }
    let body = Body::load(shot).map_err(|error| EditError::NoBody(Box::new(error)))?;
    open(shot, Arc::new(body), cache, progress)
}

/// The numerics of the product. What one opening reads and prepares serves the next, as far as the settings it hangs on
/// are the same.
#[derive(Debug, Default)]
pub struct RealNumerics(Mutex<Opened>);

/// What was opened last.
#[derive(Debug, Default)]
struct Opened {
    body: Kept<(PathBuf, shot::Body, shot::Motion, Stamps), Arc<Body>>,
    drag: drag::Levels,
    sparse: Kept<Same<Body>, Arc<Mutex<sparse::Grounds>>>,
}

impl Numerics for RealNumerics {
    fn open(
        &self,
        shot: &Shot,
        cache: &Cache,
        progress: &Progress,
        deliver: &mut dyn FnMut(Box<dyn Live>),
    ) -> Result<(), LiveError> {
        let mut shot = shot.clone();
        shot.edit.handles.clear();
        progress.report("reading the body", 0.0)?;
        if shot.edit.method == shot::Method::Character {
            return character::open_live(&shot, progress, deliver);
        }
        // One opening at a time: another waits for it to be cancelled.
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Opened { body, drag, sparse } = &mut *opened;
        let key = (shot.folder().to_path_buf(), shot.body.clone(), shot.motion.clone(), Stamps::of(&shot));
        let body =
            body.get(key, || Body::load(&shot).map(Arc::new)).map_err(|error| LiveError::said(&error))?;
        if !drag.has_input(&shot, &body) {
            let mut problem = None;
            let mut look = |input: InputMotion| match Looking::new(&shot, body.clone(), input) {
                Ok(looking) => deliver(Box::new(looking)),
                Err(error) => problem = Some(error),
            };
            let input = InputMotion::open_watched(&shot, &body, cache, &progress.part(0.0, 0.4), &mut look);
            look(input.map_err(|error| LiveError::said(&error))?);
            if let Some(problem) = problem {
                return Err(problem);
            }
        }
        match shot.edit.method {
            shot::Method::Drag => {
                drag::open_live(&shot, &body, drag, cache, &progress.part(0.4, 1.0), deliver)
            }
            shot::Method::Sparse => {
                let made = || Ok::<_, LiveError>(Arc::default());
                let grounds = sparse.get(Same(body.clone()), made)?;
                sparse::open_live(&shot, &body, &grounds, cache, &progress.part(0.4, 1.0), deliver)
            }
            shot::Method::Control => control::open_live(&shot, &body, cache, deliver),
            shot::Method::Material => {
                material::open_live(&shot, &body, drag, cache, &progress.part(0.4, 1.0), deliver)
            }
            other @ shot::Method::Character => {
                Err(LiveError::said(&EditError::Method { method: other.name() }))
            }
        }
    }
}
