//! The poses a shot asks for, as displacements of its body: the one place where files, forces and pins become numbers.
//!
//! ```text
//! file of the body     u = x − rest
//! file of its skin     u = the least strained body under that skin                    [fit]
//! loads, pins          R(u) = f, what is pinned stays                                  [pose]
//! a group              only its vertices are asked for
//! ```
//!
//! What takes long is kept in the cache.

mod kept;

use crate::Cache;
use crate::body::{Body, OtherBody};
use crate::fit::{FitOptions, fit};
use crate::motion::MotionError;
use crate::pose::pose;
use crate::shot::{self, Hold, PoseVelocity, Shot, When};
use crate::simulate::SimulateError;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use supple_formats::{FormatError, MeshFile, is_motion_path, load_mesh, open_motion};
use supple_mesh::{SelectError, displacement};
use supple_model::{Clock, Frame, FrameError, FrameSource, Progress, VertexId};

/// A pose that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyPose {
    /// Which `[[edit.pose]]` it comes from, the first 1.
    pub number: usize,
    /// When: at one time.
    pub when: When,
    /// Where the body shall be: the displacement from rest, three numbers per vertex.
    pub displacement: Vec<f64>,
    /// How fast it shall move there, per second of the playback; three numbers per vertex.
    pub velocity: Option<Vec<f64>>,
    /// The vertices it is asked of. Without: all.
    pub vertices: Option<Vec<VertexId>>,
    /// The components of the basis it is asked of, the first 1. Without: all.
    pub components: Option<Vec<usize>>,
    /// How firmly.
    pub hold: Hold,
}

/// A pose that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("pose {number}: {problem}")]
pub struct KeyPoseError {
    /// Which `[[edit.pose]]`, the first 1.
    pub number: usize,
    /// What is wrong with it.
    pub problem: Box<KeyPoseProblem>,
}

