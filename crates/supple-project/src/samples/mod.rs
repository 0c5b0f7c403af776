//! The built-in shots: bodies this program makes itself, so that there is something to work on before
//! any file of one's own.

mod answer;
mod changed;
mod characters;
mod error;
mod files;
mod icon;
mod keyed;
mod list;
mod posed;
mod quick;
mod scenes;

pub use answer::{SampleAnswer, SampleFailed, SampleLine, SampleOptions, SamplesAnswer, list, write};
pub use error::SampleError;
pub use list::SAMPLES;

use crate::atomic;
use crate::picture::Picture;
use crate::shot::{self, Anchor, BodyKind, End, Ends, Feel, Shot};
use characters::Act;
use files::{Content, bytes, surface, write_body};
use icon::Icon;
use quick::Quick;
use scenes::SampleBuilder;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use supple_mesh::shapes::{BodyMesh, Shape};
use supple_mesh::{FillError, Vec3, VertexGroups};
use supple_model::VertexId;
use supple_render::{Image, UpAxis, View};

/// A shot, and what is in the files it names.
type Files = (Shot, Vec<(String, Content)>);

/// A built-in shot.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    made: Made,
}

/// What is made.
#[derive(Clone, Copy, Debug)]
enum Made {
    /// An elastic body.
    Body(Bodily),
    /// A skeleton and its motion.
    Character(Act),
}

/// What a sample of an elastic body is made of.
#[derive(Clone, Copy, Debug)]
struct Bodily {
    shape: fn() -> Result<Shape, FillError>,
    /// The group that holds it, if anything does.
    anchors: Option<&'static str>,
    material: shot::Material,
    modes: usize,
    /// What moves it.
    scene: fn(&mut SampleBuilder<'_>) -> Result<(), SampleError>,
    /// What its small picture shows.
    icon: Icon,
    /// What makes it ready within half a minute, where it is not at the paper's size.
    quick: Option<Quick>,
}

impl Sample {
    /// Whether it is of a character.
    #[must_use]
    pub fn is_of_character(&self) -> bool {
        matches!(self.made, Made::Character(_))
    }

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
        self.quick().is_some()
    }

    fn quick(&self) -> Option<&Quick> {
        match &self.made {
            Made::Body(body) => body.quick.as_ref(),
            Made::Character(_) => None,
        }
    }

    /// Small pictures of the bodies of samples, or of what becomes of them, one after the other. Filling a body takes a
    /// moment, and is done once for all samples that have it. Errors are shapes that cannot be made, and a size that is
    /// none.
    pub fn pictures(
        samples: &[&'static Self],
        [width, height]: [u32; 2],
    ) -> impl Iterator<Item = Result<Image, SampleError>> {
        let mut bodies = Bodies::new();
        samples.iter().map(move |sample| sample.drawn([width, height], &mut bodies))
    }

    fn drawn(&self, [width, height]: [u32; 2], bodies: &mut Bodies) -> Result<Image, SampleError> {
        let picture = match self.made {
            Made::Body(body) => body.picture(bodies)?,
            Made::Character(act) => {
                let mut shot = Shot::new(Path::new("."), shot::Body::character(self.name))?;
                let rig = act(&mut shot)?;
                let (points, triangles) = characters::strobe(rig, &shot)?;
                Picture::of_surface(points, &triangles)
            }
        };
        let scene = picture.scene(View::default(), UpAxis::Y, f64::from(width) / f64::from(height.max(1)));
        Ok(scene.render(width, height)?)
    }

    /// Writes mesh, skin and shot file to `folder`, which is made if need be, at a size that is ready within half a
    /// minute; returns the path of the shot. Files of these names are not overwritten.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        self.write_as(folder, self.quick())
    }

    /// The same at the size of the paper's example.
    ///
    /// # Errors
    /// Those of [`Self::write`].
    pub fn write_full(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        self.write_as(folder, None)
    }

