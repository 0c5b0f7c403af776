//! The built-in shots: bodies this program makes itself, so that there is something to work on before
//! any file of one's own.

mod answer;
mod quick;
mod scenes;

pub use answer::{SampleAnswer, SampleFailed, SampleLine, SampleOptions, SamplesAnswer, list, write};

use crate::picture::Picture;
use crate::shot::{self, Anchor, BodyKind, End, Ends, Feel, Motion, Shot};
use crate::{ShotError, atomic};
use quick::Quick;
use scenes::{Content, Scene};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supple_formats::{Elements, FormatError, Group, MotionSettings, SurfaceFile, VolumeFile};
use supple_mesh::shapes::{self, BodyMesh, Shape, Stairs};
use supple_mesh::{Aabb, FillError, MeshError, TriMesh, Vec3, VertexGroups};
use supple_model::{Frame, FrameError, VertexId};
use supple_render::{Image, RenderError, UpAxis, View};

/// A built-in shot.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    shape: fn() -> Result<Shape, FillError>,
    /// The group that holds it, if anything does.
    anchors: Option<&'static str>,
    material: shot::Material,
    modes: usize,
    /// What moves it.
    scene: fn(&mut Scene<'_>) -> Result<(), SampleError>,
    /// What makes it ready within half a minute, where it is not at the paper's size.
    quick: Option<Quick>,
}

/// Every built-in shot, by name.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "bar",
        about: "a rubber bar of tets, held at its left end",
        shape: shapes::beam,
        anchors: Some("left"),
        material: rubber(1e6),
        modes: 60,
        scene: scenes::still,
        quick: None,
    },
    Sample {
        name: "beam",
        about: "a flat beam of 75 voxels, softer in the middle, pushed so that it swings",
        shape: shapes::voxel_beam,
        anchors: Some("left"),
        material: rubber(5e7),
        modes: 60,
        scene: scenes::uneven_beam,
        quick: None,
    },
    Sample {
        name: "bird",
        about: "a gull in keyframed flight, a non-manifold surface in a cage of voxels",
        shape: shapes::bird,
        anchors: Some("body"),
        material: rubber(1e5),
        modes: 60,
        scene: scenes::flying,
        quick: None,
    },
    Sample {
        name: "block",
        about: "an upright block to stretch, bend and twist",
        shape: shapes::block,
        anchors: Some("base"),
        material: rubber(1e6),
        modes: 60,
        scene: scenes::still,
        quick: None,
    },
    Sample {
        name: "bridge",
        about: "a suspension bridge with two masts, shaken by the ground",
        shape: shapes::bridge,
        anchors: Some("base"),
        material: rubber(2e6),
        modes: 100,
        scene: scenes::shaken,
        quick: Some(quick::BRIDGE),
    },
    Sample {
        name: "cloth",
        about: "a cloth that falls over a ball",
        shape: shapes::sheet,
        anchors: None,
        material: shot::Material { poisson: 0.3, density: 300.0, thickness: Some(0.0015), ..rubber(3e5) },
        modes: 60,
        scene: scenes::over_a_ball,
        quick: Some(quick::CLOTH),
    },
    Sample {
        name: "curtain",
        about: "a curtain in folds, swinging as its rod moves back and forth",
        shape: shapes::curtain,
        anchors: Some("top"),
        material: shot::Material { poisson: 0.3, density: 300.0, thickness: Some(0.002), ..rubber(1e6) },
        modes: 60,
        scene: scenes::drawn,
        quick: Some(quick::CURTAIN),
    },
    Sample {
        name: "dinosaur",
        about: "a sauropod of uneven stiffness, released from a bent pose",
        shape: shapes::dinosaur,
        anchors: Some("feet"),
        material: rubber(3e6),
        modes: 60,
        scene: scenes::uneven_dinosaur,
        quick: Some(quick::DINOSAUR),
    },
    Sample {
        name: "dragon",
        about: "a long dragon with antlers and whiskers, tumbling down the stairs",
        shape: shapes::dragon,
        anchors: None,
        material: rubber(1.5e7),
        modes: 100,
        scene: scenes::down_the_stairs,
        quick: Some(quick::DRAGON),
    },
    Sample {
        name: "flower",
        about: "a flower with two leaves and nine petals, in gusts of wind",
        shape: shapes::flower,
        anchors: Some("base"),
        material: rubber(6e7),
        modes: 60,
        scene: scenes::in_the_wind,
        quick: None,
    },
    Sample {
        name: "t-rex",
        about: "a T. rex that lifts its feet in turn",
        shape: shapes::t_rex,
        anchors: Some("feet"),
        material: rubber(4e7),
        modes: 60,
        scene: scenes::lifting_feet,
        quick: Some(quick::T_REX),
    },
];