/// What is wrong with a pose.
#[derive(Debug, thiserror::Error)]
pub enum KeyPoseProblem {
    /// Its file cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A frame of its file cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The file is of something else.
    #[error(transparent)]
    OtherBody(#[from] OtherBody),
    /// A velocity for each vertex of something else.
    #[error("{} has {found} velocities, but the body has {body} vertices", file.display())]
    OtherVelocities {
        /// The file.
        file: PathBuf,
        /// How many it has.
        found: usize,
        /// The vertices of the body.
        body: usize,
    },
    /// A frame that the motion does not have.
    #[error("there is no {frame}; the motion has frames {first} to {last}")]
    Outside {
        /// The frame.
        frame: Frame,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A frame that its file does not have.
    #[error("{} has no {frame}; it has frames {first} to {last}", file.display())]
    NotInFile {
        /// The file.
        file: PathBuf,
        /// The frame.
        frame: Frame,
        /// The first it has.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A mesh has no frames to choose from.
    #[error("{} is one mesh, so it has no `file_frame`", file.display())]
    OneMesh {
        /// The file.
        file: PathBuf,
    },
    /// A place in a file that is none.
    #[error("{}: {vertex} is not at a finite place", file.display())]
    NotFinite {
        /// The file.
        file: PathBuf,
        /// The vertex.
        vertex: VertexId,
    },
    /// Another pose is asked for at the same frame.
    #[error("pose {other} asks for the same vertices at {when}")]
    Twice {
        /// The other.
        other: usize,
        /// The time.
        when: When,
    },
    /// A group that does not exist.
    #[error(transparent)]
    Group(#[from] SelectError),
    /// The body cannot be fitted to the skin.
    #[error(transparent)]
    Fit(#[from] MotionError),
    /// The forces cannot be balanced.
    #[error(transparent)]
    Statics(#[from] SimulateError),
    /// The forces are more than the body bears.
    #[error("the body cannot bear these loads: {:.0} % of them are balanced; lower them", 100.0 * fraction)]
    NotBorne {
        /// The part of the loads that was.
        fraction: f64,
    },
}

/// The poses of a shot on its body, in the order of the file; ranges give one for each of their frames. Those of segments
/// are not among them.
///
/// # Errors
/// Names the pose to blame.
pub fn key_poses(
    shot: &Shot,
    body: &Body,
    clock: Clock,
    progress: &Progress,
) -> Result<Vec<KeyPose>, KeyPoseError> {
    let around = Around { shot, body, clock: Some(clock), cache: None };
    around.resolve((1, &shot.edit.poses), progress)
}

/// What poses are asked of.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub shot: &'a Shot,
    pub body: &'a Body,
    /// The frames of the scene. Without: none are known.
    pub clock: Option<Clock>,
    /// Where poses are kept that take long to find.
    pub cache: Option<&'a Cache>,
}

impl Around<'_> {
    /// Poses on a body, in their order, the first of them with a number.
    pub fn resolve(
        self,
        (first, poses): (usize, &[shot::Pose]),
        progress: &Progress,
    ) -> Result<Vec<KeyPose>, KeyPoseError> {
        let mut found: Vec<KeyPose> = Vec::new();
        let count = poses.len() as f64;
        for (index, asked) in poses.iter().enumerate() {
            let part = progress.part(index as f64 / count, (index + 1) as f64 / count);
            let number = first + index;
            let named = |problem| KeyPoseError { number, problem: Box::new(problem) };
            for pose in (Resolving { around: self, asked, number }).all(&part).map_err(named)? {
                let same = |other: &&KeyPose| other.when == pose.when && other.vertices == pose.vertices;
                if let Some(other) = found.iter().find(same) {
                    return Err(named(KeyPoseProblem::Twice { other: other.number, when: pose.when }));
                }
                found.push(pose);
            }
        }
        Ok(found)
    }
}

/// One `[[edit.pose]]` on its way to numbers.
struct Resolving<'a> {
    around: Around<'a>,
    asked: &'a shot::Pose,
    number: usize,
}

impl Resolving<'_> {
    fn all(&self, progress: &Progress) -> Result<Vec<KeyPose>, KeyPoseProblem> {
        // Of a time between frames, or of a segment, a file shows the frame that is named, or its first.
        let (times, frames): (Vec<When>, Vec<i32>) = match self.asked.when.whole() {
            Some(_) => self.asked.frames().map(|frame| (When::Frame(frame), frame)).unzip(),
            None => {
                (vec![self.asked.when.clone()], vec![self.asked.file_frame.unwrap_or(shot::Motion::START)])
            }
        };
        let is_whole = self.asked.when.whole().is_some();
        if let Some((first, last)) = self.around.clock.filter(|_| is_whole).map(|clock| clock.span())
            && let Some(frame) = frames.iter().find(|frame| !(first..=last).contains(frame))
        {
            return Err(KeyPoseProblem::Outside { frame: Frame(*frame), first, last });
        }
        let displacements = match &self.asked.file {
            Some(file) => self.of_file(&self.around.shot.resolve(file), &frames, progress)?,
            None => vec![self.under_loads(progress)?; frames.len()],
        };
        let velocity = self.asked.velocity.as_ref().map(|velocity| self.velocity(velocity)).transpose()?;
        let group = self.asked.group.as_ref().map(|group| self.around.body.groups.get(group)).transpose()?;
        let poses = times.into_iter().zip(displacements).map(|(when, displacement)| KeyPose {
            number: self.number,
            when,
            displacement,
            velocity: velocity.clone(),
            vertices: group.map(<[VertexId]>::to_vec),
            components: self.asked.components.as_ref().map(|components| components.0.clone()),
            hold: self.asked.hold,
        });
        Ok(poses.collect())
    }

    /// The poses of a file at some frames of the scene.
    fn of_file(
        &self,
        file: &Path,
        frames: &[i32],
        progress: &Progress,
    ) -> Result<Vec<Vec<f64>>, KeyPoseProblem> {
        // A mesh is the same at all of them, so it is looked at once.
        let (mut source, indices): (Box<dyn FrameSource>, Vec<usize>) = if is_motion_path(file) {
            let motion = open_motion(file)?;
            let start = motion.info().start_frame().unwrap_or(Frame(shot::Motion::START)).0;
            let indices = self.indices(file, frames, start, motion.frames())?;
            (motion, indices)
        } else if self.asked.file_frame.is_some() {
            return Err(KeyPoseProblem::OneMesh { file: file.to_path_buf() });
        } else {
            (Box::new(vec![positions(load_mesh(file)?)]), vec![0; frames.len()])
        };
        let (found, body) = (source.vertices(), self.around.body.positions().len());
        let skin = self.around.body.skin.as_ref().map(|skin| skin.mesh.positions().len());
        let is_skin = found != body && skin == Some(found);
        if found != body && !is_skin {
            return Err(OtherBody { file: file.to_path_buf(), found, body, skin }.into());
        }
        let mut known: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (done, &index) in indices.iter().enumerate() {
            if let Entry::Vacant(free) = known.entry(index) {
                let mut places = vec![[0.0; 3]; found];
                source.read(index, &mut places)?;
                if let Some(vertex) = places.iter().position(|place| !place.iter().all(|x| x.is_finite())) {
                    let vertex = VertexId::new(vertex);
                    return Err(KeyPoseProblem::NotFinite { file: file.to_path_buf(), vertex });
                }
                let share = |done: usize| done as f64 / indices.len() as f64;
                let part = progress.part(share(done), share(done + 1));
                free.insert(match is_skin {
                    true => self.fitted(places, &part)?,
                    false => displacement(&places, self.around.body.positions()),
                });
            }
        }
        Ok(indices.iter().filter_map(|index| known.get(index).cloned()).collect())
    }

    /// Which frames of a motion show the poses: those of the same numbers, or the one that is named and what follows it.
    fn indices(
        &self,
        file: &Path,
        frames: &[i32],
        start: i32,
        count: usize,
    ) -> Result<Vec<usize>, KeyPoseProblem> {
        let named = self.asked.file_frame.zip(frames.first());
        let shift = named.map_or(0, |(named, first)| i64::from(named) - i64::from(*first));
        let index = |frame: &i32| {
            let frame = i64::from(*frame) + shift;
            let index = usize::try_from(frame - i64::from(start)).ok().filter(|index| *index < count);
            index.ok_or_else(|| KeyPoseProblem::NotInFile {
                file: file.to_path_buf(),
                frame: Frame(frame.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
                first: start,
                last: start.saturating_add(i32::try_from(count).unwrap_or(i32::MAX) - 1),
            })
        };
        frames.iter().map(index).collect()
    }

    /// The body under a deformed skin.
    fn fitted(&self, skin: Vec<[f64; 3]>, progress: &Progress) -> Result<Vec<f64>, KeyPoseProblem> {
        let Around { shot, body, cache, .. } = self.around;
        let key = || Ok(kept::of_skin(shot, body, &skin));
        kept::kept(cache, key, body.positions().len(), || {
            let mut places = Vec::new();
            let keep = |found: &[[f64; 3]], _: &_| {
                places = found.to_vec();
                Ok(())
            };
            fit(body, &mut vec![skin.clone()], FitOptions::default(), keep, progress)?;
            Ok(displacement(&places, body.positions()))
        })
    }

    /// The body in balance under the loads and pins of the pose.
    fn under_loads(&self, progress: &Progress) -> Result<Vec<f64>, KeyPoseProblem> {
        let Around { shot, body, cache, .. } = self.around;
        let (loads, pins) = (&self.asked.loads, &self.asked.pins);
        kept::kept(
            cache,
            || kept::of_loads(shot, body, loads, pins),
            body.positions().len(),
            || {
                let mut alone = shot.clone();
                (alone.loads, alone.pins) = (loads.clone(), pins.clone());
                let outcome = pose(&alone, body, false, progress)?;
                let last = outcome.stages.last();
                if outcome.stages.len() < outcome.asked || last.is_none_or(|stage| !stage.status.is_solved())
                {
                    return Err(KeyPoseProblem::NotBorne {
                        fraction: last.map_or(0.0, |stage| stage.fraction),
                    });
                }
                Ok(displacement(&outcome.positions, body.positions()))
            },
        )
    }

    fn velocity(&self, asked: &PoseVelocity) -> Result<Vec<f64>, KeyPoseProblem> {
        let body = self.around.body.positions().len();
        match asked {
            PoseVelocity::Of(velocity) => Ok(velocity.repeat(body)),
            PoseVelocity::File(file) => {
                let file = self.around.shot.resolve(file);
                let each = positions(load_mesh(&file)?);
                if each.len() != body {
                    return Err(KeyPoseProblem::OtherVelocities { file, found: each.len(), body });
                }
                Ok(each.concat())
            }
        }
    }
}

fn positions(mesh: MeshFile) -> Vec<[f64; 3]> {
    match mesh {
        MeshFile::Surface(surface) => surface.positions,
        MeshFile::Volume(volume) => volume.positions,
    }
}
