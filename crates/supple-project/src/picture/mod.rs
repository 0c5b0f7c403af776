//! A body or a mesh as a picture: what is drawn, where its vertices are, and what its colours mean.
//!
//! A displaced body is drawn at x + u, its skin at Σ wₖ (xₖ + uₖ) through its embedding. The camera
//! frames rest and displacement together, so that the picture shows which way the body moved. [`render()`] draws a file,
//! [`plot()`] its numbers as curves.

mod error;
mod film;
mod keys;
mod plot;
mod plot_material;
mod render;
mod shown_strain;
mod spectrum;
mod staging;
pub(crate) mod strain;
mod video;

pub use crate::method::Side;
pub use error::PictureError;
pub use film::{Film, FilmError, Survey, Wanted};
pub use keys::{KeyPicture, along, around, key_pictures};
pub use plot::{PlotAnswer, PlotFailed, PlotOf, PlotOptions, PlotSeries, plot};
pub use render::{
    CameraOptions, FloorOptions, GivenCamera, HandleError, MotionOptions, PictureKind, Refusal, RenderAnswer,
    RenderFailed, RenderOptions, Streamed, TimeOptions, render,
};
pub use shown_strain::Strain;
pub use spectrum::spectrum;
pub use video::{VideoFormat, VideoWriter};

use crate::atomic;
use crate::body::{Body, BodyError, visible_mesh};
use crate::motion::{Moving, surface_at};
use crate::subject::Subject;
use staging::Staging;
use std::path::Path;
use supple_mesh::{Aabb, TriMesh, Vec3};
use supple_model::VertexId;
use supple_render::{
    Camera, Colour, ColourMap, Image, Markers, Object, Scalars, Scene, Shadow, UpAxis, View,
};

/// Radius of the discs at anchors, pixels of a picture 720 pixels high: there may be hundreds.
const ANCHOR_RADIUS: f64 = 3.0;

/// Edges this sharp or sharper are drawn as edges, degrees. Those of boxes are; the thinnest members of a
/// skin, a few triangles around, still look round.
const CREASE: f64 = 80.0;

/// The colour of surfaces without one of their own.
const SURFACE: Colour = Colour::rgb(116, 158, 205);

/// How much of the scenery around a body is shown, as a part of its longest side.
const NEARBY: f64 = 0.3;

/// Which of a body's two surfaces is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The fine skin; the surface of the body itself where there is none.
    Skin,
    /// The surface of the body itself.
    Body,
    /// The bones of a character, which are all one sees of it.
    Bones,
}

/// What the colours of a displaced body mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// How far each vertex is from its rest position.
    Displacement,
    /// The Frobenius norm of the Green strain, averaged at vertices.
    Strain,
    /// How far each vertex is from where the input has it.
    Edit,
}

impl Colouring {
    /// What is written over the colours.
    fn label(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Strain => "strain",
            Self::Edit => "change",
        }
    }
}

/// A surface ready to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Text in the corner of the picture.
    pub caption: String,
    /// Whether the edges of the triangles are drawn.
    pub wireframe: bool,
    /// The colour of the surface, where its colours mean nothing.
    pub colour: Colour,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    scalars: Option<(Vec<f64>, &'static str)>,
    /// The value of the last colour; the largest there is without.
    most: Option<f64>,
    markers: Vec<Vec3>,
    /// What the camera shows besides the surface.
    framed: Vec<Vec3>,
    /// What stands around.
    scenery: Vec<(Vec<Vec3>, Vec<[u32; 3]>)>,
    staging: Staging,
}

impl Picture {
    /// The mesh in a file.
    ///
    /// # Errors
    /// A file that cannot be read, or whose mesh cannot be used; names the file and the culprit.
    pub fn of_file(path: &Path) -> Result<Self, BodyError> {
        let (positions, triangles) = visible_mesh(path)?;
        Ok(Self::new(positions, &triangles))
    }

    /// A surface of these points.
    #[must_use]
    pub fn of_surface(positions: Vec<Vec3>, triangles: &[[VertexId; 3]]) -> Self {
        Self::new(positions, triangles)
    }

    /// A body at rest.
    #[must_use]
    pub fn of_body(body: &dyn Subject, drawn: Drawn) -> Self {
        match (body.skin(), drawn) {
            (Some(skin), Drawn::Skin) => Self::new(skin.mesh.positions().to_vec(), skin.mesh.triangles()),
            _ => Self::new(body.positions().to_vec(), body.triangles()),
        }
    }

