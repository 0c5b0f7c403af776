//! Small pictures of the samples: drawn beside the window when the menu is opened for the first time, and kept.

use eframe::egui::{self, ColorImage, Context, TextureHandle, TextureOptions, Ui};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, channel};
use supple_project::Sample;

/// Width and height on the window.
const SIZE: [f32; 2] = [48.0, 36.0];
/// Pixels for each of its points.
const FINE: u32 = 2;

/// The pictures there are, and where more come from.
#[derive(Default)]
pub struct Thumbnails {
    made: BTreeMap<&'static str, TextureHandle>,
    coming: Option<Receiver<(&'static str, ColorImage)>>,
}

impl Thumbnails {
    /// Takes what was drawn since it was last asked; the first time all of `samples` are begun, in their order.
    pub fn update(&mut self, samples: &[&'static Sample], ctx: &Context) {
        let coming = self.coming.get_or_insert_with(|| drawn(samples.to_vec(), ctx.clone()));
        for (name, image) in coming.try_iter() {
            let texture = ctx.load_texture(format!("sample-{name}"), image, TextureOptions::LINEAR);
            self.made.insert(name, texture);
        }
    }

    /// Shows the picture of a sample, or keeps its place free.
    pub fn show(&self, name: &str, ui: &mut Ui) {
        match self.made.get(name) {
            Some(texture) => drop(ui.add(egui::Image::new(texture).fit_to_exact_size(SIZE.into()))),
            None => drop(ui.allocate_exact_size(SIZE.into(), egui::Sense::hover())),
        }
    }
}

/// Draws samples on a thread of their own, which ends when nobody waits any more.
fn drawn(samples: Vec<&'static Sample>, ctx: Context) -> Receiver<(&'static str, ColorImage)> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let pictures = Sample::pictures(&samples, SIZE.map(|side| side as u32 * FINE));
        for (sample, picture) in samples.iter().zip(pictures) {
            let Ok(picture) = picture else { continue };
            let size = [picture.width as usize, picture.height as usize];
            let image = ColorImage::from_rgba_unmultiplied(size, &picture.rgba);
            if sender.send((sample.name, image)).is_err() {
                return;
            }
            ctx.request_repaint();
        }
    });
    receiver
}
