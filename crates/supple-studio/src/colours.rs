//! Colours that people who confuse red with green can tell apart too (Okabe and Ito's set).

use eframe::egui::{Color32, Visuals};

pub const ORANGE: Color32 = Color32::from_rgb(230, 159, 0);
pub const SKY: Color32 = Color32::from_rgb(86, 180, 233);
pub const GREEN: Color32 = Color32::from_rgb(0, 158, 115);
pub const BLUE: Color32 = Color32::from_rgb(0, 114, 178);
pub const RED: Color32 = Color32::from_rgb(213, 94, 0);
pub const PURPLE: Color32 = Color32::from_rgb(204, 121, 167);

/// Of the axes x, y, z.
pub const AXES: [Color32; 3] = [RED, GREEN, SKY];

/// The edited body.
pub const BODY: [f32; 4] = [0.72, 0.76, 0.82, 1.0];
/// The input, seen through.
pub const GHOST: [f32; 4] = [0.90, 0.62, 0.0, 0.35];
/// Other frames of a strobe, seen through.
pub const STROBE: [f32; 4] = [0.34, 0.70, 0.91, 0.22];
/// A shot that is not yet what the document says.
pub const STALE: [f32; 4] = [0.55, 0.55, 0.55, 1.0];
/// What is in the scene beside the body.
pub const SCENERY: [f32; 4] = [0.45, 0.47, 0.50, 1.0];

/// Behind the scene.
pub fn background(visuals: &Visuals) -> [f32; 3] {
    if visuals.dark_mode { [0.135, 0.145, 0.165] } else { [0.90, 0.91, 0.93] }
}

/// Lines of the grid.
pub fn grid(visuals: &Visuals) -> [u8; 4] {
    if visuals.dark_mode { [255, 255, 255, 22] } else { [0, 0, 0, 30] }
}

/// A colour for strokes of the scene.
pub fn rgba(colour: Color32, cover: f32) -> [u8; 4] {
    [colour.r(), colour.g(), colour.b(), (255.0 * cover) as u8]
}

/// Blue where it is shorter than at rest, orange where it is longer, grey between; full at a fifth.
pub fn of_stretch(stretch: f32) -> [u8; 4] {
    let part = (stretch / 0.2).clamp(-1.0, 1.0);
    let end = if part < 0.0 { [0.0, 114.0, 178.0] } else { [230.0, 120.0, 0.0] };
    let grey = 205.0;
    let mixed = end.map(|e| grey + (e - grey) * part.abs());
    [mixed[0] as u8, mixed[1] as u8, mixed[2] as u8, 255]
}
