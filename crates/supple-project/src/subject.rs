//! What moves, as far as it is drawn and written: an elastic body is one, and so is whatever else has points and a
//! surface between them.

use crate::body::{Body, Skin};
use std::fmt::Debug;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// What moves.
pub trait Subject: Debug + Send + Sync {
    /// Where its points are at rest.
    fn positions(&self) -> &[Vec3];

    /// The triangles one sees of it, between its own points.
    fn triangles(&self) -> &[[VertexId; 3]];

    /// The fine mesh that rides on it.
    fn skin(&self) -> Option<&Skin> {
        None
    }

    /// The joints it has, each once, by name: those whose bones one sees. None for what has no skeleton.
    fn joints(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The point that is at a joint.
    fn point_of(&self, _joint: &str) -> Option<VertexId> {
        None
    }

    /// The elastic body it is, for what only such a body has: strain, detail of its skin.
    fn body(&self) -> Option<&Body> {
        None
    }
}

impl Subject for Body {
    fn positions(&self) -> &[Vec3] {
        Self::positions(self)
    }

    fn triangles(&self) -> &[[VertexId; 3]] {
        &self.surface
    }

    fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    fn body(&self) -> Option<&Body> {
        Some(self)
    }
}

impl<T: Subject + ?Sized> Subject for Arc<T> {
    fn positions(&self) -> &[Vec3] {
        (**self).positions()
    }

    fn triangles(&self) -> &[[VertexId; 3]] {
        (**self).triangles()
    }

    fn skin(&self) -> Option<&Skin> {
        (**self).skin()
    }

    fn joints(&self) -> Vec<&str> {
        (**self).joints()
    }

    fn point_of(&self, joint: &str) -> Option<VertexId> {
        (**self).point_of(joint)
    }

    fn body(&self) -> Option<&Body> {
        (**self).body()
    }
}
