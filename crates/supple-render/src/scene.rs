//! What is in a picture: surfaces, a floor, what is drawn over them, a camera, a caption.

use nalgebra::Vector3;
use rayon::prelude::*;

use crate::camera::Camera;
use crate::colour::Colour;
use crate::colour_map::ColourMap;
use crate::error::RenderError;
use crate::overlay::{Arrows, Label, Markers, Streamer};
use crate::raster::FLOOR;
use crate::style::Style;
use crate::view::UpAxis;

/// Coordinates whose squares and products are still finite.
const LARGEST: f64 = 1e100;

/// Everything a picture shows; see [`Scene::render`].
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// Surfaces; where two solid ones coincide, the earlier is seen.
    pub objects: Vec<Object<'a>>,
    /// A level floor; none when `None`.
    pub floor: Option<Floor>,
    /// Lines through space.
    pub streamers: Vec<Streamer<'a>>,
    /// Arrows, over the lines.
    pub arrows: Vec<Arrows<'a>>,
    /// Discs at points, over the arrows.
    pub markers: Vec<Markers<'a>>,
    /// Words at points, over everything else.
    pub labels: Vec<Label>,
    /// Where the picture is taken from.
    pub camera: Camera,
    /// Background and shading.
    pub style: Style,
    /// Text in the top left corner; may have several lines or be empty.
    pub caption: String,
}

/// A triangle surface. Both sides are lit; triangles with a vertex that is not finite are left
/// out.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// Vertices.
    pub positions: &'a [Vector3<f64>],
    /// Vertex indices of each triangle.
    pub triangles: &'a [[u32; 3]],
    /// Colour where there are no scalars.
    pub colour: Colour,
    /// Colours by a number per vertex, with a colour bar.
    pub scalars: Option<Scalars<'a>>,
    /// Whether the triangles' edges are drawn.
    pub wireframe: bool,
    /// 1 for a solid surface, less for a ghost through which others are seen (its own far side is
    /// not), 0 or less for none at all.
    pub opacity: f64,
    /// Whether it keeps [`Style::sun`] from others.
    pub shadow: Shadow,
}

/// Whether a surface throws a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadow {
    /// When it is solid: ghosts throw none.
    #[default]
    OfSolid,
    /// Even when others are seen through it.
    Always,
    /// Never. Without the vast surfaces of a scenery, shadows have sharper edges and the floor is fitted to what
    /// matters.
    Never,
}

/// A level floor with a soft pattern of squares that fades with the distance from the objects. It
/// hides what is below, and is not drawn when the camera is below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Where it is along the axis that points up.
    pub height: f64,
    /// The axis that points up.
    pub up: UpAxis,
    /// Side of a square; a round number that suits the objects when `None` or not positive.
    pub tile: Option<f64>,
    /// Colours of the squares.
    pub colours: [Colour; 2],
}

impl Floor {
    /// A light grey floor.
    pub fn new(height: f64, up: UpAxis) -> Self {
        Self { height, up, tile: None, colours: [Colour::rgb(226, 229, 233), Colour::rgb(207, 212, 219)] }
    }
}

/// A number per vertex, shown as colour.
#[derive(Clone, Debug)]
pub struct Scalars<'a> {
    /// One value per vertex; NaN is shown grey.
    pub values: &'a [f64],
    /// The values at the ends of the colour map; from the finite values when `None`.
    pub range: Option<[f64; 2]>,
    /// From value to colour.
    pub map: ColourMap,
    /// Name and unit, written over the colour bar.
    pub label: String,
}

impl<'a> Scene<'a> {
    /// An empty scene.
    pub fn new(camera: Camera) -> Self {
        Self {
            objects: Vec::new(),
            floor: None,
            streamers: Vec::new(),
            arrows: Vec::new(),
            markers: Vec::new(),
            labels: Vec::new(),
            camera,
            style: Style::default(),
            caption: String::new(),
        }
    }

    /// The least box around the triangles of surfaces that cast shadows, as its lowest and its
    /// highest corner; `None` when there is none, or it is too large to calculate with.
    pub(crate) fn casters_box(&self) -> Option<[Vector3<f64>; 2]> {
        let casters = self.objects.iter().filter(|object| object.casts());
        let boxes = casters.filter_map(|object| {
            let used = object.triangles.par_iter().flatten().map(|&v| object.positions[v as usize]);
            let finite = used.filter(|p| p.iter().all(|c| c.is_finite()));
            finite.map(|p| [p, p]).reduce_with(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])])
        });
        let around = boxes.reduce(|a, b| [a[0].inf(&b[0]), a[1].sup(&b[1])]);
        around.filter(|corners| corners.iter().all(|corner| corner.amax() < LARGEST))
    }

    /// What [`render`](Self::render) relies on: indices in range, one scalar per vertex.
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        // Two ids are set aside, for samples that show the floor and for those that show nothing.
        let triangles: usize = self.objects.iter().map(|o| o.triangles.len()).sum();
        if triangles >= FLOOR as usize {
            return Err(RenderError::TriangleCount { triangles });
        }
        if let Some(Floor { height, .. }) = self.floor.filter(|floor| !floor.height.is_finite()) {
            return Err(RenderError::FloorHeight { height });
        }
        self.objects.iter().enumerate().try_for_each(|(i, object)| object.check(i))
    }
}

impl<'a> Object<'a> {
    /// A surface in the default colour.
    pub fn new(positions: &'a [Vector3<f64>], triangles: &'a [[u32; 3]]) -> Self {
        Self {
            positions,
            triangles,
            colour: Colour::rgb(116, 158, 205),
            scalars: None,
            wireframe: false,
            opacity: 1.0,
            shadow: Shadow::default(),
        }
    }

    /// Whether it throws a shadow.
    pub(crate) fn casts(&self) -> bool {
        match self.shadow {
            Shadow::OfSolid => self.opacity >= 1.0,
            Shadow::Always => self.opacity > 0.0,
            Shadow::Never => false,
        }
    }

    fn check(&self, object: usize) -> Result<(), RenderError> {
        let vertices = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(RenderError::VertexIndex { object, triangle, vertex, vertices });
            }
        }
        let Some(scalars) = &self.scalars else {
            return Ok(());
        };
        if scalars.values.len() != vertices {
            let values = scalars.values.len();
            return Err(RenderError::ScalarCount { object, values, vertices });
        }
        match scalars.range {
            Some([low, high]) if !(low.is_finite() && high.is_finite() && low <= high) => {
                Err(RenderError::ScalarRange { object, low, high })
            }
            _ => Ok(()),
        }
    }
}

impl<'a> Scalars<'a> {
    /// Values coloured over their own range, without a label.
    pub fn new(values: &'a [f64], map: ColourMap) -> Self {
        Self { values, range: None, map, label: String::new() }
    }

    /// The values at the ends of the colour map; `[0, 0]` when there is no finite value.
    pub(crate) fn range(&self) -> [f64; 2] {
        if let Some(range) = self.range {
            return range;
        }
        let finite = || self.values.iter().copied().filter(|v| v.is_finite());
        let Some(low) = finite().reduce(f64::min) else {
            return [0.0, 0.0];
        };
        let high = finite().fold(low, f64::max);
        match self.map {
            ColourMap::Sequential => [low, high],
            ColourMap::Diverging => {
                let reach = low.abs().max(high.abs());
                [-reach, reach]
            }
        }
    }
}
