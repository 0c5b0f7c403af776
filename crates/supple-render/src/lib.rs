//! Deterministic CPU pictures and plots, no driver, no window.
//!
//! A [`Scene`] is triangles, markers, a [`Camera`] and a caption; [`Scene::render`] makes an
//! [`Image`] of it. The way of a triangle:
//!
//! | stage | file | does |
//! |---|---|---|
//! | normals | `normals.rs` | one normal per corner, split at creases |
//! | project | `camera.rs` | vertex → homogeneous pixel `(x w, y w, w)` |
//! | clip, snap | `clip.rs` | cut at the near plane, round to 1/256 pixel |
//! | cover | `raster.rs` | which triangle is nearest at each of 8 samples per pixel |
//! | shade | `surface.rs`, `shade.rs` | one colour per triangle and pixel |
//! | ground | `surface/ground.rs`, `shadow.rs` | a floor, and what the sun does not reach; both only when asked for |
//! | blend | `paint.rs` | samples averaged in linear light, translucent surfaces laid over |
//! | annotate | `overlay/`, `legend.rs`, `text.rs` | lines, arrows, discs and words at points, colour bar, caption |
//!
//! The same scene gives the same bits at any thread count: coverage is decided in integers, the
//! picture is cut into bands whose height does not depend on the number of threads, and inside a
//! band triangles are drawn in their order, so that the first one wins a tie in depth.
//!
//! ```
//! use nalgebra::Vector3;
//! use supple_render::{Camera, Object, Scene, UpAxis, View};
//!
//! let positions = [Vector3::x(), Vector3::y(), Vector3::z()];
//! let mut scene = Scene::new(Camera::framing(&positions, View::ThreeQuarter, UpAxis::Y, 1.5));
//! scene.objects.push(Object::new(&positions, &[[0, 1, 2]]));
//! let image = scene.render(96, 64)?;
//! assert_eq!(image.rgba.len(), 96 * 64 * 4);
//! # Ok::<(), supple_render::RenderError>(())
//! ```
//!
//! A [`Plot`] is curves over axes, as a picture or as SVG. A [`Sheet`] is several pictures with
//! captions in one; a [`GifWriter`] makes them move.

mod camera;
mod clip;
mod colour;
mod colour_map;
mod error;
mod framing;
mod gif;
mod glyphs;
mod image;
mod legend;
mod normals;
mod overlay;
mod paint;
mod plot;
mod raster;
mod render;
mod scene;
mod shade;
mod shadow;
mod sheet;
mod steps;
mod stroke;
mod style;
mod surface;
mod text;
mod view;

pub use camera::Camera;
pub use colour::Colour;
pub use colour_map::ColourMap;
pub use error::RenderError;
pub use gif::GifWriter;
pub use image::Image;
pub use overlay::{Arrows, Hidden, Label, Markers, Streamer};
pub use plot::{Axis, Look, Plot, Rule, Scale, Series};
pub use scene::{Floor, Object, Scalars, Scene, Shadow};
pub use sheet::Sheet;
pub use style::Style;
pub use view::{UpAxis, View};
