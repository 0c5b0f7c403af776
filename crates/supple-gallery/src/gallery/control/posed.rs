//! What is measured on motions through poses, and their shapes as pictures.
//!
//! | measured | is |
//! |---|---|
//! | poses are off by | the farthest vertex of the worst pose, as a part of the size |
//! | change of volume | of the frame where it is largest, ours and that of the spline through the same poses |

use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, draw};
use supple_mesh::Vec3;
use supple_project::method::{Asked, Findings, Quantity, Value};
use supple_project::picture::{Drawn, Picture};
use supple_project::{Body, Moving, Report, Status};
use supple_render::{Colour, Image};

/// What the paper says of a motion, Table 1.
pub struct Published {
    pub tets: &'static str,
    pub frames: &'static str,
    pub poses: &'static str,
    pub shapes: &'static str,
}

/// A number of each entry of a finding.
pub fn each(report: &Report, key: &str, name: &str) -> Vec<f64> {
    let finding = report.findings.iter().find(|finding| finding.key == key);
    let Some(Findings::Several(all)) = finding.map(|finding| &finding.found) else { return Vec::new() };
    let number = |quantities: &Vec<Quantity>| match quantities.iter().find(|of| of.name == name)?.value {
        Value::Number(number) => Some(number),
        Value::Count(count) => Some(count as f64),
        _ => None,
    };
    all.iter().filter_map(number).collect()
}

/// What all motions through poses are measured by, beside what the paper says.
pub fn numbers(section: &mut Section, motion: &Motion, published: &Published) {
    let report = &motion.report;
    let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
    section.published("elements", motion.body.matter.elements() as f64, "", published.tets);
    section.published("frames", motion.frames.len() as f64, "", published.frames);
    section.published("poses", motion.method.key_moments().len() as f64, "", published.poses);
    section.published("shapes in the basis", motion.method.about().modes as f64, "", published.shapes);
    section.number("settled (1: yes)", f64::from(u8::from(report.status == Status::Settled)), "");
    section.number("iterations", report.iterations as f64, "");
    let off = most(each(report, "poses", "relative_error"));
    section.number("poses are off by, at most", 100.0 * off, "% of the size");
    for (key, name) in
        [("volume", "change of volume, at most"), ("spline_volume", "that of a Catmull–Rom spline")]
    {
        if let Some(change) = report.number(key, "change") {
            section.number(name, 100.0 * change, "%");
        }
    }
    section.number(
        "elements turned inside out, at most",
        report.number("inverted", "count").unwrap_or(0.0),
        "",
    );
}

/// How much larger a body is with its vertices there, as a part of its volume at rest.
pub fn swollen(body: &Body, places: &[Vec3]) -> f64 {
    let volume = |x: &[Vec3]| -> f64 {
        let triangles = body.surface.iter();
        triangles.map(|[a, b, c]| x[a.index()].dot(&x[b.index()].cross(&x[c.index()]))).sum()
    };
    volume(places) / volume(body.positions()) - 1.0
}

/// The frames of all poses, counted from 0, and where they want the whole body; of the first where there are two at once.
pub fn wanted(motion: &Motion) -> Vec<(usize, Vec<Vec3>)> {
    let count = motion.body.positions().len();
    let start = f64::from(motion.method.about().clock.start.0);
    let moments = motion.method.key_moments();
    let whole = moments.into_iter().filter_map(|moment| {
        let places = moment.asked.into_iter().find_map(|asked| match asked {
            Asked::Places(places) if places.len() == count => Some(places),
            _ => None,
        })?;
        let mut at = vec![Vec3::zeros(); count];
        places.into_iter().for_each(|(v, place)| at[v.index()] = place);
        Some(((moment.time - start).round() as usize, at))
    });
    whole.collect()
}

/// The spline through the poses at a frame.
pub fn spline(motion: &Motion, frame: usize) -> Option<Vec<Vec3>> {
    Some(motion.method.spline(frame)?.into_iter().map(Vec3::from).collect())
}

/// A body with its vertices there, in a colour.
pub fn shape(body: &Body, places: &[Vec3], colour: Colour) -> Picture {
    let places: Vec<[f64; 3]> = places.iter().map(|place| (*place).into()).collect();
    let mut picture = Picture::of_frame(body, Moving::Body, Drawn::Skin, &places);
    picture.colour = colour;
    picture
}

/// Pictures, all seen by the same camera.
pub fn alike(
    pictures: Vec<(Picture, String)>,
    view: From,
    size: [u32; 2],
) -> anyhow::Result<Vec<(Image, String)>> {
    let seen: Vec<Vec3> = pictures.iter().flat_map(|(picture, _)| picture.framed_points()).collect();
    let camera = view.camera(&seen, size);
    pictures.into_iter().map(|(picture, name)| Ok((draw(&picture, camera, size)?, name))).collect()
}

/// The middle of some vertices, frame by frame.
pub fn path(motion: &Motion, group: &str) -> anyhow::Result<Vec<Vec3>> {
    let members = motion.body.groups.get(group)?;
    let middle = |frame: &Vec<Vec3>| {
        members.iter().map(|v| frame[v.index()]).sum::<Vec3>() / members.len().max(1) as f64
    };
    Ok(motion.frames.iter().map(middle).collect())
}
