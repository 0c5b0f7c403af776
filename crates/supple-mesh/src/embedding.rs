//! A fine skin riding on a coarse volume.
//!
//! Every skin vertex x belongs to one tet with corners p₀ … p₃ and has weights w with
//!
//!   x = Σ wₖ pₖ,  Σ wₖ = 1.
//!
//! Moving the corners moves the skin vertex to Σ wₖ pₖ′, which is exact for affine motions. Inside
//! a tet all weights are ≥ 0. A vertex outside the volume takes the tet nearest to it and the same
//! two equations, so that some weights are negative and it extrapolates that tet's motion.

use crate::surface::OPPOSITE_FACE;
use crate::triangle::{blend, closest_weights};
use crate::{Aabb, Bvh, TetMesh, Vec3, vertex_elements};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_model::{ElementId, VertexId};

/// Vertices per parallel task when a skin is moved.
const CHUNK: usize = 4096;
/// How far from 1 given weights may sum: files carry few decimals.
const SUM_TOLERANCE: f64 = 1e-3;

/// Which tet each skin vertex rides on, and with what weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    elements: Vec<ElementId>,
    vertices: Vec<[VertexId; 4]>,
    weights: Vec<[f64; 4]>,
    body_vertices: usize,
}

/// Given weights that cannot be used, and which row is to blame. Rows count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmbeddingError {
    /// As many corner rows as weight rows are needed.
    #[error("{corners} rows of corners but {weights} rows of weights")]
    Lengths {
        /// Rows of corners.
        corners: usize,
        /// Rows of weights.
        weights: usize,
    },
    /// A corner that does not exist.
    #[error("skin {skin} rides on {vertex}, but the body has {vertices} vertices (counted from 0)")]
    OutOfRange {
        /// The culprit.
        skin: VertexId,
        /// What it refers to.
        vertex: VertexId,
        /// How many body vertices there are.
        vertices: usize,
    },
    /// Corners that no tet has.
    #[error("skin {skin} rides on {}, which are not the corners of any tet", list(corners))]
    NoSuchElement {
        /// The culprit.
        skin: VertexId,
        /// The corners it names.
        corners: [VertexId; 4],
    },
    /// A weight that is NaN or infinite.
    #[error("skin {skin} has a weight that is not a finite number")]
    NonFinite {
        /// The culprit.
        skin: VertexId,
    },
    /// Weights that do not sum to one.
    #[error("the weights of skin {skin} sum to {sum}, not 1")]
    Sum {
        /// The culprit.
        skin: VertexId,
        /// Their sum.
        sum: f64,
    },
}

fn list(corners: &[VertexId; 4]) -> String {
    let [a, b, c, d] = corners.map(|v| v.0);
    format!("vertices {a}, {b}, {c} and {d}")
}

impl Embedding {
    /// Finds the tet of every skin vertex: the one that contains it, else the nearest one, and the
    /// first of several.
    #[must_use]
    pub fn of(body: &TetMesh, skin: &[Vec3]) -> Self {
        let tets: Vec<[Vec3; 4]> = (0..body.tets().len()).map(|t| body.corners(ElementId::new(t))).collect();
        let boxes: Vec<Aabb> = tets.par_iter().map(|corners| Aabb::around(corners)).collect();
        let tree = Bvh::new(&boxes);
        let (elements, weights): (Vec<_>, Vec<_>) = skin
            .par_iter()
            .map(|point| {
                let nearest = tree.nearest(point, |t| distance_squared(point, &tets[t]));
                let element = nearest.map_or(0, |(t, _)| t);
                (ElementId::new(element), barycentric(point, &tets[element]))
            })
            .unzip();
        let vertices = elements.iter().map(|e: &ElementId| body.tets()[e.index()]).collect();
        Self { elements, vertices, weights, body_vertices: body.positions().len() }
    }

