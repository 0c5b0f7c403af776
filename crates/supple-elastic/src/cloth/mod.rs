//! Cloth: bodies of triangles that resist stretching, shearing and bending.
//!
//! A cloth is a thin plate: its energy is a membrane's, in which each triangle resists being stretched and
//! sheared in its own plane ([`membrane`]), and a plate's, in which each triangle resists the curvature that
//! the angles across its edges amount to ([`bending`]). The rest shape need not be flat: angles are measured
//! from those at rest.
//!
//! At an edge of one triangle the cloth ends, and bears no moment. Where three or more triangles meet at an
//! edge each pair of them holds its angle by itself, as if the seam were sewn.

mod angle;
mod bending;
mod curvature;
mod fabric;
mod membrane;

pub use fabric::{Fabric, FabricRegion};

use crate::elements::Batch;
use crate::material::element_substances;
use crate::{ElasticBody, ElasticError};
use bending::Bending;
use membrane::Membrane;
use supple_mesh::{TriMesh, Vec3};
use supple_model::VertexId;

/// A body of triangles.
pub type Cloth = ElasticBody<TriMesh>;

impl Cloth {
    /// Makes `mesh` of `fabric`, and of something else in `regions`. Each corner of a triangle bears a third
    /// of its mass.
    ///
    /// # Errors
    /// Says which number of which region is not usable, or which triangle: see [`ElasticError`].
    pub fn new(mesh: TriMesh, fabric: Fabric, regions: &[FabricRegion]) -> Result<Self, ElasticError> {
        // A mesh checked as a skin may hold triangles without area.
        let mesh = TriMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec())?;
        let vertices = mesh.positions().len();
        let fabrics = element_substances(mesh.triangles(), vertices, fabric, regions)?;
        let mut masses = vec![0.0; vertices];
        let mut membranes = Vec::with_capacity(fabrics.len());
        for (&triangle, fabric) in mesh.triangles().iter().zip(&fabrics) {
            let membrane = Membrane::new(triangle, &corners(&mesh, triangle), fabric);
            for v in triangle {
                masses[v.index()] += fabric.density * membrane.volume() / 3.0;
            }
            membranes.push(membrane);
        }
        let mut batches: Vec<Box<dyn Batch>> = vec![Box::new(membranes)];
        batches.extend(plates(&mesh, &fabrics));
        Ok(Self::of(mesh, masses, batches))
    }
}

fn corners<const N: usize>(mesh: &TriMesh, vertices: [VertexId; N]) -> [Vec3; N] {
    vertices.map(|v| mesh.positions()[v.index()])
}

/// The elements that resist bending, by the number of triangles across their edges.
fn plates(mesh: &TriMesh, fabrics: &[Fabric]) -> [Box<dyn Batch>; 3] {
    let (mut one, mut two, mut three) = (Vec::new(), Vec::new(), Vec::new());
    for ((&triangle, across), fabric) in mesh.triangles().iter().zip(across_edges(mesh)).zip(fabrics) {
        let smooth = |edge: usize| (across[edge].len() == 1).then(|| (edge, across[edge][0]));
        let edges: Vec<(usize, VertexId)> = (0..3).filter_map(smooth).collect();
        match edges[..] {
            [a, b, c] => three.push(Bending::<6, 3>::new(mesh, triangle, [a, b, c], fabric)),
            [a, b] => two.push(Bending::<5, 2>::new(mesh, triangle, [a, b], fabric)),
            [a] => one.push(Bending::<4, 1>::new(mesh, triangle, [a], fabric)),
            _ => {}
        }
        for edge in (0..3).filter(|&edge| across[edge].len() > 1) {
            one.extend(across[edge].iter().map(|&v| Bending::new(mesh, triangle, [(edge, v)], fabric)));
        }
    }
    [Box::new(one), Box::new(two), Box::new(three)]
}

/// For every triangle and every edge of it, the third corners of the other triangles at that edge, in the
/// order of the triangles. Edge i lies opposite corner i.
fn across_edges(mesh: &TriMesh) -> Vec<[Vec<VertexId>; 3]> {
    let mut edges: Vec<([VertexId; 2], usize, usize)> = Vec::with_capacity(3 * mesh.triangles().len());
    for (t, triangle) in mesh.triangles().iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
            edges.push(([a.min(b), a.max(b)], t, i));
        }
    }
    edges.sort_unstable();
    let mut across = vec![<[Vec<VertexId>; 3]>::default(); mesh.triangles().len()];
    for same in edges.chunk_by(|x, y| x.0 == y.0) {
        for &(_, t, i) in same {
            let others = same.iter().filter(|other| other.1 != t);
            across[t][i] = others.map(|&(_, t, i)| mesh.triangles()[t][i]).collect();
        }
    }
    across
}
