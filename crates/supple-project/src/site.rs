//! Where the sites of a shot are on its body.
//!
//! A site is one or several points, and each point rides on vertices of the body with weights that sum
//! to 1: a vertex of the body on itself, one of the skin on the corners of the element it lies in, the
//! centre of mass on all of them.

use crate::body::Body;
use crate::shot::Site;
use nalgebra::{Matrix3, Unit};
use supple_mesh::{SelectError, Vec3};
use supple_model::VertexId;

/// Why a site is nowhere on a body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SiteError {
    /// A vertex that does not exist.
    #[error("there is no {vertex}: the {of} has {count} vertices, counted from 0")]
    NoVertex {
        /// The culprit.
        vertex: VertexId,
        /// Skin or body.
        of: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A group that does not exist.
    #[error(transparent)]
    Group(#[from] SelectError),
    /// Something of the body, where only its skin is known to move.
    #[error("{what} belongs to the body, but the input moves the skin; use vertices of the skin")]
    NotOnSkin {
        /// The culprit.
        what: String,
    },
    /// A joint of something without a skeleton.
    #[error("there is no joint {joint:?}: only a character has joints")]
    NoJoint {
        /// The culprit.
        joint: String,
    },
}

/// A point that rides on vertices of the body.
pub(crate) type Row = Vec<(VertexId, f64)>;

/// The points of a site, and how they share what is done to all of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Points {
    /// The points.
    pub rows: Vec<Row>,
    /// The share of each; they sum to 1.
    pub shares: Vec<f64>,
}

impl Points {
    /// The points of `site`. Vertices of the body share by mass, those of the skin evenly.
    pub fn of(site: &Site, body: &Body) -> Result<Self, SiteError> {
        let vertices = |vertices: &[VertexId]| {
            let rows = vertices.iter().map(|v| vertex(body, *v)).collect::<Result<Vec<_>, _>>()?;
            Ok(if body.skin.is_some() { Self::evenly(rows) } else { Self::by_mass(rows, body) })
        };
        match site {
            Site::Vertex(v) => vertices(&[*v]),
            Site::Vertices(vs) => vertices(vs),
            Site::BodyVertex(v) => Ok(Self::evenly(vec![body_vertex(body, *v)?])),
            Site::Group(name) => {
                let members = body.groups.get(name)?;
                Ok(Self::by_mass(members.iter().map(|v| vec![(*v, 1.0)]).collect(), body))
            }
            Site::Near(point) => vertices(&[nearest(seen(body), (*point).into())]),
            Site::CenterOfMass => {
                let masses = body.elastic.masses();
                let total: f64 = masses.iter().sum();
                let row = masses.iter().enumerate().map(|(v, m)| (VertexId::new(v), m / total)).collect();
                Ok(Self { rows: vec![row], shares: vec![1.0] })
            }
            Site::Joint { name, .. } => Err(SiteError::NoJoint { joint: name.clone() }),
        }
    }

    /// Points that share alike.
    pub fn evenly(rows: Vec<Row>) -> Self {
        Self { shares: vec![1.0 / rows.len() as f64; rows.len()], rows }
    }

    fn by_mass(rows: Vec<Row>, body: &Body) -> Self {
        let mass = |row: &Row| row.iter().map(|(v, w)| w * body.elastic.masses()[v.index()]).sum::<f64>();
        let total: f64 = rows.iter().map(mass).sum();
        Self { shares: rows.iter().map(|row| mass(row) / total).collect(), rows }
    }

    /// The vertices of the body the points ride on, ascending.
    pub fn vertices(&self) -> Vec<VertexId> {
        let mut vertices: Vec<VertexId> = self.rows.iter().flatten().map(|(v, _)| *v).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The mean of the points.
    pub fn mean(&self) -> Row {
        let rows = self.rows.iter().zip(&self.shares);
        rows.flat_map(|(row, share)| row.iter().map(move |(v, weight)| (*v, share * weight))).collect()
    }

    /// Adds a force on all points together to the forces on the vertices of the body.
    pub fn push(&self, force: [f64; 3], forces: &mut [f64]) {
        for (row, share) in self.rows.iter().zip(&self.shares) {
            for (v, weight) in row {
                for c in 0..3 {
                    forces[3 * v.index() + c] += share * weight * force[c];
                }
            }
        }
    }
}

/// An orthonormal frame whose first row is `normal`.
pub(crate) fn facing(normal: &Unit<Vec3>) -> Matrix3<f64> {
    let aside = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let first = normal.cross(&aside).normalize();
    let second = normal.cross(&first);
    Matrix3::from_rows(&[normal.transpose(), first.transpose(), second.transpose()])
}

/// The vertices of the skin that a site is, if it is such; those of [`Points::of`], in their order.
pub(crate) fn of_skin(site: &Site, body: &Body) -> Vec<VertexId> {
    match site {
        _ if body.skin.is_none() => Vec::new(),
        Site::Vertex(v) => vec![*v],
        Site::Vertices(vs) => vs.clone(),
        Site::Near(point) => vec![nearest(seen(body), (*point).into())],
        Site::BodyVertex(_) | Site::Group(_) | Site::CenterOfMass | Site::Joint { .. } => Vec::new(),
    }
}

/// Where the vertices that a user knows are at rest: those of the skin where there is one.
fn seen(body: &Body) -> &[Vec3] {
    body.skin.as_ref().map_or(body.positions(), |skin| skin.mesh.positions())
}

/// The one of some vertices that is nearest to a point.
pub(crate) fn nearest(points: &[Vec3], point: Vec3) -> VertexId {
    let distance = |p: &Vec3| (p - point).norm_squared();
    let nearest = points.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    VertexId::new(nearest.map_or(0, |(v, _)| v))
}

fn vertex(body: &Body, vertex: VertexId) -> Result<Row, SiteError> {
    let Some(skin) = &body.skin else { return body_vertex(body, vertex) };
    let count = skin.mesh.positions().len();
    let (vertices, weights) =
        skin.embedding.rows().nth(vertex.index()).ok_or(SiteError::NoVertex { vertex, of: "skin", count })?;
    Ok(vertices.iter().copied().zip(weights.iter().copied()).filter(|(_, w)| *w != 0.0).collect())
}

fn body_vertex(body: &Body, vertex: VertexId) -> Result<Row, SiteError> {
    let count = body.positions().len();
    if vertex.index() < count {
        Ok(vec![(vertex, 1.0)])
    } else {
        Err(SiteError::NoVertex { vertex, of: "body", count })
    }
}
