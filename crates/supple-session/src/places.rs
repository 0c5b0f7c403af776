//! Where things are in a frame that is drawn.

use crate::normal_at;
use nalgebra::Vector3;
use supple_project::method::{Points, Stage};
use supple_project::shot::Site;

/// Where things are in a frame on a stage.
pub trait Places {
    /// The vertices of the body, where they are known: not where a skin is all that moves.
    fn of_body(&self, stage: &Stage) -> Option<&[[f32; 3]]>;

    /// Where a site is in this frame: the middle of its points, as the methods weigh them, so that a handle that asks for
    /// this place changes nothing. `None` for one that is nowhere on the stage.
    fn place(&self, site: &Site, stage: &Stage) -> Option<[f64; 3]>;

    /// Where the points of a site that has several are; none for one that is a single point, or nowhere on the stage.
    fn part(&self, site: &Site, stage: &Stage) -> Vec<[f32; 3]>;

    /// Where what stays in place is: vertices of the body, or those of the skin on them where it is all that moves.
    fn anchors(&self, stage: &Stage) -> Vec<[f32; 3]>;

    /// The unit normal of the surface where a site is: of several vertices the mean. `None` for one that is not on the
    /// surface that is drawn, or all around.
    fn normal(&self, site: &Site, stage: &Stage) -> Option<[f64; 3]>;
}

impl Places for Points {
    fn of_body(&self, stage: &Stage) -> Option<&[[f32; 3]]> {
        let is_skin = stage.body.as_ref().is_some_and(|body| body.skin.is_some());
        self.body.as_deref().or((!is_skin).then_some(&self.drawn))
    }

    fn place(&self, site: &Site, stage: &Stage) -> Option<[f64; 3]> {
        let one = |points: &[[f32; 3]], v: usize| points.get(v).map(|p| p.map(f64::from));
        match site {
            Site::Vertex(v) => one(&self.drawn, v.index()),
            Site::BodyVertex(v) => one(self.of_body(stage)?, v.index()),
            Site::Vertices(list) => {
                // Vertices of a skin count alike, those of a body by their mass.
                let is_skin = stage.body.as_ref().is_some_and(|body| body.skin.is_some());
                let weight = |v: usize| if is_skin { 1.0 } else { weight_of(stage, v) };
                middle(list.iter().map(|v| Some((one(&self.drawn, v.index())?, weight(v.index())))))
            }
            Site::Group(name) => {
                // Where a skin is all that moves, a group is what rides on it.
                let Some(points) = self.of_body(stage) else {
                    let riders = stage.riders.get(name)?;
                    return middle(riders.iter().map(|v| Some((one(&self.drawn, *v as usize)?, 1.0))));
                };
                let members = stage.body.as_ref()?.groups.get(name).ok()?;
                middle(members.iter().map(|v| Some((one(points, v.index())?, weight_of(stage, v.index())))))
            }
            Site::Near(point) => one(&self.drawn, nearest(&stage.rest, point)?),
            Site::CenterOfMass => {
                let points = self.of_body(stage).unwrap_or(&self.drawn);
                middle((0..points.len()).map(|v| Some((one(points, v)?, weight_of(stage, v)))))
            }
            Site::Joint { name, offset } => stage.carried(&self.drawn, name, *offset),
        }
    }

