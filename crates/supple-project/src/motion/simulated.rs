//! Simulated input, computed once and kept in the cache.
//!
//! An entry is the frames, then the number of contacts and six numbers for each. Its key is everything the motion depends on: the body at rest with its
//! law, the sections of the shot, and the contents of the files they name.

use super::partial_simulation::{Growth, PartialSimulation};
use super::rest::AtRest;
use super::stored::Stored;
use super::{InputMotion, MotionError};
use crate::body::Body;
use crate::shot::{ObstacleShape, Push, Shot};
use crate::simulate::{SimulateError, Simulator};
use crate::{Cache, CacheKey, KeyHasher, Kind, Payload, PayloadWriter};
use std::io;
use std::path::PathBuf;
use supple_model::{Contact, ContactKind, Frame, FrameError, Progress, VertexId};

const MOTION: Kind = Kind::new("motion", 1);

/// The simulated motion of a shot, from the cache or computed, for `watch` to look at, and put there.
pub(super) fn open(
    shot: &Shot,
    body: &Body,
    cache: &Cache,
    progress: &Progress,
    watch: &mut dyn FnMut(InputMotion),
) -> Result<InputMotion, MotionError> {
    let key = key(shot, body)?;
    let mut warnings = Vec::new();
    let look = |warnings: &mut Vec<_>| {
        let found = cache.get(MOTION, &key).unwrap_or_else(|warning| {
            warnings.push(warning);
            None
        });
        found.and_then(|payload| read(payload, body, shot).ok().flatten())
    };
    if let Some((stored, contacts)) = look(&mut warnings) {
        let motion = InputMotion::of_body(shot, Box::new(stored));
        return Ok(InputMotion { contacts, from_cache: true, warnings, ..motion });
    }
    let (growing, growth) = PartialSimulation::new(AtRest::of(body, shot));
    watch(InputMotion::of_body(shot, Box::new(growing)));
    let mut outcome = None;
    if let Err(warning) = cache.put(MOTION, &key, |payload| {
        let result = simulate(shot, body, payload, &growth, progress);
        let written = match &result {
            Err(Failure::Write(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            Err(Failure::Simulate(error)) => Err(io::Error::other(error.to_string())),
            Ok(()) => Ok(()),
        };
        outcome = Some(result);
        written
    }) {
        warnings.push(warning);
    }
    match outcome {
        Some(Err(Failure::Simulate(error))) => return Err(error.into()),
        Some(Ok(())) => {
            if let Some((stored, contacts)) = look(&mut warnings) {
                let motion = InputMotion::of_body(shot, Box::new(stored));
                return Ok(InputMotion { contacts, warnings, ..motion });
            }
        }
        _ => {}
    }
    // No cache takes it: memory has to.
    growth.begin_again();
    let (mut frames, mut contacts) = (Vec::new(), Vec::new());
    Simulator::new(shot, body, progress)?.run(
        |frame| {
            growth.add(frame.positions);
            frames.push(frame.positions.to_vec());
            contacts.extend_from_slice(frame.contacts);
            Ok(())
        },
        progress,
    )?;
    Ok(InputMotion { contacts, warnings, ..InputMotion::of_body(shot, Box::new(frames)) })
}

/// What kept a simulation out of the cache.
enum Failure {
    Simulate(SimulateError),
    Write(io::Error),
}

impl From<SimulateError> for Failure {
    fn from(error: SimulateError) -> Self {
        Self::Simulate(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

fn simulate(
    shot: &Shot,
    body: &Body,
    payload: &mut PayloadWriter<'_>,
    growth: &Growth,
    progress: &Progress,
) -> Result<(), Failure> {
    let simulator = Simulator::new(shot, body, progress)?;
    Stored::begin(payload, body.positions().len(), simulator.frames())?;
    let mut contacts: Vec<f64> = Vec::new();
    let mut disk = None;
    let result = simulator.run(
        |frame| {
            growth.add(frame.positions);
            for contact in frame.contacts {
                let [x, y, z] = contact.normal;
                let stick = f64::from(u8::from(contact.kind == ContactKind::Stick));
                contacts.extend([f64::from(contact.frame.0), f64::from(contact.vertex.0), x, y, z, stick]);
            }
            payload.f64s(frame.positions.as_flattened()).map_err(|error| {
                disk = Some(error);
                SimulateError::Frame(FrameError(Box::new(io::Error::other("the cache"))))
            })
        },
        progress,
    );
    if let Some(error) = disk {
        return Err(error.into());
    }
    result?;
    payload.u64(contacts.len() as u64 / 6)?;
    Ok(payload.f64s(&contacts)?)
}

/// The contacts of an entry.
fn contacts(payload: &mut Payload) -> io::Result<Vec<Contact>> {
    let count = usize::try_from(payload.u64()?).unwrap_or(usize::MAX);
    let numbers = payload.f64s(count.saturating_mul(6))?;
    let contacts = numbers.as_chunks::<6>().0.iter().map(|[frame, vertex, x, y, z, stick]| Contact {
        frame: Frame(*frame as i32),
        vertex: VertexId(*vertex as u32),
        normal: [*x, *y, *z],
        kind: if *stick == 1.0 { ContactKind::Stick } else { ContactKind::Slide },
    });
    Ok(contacts.collect())
}

/// The frames and contacts of an entry; `None` when it is of something else.
fn read(payload: Payload, body: &Body, shot: &Shot) -> io::Result<Option<(Stored, Vec<Contact>)>> {
    let Some(mut stored) = Stored::open(payload, body.positions().len(), shot.motion.clock().frames)? else {
        return Ok(None);
    };
    let contacts = contacts(stored.rest()?)?;
    Ok(Some((stored, contacts)))
}

fn key(shot: &Shot, body: &Body) -> Result<CacheKey, SimulateError> {
    let elastic = &body.elastic;
    let mut hasher = KeyHasher::new(MOTION)
        .f64s("positions", body.positions().iter().flat_map(|p| p.data.0[0]))
        .f64s("masses", elastic.masses().iter().copied())
        .u32s("surface", body.surface.iter().flatten().map(|v| v.0))
        .u32s("anchors", body.anchors.iter().map(|v| v.0))
        .f64s("stiffness", body.stiffness().values().iter().copied());
    for (name, members) in body.groups.iter() {
        hasher = hasher.str("group", name).u32s("members", members.iter().map(|v| v.0));
    }
    // Numbers are printed with every digit they have.
    let said = shot.without_paths();
    let sections = [
        ("material", format!("{:?}", said.body.material)),
        ("regions", format!("{:?}", said.body.regions)),
        ("time", format!("{:?} {:?} {:?}", said.motion.start, said.motion.frames, said.motion.fps)),
        ("simulate", format!("{:?}", said.simulate)),
        ("loads", format!("{:?}", said.loads)),
    ];
    for (name, text) in &sections {
        hasher = hasher.str(name, text);
    }
    if let Some(skin) = &body.skin {
        // Loads on skin vertices depend on how the skin hangs on the body.
        let rows = skin.embedding.rows();
        let weights: Vec<f64> = rows.flat_map(|(_, weights)| weights.iter().copied()).collect();
        hasher = hasher.f64s("skin", weights);
    }
    for path in files(shot) {
        let file = shot.resolve(&path);
        let bytes = supple_formats::read_file(&file).map_err(|error| SimulateError::Column {
            file: file.clone(),
            problem: format!("cannot be read: {error}"),
        })?;
        hasher = hasher.str("file", &blake3::hash(&bytes).to_string());
    }
    Ok(hasher.finish())
}

/// The files a simulation reads besides the body's own.
fn files(shot: &Shot) -> Vec<PathBuf> {
    let simulate = &shot.simulate;
    let obstacles = simulate.obstacles.iter().filter_map(|obstacle| match &obstacle.shape {
        ObstacleShape::Mesh(path) => Some(path.clone()),
        _ => None,
    });
    let tracks = shot.loads.iter().filter_map(|load| match &load.push {
        Push::Track(path) => Some(path.clone()),
        Push::Force(_) => None,
    });
    let others = simulate.anchors_motion.iter().chain(&simulate.initial.pose).cloned();
    obstacles.chain(tracks).chain(others).collect()
}
