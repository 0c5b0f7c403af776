//! The points of a handle's site on the figure that is edited.

use super::figure::Figure;
use crate::body::Body;
use crate::motion::Moving;
use crate::shot::Site;
use crate::site::{Points, Row, SiteError, nearest};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The points of `site`, as combinations of the figure's vertices.
pub(super) fn points(site: &Site, body: &Body, figure: &Figure) -> Result<Points, SiteError> {
    match figure.of {
        Moving::Body => Points::of(site, body),
        Moving::Skin => on_skin(site, body, figure),
    }
}

/// A motion of the skin knows nothing of the body's vertices, only of the skin's.
fn on_skin(site: &Site, body: &Body, figure: &Figure) -> Result<Points, SiteError> {
    let count = figure.positions.len();
    let vertex = |v: VertexId| -> Result<Row, SiteError> {
        if v.index() >= count {
            return Err(SiteError::NoVertex { vertex: v, of: "skin", count });
        }
        // All vertices that are one go the way of their leader.
        let leader = body.skin.as_ref().map_or(v, |skin| skin.weld.leaders()[v.index()]);
        Ok(vec![(leader, 1.0)])
    };
    let rows = match site {
        Site::Vertex(v) => vec![vertex(*v)?],
        Site::Vertices(vs) => vs.iter().map(|v| vertex(*v)).collect::<Result<_, _>>()?,
        Site::Near(point) => vec![vertex(nearest(&figure.positions, Vec3::from(*point)))?],
        Site::Group(name) => {
            let members = body.groups.get(name)?;
            let inside: Vec<Row> = riders(body, members).map(|v| vec![(v, 1.0)]).collect();
            if inside.is_empty() {
                return Err(SiteError::NotOnSkin { what: format!("the group {name:?}") });
            }
            inside
        }
        Site::CenterOfMass => {
            let total: f64 = figure.weights.iter().sum();
            let weights = figure.weights.iter().enumerate();
            vec![weights.map(|(v, weight)| (VertexId::new(v), weight / total)).collect()]
        }
        Site::BodyVertex(v) => return Err(SiteError::NotOnSkin { what: format!("body_vertex {}", v.0) }),
        Site::Joint { name, .. } => return Err(SiteError::NoJoint { joint: name.clone() }),
    };
    Ok(Points::evenly(rows))
}

/// The vertices of the skin that ride on a group of the body, most of their weight at least.
pub(crate) fn riders<'a>(body: &'a Body, members: &'a [VertexId]) -> impl Iterator<Item = VertexId> + 'a {
    let rows = body.skin.iter().flat_map(|skin| skin.embedding.rows()).enumerate();
    let inside = |corners: &[VertexId], weights: &[f64]| -> f64 {
        let held = corners.iter().zip(weights).filter(|(v, _)| members.binary_search(v).is_ok());
        held.map(|(_, weight)| weight).sum()
    };
    rows.filter(move |(_, (corners, weights))| inside(corners, weights) > 0.5).map(|(v, _)| VertexId::new(v))
}
