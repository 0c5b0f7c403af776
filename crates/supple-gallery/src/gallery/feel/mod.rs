//! What the three plain controls of an edit do, in pictures: feel, reach, spread.
//!
//! One point of each motion is pulled in the middle of it. The motions are built in, or those of a folder with a
//! `motions.json`; each is imported as `supple new` does it, and what is drawn is the file that was written.

mod motions;

use super::page::{Section, short};
use super::workshop::{From, HALF, HANDLE, INPUT, OUTPUT, Workshop, draw, sheet};
use crate::bench::feel::imported::Imported;
use crate::bench::feel::manifest::Entry;
use crate::bench::feel::measure::{Pull, Seen};
use crate::bench::feel::surface::Film;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::MotionFile;
use supple_project::picture::Picture;
use supple_project::shot::{Edit, Feel, Reach, Spread};
use supple_render::{Image, Plot, Rule, Series};

/// How long a pull is, as a part of the size.
const PULL: f64 = 0.18;
/// Frames of an edit's reach: a second.
const REACH: f64 = 24.0;
const REACHES: [f64; 3] = [8.0, 24.0, 60.0];
const SPREADS: [f64; 3] = [0.1, 0.3, 0.8];
const VIEW: From = From(32.0, 12.0);
const THIRD: [u32; 2] = [290, 270];

/// What a pull came to.
struct Pulled {
    stage: Imported,
    pull: Pull,
    film: Film,
    seen: Seen,
    status: &'static str,
}

/// A picture of every motion, and of what each control does to the first and the last.
pub fn controls(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let files = match workshop.motions() {
        Some(folder) => Entry::read(folder)?
            .iter()
            .map(|entry| Ok((entry.name.clone(), entry.motion_file(folder)?)))
            .collect::<anyhow::Result<Vec<_>>>()?,
        None => motions::write(&workshop.file("feel", ""))?,
    };
    let mut section = Section::default();
    section.text(format!(
        "One point of each motion (blue) is pulled by {:.0} % of the size at the middle frame. Smooth edits are what \
         every new shot has; lively ones are those of the paper.",
        100.0 * PULL
    ));
    let part = |k: usize, of: usize| k as f64 / of as f64;
    let feels = progress.part(0.0, 0.6);
    for (k, (name, file)) in files.iter().enumerate() {
        feel(
            workshop,
            &mut section,
            name,
            file,
            &feels.part(part(k, files.len()), part(k + 1, files.len())),
        )?;
    }
    let (first, last) = (&files[0], &files[files.len() - 1]);
    spread(workshop, &mut section, &[first, last], &progress.part(0.6, 0.8))?;
    reach(workshop, &mut section, first, &progress.part(0.8, 1.0))?;
    Ok(section)
}

/// Smooth beside lively.
fn feel(
    workshop: &Workshop,
    section: &mut Section,
    name: &str,
    file: &MotionFile,
    progress: &Progress,
) -> anyhow::Result<()> {
    let mut tiles = Vec::new();
    for (k, (feel, it)) in [("smooth", Feel::Smooth), ("lively", Feel::Lively)].into_iter().enumerate() {
        let part = |k: usize| k as f64 / 2.0;
        let pulled = pull(file, |edit| edit.feel = it, &progress.part(part(k), part(k + 1)))?;
        tiles.push((pulled.picture(HALF)?, format!("{name}, {feel}: {}", pulled.status)));
        section.number(format!("{name}, {feel}: largest displacement / pull"), pulled.seen.here, "");
        section.number(format!("{name}, {feel}: the same over all frames"), pulled.seen.largest, "");
    }
    let words = format!("The {name}: input yellow, output red, the pulled point blue");
    workshop.show(section, &format!("feel-{name}"), &sheet(2, tiles)?, words)
}

/// Few follow, or many.
fn spread(
    workshop: &Workshop,
    section: &mut Section,
    files: &[&(String, MotionFile)],
    progress: &Progress,
) -> anyhow::Result<()> {
    let mut tiles = Vec::new();
    let all = files.len() * SPREADS.len();
    for (name, file) in files {
        for spread in SPREADS {
            let part = |k: usize| k as f64 / all as f64;
            let k = tiles.len();
            let set = |edit: &mut Edit| edit.spread = Some(Spread(spread));
            let pulled = pull(file, set, &progress.part(part(k), part(k + 1)))?;
            tiles.push((pulled.picture(THIRD)?, format!("{name}, spread {spread}")));
            section.number(
                format!("{name}, spread {spread}: share that follows by half"),
                100.0 * pulled.seen.follows,
                "%",
            );
        }
    }
    workshop.show(
        section,
        "feel-spread",
        &sheet(SPREADS.len(), tiles)?,
        "Spread: how much of the body follows a pull",
    )
}

