//! What a basis is made of.

use crate::Basis;

/// A pose that a motion has to meet.
#[derive(Clone, Copy, Debug)]
pub struct KeyPose<'a> {
    /// q̄, three numbers per vertex, from rest. Of a body that floats: its deformation, with the rigid motion split off
    /// by [`RigidMotion::apart`](crate::RigidMotion::apart).
    pub displacement: &'a [f64],
    /// The static load that holds it, three numbers per vertex; the internal force R(q̄) where none is known.
    pub load: Option<&'a [f64]>,
}

/// What a basis is made of beside the keys, which are always in it.
#[derive(Clone, Debug)]
pub struct KeyBasisSettings<'a> {
    /// The directions in which poses leave a key under the load of the next, Eq. 6.
    pub tangents: bool,
    /// Static poses inside every arc between two keys, under loads in between: for gaps as large as half a twist.
    pub samples: usize,
    /// Shapes of vibration or any others, of whatever anchors.
    pub modes: Option<&'a Basis>,
    /// Poses of a recorded motion, three numbers per vertex each, split like those of [`KeyPose`]; what is not in the
    /// basis already is added by its principal components, Eq. 9.
    pub recorded: &'a [Vec<f64>],
    /// How many principal components of `recorded` at most.
    pub recorded_size: usize,
    /// Fields that are kept whole like keys, such as the velocity a segment begins with.
    pub kept: &'a [Vec<f64>],
    /// How many coordinates at most: tangents, samples, modes and recorded poses are cut to their principal components.
    /// Keys and `kept` stay, even if they are more.
    pub size: Option<usize>,
}

impl Default for KeyBasisSettings<'_> {
    fn default() -> Self {
        Self {
            tangents: true,
            samples: 0,
            modes: None,
            recorded: &[],
            recorded_size: 10,
            kept: &[],
            size: None,
        }
    }
}
