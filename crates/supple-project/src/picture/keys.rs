//! The keys of a motion as pictures: the shape that was found pale, what is asked dark and where it is asked to be
//! (Schulz et al. 2014, Fig. 8).
//!
//! A part of the surface is dark where more than half of what carries it is asked to be somewhere. Velocities are arrows,
//! the longest of them as long as suits the body; the centre of mass and single vertices are dots.

use super::{Drawn, Picture};
use crate::method::{Asked, KeyMoment, Method};
use crate::motion::Moving;
use crate::subject::Subject;
use std::collections::HashSet;
use supple_mesh::{Aabb, Vec3};
use supple_model::VertexId;
use supple_model::text::number;
use supple_render::{Colour, Shadow, UpAxis};

/// What is asked, what is not, and how much of what is behind shows through that.
const DARK: Colour = Colour::rgb(30, 62, 128);
const PALE: Colour = Colour::rgb(148, 186, 230);
const PALE_OPACITY: f64 = 0.5;
/// Arrows of velocities, and dots at centres of mass.
const ARROW: Colour = Colour::rgb(196, 60, 36);
const CENTER: Colour = Colour::rgb(12, 12, 16);
/// How long the longest arrow is, as a part of the longest side of the body.
const LONGEST: f64 = 0.45;
/// What is off by less, as a part of the longest side, is not drawn twice.
const NEAR: f64 = 0.02;
/// How much lower the floor is, as a part of the longest side.
const HAIR: f64 = 2e-3;
/// From this share on, what is asked of its carriers is asked of a vertex of the skin.
const HALF: f64 = 0.5;

/// A key, drawn.
#[derive(Clone, Debug)]
pub struct KeyPicture {
    /// When it is: segment and frame.
    pub name: String,
    /// The same, as the scene counts frames.
    pub time: f64,
    /// A box around the shape that was found.
    pub body: Aabb,
    /// What it looks like, where it is.
    pub picture: Picture,
}

impl KeyPicture {
    /// Puts a floor below, a hair lower than `height`: what is asked to stand on it shall not be in the same place.
    pub fn stand_on(&mut self, height: f64) {
        self.picture.stand_on(height - HAIR * self.body.size().max());
    }
}

/// All keys of a motion that was solved, in their order.
#[must_use]
pub fn key_pictures(method: &dyn Method, drawn: Drawn) -> Vec<KeyPicture> {
    let (moments, about) = (method.key_moments(), method.about());
    let speed = |asked: &Asked| match asked {
        Asked::Velocity { velocity, .. } => velocity.norm(),
        _ => 0.0,
    };
    let fastest = moments.iter().flat_map(|moment| &moment.asked).map(speed).fold(0.0, f64::max);
    let longest = LONGEST * Aabb::around(about.rest).size().max();
    let seconds = if fastest > 0.0 { longest / fastest } else { 0.0 };
    let of = |moment: &KeyMoment| KeyPicture {
        name: name(moment),
        time: moment.time,
        body: Picture::of_frame(about.subject, Moving::Body, drawn, &moment.positions).bounds(),
        picture: Picture::of_key(about.subject, moment, drawn, seconds),
    };
    moments.iter().map(of).collect()
}

/// Where a camera has to go along with each of them, so that all are seen alike: never up or down.
#[must_use]
pub fn along(keys: &[KeyPicture], up: UpAxis) -> Vec<Vec3> {
    let level = |key: &KeyPicture| {
        let mut middle = (key.body.min + key.body.max) / 2.0;
        middle[if up == UpAxis::Z { 2 } else { 1 }] = 0.0;
        middle
    };
    keys.iter().map(level).collect()
}

/// What such a camera has to show where it stands for what is in the origin.
#[must_use]
pub fn around(keys: &[KeyPicture], along: &[Vec3]) -> Vec<Vec3> {
    let seen = keys.iter().zip(along);
    seen.flat_map(|(key, by)| key.picture.framed_points().into_iter().map(move |point| point - by)).collect()
}

fn name(moment: &KeyMoment) -> String {
    let frame = format!("frame {}", number((10.0 * moment.time).round() / 10.0));
    match moment.segment {
        Some(segment) => format!("segment {segment}, {frame}"),
        None => frame,
    }
}

impl Picture {
    /// What is asked at one time, with the shape that was found; a velocity is the way of so many `seconds`.
    #[must_use]
    pub fn of_key(subject: &dyn Subject, moment: &KeyMoment, drawn: Drawn, seconds: f64) -> Self {
        let mut pale = Self::of_frame(subject, Moving::Body, drawn, &moment.positions);
        pale.colour = PALE;
        let mut targets = moment.positions.clone();
        let (mut triangles, mut lone) = (Vec::new(), Vec::new());
        let (mut dots, mut arrows) = (Vec::new(), Vec::new());
        for asked in &moment.asked {
            match asked {
                Asked::Places(places) => {
                    places.iter().for_each(|(v, place)| targets[v.index()] = (*place).into());
                    let seen = carried(subject, drawn, &pale.triangles, places);
                    if seen.is_empty() {
                        lone.push(places.iter().map(|(_, place)| place).sum::<Vec3>() / places.len() as f64);
                    }
                    triangles.extend(seen);
                }
                Asked::Center(place) => dots.push(*place),
                Asked::Velocity { at, velocity } => arrows.push([*at, at + velocity * seconds]),
            }
        }
        let mut dark = Self::of_frame(subject, Moving::Body, drawn, &targets);
        (dark.colour, dark.triangles) = (DARK, triangles);
        dark.framed = pale.framed_points();
        dark.framed.extend(arrows.iter().flatten().chain(&dots).chain(&lone));
        // What is where it was asked to be would be in the same place twice.
        let near = NEAR * pale.bounds().size().max();
        let is_there = |v: &u32| (dark.positions[*v as usize] - pale.positions[*v as usize]).norm() < near;
        let met: HashSet<[u32; 3]> =
            dark.triangles.iter().filter(|corners| corners.iter().all(is_there)).copied().collect();
        pale.triangles.retain(|corners| !met.contains(corners));
        if !pale.triangles.is_empty() {
            dark.add_surface(pale, PALE_OPACITY, Shadow::Always);
        }
        dark.add_arrows_over(arrows.into_iter().filter(|[tail, tip]| tail != tip).collect(), ARROW);
        dark.mark_in(lone, DARK);
        dark.mark_in(dots, CENTER);
        dark
    }
}

/// The triangles of the drawn surface that are carried by some vertices, mostly.
fn carried(
    subject: &dyn Subject,
    drawn: Drawn,
    triangles: &[[u32; 3]],
    by: &[(VertexId, Vec3)],
) -> Vec<[u32; 3]> {
    let mut shares = vec![Vec3::zeros(); subject.positions().len()];
    by.iter().for_each(|(v, _)| shares[v.index()].x = 1.0);
    let shares = match (subject.skin(), drawn) {
        (Some(skin), Drawn::Skin) => {
            let mut shown = vec![Vec3::zeros(); skin.mesh.positions().len()];
            skin.embedding.apply(&shares, &mut shown);
            shown
        }
        _ => shares,
    };
    let is_carried = |corners: &&[u32; 3]| corners.iter().all(|v| shares[*v as usize].x > HALF);
    triangles.iter().filter(is_carried).copied().collect()
}
