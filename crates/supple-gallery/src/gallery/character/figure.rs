//! Characters as the paper draws them: frames of a motion in one picture in alternating colours that fade, the ways of
//! joints, striped before the edit, and dark symbols where something is held.

use super::motion::{Motion, pull};
use crate::gallery::workshop::{From, HANDLE, draw};
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_project::method::{Method, Side};
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Goal, Site};
use supple_render::{Colour, Image};

/// Frames that follow each other, after an edit and before it.
pub const EDITED: [Colour; 2] = [Colour::rgb(70, 130, 196), Colour::rgb(226, 138, 52)];
pub const GREY: Colour = Colour::rgb(150, 150, 150);
/// What is stepped on.
const BOX: Colour = Colour::rgb(196, 192, 180);
/// What is held.
pub const HELD: Colour = Colour::rgb(40, 40, 48);
/// Ways of joints, at their beginning and end: after the edit, and before with its stripes.
const AFTER: [Colour; 2] = [Colour::rgb(250, 150, 176), Colour::rgb(110, 6, 36)];
const BEFORE: [Colour; 2] = [Colour::rgb(238, 204, 84), Colour::rgb(190, 136, 0)];
const STRIPES: Colour = Colour::rgb(64, 52, 20);
/// How much the first frame of a strobe hides of what is behind it, and the last but one.
const FADED: [f64; 2] = [0.35, 0.85];

/// The bones at a frame, counted from 0.
pub fn bones(motion: &Motion, side: Side, index: usize, colour: Colour) -> Picture {
    let mut picture = Picture::of_edit(&motion.method, side, index, Drawn::Bones);
    picture.colour = colour;
    picture
}

/// Frames in one picture; the last is drawn in full.
pub fn strobe(motion: &Motion, side: Side, frames: &[usize], colours: [Colour; 2]) -> Picture {
    let count = frames.len();
    let colour = |k: usize| colours[(count - 1 - k) % 2];
    let last = count - 1;
    let mut picture = bones(motion, side, frames[last], colour(last));
    for (k, index) in frames[..last].iter().enumerate() {
        let part = k as f64 / last.max(1) as f64;
        let opacity = FADED[0] + (FADED[1] - FADED[0]) * part;
        picture.add_ghost(bones(motion, side, *index, colour(k)), opacity);
    }
    picture
}

/// Frames beside each other in one picture, each so much farther aside than the one before; none fades.
pub fn row(
    motion: &Motion,
    side: Side,
    frames: &[usize],
    apart: f64,
    colours: [Colour; 2],
) -> Option<Picture> {
    let about = motion.method.about();
    let mut all: Option<Picture> = None;
    for (k, index) in frames.iter().enumerate() {
        let mut places = vec![[0.0; 3]; about.rest.len()];
        motion.method.frame(side, *index, &mut places);
        places.iter_mut().for_each(|place| place[0] += apart * k as f64);
        let mut picture = Picture::of_frame(about.subject, about.moving, Drawn::Bones, &places);
        picture.colour = colours[k % 2];
        match &mut all {
            Some(all) => all.add_ghost(picture, 1.0),
            None => all = Some(picture),
        }
    }
    all
}

/// Something to step on: a box between two corners.
pub fn add_box(picture: &mut Picture, [low, high]: [Vec3; 2]) {
    const SIDES: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let corner = |k: usize| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let triangles: Vec<[VertexId; 3]> = SIDES
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .map(|corners| corners.map(VertexId))
        .collect();
    let mut surface = Picture::of_surface((0..8).map(corner).collect(), &triangles);
    surface.colour = BOX;
    picture.add_ghost(surface, 1.0);
}

/// Draws the ways of sites over a picture, before and after the edit.
pub fn trails(picture: &mut Picture, motion: &Motion, sites: &[Site]) -> anyhow::Result<()> {
    for site in sites {
        let before = motion.whole_way(Side::Input, site)?;
        picture.add_striped_trail(before, BEFORE, Some(STRIPES));
        picture.add_trail(motion.whole_way(Side::Output, site)?, AFTER);
    }
    Ok(())
}

/// Marks what is held in some frames, and arrows along what is pulled, at the middle of its frames.
pub fn symbols(picture: &mut Picture, motion: &Motion, frames: (usize, usize)) -> anyhow::Result<()> {
    for handle in &motion.shot.edit.handles {
        let (first, last) = motion.stretch(handle);
        let middle = (first + last) / 2;
        if !(frames.0..=frames.1).contains(&middle) {
            continue;
        }
        let at = motion.place(Side::Output, middle, &handle.site)?;
        match pull(handle) {
            Some(_) => arrow(picture, motion.place(Side::Input, middle, &handle.site)?, at),
            None if matches!(handle.goal, Goal::Stay { .. }) => picture.mark_in(vec![at], HELD),
            None => {}
        }
    }
    Ok(())
}

/// An arrow of a drag.
pub fn arrow(picture: &mut Picture, from: Vec3, to: Vec3) {
    picture.add_arrows(vec![[from, to]], HANDLE);
    picture.mark_in(vec![to], HANDLE);
}

/// A picture on the floor, as large as fits.
pub fn on_floor(mut picture: Picture, view: From, size: [u32; 2]) -> anyhow::Result<Image> {
    picture.stand_on(0.0);
    let camera = view.camera(&picture.framed_points(), size);
    draw(&picture, camera, size)
}

/// Pictures on the floor, all seen by the camera that shows every one of them.
pub fn alike(mut pictures: Vec<Picture>, view: From, size: [u32; 2]) -> anyhow::Result<Vec<Image>> {
    let seen: Vec<Vec3> = pictures.iter().flat_map(Picture::framed_points).collect();
    let camera = view.camera(&seen, size);
    let drawn = |picture: &mut Picture| {
        picture.stand_on(0.0);
        draw(picture, camera, size)
    };
    pictures.iter_mut().map(drawn).collect()
}