/// Soon gone, or long felt.
fn reach(
    workshop: &Workshop,
    section: &mut Section,
    (name, file): &(String, MotionFile),
    progress: &Progress,
) -> anyhow::Result<()> {
    let mut plot = Plot::new(format!("The pulled point of the {name}"));
    (plot.x.label, plot.y.label) = ("frame".into(), "distance from the input / pull".into());
    for (k, reach) in REACHES.into_iter().enumerate() {
        let part = |k: usize| k as f64 / REACHES.len() as f64;
        let set = |edit: &mut Edit| edit.reach = Some(Reach(reach));
        let pulled = pull(file, set, &progress.part(part(k), part(k + 1)))?;
        let start = f64::from(pulled.stage.editor.clock().start.0);
        let Pulled { pull, film, stage, .. } = &pulled;
        let frames = stage.surface.film.iter().zip(film).enumerate();
        let offset = |(t, (x, y)): (usize, (&Vec<Vec3>, &Vec<Vec3>))| {
            [start + t as f64, (y[pull.vertex] - x[pull.vertex]).norm() / pull.by.norm()]
        };
        plot.series.push(Series::line(format!("reach = {reach}"), frames.map(offset).collect::<Vec<_>>()));
        if plot.verticals.is_empty() {
            plot.verticals.push(Rule::new(start + pull.frame as f64, "pull"));
        }
        let step = short(pulled.seen.step);
        section.text(format!(
            "With `reach = {reach}` a frame changes the offset by at most {step} of the pull."
        ));
    }
    workshop.plot(section, "feel-reach", &plot, "Reach: frames after which a twentieth of a pull is left")
}

/// Imports a motion with these settings and pulls its tip.
fn pull(file: &MotionFile, feel: impl FnOnce(&mut Edit), progress: &Progress) -> anyhow::Result<Pulled> {
    let mut stage = Imported::open(file, feel, &progress.part(0.0, 0.7))?;
    let pull = tip(&stage);
    let (report, film) = stage.edit(&pull, &progress.part(0.7, 1.0))??;
    let seen = Seen::of(&stage.surface, &film, &pull);
    Ok(Pulled { status: report.status.name(), stage, pull, film, seen })
}

/// What sticks out farthest, pulled on and up, across the picture: farthest from what never moves, or upwards aside.
fn tip(stage: &Imported) -> Pull {
    let surface = &stage.surface;
    let frame = surface.film.len() / 2;
    let at = stage.inside(&surface.film[frame]);
    let middle = at.iter().sum::<Vec3>() / at.len() as f64;
    let aside = VIEW.aside();
    let far = surface.distance_to_still();
    let held = !surface.still.is_empty();
    let out = |v: usize| if held { far[v] } else { (at[v] - middle).dot(&(0.8 * aside + 0.6 * Vec3::y())) };
    let reached = (0..at.len()).filter(|v| !held || far[*v].is_finite());
    let vertex = reached.max_by(|a, b| out(*a).total_cmp(&out(*b))).unwrap_or(0);
    let onwards = if (at[vertex] - middle).dot(&aside) < 0.0 { -aside } else { aside };
    let by = stage.outside(&((0.8 * onwards + 0.6 * Vec3::y()) * PULL));
    Pull { vertex, frame, by: by / by.norm() * PULL * surface.size, reach: REACH }
}

impl Pulled {
    /// After over before, at the frame of the pull.
    fn picture(&self, size: [u32; 2]) -> anyhow::Result<Image> {
        let ids = |t: &[usize; 3]| t.map(VertexId::new);
        let triangles: Vec<[VertexId; 3]> = self.stage.surface.triangles.iter().map(ids).collect();
        let before = self.stage.inside(&self.stage.surface.film[self.pull.frame]);
        let after = self.stage.inside(&self.film[self.pull.frame]);
        let mut picture = Picture::of_surface(after.clone(), &triangles);
        picture.colour = OUTPUT;
        let mut input = Picture::of_surface(before.clone(), &triangles);
        input.colour = INPUT;
        picture.add_ghost(input, 0.4);
        picture.mark_in(vec![after[self.pull.vertex]], HANDLE);
        // The same camera whatever the edit does.
        let reach = Vec3::repeat(self.stage.inside(&[self.pull.by])[0].norm());
        let bounds = supple_mesh::Aabb::around(&before);
        let around = super::workshop::corners(&[bounds.min - reach * 0.6, bounds.max + reach * 0.6]);
        draw(&picture, VIEW.camera(&around, size), size)
    }
}
