//! Where examples are made: built-in shots with their caches, and the folder pictures go to.

use super::page::{Block, Section};
use anyhow::Context;
use nalgebra::Rotation3;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::picture::{self, Picture};
use supple_project::shot::{self, Goal, Handle, Site, When};
use supple_project::{Body, Cache, DragMethod, Sample, Shot};
use supple_render::{Camera, Colour, Image, Plot, Sheet, UpAxis, View};
use tempfile::TempDir;

/// Colours of the input and of the edited motion, as in the paper.
pub const INPUT: Colour = Colour::rgb(236, 196, 60);
pub const OUTPUT: Colour = Colour::rgb(200, 62, 52);
/// Where a handle pulls to.
pub const HANDLE: Colour = Colour::rgb(24, 92, 196);
/// Width and height of plots.
const PLOT: [u32; 2] = [860, 420];
/// How much narrower the angle of view is than that of pictures with captions on them.
const CLOSER: f64 = 0.87;
/// Wide enough for the page, in pixels.
pub const WIDE: [u32; 2] = [860, 440];
/// Two beside each other, and the same for what is long.
pub const HALF: [u32; 2] = [430, 330];
pub const LONG: [u32; 2] = [390, 185];

/// The folders of one run.
pub struct Workshop {
    out: PathBuf,
    work: PathBuf,
    motions: Option<PathBuf>,
    /// Removed when the run ends.
    _temporary: Option<TempDir>,
}

impl Workshop {
    pub fn new(out: &Path, work: Option<&Path>, motions: Option<&Path>) -> anyhow::Result<Self> {
        let (work, temporary) = match work {
            Some(work) => (work.to_path_buf(), None),
            None => {
                let folder = tempfile::tempdir()?;
                (folder.path().to_path_buf(), Some(folder))
            }
        };
        let motions = motions.map(Path::to_path_buf);
        Ok(Self { out: out.to_path_buf(), work, motions, _temporary: temporary })
    }

    /// The folder of motions from outside, if there is one.
    pub fn motions(&self) -> Option<&Path> {
        self.motions.as_deref()
    }

    fn path(&self, sample: &str) -> PathBuf {
        self.work.join(sample).join(format!("{sample}.toml"))
    }

    /// A built-in shot, written unless it is there already.
    pub fn whole_shot(&self, sample: &str) -> anyhow::Result<Shot> {
        let path = self.path(sample);
        if !path.exists() {
            Sample::named(sample)?.write_full(&self.work.join(sample))?;
        }
        Ok(Shot::load(&path)?)
    }

    /// The same without handles of its own.
    pub fn shot(&self, sample: &str) -> anyhow::Result<Shot> {
        let mut shot = self.whole_shot(sample)?;
        shot.edit.handles.clear();
        Ok(shot)
    }

    /// A built-in shot at rest, for so many frames.
    pub fn still(&self, sample: &str, frames: usize) -> anyhow::Result<Shot> {
        let mut shot = self.shot(sample)?;
        let defaults = shot::Motion::default();
        shot.motion = shot::Motion { input: shot::Input::Rest, frames: Some(frames), ..defaults };
        shot.contacts = None;
        Ok(shot)
    }

    /// The cache of a built-in shot.
    pub fn cache(&self, sample: &str) -> Cache {
        Cache::of_shot(&self.path(sample))
    }

    /// A file of a name in the folder of a built-in shot.
    pub fn file(&self, sample: &str, name: &str) -> PathBuf {
        self.work.join(sample).join(name)
    }

    /// An editor of a variant of a built-in shot; its modes and its simulated input are kept.
    pub fn open(&self, sample: &str, shot: &Shot, progress: &Progress) -> anyhow::Result<DragMethod> {
        let body = Arc::new(Body::load(shot)?);
        let mut shot = shot.clone();
        // The paper keeps the contacts that were recorded, and no others.
        shot.contacts.get_or_insert_default().new = Some(shot::NewContacts::Report);
        DragMethod::open(&shot, body, &self.cache(sample), progress).with_context(|| sample.to_owned())
    }

