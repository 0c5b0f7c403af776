//! Which corners of which elements are at a vertex.

use supple_model::VertexId;

/// Corners, numbered element by element, sorted by vertex.
#[derive(Debug)]
pub(super) struct Incidence {
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Incidence {
    /// Of the vertex of every corner.
    pub fn new(vertices: usize, of_corner: &[VertexId]) -> Self {
        let mut starts = vec![0_u32; vertices + 1];
        for v in of_corner {
            starts[v.index() + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; of_corner.len()];
        for (corner, v) in of_corner.iter().enumerate() {
            let place = &mut next[v.index()];
            corners[*place as usize] = u32::try_from(corner).expect("fewer than 2^32 corners");
            *place += 1;
        }
        Self { starts, corners }
    }

    /// How many corners there are.
    pub fn corners(&self) -> usize {
        self.corners.len()
    }

    /// The sum over the corners of one vertex, in the order of the elements.
    #[inline]
    pub fn sum<const K: usize>(&self, vertex: usize, values: &[[f64; K]]) -> [f64; K] {
        let mut sum = [0.0; K];
        for &corner in &self.corners[self.starts[vertex] as usize..self.starts[vertex + 1] as usize] {
            for (sum, value) in sum.iter_mut().zip(&values[corner as usize]) {
                *sum += value;
            }
        }
        sum
    }
}