    /// A body displaced by `u`, three numbers per vertex.
    ///
    /// # Panics
    /// When `u` is of another body.
    #[must_use]
    pub fn of_displaced(body: &Body, drawn: Drawn, u: &[f64], colouring: Colouring) -> Self {
        let u = vectors(u);
        let displaced: Vec<Vec3> = body.positions().iter().zip(&u).map(|(x, u)| x + u).collect();
        let strain = || strain::of_body(body, &displaced);
        let mut picture = Self::of_body(body, drawn);
        let rest = Aabb::around(&picture.positions);
        picture.framed = vec![rest.min, rest.max];
        let scalars = match (&body.skin, drawn) {
            (Some(skin), Drawn::Skin) => {
                skin.embedding.apply(&displaced, &mut picture.positions);
                match colouring {
                    Colouring::Displacement | Colouring::Edit => {
                        let mut moved = vec![Vec3::zeros(); picture.positions.len()];
                        skin.embedding.apply(&u, &mut moved);
                        moved.iter().map(Vec3::norm).collect()
                    }
                    Colouring::Strain => strain::on_skin(skin, &strain()),
                }
            }
            _ => {
                let scalars = match colouring {
                    Colouring::Displacement | Colouring::Edit => u.iter().map(Vec3::norm).collect(),
                    Colouring::Strain => strain(),
                };
                picture.positions = displaced;
                scalars
            }
        };
        picture.scalars = Some((scalars, colouring.label()));
        picture
    }

    /// A body, or its skin, with its vertices at `positions`, as a motion has them.
    ///
    /// # Panics
    /// When there are not as many positions as the body, or its skin, has vertices.
    #[must_use]
    pub fn of_frame(body: &dyn Subject, of: Moving, drawn: Drawn, positions: &[[f64; 3]]) -> Self {
        let surface = match (of, drawn) {
            (Moving::Body, Drawn::Skin) => surface_at(body, Moving::Skin, positions),
            (Moving::Body, Drawn::Body | Drawn::Bones) => surface_at(body, Moving::Body, positions),
            (Moving::Skin, _) => {
                let mut picture = Self::of_body(body, Drawn::Skin);
                picture.positions = positions.iter().map(|p| Vec3::from(*p)).collect();
                return picture;
            }
        };
        let triangles: Vec<[VertexId; 3]> = surface.triangles.iter().map(|t| t.map(VertexId)).collect();
        Self::new(surface.positions.iter().map(|p| Vec3::from(*p)).collect(), &triangles)
    }

    /// Puts surfaces around it that are drawn in grey. The camera shows what is near of them.
    pub fn add_scenery(&mut self, surfaces: Vec<TriMesh>) {
        let bounds = self.bounds();
        if !surfaces.is_empty() {
            let margin = Vec3::repeat(NEARBY * bounds.size().max());
            self.framed.extend([bounds.min - margin, bounds.max + margin]);
        }
        let indices = |s: &TriMesh| s.triangles().iter().map(|t| t.map(|v| v.0)).collect();
        self.scenery.extend(surfaces.iter().map(|s| (s.positions().to_vec(), indices(s))));
    }

    /// Puts the points of a surface of the scenery elsewhere; another number of points is left where it is.
    pub(crate) fn move_scenery(&mut self, index: usize, points: Vec<Vec3>) {
        if let Some((positions, _)) = self.scenery.get_mut(index).filter(|(at, _)| at.len() == points.len()) {
            *positions = points;
        }
    }

