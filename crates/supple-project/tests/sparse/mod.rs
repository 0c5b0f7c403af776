//! Motions from a few keys, on the block of the paper and in chains.

#![expect(non_snake_case, reason = "matrices keep their capital letters")]
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod block;
mod chain;
mod keys;
mod matter;
mod moments;
mod samples;
mod wrong;

use std::sync::{Arc, OnceLock};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::{self, Side};
use supple_project::shot::{Goal, Handle, Method, Shape, Site, Together, Turn, When};
use supple_project::{Body, Cache, Report, Sample, Shot};
use tempfile::TempDir;

/// A sample's body, to make motions of.
pub struct Place {
    pub folder: TempDir,
    pub shot: Shot,
    body: OnceLock<Arc<Body>>,
}

/// A motion that was found.
pub struct Motion {
    pub frames: Vec<Vec<Vec3>>,
    pub report: Report,
    pub size: f64,
}

impl Place {
    pub fn new(sample: &str) -> Self {
        let mut place = Self::as_written(sample);
        place.shot.edit.choose(Method::Sparse);
        place.shot.edit.modes = 30;
        place.shot.motion.frames = Some(49);
        place
    }

    /// A sample as it is.
    pub fn as_written(sample: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = Sample::named(sample).unwrap().write(folder.path()).unwrap();
        Self { shot: Shot::load(&file).unwrap(), folder, body: OnceLock::new() }
    }

    /// The same of another mesh in its folder.
    pub fn with_mesh(mut self, file: &str) -> Self {
        self.shot.body.shape = Shape::Mesh(file.into());
        self.shot.body.skin = None;
        self
    }

    pub fn body(&self) -> Arc<Body> {
        self.body.get_or_init(|| Arc::new(Body::load(&self.shot).unwrap())).clone()
    }

    pub fn try_solve(&self) -> Result<Motion, String> {
        let cache = Cache::in_folders([self.folder.path().join("cache")]);
        let progress = Progress::silent();
        let opened = method::open(&self.shot, self.body(), &cache, &progress);
        let mut method = opened.map_err(|error| error.to_string())?;
        let report = method.solve(&progress, &mut |_| Ok(())).map_err(|error| error.to_string())?;
        let about = method.about();
        let mut positions = vec![[0.0; 3]; about.rest.len()];
        let frame = |index: usize| {
            method.frame(Side::Output, index, &mut positions);
            positions.iter().map(|p| Vec3::from(*p)).collect()
        };
        Ok(Motion { frames: (0..about.clock.frames).map(frame).collect(), report, size: about.size })
    }

    pub fn solve(&self) -> Motion {
        self.try_solve().unwrap()
    }

    /// The centre of mass of some places.
    pub fn center(&self, places: &[Vec3]) -> Vec3 {
        let body = self.body();
        let masses = body.elastic.masses();
        let sum: Vec3 = places.iter().zip(masses).map(|(x, m)| x * *m).sum();
        sum / masses.iter().sum::<f64>()
    }
}

/// A key on every point of a group.
pub fn each(when: When, group: &str, goal: impl Into<Goal>) -> Handle {
    let points = Some(Together::Each);
    Handle { points, ..Handle::new(when, Site::Group(group.into()), goal.into()) }
}

pub fn turn(about: [f64; 3], axis: [f64; 3], degrees: f64) -> Goal {
    Goal::from(Turn { about, axis, degrees })
}