    fn write_as(&self, folder: &Path, quick: Option<&Quick>) -> Result<PathBuf, SampleError> {
        let (mut shot, files) = match self.made {
            Made::Body(body) => body.make(self.name, folder, quick)?,
            Made::Character(act) => self.act(act, folder)?,
        };
        let shot_file = folder.join(format!("{}.toml", self.name));
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

    /// The shot of a character, and the file of its skeleton and motion.
    fn act(&self, act: Act, folder: &Path) -> Result<Files, SampleError> {
        let name = format!("{}.bvh", self.name);
        let mut shot = Shot::new(folder, shot::Body::character(&name))?;
        shot.motion.input = shot::Input::File(name.clone().into());
        shot.motion.unit = Some(1.0);
        let rig = act(&mut shot)?;
        let mut bytes = Vec::new();
        for clip in &rig.clips {
            supple_formats::write_bvh(&rig, clip, &mut bytes)?;
        }
        Ok((shot, vec![(name, Content::Bytes(bytes))]))
    }

    /// Says in the shot's first line what it is.
    fn say(&self, shot: &Path, quick: Option<&Quick>) -> Result<(), SampleError> {
        let wrong = |source| SampleError::Write { file: shot.to_path_buf(), source };
        let text = fs::read_to_string(shot).map_err(wrong)?;
        let size = match (quick, self.quick()) {
            (Some(quick), _) => {
                format!("; {}; `supple sample {} --full` gives the paper's size", quick.how, self.name)
            }
            (None, Some(_)) => "; at the paper's size".to_owned(),
            (None, None) => String::new(),
        };
        atomic::replace(shot, format!("# {}{size}\n\n{text}", self.about).as_bytes()).map_err(wrong)
    }
}

/// The surfaces of bodies that were made, by what makes them.
type Bodies = BTreeMap<usize, (Vec<Vec3>, Vec<[VertexId; 3]>)>;

/// The surface that is seen of a body.
fn seen(shape: &Shape) -> (Vec<Vec3>, Vec<[VertexId; 3]>) {
    match (&shape.skin, &shape.body) {
        (Some(skin), _) => (skin.positions().to_vec(), skin.triangles().to_vec()),
        (None, BodyMesh::Cloth(cloth)) => (cloth.positions().to_vec(), cloth.triangles().to_vec()),
        (None, _) => (Vec::new(), Vec::new()),
    }
}

impl Bodily {
    /// Its surface, or what becomes of it.
    fn picture(&self, bodies: &mut Bodies) -> Result<Picture, SampleError> {
        let (rest, triangles) = match bodies.entry(self.shape as usize) {
            Entry::Occupied(made) => &*made.into_mut(),
            Entry::Vacant(free) => &*free.insert(seen(&(self.shape)()?)),
        };
        let copies = (self.icon)(rest);
        let moved =
            |by: usize| triangles.iter().map(move |t| t.map(|v| VertexId::new(v.index() + by * rest.len())));
        let triangles: Vec<[VertexId; 3]> = (0..copies.len()).flat_map(moved).collect();
        Ok(Picture::of_surface(copies.concat(), &triangles))
    }

    /// The shot, and the files it names.
    fn make(&self, own: &'static str, folder: &Path, quick: Option<&Quick>) -> Result<Files, SampleError> {
        let shape = quick.and_then(|quick| quick.shape).unwrap_or(self.shape)()?;
        let shape = match quick.and_then(|quick| quick.every) {
            Some(columns) => quick::thinned(&shape, columns)?,
            None => shape,
        };
        let (kind, ending) = match shape.body {
            BodyMesh::Tets(_) => (BodyKind::Solid, ".inp"),
            BodyMesh::Voxels(_) => (BodyKind::Voxels, ".inp"),
            BodyMesh::Cloth(_) => (BodyKind::Cloth, ".obj"),
        };
        let name = |ending: &str| format!("{own}{ending}");
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
        let mut scene = SampleBuilder { name: own, shape: &shape, shot: &mut shot, files };
        (self.scene)(&mut scene)?;
        let files = scene.files;
        if let Some(quick) = quick {
            quick.shorten(&mut shot);
        }
        Ok((shot, files))
    }
}

#[cfg(test)]
mod tests {
    use super::files::points;
    use super::scenes::rubber;
    use super::*;
    use supple_formats::{Elements, MeshFile, load_mesh};
    use supple_mesh::shapes;

    fn written(shape: fn() -> Result<Shape, FillError>, anchors: &'static str) -> (Shot, MeshFile) {
        let anchors = Some(anchors);
        let (material, scene) = (rubber(1e5), scenes::still as _);
        let icon = icon::still;
        let made = Made::Body(Bodily { shape, anchors, material, modes: 10, scene, icon, quick: None });
        let sample = Sample { name: "made", about: "", made };
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
        let all: Vec<&Sample> = SAMPLES.iter().collect();
        let pictures: Vec<Image> = Sample::pictures(&all, [48, 36]).map(Result::unwrap).collect();
        for (k, picture) in pictures.iter().enumerate() {
            assert_eq!((picture.width, picture.height, picture.rgba.len()), (48, 36, 4 * 48 * 36));
            assert!(pictures[..k].iter().all(|other| other != picture), "{}", SAMPLES[k].name);
        }
        assert!(Sample::pictures(&all[..1], [0, 36]).all(|picture| picture.is_err()));
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
