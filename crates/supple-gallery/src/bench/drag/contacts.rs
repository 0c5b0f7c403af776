//! Fifteen thousand contacts, more than the published solver could hold in memory.

use super::super::row::Row;
use super::temp_shot::TempShot;
use anyhow::ensure;
use std::time::Instant;
use supple_model::{Contact, ContactKind, Frame, Progress, VertexId};
use supple_project::Body;
use supple_project::shot::{Goal, Handle, Site, When};

/// How many contacts there are.
const COUNT: usize = 15_000;

/// Contacts of the surface of a tumbling dragon, spread over all frames, none of them taken together.
pub fn many(modes: usize, frames: usize, progress: &Progress) -> anyhow::Result<Row> {
    let stage = TempShot::sample("dragon", modes, frames, progress)?;
    let body = Body::load(&stage.shot)?;
    let elements = body.matter.elements();
    let stage = stage.touching(&spread(&body, COUNT, frames))?;
    let start = Instant::now();
    let mut editor = stage.open(progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let site = Site::Near([0.0, 10.0, 0.0]);
    let by = [0.0, 0.0, 0.02 * editor.size()];
    editor.add(Handle::new(When::Frame(i32::try_from(frames / 2)?), site, Goal::By(by)))?;
    let report = editor.release(progress)?;
    let drift = report.contacts.linear_drift;
    ensure!(drift <= 1e-6, "a contact leaves its plane by {drift:e} of the size");
    Ok(Row {
        residual: Some(drift),
        elements: Some(elements),
        modes: Some(modes),
        ..Row::new(&stage.name, &format!("{COUNT} slide contacts, until any frame can be dragged"), seconds)
    })
}

/// Vertices of the surface in turn, a few at every frame, with normals all around.
pub fn spread(body: &Body, count: usize, frames: usize) -> Vec<Contact> {
    let mut vertices: Vec<VertexId> = body.surface.iter().flatten().copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    // Multiples of irrational numbers fill the interval evenly, whatever their number.
    let part = |k: usize, step: f64| (k as f64 * step).fract();
    let contact = |k: usize| {
        let (turn, height) = (std::f64::consts::TAU * part(k, 0.618_034), 2.0 * part(k, 0.414_214) - 1.0);
        let radius = (1.0 - height * height).sqrt();
        Contact {
            // The first frame is at rest.
            frame: Frame(2 + (k * (frames - 1) / count) as i32),
            vertex: vertices[(part(k, 0.754_878) * vertices.len() as f64) as usize],
            normal: [radius * turn.cos(), height, radius * turn.sin()],
            kind: ContactKind::Slide,
        }
    };
    (0..count).map(contact).collect()
}

/// Contacts as a file lists them.
pub fn table(contacts: &[Contact]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Memory takes all that is written to it.
    let _ = supple_formats::write_contacts(contacts, &mut bytes);
    bytes
}
