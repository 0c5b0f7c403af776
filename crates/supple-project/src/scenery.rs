//! What stands around a body: the floor and obstacles, as they are drawn.
//!
//! An obstacle that is also an object of the motion's file moves as that does. Its frames are read when they are shown;
//! those read last are kept, up to [`ROOM`].

use crate::body::Body;
use crate::shot::{ObstacleShape, Shot};
use crate::source::{MotionFile, Source, Space, choose};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use supple_formats::Scene;
use supple_mesh::{Aabb, TriMesh, Vec3};

/// Bytes of frames that are kept for all that moves in a shot.
const ROOM: usize = 256 << 20;

/// Points of a frame, for display.
pub type ShownPoints = Arc<Vec<[f32; 3]>>;

/// Something that stands around.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenery {
    /// Its points; those of the first frame where it moves.
    pub points: Vec<[f32; 3]>,
    /// The triangles between them.
    pub triangles: Vec<[u32; 3]>,
    track: Option<Track>,
}

impl Scenery {
    /// What stands around a body. Where something cannot be read, simulating says so; it is only not drawn here.
    pub(crate) fn around(shot: &Shot, body: &Body) -> Vec<Self> {
        let surfaces = crate::simulate::scenery(shot, &Aabb::around(body.positions())).unwrap_or_default();
        let mut all: Vec<Self> = surfaces.iter().map(Self::plain).collect();
        for (scenery, track) in all.iter_mut().zip(Track::of_obstacles(shot)) {
            scenery.track = track.filter(|track| track.vertices == scenery.points.len());
        }
        all
    }

    pub(crate) fn plain(mesh: &TriMesh) -> Self {
        Self {
            points: mesh.positions().iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect(),
            triangles: mesh.triangles().iter().map(|triangle| triangle.map(|v| v.0)).collect(),
            track: None,
        }
    }

    /// Where it is in a frame, counted from 0; `None` where it does not move or the frame cannot be read.
    #[must_use]
    pub fn at(&self, frame: usize) -> Option<ShownPoints> {
        self.track.as_ref()?.at(frame)
    }
}

/// The obstacle that moves as an object of the motion's file.
#[derive(Clone)]
pub(crate) struct Track {
    /// Which of the file's objects.
    object: usize,
    vertices: usize,
    film: Arc<Mutex<Film>>,
}

/// The file, and frames of its objects that were read: by frame and object.
struct Film {
    scene: Scene,
    space: Space,
    kept: BTreeMap<(usize, usize), ShownPoints>,
    bytes: usize,
}

impl Track {
    /// One for each obstacle of a shot, where it moves.
    pub(crate) fn of_obstacles(shot: &Shot) -> Vec<Option<Self>> {
        let obstacles = &shot.simulate.obstacles;
        let still = || vec![None; obstacles.len()];
        if obstacles.iter().all(|obstacle| obstacle.object.is_none()) {
            return still();
        }
        let Some(file) = MotionFile::of_shot(shot) else { return still() };
        let Ok(Source { scene, space, .. }) = Source::open(&file) else { return still() };
        let chosen: Vec<Option<(usize, usize)>> = obstacles
            .iter()
            .map(|obstacle| {
                let mesh = matches!(obstacle.shape, ObstacleShape::Mesh(_));
                let object = obstacle.object.clone().filter(|_| mesh)?;
                let chosen = choose(&scene, &MotionFile { object: Some(object), ..file.clone() }).ok()?;
                Some((chosen, scene.objects[chosen].surface.positions.len()))
            })
            .collect();
        let film = Arc::new(Mutex::new(Film { scene, space, kept: BTreeMap::new(), bytes: 0 }));
        let track = |(object, vertices)| Self { object, vertices, film: film.clone() };
        chosen.into_iter().map(|chosen| chosen.map(track)).collect()
    }

    /// Where it is in a frame, in metres.
    pub(crate) fn at(&self, frame: usize) -> Option<ShownPoints> {
        let mut film = self.film.lock().unwrap_or_else(PoisonError::into_inner);
        film.read(frame, self.object)
    }

    /// The same, for pictures.
    pub(crate) fn points(&self, frame: usize) -> Option<Vec<Vec3>> {
        Some(self.at(frame)?.iter().map(|p| Vec3::from(p.map(f64::from))).collect())
    }
}

impl Film {
    fn read(&mut self, frame: usize, object: usize) -> Option<ShownPoints> {
        let frames = &mut self.scene.objects[object].frames;
        let frame = frame.min(frames.frames().checked_sub(1)?);
        if let Some(known) = self.kept.get(&(frame, object)) {
            return Some(known.clone());
        }
        let mut points = vec![[0.0; 3]; frames.vertices()];
        frames.read(frame, &mut points).ok()?;
        let shown: ShownPoints =
            Arc::new(points.iter().map(|p| self.space.inside(*p).map(|x| x as f32)).collect());
        let bytes = size_of::<[f32; 3]>() * shown.len();
        if self.bytes + bytes > ROOM {
            self.kept.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.kept.insert((frame, object), shown.clone());
        Some(shown)
    }
}

impl PartialEq for Track {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object && Arc::ptr_eq(&self.film, &other.film)
    }
}

impl std::fmt::Debug for Track {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Track").field("object", &self.object).finish_non_exhaustive()
    }
}