    /// Takes known corners and weights, one row per skin vertex, such as an `.interp` file holds.
    /// Weights rounded for printing are scaled to sum to 1, so that a translation is exact.
    ///
    /// # Errors
    /// Names the first row that is not usable: see [`EmbeddingError`].
    pub fn from_weights(
        body: &TetMesh,
        vertices: Vec<[VertexId; 4]>,
        mut weights: Vec<[f64; 4]>,
    ) -> Result<Self, EmbeddingError> {
        if vertices.len() != weights.len() {
            return Err(EmbeddingError::Lengths { corners: vertices.len(), weights: weights.len() });
        }
        let body_vertices = body.positions().len();
        let around = vertex_elements(body_vertices, body.tets());
        let mut elements = Vec::with_capacity(vertices.len());
        for (s, (corners, row)) in vertices.iter().zip(&mut weights).enumerate() {
            let skin = VertexId::new(s);
            if let Some(&vertex) = corners.iter().find(|v| v.index() >= body_vertices) {
                return Err(EmbeddingError::OutOfRange { skin, vertex, vertices: body_vertices });
            }
            if row.iter().any(|w| !w.is_finite()) {
                return Err(EmbeddingError::NonFinite { skin });
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(EmbeddingError::Sum { skin, sum });
            }
            *row = row.map(|w| w / sum);
            let has_all = |e: &&ElementId| body.tets()[e.index()].iter().all(|v| corners.contains(v));
            let element = around[corners[0]].iter().find(has_all);
            elements.push(*element.ok_or(EmbeddingError::NoSuchElement { skin, corners: *corners })?);
        }
        Ok(Self { elements, vertices, weights, body_vertices })
    }

    /// The tet each skin vertex rides on.
    #[must_use]
    pub fn elements(&self) -> &[ElementId] {
        &self.elements
    }

    /// The body vertices each skin vertex blends.
    #[must_use]
    pub fn vertices(&self) -> &[[VertexId; 4]] {
        &self.vertices
    }

    /// Their weights, each row summing to 1.
    #[must_use]
    pub fn weights(&self) -> &[[f64; 4]] {
        &self.weights
    }

    /// Moves the skin with the body: skin vertex i goes to Σ wₖ `body[vₖ]`. Displacements blend just
    /// as positions do.
    ///
    /// # Panics
    /// When `body` or `skin` does not have the length this embedding was made for.
    pub fn apply(&self, body: &[Vec3], skin: &mut [Vec3]) {
        assert_eq!(body.len(), self.body_vertices, "positions of another body");
        assert_eq!(skin.len(), self.weights.len(), "room for another skin");
        skin.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, out) in out.iter_mut().enumerate() {
                let row = chunk * CHUNK + i;
                let ([a, b, c, d], w) = (self.vertices[row].map(|v| &body[v.index()]), self.weights[row]);
                *out = a * w[0] + b * w[1] + c * w[2] + d * w[3];
            }
        });
    }
}

/// The weights of `point` in a tet of positive volume.
fn barycentric(point: &Vec3, [a, b, c, d]: &[Vec3; 4]) -> [f64; 4] {
    let (ab, ac, ad, ap) = (b - a, c - a, d - a, point - a);
    let determinant = ab.dot(&ac.cross(&ad));
    // Cramer's rule; the first weight makes the sum exact.
    let columns = |m: [&Vec3; 3]| Matrix3::from_columns(&m.map(|c| *c)).determinant() / determinant;
    let (wb, wc, wd) = (columns([&ap, &ac, &ad]), columns([&ab, &ap, &ad]), columns([&ab, &ac, &ap]));
    [1.0 - wb - wc - wd, wb, wc, wd]
}