/// Rubber of a given Young's modulus, pascals.
const fn rubber(young: f64) -> shot::Material {
    shot::Material {
        law: shot::Law::StVenantKirchhoff,
        young,
        poisson: 0.45,
        density: 1000.0,
        thickness: None,
    }
}

/// Why a sample could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is none of this name.
    #[error("there is no sample {name:?}; choose one of {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A file of the sample is there already, and may be somebody's work.
    #[error("{} already exists; choose another folder with -o, or remove it first", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The shape could not be made.
    #[error(transparent)]
    Shape(#[from] FillError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A piece of scenery could not be made.
    #[error(transparent)]
    Scenery(#[from] MeshError),
    /// A motion could not be written.
    #[error(transparent)]
    Motion(#[from] FormatError),
    /// A frame of it could not.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A picture of it could not be drawn.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// The shot could not be saved.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

fn names() -> String {
    SAMPLES.iter().map(|sample| sample.name).collect::<Vec<_>>().join(", ")
}

impl Sample {
    /// The sample of this name.
    ///
    /// # Errors
    /// [`SampleError::Unknown`] lists the names there are.
    pub fn named(name: &str) -> Result<&'static Self, SampleError> {
        SAMPLES
            .iter()
            .find(|sample| sample.name == name)
            .ok_or_else(|| SampleError::Unknown { name: name.to_owned() })
    }

    /// Whether there is a larger one, that of the paper: then [`Self::write`] writes one that is ready sooner.
    #[must_use]
    pub fn has_full(&self) -> bool {
        self.quick.is_some()
    }

    /// A small picture of its body at rest. Filling the body takes a moment.
    ///
    /// # Errors
    /// A shape that cannot be made, a size that is none.
    pub fn picture(&self, width: u32, height: u32) -> Result<Image, SampleError> {
        let shape = (self.shape)()?;
        let surface = match (&shape.skin, &shape.body) {
            (Some(skin), _) => (skin.positions().to_vec(), skin.triangles()),
            (None, BodyMesh::Cloth(cloth)) => (cloth.positions().to_vec(), cloth.triangles()),
            (None, _) => (Vec::new(), [].as_slice()),
        };
        let picture = Picture::of_surface(surface.0, surface.1);
        let scene = picture.scene(View::default(), UpAxis::Y, f64::from(width) / f64::from(height.max(1)));
        Ok(scene.render(width, height)?)
    }

    /// Writes mesh, skin and shot file to `folder`, which is made if need be, at a size that is ready within half a
    /// minute; returns the path of the shot. Files of these names are not overwritten.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        self.write_as(folder, self.quick.as_ref())
    }

    /// The same at the size of the paper's example.
    ///
    /// # Errors
    /// Those of [`Self::write`].
    pub fn write_full(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        self.write_as(folder, None)
    }

    fn write_as(&self, folder: &Path, quick: Option<&Quick>) -> Result<PathBuf, SampleError> {
        let shape = (self.shape)()?;
        let shape = match quick.and_then(|quick| quick.every) {
            Some(columns) => quick::thinned(&shape, columns)?,
            None => shape,
        };
        let (kind, ending) = match shape.body {
            BodyMesh::Tets(_) => (BodyKind::Solid, ".inp"),
            BodyMesh::Voxels(_) => (BodyKind::Voxels, ".inp"),
            BodyMesh::Cloth(_) => (BodyKind::Cloth, ".obj"),
        };
        let name = |ending: &str| format!("{}{ending}", self.name);
        let mut body = shot::Body::new(kind, name(ending));
        body.material = Some(self.material);
        body.anchors = self.anchors.iter().map(|group| Anchor::Group((*group).into())).collect();
        let mut files = vec![(name(ending), bytes(|out| write_body(&shape, out))?)];
        if let Some(skin) = &shape.skin {
            let content = bytes(|out| supple_formats::write_obj(&surface(skin, &VertexGroups::new()), out))?;
            files.push((name("-skin.obj"), content));
            body.skin = Some(shot::Skin { mesh: name("-skin.obj").into(), embedding: None });
        }
        let mut shot = Shot::new(folder, body)?;
        shot.edit.modes = self.modes;
        // The built-in shots are those of the papers: least force, and free bodies go where it takes them.
        shot.edit.feel = Feel::Lively;
        if self.anchors.is_none() {
            shot.edit.ends = Ends::Apart { start: None, end: Some(End::Free) };
        }
        let mut scene = Scene { name: self.name, shape: &shape, shot: &mut shot, files };
        (self.scene)(&mut scene)?;
        let files = scene.files;
        if let Some(quick) = quick {
            quick.shorten(&mut shot);
        }
        let shot_file = folder.join(name(".toml"));
        for file in files.iter().map(|(name, _)| folder.join(name)).chain([shot_file.clone()]) {
            if file.exists() {
                return Err(SampleError::Exists { file });
            }
        }
        fs::create_dir_all(folder)
            .map_err(|source| SampleError::Write { file: folder.to_path_buf(), source })?;
        for (name, content) in files {
            content.write(&folder.join(name))?;
        }
        shot.save(&shot_file)?;
        self.say(&shot_file, quick)?;
        Ok(shot_file)
    }

    /// Says in the shot's first line what it is.
    fn say(&self, shot: &Path, quick: Option<&Quick>) -> Result<(), SampleError> {
        let wrong = |source| SampleError::Write { file: shot.to_path_buf(), source };
        let text = fs::read_to_string(shot).map_err(wrong)?;
        let size = match (quick, &self.quick) {
            (Some(quick), _) => {
                format!("; {}; `supple sample {} --full` gives the paper's size", quick.how, self.name)
            }
            (None, Some(_)) => "; at the paper's size".to_owned(),
            (None, None) => String::new(),
        };
        atomic::replace(shot, format!("# {}{size}\n\n{text}", self.about).as_bytes()).map_err(wrong)
    }
}

impl Content {
    fn write(self, file: &Path) -> Result<(), SampleError> {
        match self {
            Self::Bytes(bytes) => atomic::replace(file, &bytes)
                .map_err(|source| SampleError::Write { file: file.to_path_buf(), source }),
            Self::Frames(frames, fps) => {
                let vertices = frames.first().map_or(0, Vec::len);
                let settings = MotionSettings::new(vertices, Frame(Motion::START), fps, frames.len());
                let mut writer = supple_formats::create_motion(file, settings, None)?;
                frames.iter().try_for_each(|frame| writer.write(frame))?;
                Ok(writer.finish()?)
            }
        }
    }
}

/// The stairs a body of this shape falls down: along z, the body lying along their edges at the top.
fn stairs_for(shape: &Shape) -> Result<TriMesh, SampleError> {
    let bounds = Aabb::around(shape.body.positions());
    let stairs = Stairs {
        steps: 14,
        rise: 0.42,
        tread: 0.5,
        width: bounds.size().x + 2.4,
        landing: 1.6,
        floor: 9.0,
        ..Stairs::default()
    };
    let mesh = shapes::stairs(&stairs)?;
    // Turned so that x becomes z, and placed so that the landing is a hand below the body, its edge a bit
    // in front of it.
    let middle = bounds.center();
    let place = |p: &Vec3| Vec3::new(middle.x - p.z, p.y - stairs.height() - 0.05, p.x + middle.z + 0.25);
    let positions = mesh.positions().iter().map(place).collect();
    Ok(TriMesh::skin(positions, mesh.triangles().to_vec())?)
}

fn bytes(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Content, SampleError> {
    let mut bytes = Vec::new();
    content(&mut bytes).map_err(|source| SampleError::Write { file: PathBuf::new(), source })?;
    Ok(Content::Bytes(bytes))
}

fn points(positions: &[Vec3]) -> Vec<[f64; 3]> {
    positions.iter().map(|p| (*p).into()).collect()
}

fn write_body(shape: &Shape, out: &mut dyn Write) -> io::Result<()> {
    let elements = match &shape.body {
        BodyMesh::Tets(mesh) => Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        BodyMesh::Voxels(mesh) => {
            Elements::Hexes(mesh.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect())
        }
        BodyMesh::Cloth(mesh) => return supple_formats::write_obj(&surface(mesh, &shape.groups), out),
    };
    let volume = VolumeFile {
        positions: points(shape.body.positions()),
        elements,
        vertex_groups: groups(&shape.groups),
        ..VolumeFile::default()
    };
    supple_formats::write_abaqus(&volume, out)
}

fn surface(mesh: &TriMesh, vertex_groups: &VertexGroups) -> SurfaceFile {
    SurfaceFile {
        positions: points(mesh.positions()),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        vertex_groups: groups(vertex_groups),
        ..SurfaceFile::default()
    }
}

fn groups(groups: &VertexGroups) -> Vec<Group> {
    let group = |(name, vertices): (&str, &[_])| Group {
        name: name.to_owned(),
        members: vertices.iter().map(|v: &VertexId| v.0).collect(),
    };
    groups.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_formats::{MeshFile, load_mesh};

    fn written(shape: fn() -> Result<Shape, FillError>, anchors: &'static str) -> (Shot, MeshFile) {
        let anchors = Some(anchors);
        let (material, scene) = (rubber(1e5), scenes::still as _);
        let sample =
            Sample { name: "made", about: "", shape, anchors, material, modes: 10, scene, quick: None };
        let folder = tempfile::tempdir().unwrap();
        let shot = Shot::load(&sample.write(folder.path()).unwrap()).unwrap();
        let shot::Shape::Mesh(mesh) = &shot.body.shape else { panic!("a mesh") };
        let file = load_mesh(shot.resolve(mesh)).unwrap();
        (shot, file)
    }

    #[test]
    fn voxels_are_written_with_their_groups_and_skin() {
        let (shot, file) = written(shapes::bird, "body");
        let MeshFile::Volume(file) = file else { panic!("a volume") };
        let bird = shapes::bird().unwrap();
        assert_eq!(shot.body.kind, BodyKind::Voxels);
        assert!(shot.body.skin.is_some());
        assert_eq!(file.positions, points(bird.body.positions()));
        assert!(matches!(&file.elements, Elements::Hexes(hexes) if hexes.len() > 400));
        assert_eq!(file.vertex_groups.len(), bird.groups.iter().count());
    }

    /// The menu of samples was a list of names.
    #[test]
    fn every_sample_has_a_small_picture_of_its_own() {
        let pictures: Vec<Image> = SAMPLES.iter().map(|sample| sample.picture(48, 36).unwrap()).collect();
        for (k, picture) in pictures.iter().enumerate() {
            assert_eq!((picture.width, picture.height, picture.rgba.len()), (48, 36, 4 * 48 * 36));
            assert!(pictures[..k].iter().all(|other| other != picture), "{}", SAMPLES[k].name);
        }
        assert!(SAMPLES[0].picture(0, 36).is_err());
    }

    #[test]
    fn cloth_is_written_as_a_surface_with_groups() {
        let (shot, file) = written(shapes::curtain, "top");
        let MeshFile::Surface(file) = file else { panic!("a surface") };
        assert_eq!(shot.body.kind, BodyKind::Cloth);
        assert!(shot.body.skin.is_none());
        assert_eq!(file.triangles.len(), 2_400);
        let top = file.vertex_groups.iter().find(|group| group.name == "top").unwrap();
        assert_eq!(top.members, (0..61).collect::<Vec<u32>>());
    }
}
