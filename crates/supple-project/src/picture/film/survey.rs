//! One walk over the frames, for what a picture of many of them has to know beforehand.

use super::{Film, FilmError};
use crate::method::Side;
use crate::picture::{Colouring, Picture};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// What a [`Film::survey`] is to look for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The frames to be drawn, counted from 0.
    pub frames: Vec<usize>,
    /// Whether each of them is drawn before the edit, and after.
    pub sides: Vec<Side>,
    /// What the colours mean.
    pub colouring: Option<Colouring>,
    /// Vertices of the surface whose ways are drawn.
    pub vertices: Vec<VertexId>,
    /// The frames their ways go through, counted from 0.
    pub way: std::ops::Range<usize>,
}

/// What a walk over the frames found.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Points a camera has to show: the outermost of every frame to be drawn, and the ways of points.
    pub around: Vec<Vec3>,
    /// The largest value of the colours.
    pub most: f64,
    /// The ways of the vertices: by side, then by vertex.
    pub paths: Vec<(Side, Vec<Vec<Vec3>>)>,
}

impl Film {
    /// Walks over the frames that are drawn and those that points go through.
    ///
    /// # Errors
    /// A vertex there is not, a frame that cannot be read, cancellation.
    pub fn survey(&mut self, wanted: &Wanted, progress: &Progress) -> Result<Survey, FilmError> {
        let mut survey = Survey {
            paths: wanted.sides.iter().map(|side| (*side, vec![Vec::new(); wanted.vertices.len()])).collect(),
            ..Survey::default()
        };
        for index in 0..self.clock.frames {
            progress.report("measuring the motion", index as f64 / self.clock.frames as f64)?;
            let is_drawn = wanted.frames.contains(&index);
            let is_passed = !wanted.vertices.is_empty() && wanted.way.contains(&index);
            if !is_drawn && !is_passed {
                continue;
            }
            for (k, side) in wanted.sides.iter().enumerate() {
                let colouring = wanted.colouring.filter(|_| is_drawn && k == 0);
                let picture = self.picture(index, *side, colouring)?;
                if is_passed {
                    for (path, vertex) in survey.paths[k].1.iter_mut().zip(&wanted.vertices) {
                        let vertices = picture.positions.len();
                        let place = picture.positions.get(vertex.index());
                        path.push(*place.ok_or(FilmError::NoVertex { vertex: *vertex, vertices })?);
                    }
                }
                if is_drawn {
                    survey.around.extend(outermost(&picture));
                    survey.most = survey.most.max(picture.largest_value());
                }
            }
        }
        survey.around.extend(survey.paths.iter().flat_map(|(_, paths)| paths.iter().flatten()));
        Ok(survey)
    }
}

/// The points of a surface that are farthest along each of the 26 directions to the neighbours of a cell: nearly all a
/// camera has to know of it.
fn outermost(picture: &Picture) -> Vec<Vec3> {
    let used: Vec<Vec3> =
        picture.triangles.iter().flatten().map(|&v| picture.positions[v as usize]).collect();
    // Their coordinates are -1, 0 or 1: the digits of a number of base 3.
    let digit = |k: i32, axis: u32| f64::from(k / 3_i32.pow(axis) % 3 - 1);
    let directions = (0..27).map(|k| Vec3::new(digit(k, 0), digit(k, 1), digit(k, 2)));
    let farthest =
        |direction: Vec3| used.iter().copied().max_by(|a, b| a.dot(&direction).total_cmp(&b.dot(&direction)));
    directions.filter(|direction| *direction != Vec3::zeros()).filter_map(farthest).collect()
}
