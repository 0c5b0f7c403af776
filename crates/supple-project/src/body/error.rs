//! Why a body could not be made; each names the file or part of the shot to blame.

use std::path::PathBuf;
use supple_elastic::ElasticError;
use supple_formats::FormatError;
use supple_mesh::{EmbeddingError, FillError, MeshError, SelectError};
use supple_model::Cancelled;

/// A file with another number of vertices than the body and its skin have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: {found} vertices, but the body has {body}{}",
    file.display(),
    skin.map_or_else(String::new, |skin| format!(" and its skin {skin}"))
)]
pub struct OtherBody {
    /// The file.
    pub file: PathBuf,
    /// Its vertices.
    pub found: usize,
    /// Those of the body.
    pub body: usize,
    /// Those of the skin, if there is one.
    pub skin: Option<usize>,
}

/// Why a body could not be made; names the file and the culprit.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// A file could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A mesh is not usable.
    #[error("{}: {problem}", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: MeshError,
    },
    /// A surface could not be filled.
    #[error("{}: {problem}", file.display())]
    Fill {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: FillError,
    },
    /// A file holds something else than what is needed.
    #[error("{}: {found}, but {needed}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// What it holds.
        found: &'static str,
        /// What is needed, and the way out.
        needed: &'static str,
    },
    /// Anchors or a region choose vertices that cannot be chosen.
    #[error("{part}: {problem}")]
    Select {
        /// Which part of the shot.
        part: String,
        /// Why not.
        problem: SelectError,
    },
    /// An embedding does not fit body and skin.
    #[error("{}: {problem}", file.display())]
    Embedding {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: EmbeddingError,
    },
    /// Material, regions or anchors make no body.
    #[error(transparent)]
    Elastic(#[from] ElasticError),
    /// A kind of body this version cannot build.
    #[error(
        "a {kind} is a skeleton without soft matter, so it cannot be prepared, simulated, posed or coloured by strain; \
         edit it with `supple solve`"
    )]
    Kind {
        /// The word in the shot.
        kind: &'static str,
    },
    /// A region of a body of springs says what springs do not have.
    #[error("region \"{region}\": springs have no Poisson's ratio or density; set only `young`")]
    SpringRegion {
        /// The region.
        region: String,
    },
    /// `fill` makes another kind of body than `kind` says.
    #[error("`fill` makes {made}, but the body is of kind \"{kind}\"; change one of them")]
    FillKind {
        /// What `fill` would make.
        made: &'static str,
        /// The word in the shot.
        kind: &'static str,
    },
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
