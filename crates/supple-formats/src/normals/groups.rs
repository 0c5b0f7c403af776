//! Which corners are shaded as one.

use super::unit;
use crate::SurfaceFile;

/// Normals that differ by less are one that was rounded: to 16 bits, or to four digits.
const SAME: f64 = 1e-3;

/// No group, in a list of them.
const NONE: u32 = u32::MAX;

/// The smoothing groups of every vertex, as lists: the first of a vertex, and the next of each.
pub(super) struct Groups {
    first: Vec<u32>,
    next: Vec<u32>,
    /// The normal each was found with; corners without one are shaded as one.
    normals: Vec<Option<[f64; 3]>>,
}

impl Groups {
    pub fn new(vertices: usize) -> Self {
        Self { first: vec![NONE; vertices], next: Vec::new(), normals: Vec::new() }
    }

    /// The group of a corner, which may be new.
    pub fn of_corner(&mut self, vertex: u32, normal: Option<[f64; 3]>) -> u32 {
        let mut link = &mut self.first[vertex as usize];
        while *link != NONE {
            let group = *link;
            if is_same(self.normals[group as usize], normal) {
                return group;
            }
            link = &mut self.next[group as usize];
        }
        let group = self.normals.len() as u32;
        *link = group;
        self.next.push(NONE);
        self.normals.push(normal);
        group
    }

    /// Whether no vertex has two.
    pub fn are_per_vertex(&self) -> bool {
        self.next.iter().all(|next| *next == NONE)
    }

    /// The normals they were found with, of length 0 where there was none.
    pub fn normals(&self) -> Vec<[f64; 3]> {
        self.normals.iter().map(|normal| normal.unwrap_or_default()).collect()
    }

    /// The normals where no vertex has two groups. A vertex without faces keeps what the file says of it.
    pub fn by_vertex(&self, surface: &SurfaceFile) -> Vec<[f64; 3]> {
        let loose = if surface.normals.len() == surface.positions.len() { &surface.normals[..] } else { &[] };
        let of_group = |group: u32| self.normals[group as usize].unwrap_or_default();
        let of_vertex = |(vertex, group): (usize, &u32)| match *group {
            NONE => loose.get(vertex).copied().map_or([0.0; 3], unit),
            group => of_group(group),
        };
        self.first.iter().enumerate().map(of_vertex).collect()
    }
}

fn is_same(a: Option<[f64; 3]>, b: Option<[f64; 3]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>() <= SAME * SAME,
        (a, b) => a.is_none() && b.is_none(),
    }
}