    /// A box around the surface.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let used: Vec<Vec3> = self.triangles.iter().flatten().map(|&v| self.positions[v as usize]).collect();
        Aabb::around(&used)
    }

    /// Marks these points, over the surface.
    pub fn mark(&mut self, points: impl IntoIterator<Item = Vec3>) {
        self.markers.extend(points);
    }

    /// Gives every vertex of the surface a value, which its colour shows.
    ///
    /// # Panics
    /// When there is not a value for each.
    pub fn colour_by(&mut self, values: Vec<f64>, label: &'static str) {
        assert_eq!(values.len(), self.positions.len(), "a value for every vertex");
        self.scalars = Some((values, label));
    }

    /// The largest value its colours show; 0 where they mean nothing.
    #[must_use]
    pub fn largest_value(&self) -> f64 {
        self.scalars.as_ref().map_or(0.0, |(values, _)| largest(values))
    }

    /// Lets the last colour mean this value, so that the colours of several pictures mean the same.
    pub fn colour_up_to(&mut self, value: f64) {
        self.most = Some(value);
    }

    /// How many triangles are drawn.
    #[must_use]
    pub fn triangles(&self) -> usize {
        self.triangles.len()
    }

    /// The points that a camera has to show: those of the surface, and what else is framed with it.
    #[must_use]
    pub fn framed_points(&self) -> Vec<Vec3> {
        let used = self.triangles.iter().flatten().map(|&v| self.positions[v as usize]);
        used.chain(self.framed.iter().copied()).collect()
    }

    /// The picture as a scene, seen from `view` with room for a picture of `aspect` = width / height.
    #[must_use]
    pub fn scene(&self, view: View, up: UpAxis, aspect: f64) -> Scene<'_> {
        self.scene_from(Camera::framing(&self.framed_points(), view, up, aspect), up)
    }

    /// The picture as a scene, seen by a camera.
    #[must_use]
    pub fn scene_from(&self, camera: Camera, up: UpAxis) -> Scene<'_> {
        let mut scene = Scene::new(camera);
        scene.style.sky = match up {
            UpAxis::Y => Vec3::y(),
            UpAxis::Z => Vec3::z(),
        };
        scene.style.crease_degrees = CREASE;
        let mut object = Object::new(&self.positions, &self.triangles);
        object.wireframe = self.wireframe;
        object.colour = self.colour;
        object.scalars = self.scalars.as_ref().map(|(values, label)| Scalars {
            // Both quantities begin at nothing, and so do their colours.
            range: Some([0.0, self.most.unwrap_or_else(|| largest(values))]),
            label: (*label).into(),
            ..Scalars::new(values, ColourMap::Sequential)
        });
        scene.objects.push(object);
        for (positions, triangles) in &self.scenery {
            let mut object = Object::new(positions, triangles);
            object.colour = Colour::rgb(178, 178, 172);
            // Scenery may be vast, and shadows are as sharp as what throws them is small.
            object.shadow = Shadow::Never;
            scene.objects.push(object);
        }
        scene.markers.push(Markers { radius: ANCHOR_RADIUS, ..Markers::new(&self.markers) });
        self.staging.enter(&mut scene, up);
        scene.caption.clone_from(&self.caption);
        scene
    }

    /// The corners of its triangles.
    fn corners(&self) -> Vec<[VertexId; 3]> {
        self.triangles.iter().map(|t| t.map(VertexId)).collect()
    }

    fn new(positions: Vec<Vec3>, triangles: &[[VertexId; 3]]) -> Self {
        Self {
            caption: String::new(),
            wireframe: false,
            colour: SURFACE,
            positions,
            triangles: triangles.iter().map(|t| t.map(|v| v.0)).collect(),
            scalars: None,
            most: None,
            markers: Vec::new(),
            framed: Vec::new(),
            scenery: Vec::new(),
            staging: Staging::default(),
        }
    }
}

/// `u` scaled so that the vertex that moves farthest moves `share` of the body's longest side; a
/// negative share turns it around. All zeros stay so.
#[must_use]
pub fn scaled(body: &Body, mut u: Vec<f64>, share: f64) -> Vec<f64> {
    let farthest = vectors(&u).iter().map(Vec3::norm).fold(0.0, f64::max);
    if farthest > 0.0 {
        let scale = share * Aabb::around(body.positions()).size().max() / farthest;
        u.iter_mut().for_each(|x| *x *= scale);
    }
    u
}

/// Writes a picture as PNG, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn save_png(image: &Image, file: &Path) -> Result<(), PictureError> {
    let mut bytes = Vec::new();
    image.write_png(&mut bytes)?;
    atomic::replace(file, &bytes).map_err(|source| PictureError::Write { file: file.to_path_buf(), source })
}

/// Writes the text of a drawing, whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn save_text(text: &str, file: &Path) -> Result<(), PictureError> {
    atomic::replace(file, text.as_bytes())
        .map_err(|source| PictureError::Write { file: file.to_path_buf(), source })
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn vectors(u: &[f64]) -> Vec<Vec3> {
    u.chunks_exact(3).map(|u| Vec3::new(u[0], u[1], u[2])).collect()
}