    fn part(&self, site: &Site, stage: &Stage) -> Vec<[f32; 3]> {
        let drawn = |v: usize| self.drawn.get(v).copied();
        match site {
            Site::Vertices(list) => list.iter().filter_map(|v| drawn(v.index())).collect(),
            Site::Group(name) => {
                let Some(points) = self.of_body(stage) else {
                    let riders = stage.riders.get(name).into_iter().flatten();
                    return riders.filter_map(|v| drawn(*v as usize)).collect();
                };
                let members = stage.body.as_ref().and_then(|body| body.groups.get(name).ok());
                members.into_iter().flatten().filter_map(|v| points.get(v.index()).copied()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn anchors(&self, stage: &Stage) -> Vec<[f32; 3]> {
        let at = |points: &[[f32; 3]], v: usize| points.get(v).copied();
        match (self.of_body(stage), &stage.body) {
            (Some(points), Some(body)) => body.anchors.iter().filter_map(|v| at(points, v.index())).collect(),
            _ => stage.anchored.iter().filter_map(|v| at(&self.drawn, *v as usize)).collect(),
        }
    }

    fn normal(&self, site: &Site, stage: &Stage) -> Option<[f64; 3]> {
        let vertices: Vec<u32> = match site {
            Site::Vertex(v) => vec![v.0],
            Site::Vertices(list) => list.iter().map(|v| v.0).collect(),
            Site::Near(point) => vec![u32::try_from(nearest(&stage.rest, point)?).ok()?],
            Site::BodyVertex(_) | Site::Group(_) | Site::Joint { .. } | Site::CenterOfMass => return None,
        };
        let there = vertices.into_iter().filter(|v| (*v as usize) < self.drawn.len());
        let normals = there.filter_map(|v| normal_at(&self.drawn, &stage.triangles, v));
        // Normals that cancel leave nothing to go along.
        normals.map(Vector3::from).sum::<Vector3<f64>>().try_normalize(1e-3).map(Into::into)
    }
}

fn nearest(rest: &[[f32; 3]], point: &[f64; 3]) -> Option<usize> {
    let away = |p: &[f32; 3]| (0..3).map(|c| (f64::from(p[c]) - point[c]).powi(2)).sum::<f64>();
    (0..rest.len()).min_by(|a, b| away(&rest[*a]).total_cmp(&away(&rest[*b])))
}

/// The middle of points that weigh something.
fn middle(points: impl Iterator<Item = Option<([f64; 3], f64)>>) -> Option<[f64; 3]> {
    let (mut sum, mut total) = ([0.0; 3], 0.0);
    for point in points {
        let (point, weight) = point?;
        sum = std::array::from_fn(|c| sum[c] + weight * point[c]);
        total += weight;
    }
    (total > 0.0).then(|| sum.map(|x| x / total))
}

/// What a point that moves weighs.
fn weight_of(stage: &Stage, vertex: usize) -> f64 {
    stage.weights.get(vertex).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_model::VertexId;

    fn stage() -> Stage {
        let rest = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        Stage { rest, triangles: vec![[0, 1, 2]], ..Stage::default() }
    }

    #[test]
    fn sites_are_where_their_points_are_drawn() {
        let stage = stage();
        let points = Points { drawn: stage.rest.iter().map(|p| [p[0], p[1], 2.0]).collect(), body: None };
        let place = |site| points.place(&site, &stage);
        assert_eq!(place(Site::Vertex(VertexId(1))), Some([1.0, 0.0, 2.0]));
        assert_eq!(place(Site::Vertices(vec![VertexId(1), VertexId(2)])), Some([0.5, 0.5, 2.0]));
        assert_eq!(place(Site::Near([0.1, 0.8, 0.0])), Some([0.0, 1.0, 2.0]), "nearest at rest");
        assert_eq!(place(Site::Vertex(VertexId(3))), None);
        let pair = Site::Vertices(vec![VertexId(1), VertexId(9)]);
        assert_eq!(points.part(&pair, &stage), [[1.0, 0.0, 2.0]], "those that are there");
        assert_eq!(points.part(&Site::Vertex(VertexId(1)), &stage), [[0.0; 3]; 0]);
        assert_eq!(place(Site::Group("none".into())), None);
        let body = Some(vec![[4.0, 0.0, 0.0], [6.0, 0.0, 0.0]]);
        let points = Points { body, ..points };
        assert_eq!(points.place(&Site::BodyVertex(VertexId(1)), &stage), Some([6.0, 0.0, 0.0]));
        assert_eq!(points.place(&Site::CenterOfMass, &stage), Some([5.0, 0.0, 0.0]));
    }

    /// The plain mean was shown, the mean by mass is what handles hold: a handle made there jumped.
    #[test]
    fn the_centre_of_mass_and_sets_are_weighed_as_handles_hold_them() {
        let stage = Stage { weights: vec![1.0, 3.0, 4.0], ..stage() };
        let points = Points { drawn: stage.rest.clone(), body: None };
        assert_eq!(points.place(&Site::CenterOfMass, &stage), Some([0.375, 0.5, 0.0]));
        let pair = Site::Vertices(vec![VertexId(0), VertexId(1)]);
        assert_eq!(points.place(&pair, &stage), Some([0.75, 0.0, 0.0]));
    }

    #[test]
    fn the_normal_of_several_vertices_is_their_mean() {
        // Two squares of a roof, and its ridge.
        let rest = vec![
            [-1.0, 0.0, 0.0],
            [-1.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 1.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 1.0],
        ];
        let triangles = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
        let stage = Stage { rest: rest.clone(), triangles, ..Stage::default() };
        let points = Points { drawn: rest, body: None };
        let normal = |site| points.normal(&site, &stage).map(Vector3::from);
        let slope = Vector3::new(-1.0, 1.0, 0.0).normalize();
        assert!((normal(Site::Vertex(VertexId(0))).unwrap() - slope).norm() < 1e-6);
        let both = normal(Site::Vertices(vec![VertexId(0), VertexId(4)])).unwrap();
        assert!((both - Vector3::y()).norm() < 1e-6, "{both}");
        assert_eq!(normal(Site::CenterOfMass), None);
        assert_eq!(normal(Site::Vertex(VertexId(9))), None);
    }
}
