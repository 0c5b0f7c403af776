//! A shot opened by its path: what goes wrong then begins with the file it is about.

use crate::body::{Body, BodyError};
use crate::error::ShotError;
use crate::motion::Moving;
use crate::shot::Shot;
use crate::subject::Subject;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use supple_model::Progress;

/// What went wrong with a shot, behind the name of its file.
#[derive(Debug)]
pub struct InShot<E> {
    /// The shot file.
    pub shot: PathBuf,
    /// What went wrong.
    pub source: Box<E>,
}

impl<E: fmt::Display> fmt::Display for InShot<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.shot.display(), self.source)
    }
}

impl<E: Error + 'static> Error for InShot<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.source.as_ref())
    }
}

/// Why a shot cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read or understood.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// It describes no body.
    #[error(transparent)]
    Body(#[from] InShot<BodyError>),
    /// The motion of a skin was asked for, and there is none.
    #[error("{}: the body has no skin; leave out --skin", shot.display())]
    NoSkin {
        /// The shot file.
        shot: PathBuf,
    },
}

/// Puts the name of a shot before an error.
pub(crate) trait NameShot<T, E> {
    fn in_shot(self, shot: &Path) -> Result<T, InShot<E>>;
}

impl<T, E> NameShot<T, E> for Result<T, E> {
    fn in_shot(self, shot: &Path) -> Result<T, InShot<E>> {
        self.map_err(|source| InShot { shot: shot.to_path_buf(), source: Box::new(source) })
    }
}

/// The shot in a file, and its body.
pub(crate) fn open(path: &Path, progress: &Progress) -> Result<(Shot, Body), OpenError> {
    let shot = Shot::load(path)?;
    let body = Body::read(&shot, progress).in_shot(path)?;
    Ok((shot, body))
}

/// The points to write: the skin only where it is asked for.
pub(crate) fn moving(path: &Path, body: &Body, skin: bool) -> Result<Moving, OpenError> {
    match (skin, &body.skin) {
        (false, _) => Ok(Moving::Body),
        (true, Some(_)) => Ok(Moving::Skin),
        (true, None) => Err(OpenError::NoSkin { shot: path.to_path_buf() }),
    }
}

/// The points of a motion that is written: what they are called, and how many there are.
pub(crate) fn points(subject: &dyn Subject, of: Moving) -> (&'static str, usize) {
    match (of, subject.skin()) {
        (Moving::Skin, Some(skin)) => ("skin", skin.mesh.positions().len()),
        _ => ("body", subject.positions().len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_shot_begins_with_its_file_and_keeps_its_cause() {
        let wrong = Err::<(), _>(ShotError::TooLarge { file: "a.toml".into(), limit: 3 });
        let error = wrong.in_shot("dir/a.toml".as_ref()).unwrap_err();
        assert_eq!(error.to_string(), "dir/a.toml: a.toml is larger than 3 bytes, so it is not a shot file");
        let cause = error.source().and_then(|cause| cause.downcast_ref::<ShotError>());
        assert!(matches!(cause, Some(ShotError::TooLarge { limit: 3, .. })));
    }
}
