//! What can be wrong with given weights.

use supple_model::VertexId;

/// Given weights that cannot be used, and which row is to blame. Rows count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmbeddingError {
    /// As many corner rows as weight rows are needed.
    #[error("the embedding has {corners} rows of corners but {weights} rows of weights")]
    Lengths {
        /// Rows of corners.
        corners: usize,
        /// Rows of weights.
        weights: usize,
    },
    /// A corner that does not exist.
    #[error("skin {skin} depends on {vertex}, but the body has {vertices} vertices, counted from 0")]
    OutOfRange {
        /// The culprit.
        skin: VertexId,
        /// What it refers to.
        vertex: VertexId,
        /// How many body vertices there are.
        vertices: usize,
    },
    /// Corners that no element has.
    #[error("skin {skin} depends on {}, which are not the corners of an element", list(corners))]
    NoSuchElement {
        /// The culprit.
        skin: VertexId,
        /// The corners it names.
        corners: Vec<VertexId>,
    },
    /// A weight that is NaN or infinite.
    #[error("skin {skin} has a weight that is not a finite number")]
    NonFinite {
        /// The culprit.
        skin: VertexId,
    },
    /// Weights that do not sum to one.
    #[error("the weights of skin {skin} must add up to 1, got {sum}")]
    Sum {
        /// The culprit.
        skin: VertexId,
        /// Their sum.
        sum: f64,
    },
}

fn list(corners: &[VertexId]) -> String {
    let numbers: Vec<String> = corners.iter().map(|v| v.0.to_string()).collect();
    format!("vertices {}", numbers.join(", "))
}
