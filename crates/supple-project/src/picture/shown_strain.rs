//! How far a frame that is shown in a window is strained: [`strain`] of its points, in the precision of what is drawn.

use super::strain;
use crate::method::{Points, Stage};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The norm of the Green strain at each point of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strain {
    /// At the points that are drawn.
    pub drawn: Vec<f32>,
    /// At the vertices of the body, where its skin is drawn and the body moves.
    pub body: Option<Vec<f32>>,
}

impl Strain {
    /// That of a frame: of the elements where their vertices are known, of the surface where it is all that moves.
    #[must_use]
    pub fn of(stage: &Stage, points: &Points) -> Self {
        let Some(body) = &stage.body else { return Self::of_surface(stage, points) };
        match (&body.skin, &points.body) {
            (Some(skin), Some(places)) => {
                let values = strain::of_body(body, &double(places));
                Self { drawn: single(&strain::on_skin(skin, &values)), body: Some(single(&values)) }
            }
            (Some(_), None) => Self::of_surface(stage, points),
            (None, _) => Self { drawn: single(&strain::of_body(body, &double(&points.drawn))), body: None },
        }
    }

    fn of_surface(stage: &Stage, points: &Points) -> Self {
        let corners: Vec<[VertexId; 3]> = stage.triangles.iter().map(|t| t.map(VertexId)).collect();
        let values = strain::of_surface(&double(&stage.rest), &double(&points.drawn), &corners);
        Self { drawn: single(&values), body: None }
    }

    /// The largest there is.
    #[must_use]
    pub fn largest(&self) -> f32 {
        self.drawn.iter().chain(self.body.iter().flatten()).copied().fold(0.0, f32::max)
    }
}

fn double(points: &[[f32; 3]]) -> Vec<Vec3> {
    points.iter().map(|p| Vec3::from(p.map(f64::from))).collect()
}

fn single(values: &[f64]) -> Vec<f32> {
    values.iter().map(|x| *x as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::samples::Sample;
    use std::sync::Arc;

    /// A stage of a sample, and its points when all of the body is `map`ped.
    fn moved(name: &str, map: impl Fn(Vec3) -> Vec3) -> (Stage, Points) {
        let folder = tempfile::tempdir().unwrap();
        let shot = Sample::named(name).unwrap().write(folder.path()).unwrap();
        let shot = crate::Shot::load(&shot).unwrap();
        let stage =
            Stage::of_body(Arc::new(Body::load(&shot).unwrap()), crate::motion::Moving::Body, Vec::new());
        let single = |p: Vec3| [p.x as f32, p.y as f32, p.z as f32];
        let drawn = double(&stage.rest).into_iter().map(|p| single(map(p))).collect();
        let body = stage.body.as_ref().unwrap();
        let places = body.skin.as_ref().map(|_| body.positions().iter().map(|p| single(map(*p))).collect());
        (stage, Points { drawn, body: places })
    }

    #[test]
    fn what_is_stretched_everywhere_has_that_strain_on_body_and_skin() {
        for name in ["block", "bird"] {
            let (stage, points) = moved(name, |p| Vec3::new(-p.y, 1.2 * p.x, p.z));
            let strain = Strain::of(&stage, &points);
            // E_xx = (1.2² − 1)/2, all other entries vanish.
            let is_right = |e: &f32| (e - 0.22).abs() < 1e-3;
            assert!(strain.drawn.iter().all(is_right), "{name}");
            assert_eq!(strain.body.is_some(), stage.body.as_ref().unwrap().skin.is_some());
            assert!(strain.body.iter().flatten().all(is_right), "{name}");
            assert!((strain.largest() - 0.22).abs() < 1e-3);
        }
    }

    #[test]
    fn the_strain_inside_is_seen_though_the_surface_is_as_it_was() {
        let (stage, mut points) = moved("bird", |p| p);
        assert!(Strain::of(&stage, &points).largest() < 1e-3, "it rests");
        let places = points.body.as_mut().unwrap();
        for p in places.iter_mut().filter(|p| p[1] > 0.0) {
            p[1] *= 1.5;
        }
        assert!(Strain::of(&stage, &points).largest() > 0.2, "the drawn points did not move");
    }
}