    /// Writes a picture and puts it on the page.
    pub fn show(
        &self,
        section: &mut Section,
        name: &str,
        image: &Image,
        words: impl Into<String>,
    ) -> anyhow::Result<()> {
        let file = format!("{name}.png");
        picture::save_png(image, &self.out.join(&file))?;
        section.files.push(file.clone());
        section.blocks.push(Block::Picture { file, words: words.into(), drawing: None });
        Ok(())
    }

    /// Writes a plot as a picture and as a drawing, and puts it on the page.
    pub fn plot(
        &self,
        section: &mut Section,
        name: &str,
        plot: &Plot,
        words: impl Into<String>,
    ) -> anyhow::Result<()> {
        let [width, height] = PLOT;
        self.show(section, name, &plot.image(width, height)?, words)?;
        let drawing = format!("{name}.svg");
        let path = self.out.join(&drawing);
        fs::write(&path, plot.svg(width, height))
            .with_context(|| format!("cannot write {}", path.display()))?;
        if let Some(Block::Picture { drawing: place, .. }) = section.blocks.last_mut() {
            *place = Some(drawing.clone());
        }
        section.files.push(drawing);
        Ok(())
    }
}

/// A hard handle at a frame counted from 0.
pub fn handle(editor: &DragMethod, index: usize, site: Site, goal: Goal) -> anyhow::Result<Handle> {
    Ok(Handle::new(When::Frame(editor.clock().start.0 + i32::try_from(index)?), site, goal))
}

/// Where to look from: degrees around the vertical, 0 the front, and above the horizon.
#[derive(Clone, Copy)]
pub struct From(pub f64, pub f64);

impl From {
    /// The direction that is to the right in such a picture.
    pub fn aside(self) -> Vec3 {
        Rotation3::from_axis_angle(&Vec3::y_axis(), self.0.to_radians()) * Vec3::x()
    }

    /// The camera that sees all points, as large as fits.
    pub fn camera(self, points: &[Vec3], [width, height]: [u32; 2]) -> Camera {
        let turn = Rotation3::from_axis_angle(&Vec3::y_axis(), self.0.to_radians())
            * Rotation3::from_axis_angle(&Vec3::x_axis(), -self.1.to_radians());
        let seen: Vec<Vec3> = points.iter().map(|p| turn.inverse() * p).collect();
        let camera = Camera::framing(&seen, View::Front, UpAxis::Y, f64::from(width) / f64::from(height));
        Camera {
            eye: turn * camera.eye,
            target: turn * camera.target,
            up: turn * camera.up,
            // Nothing is written on these pictures, so that what they show may fill more of them.
            vertical_angle: camera.vertical_angle * CLOSER,
        }
    }
}

/// Draws a picture with a camera.
pub fn draw(picture: &Picture, camera: Camera, [width, height]: [u32; 2]) -> anyhow::Result<Image> {
    let mut scene = picture.scene(View::Front, UpAxis::Y, f64::from(width) / f64::from(height));
    scene.camera = camera;
    if scene.style.sun.is_some() {
        scene.style.sun = Some(camera.sun_over_shoulder(UpAxis::Y));
    }
    Ok(scene.render(width, height)?)
}

/// The corners of a box around points.
pub fn corners<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Vec<Vec3> {
    let points: Vec<Vec3> = points.into_iter().copied().collect();
    let bounds = supple_mesh::Aabb::around(&points);
    (0..8)
        .map(|k| {
            Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] })
        })
        .collect()
}

/// Pictures beside each other.
pub fn sheet(columns: usize, tiles: Vec<(Image, String)>) -> anyhow::Result<Image> {
    let sheet = Sheet { columns: Some(columns), tiles, ..Sheet::new() };
    Ok(sheet.image()?)
}
