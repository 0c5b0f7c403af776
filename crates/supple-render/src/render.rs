//! From a scene to a picture: project, cover and shade band by band, then annotate.

use crate::clip::Clipper;
use crate::error::RenderError;
use crate::image::Image;
use crate::legend;
use crate::overlay::Overlay;
use crate::paint::Painter;
use crate::scene::Scene;
use crate::shade::Studio;
use crate::shadow::ShadowMap;
use crate::surface::Ground;
use crate::surface::{Scenery, Surface};
use crate::text::Text;

impl Scene<'_> {
    /// The picture of the scene, `width` x `height` pixels.
    pub fn render(&self, width: u32, height: u32) -> Result<Image, RenderError> {
        Image::check_size(width, height)?;
        self.check()?;
        let projection = self.camera.projection(width, height)?;
        let mut first_id = 0;
        let surfaces: Vec<Surface<'_>> = self
            .objects
            .iter()
            .map(|object| {
                let surface = Surface::new(object, first_id, &projection, &self.style);
                first_id += object.triangles.len() as u32;
                surface
            })
            .collect();
        let clipper = Clipper::new(projection.near, width, height);
        let casters = self.casters_box();
        let scenery = Scenery {
            projection,
            studio: Studio::new(&projection, &self.style),
            shadow: ShadowMap::new(self, casters, width.max(height)),
            ground: self.floor.and_then(|floor| Ground::new(&floor, casters, &projection)),
        };
        let painter = Painter::new(surfaces, scenery, &clipper, &self.style, [width, height]);
        let (mut image, depth) = painter.paint();
        Overlay::new(&mut image, &depth, &projection).draw(
            &self.streamers,
            &self.arrows,
            &self.markers,
            (&self.labels, &self.style),
        );
        legend::draw(&mut image, self);
        let text = Text::for_picture(height, &self.style);
        let margin = text.cap_height * 1.6;
        for (line, words) in self.caption.lines().enumerate() {
            text.draw(&mut image, words, margin, margin + text.line_height() * line as f64);
        }
        Ok(image)
    }
}
