//! What a scene says about itself.

use super::{Scene, SceneObject, Up};
use supple_model::Frame;

/// What is in a scene, for a person to read.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneInfo {
    /// The name of the format.
    pub format: &'static str,
    /// Its meshes, in the order of the file.
    pub objects: Vec<ObjectInfo>,
    /// How many frames there are.
    pub frames: usize,
    /// The scene's number of the first.
    pub start: Option<Frame>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// How long its unit is, in metres.
    pub metres_per_unit: Option<f64>,
    /// Which axis points up.
    pub up: Option<Up>,
    /// What was passed over.
    pub notes: Vec<String>,
}

/// What there is to say about a mesh of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectInfo {
    /// Its path.
    pub name: String,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many faces, whatever their corners.
    pub faces: usize,
    /// How many triangles those are.
    pub triangles: usize,
    /// Whether it moves.
    pub animated: bool,
    /// What it carries: some of "rest", "normals", "uvs", "colours", "materials", "groups", "transform".
    pub attributes: Vec<&'static str>,
    /// The names of its materials.
    pub materials: Vec<String>,
    /// The names of its groups, and how many vertices each has.
    pub groups: Vec<(String, usize)>,
}

impl SceneInfo {
    /// What there is to say about a scene.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self {
            format: scene.format.name(),
            objects: scene.objects.iter().map(ObjectInfo::of).collect(),
            frames: scene.frames,
            start: scene.start,
            fps: scene.fps,
            metres_per_unit: scene.metres_per_unit,
            up: scene.up,
            notes: scene.notes.clone(),
        }
    }
}

impl ObjectInfo {
    /// What there is to say about a mesh.
    #[must_use]
    pub fn of(object: &SceneObject) -> Self {
        let surface = &object.surface;
        let is_placed = object.placement != super::Placement::Still(super::Transform::IDENTITY);
        let attributes = [
            ("rest", object.rest.is_some()),
            ("normals", !surface.triangle_normals.is_empty()),
            ("uvs", !surface.triangle_uvs.is_empty()),
            ("colours", !surface.colours.is_empty()),
            ("materials", !surface.triangle_materials.is_empty()),
            ("groups", !surface.vertex_groups.is_empty()),
            ("transform", is_placed),
        ];
        Self {
            name: object.name.clone(),
            vertices: surface.positions.len(),
            faces: surface.faces(),
            triangles: surface.triangles.len(),
            animated: object.animated,
            attributes: attributes
                .into_iter()
                .filter(|(_, is_there)| *is_there)
                .map(|(name, _)| name)
                .collect(),
            materials: surface.materials.clone(),
            groups: surface
                .vertex_groups
                .iter()
                .map(|group| (group.name.clone(), group.members.len()))
                .collect(),
        }
    }
}
