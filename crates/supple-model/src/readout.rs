//! Where points of a body are when its edit has given modal coordinates: the door between bodies and the
//! methods that hold points of them in place.
//!
//! A body adds an edit U z to its input in its own way: by plain addition, or by a warp that turns what has
//! turned. The methods see only this: the position W(z) of a site at a time, a frame or any other, and its derivative. U
//! may be large, so whatever is wanted of several sites is asked for at once; and while few directions matter, as for
//! a handle in the hand, their displacements are made once ([`Readout::restrict`]) and U is left alone.

use crate::Instant;
use std::fmt::Debug;

/// A site at a time, under an edit.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The site.
    pub site: usize,
    /// When.
    pub at: Instant,
    /// The edit's modal coordinates then.
    pub z: &'a [f64],
}

/// Sites at a time, under edits that differ in few directions: z + Σ_i c_i d_i.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    /// The sites.
    pub sites: &'a [usize],
    /// When.
    pub at: Instant,
    /// z.
    pub z: &'a [f64],
    /// The directions d_i one after the other, an entry per mode each.
    pub directions: &'a [f64],
}

/// Where a site is, and how that changes with the modal coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearized {
    /// W(z).
    pub value: [f64; 3],
    /// ∂W/∂z, a row for each coordinate.
    pub rows: [Vec<f64>; 3],
}

/// Positions of some points of a body, its sites, as functions of the modal coordinates of an edit.
///
/// Sites are counted from 0 in the implementor's own list; frames from 0 as everywhere. Asking for a site or time
/// that does not exist, or with another number of modal coordinates than there are modes, is a panic.
pub trait Readout: Sync {
    /// How many modal coordinates there are.
    fn modes(&self) -> usize;

    /// How many sites there are.
    fn sites(&self) -> usize;

    /// Where the sites are, in the order asked for.
    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]>;

    /// Where the sites are and how that changes with z.
    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized>;

    /// The same along few directions, prepared once and then cheap; none where nothing can be prepared.
    fn restrict(&self, along: &[Along<'_>]) -> Option<Box<dyn Restricted>> {
        let _ = along;
        None
    }

    /// How many elements an edit turns inside out at a frame that the input has right; 0 where nothing can be.
    fn inverted(&self, frame: usize, z: &[f64]) -> usize {
        let _ = (frame, z);
        0
    }

    /// The same at several frames, each under its edit.
    fn inverted_at(&self, asked: &[(usize, &[f64])]) -> usize {
        asked.iter().map(|(frame, z)| self.inverted(*frame, z)).sum()
    }

    /// Where one site is.
    fn value(&self, site: usize, at: Instant, z: &[f64]) -> [f64; 3] {
        self.values(&[Ask { site, at, z }])[0]
    }
}

/// A [`Readout`] along few directions.
///
/// Coefficients c are one slice for each entry of the list it was made of. Answers come entry by entry, site by site.
pub trait Restricted: Debug + Send + Sync {
    /// Where the sites are at z + Σ_i c_i d_i.
    fn values(&self, coefficients: &[&[f64]]) -> Vec<[f64; 3]>;

    /// Where they are and how that changes with *all* modal coordinates.
    fn linearized(&self, coefficients: &[&[f64]]) -> Vec<Linearized>;
}