/// Squared distance from `point` to a tet, zero inside. From outside only the faces that look
/// towards the point can be nearest: those opposite a corner of negative weight.
fn distance_squared(point: &Vec3, tet: &[Vec3; 4]) -> f64 {
    let weights = barycentric(point, tet);
    let mut nearest = f64::INFINITY;
    for (weight, face) in weights.iter().zip(OPPOSITE_FACE) {
        if *weight < 0.0 {
            let corners = face.map(|k| tet[k]);
            let on_face = blend(&corners, closest_weights(point, &corners));
            nearest = nearest.min((point - on_face).norm_squared());
        }
    }
    if nearest == f64::INFINITY { 0.0 } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use proptest::prelude::*;

    fn body() -> TetMesh {
        shapes::box_mesh(Vec3::new(1.0, 0.7, 0.4), [3, 2, 2]).unwrap()
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.5..1.5).prop_map(Vec3::from)
    }

    /// Distance to a tet by brute force over its four faces, with an inside test of its own.
    fn distance_to_tet(point: &Vec3, tet: &[Vec3; 4]) -> f64 {
        let inside = OPPOSITE_FACE.iter().all(|f| {
            let [a, b, c] = f.map(|k| tet[k]);
            (b - a).cross(&(c - a)).dot(&(point - a)) <= 0.0
        });
        let faces = OPPOSITE_FACE.iter().map(|f| {
            let corners = f.map(|k| tet[k]);
            (point - blend(&corners, closest_weights(point, &corners))).norm()
        });
        if inside { 0.0 } else { faces.fold(f64::INFINITY, f64::min) }
    }

    proptest! {
        #[test]
        fn a_point_rides_on_the_nearest_tet_and_follows_affine_motion(
            p in point(), entries in prop::array::uniform9(-2.0..2.0), shift in point()
        ) {
            let body = body();
            let embedding = Embedding::of(&body, &[p]);
            let element = embedding.elements()[0];
            let weights = embedding.weights()[0];
            let mine = distance_to_tet(&p, &body.corners(element));
            let all = (0..body.tets().len()).map(|t| distance_to_tet(&p, &body.corners(ElementId::new(t))));
            let nearest = all.fold(f64::INFINITY, f64::min);
            prop_assert!(mine - nearest < 1e-12, "{mine} {nearest}");
            let inside = (0..3).all(|i| p[i] > 0.0 && p[i] < [1.0, 0.7, 0.4][i]);
            prop_assert_eq!(inside, weights.iter().all(|w| *w >= -1e-14));

            let matrix = Matrix3::from_row_slice(&entries);
            let affine = |x: &Vec3| matrix * x + shift;
            let moved: Vec<Vec3> = body.positions().iter().map(affine).collect();
            let mut skin = [Vec3::zeros()];
            embedding.apply(&moved, &mut skin);
            prop_assert!((skin[0] - affine(&p)).norm() < 1e-12);
        }
    }

    #[test]
    fn given_weights_find_their_tet_in_any_corner_order_and_sum_to_one() {
        let body = body();
        let [a, b, c, d] = body.tets()[7];
        let rows = vec![[0.1, 0.2, 0.3, 0.399_999]];
        let embedding = Embedding::from_weights(&body, vec![[d, b, a, c]], rows).unwrap();
        assert_eq!(embedding.elements(), [ElementId(7)]);
        assert!((embedding.weights()[0].iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn unusable_weights_name_their_row() {
        let body = body();
        let good = body.tets()[0];
        let row = [0.25; 4];
        let of = |vertices: &[[VertexId; 4]], weights: &[[f64; 4]]| {
            Embedding::from_weights(&body, vertices.to_vec(), weights.to_vec()).unwrap_err()
        };
        let skin = VertexId(1);
        assert_eq!(of(&[good], &[row; 2]), EmbeddingError::Lengths { corners: 1, weights: 2 });
        let vertex = VertexId(36);
        let bad = [good[0], vertex, good[2], good[3]];
        assert_eq!(of(&[good, bad], &[row; 2]), EmbeddingError::OutOfRange { skin, vertex, vertices: 36 });
        assert_eq!(of(&[good; 2], &[row, [f64::NAN, 0.0, 0.0, 1.0]]), EmbeddingError::NonFinite { skin });
        assert_eq!(of(&[good; 2], &[row, [0.5; 4]]), EmbeddingError::Sum { skin, sum: 2.0 });
        let corners = [0, 1, 2, 35].map(VertexId);
        let error = of(&[good, corners], &[row; 2]);
        assert_eq!(error, EmbeddingError::NoSuchElement { skin, corners });
        assert_eq!(
            error.to_string(),
            "skin vertex 1 rides on vertices 0, 1, 2 and 35, which are not the corners of any tet"
        );
    }
}
