//! Places that are looked at: what the modes do there, and how a frame has them.

use super::super::floating::Floating;
use super::super::linear::WholeRows;
use super::super::target::{Edit, Stand};
use super::super::{InputFrame, Warp};
use super::lanes::{LANES, strains};
use crate::Basis;
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;

/// Some places of a body under edits of some modes.
#[derive(Debug)]
pub(super) struct Stations {
    places: Vec<usize>,
    components: Vec<u32>,
    modes: usize,
    /// R, padded.
    stride: usize,
    /// N: nine rows for every station.
    strains: Vec<f64>,
    /// t and θ of the modes, for every floating component.
    wholes: Vec<WholeRows>,
    /// Component → its place among the floating ones.
    floating: Vec<Option<usize>>,
}

/// How an edit moves a floating component as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// t.
    pub shift: Vec3,
    /// θ where it is taken out, 0 elsewhere.
    pub turn: Vec3,
}

impl Stations {
    pub fn new(warp: &Warp, modes: &Basis, places: Vec<usize>) -> Self {
        let stride = modes.modes().next_multiple_of(LANES);
        let mut N = vec![0.0; 9 * places.len() * stride];
        let mut of_mode = vec![[0.0; 9]; warp.places()];
        let mut p = vec![0.0; 3 * warp.vertices()];
        for k in 0..modes.modes() {
            modes.column(k, &mut p);
            warp.cells.strains(&p, &mut of_mode);
            N.par_chunks_mut(9 * stride).zip(&places).for_each(|(rows, place)| {
                for (b, value) in of_mode[*place].iter().enumerate() {
                    rows[b * stride + k] = *value;
                }
            });
        }
        let per_cell = warp.cells.places_per_cell();
        let components = places.iter().map(|place| warp.component_of_cell[place / per_cell]).collect();
        let parts = warp.poisson.floating();
        let mut floating = vec![None; warp.components];
        parts.iter().enumerate().for_each(|(place, part)| floating[part.component] = Some(place));
        let wholes = WholeRows::of(parts, modes);
        Self { places, components, modes: modes.modes(), stride, strains: N, wholes, floating }
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    pub fn modes(&self) -> usize {
        self.modes
    }

    /// How many numbers a row of many modes has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The component a station belongs to, among the floating ones.
    #[inline]
    pub fn floating(&self, station: usize) -> Option<usize> {
        self.floating[self.components[station] as usize]
    }

    /// t and θ of the modes, for every floating component.
    pub fn wholes(&self) -> &[WholeRows] {
        &self.wholes
    }

    /// How an edit moves the floating components of a frame.
    pub fn wholes_at(&self, warp: &Warp, frame: &InputFrame, z: &[f64]) -> Vec<Whole> {
        assert_eq!(z.len(), self.modes, "an entry per mode");
        let whole = |(rows, part): (&WholeRows, &Floating)| Whole {
            shift: times(&rows.shift, z),
            turn: if frame.spins[part.component] { times(&rows.turn, z) } else { Vec3::zeros() },
        };
        self.wholes.iter().zip(warp.poisson.floating()).map(whole).collect()
    }

    /// What the edit z, padded, is at a station, without the turn that is taken out of its component.
    pub fn edit(&self, station: usize, z: &[f64], wholes: &[Whole]) -> Edit {
        self.edit_of(station, self.strain(station, z), wholes)
    }

    /// The edits at all stations.
    pub fn edits(&self, z: &[f64], wholes: &[Whole]) -> Vec<Edit> {
        let mut found = vec![[0.0; 9]; self.count()];
        strains(&self.strains, z, &mut found);
        found.into_iter().enumerate().map(|(station, s)| self.edit_of(station, s, wholes)).collect()
    }

    #[inline]
    fn edit_of(&self, station: usize, mut s: [f64; 9], wholes: &[Whole]) -> Edit {
        if let Some(place) = self.floating(station) {
            let turn = &wholes[place].turn;
            (0..3).for_each(|c| s[c] -= turn[c]);
        }
        Edit::of_strain(&s)
    }

    /// N of a station.
    #[inline]
    pub fn rows(&self, station: usize) -> &[f64] {
        &self.strains[9 * station * self.stride..9 * (station + 1) * self.stride]
    }

    /// z as the rows are padded.
    pub fn padded(&self, z: &[f64]) -> Vec<f64> {
        assert_eq!(z.len(), self.modes, "an entry per mode");
        let mut padded = z.to_vec();
        padded.resize(self.stride, 0.0);
        padded
    }

    /// N z of a station, z padded.
    #[inline]
    pub fn strain(&self, station: usize, z: &[f64]) -> [f64; 9] {
        let mut found = [[0.0; 9]];
        strains(self.rows(station), z, &mut found);
        found[0]
    }

    /// How a frame has some of the stations.
    pub fn stands_at(&self, warp: &Warp, frame: &InputFrame, stations: &[usize]) -> Vec<Stand> {
        let places: Vec<usize> = stations.iter().map(|station| self.places[*station]).collect();
        stands(warp, frame, &places)
    }

    /// How a frame has the places.
    pub fn stands(&self, warp: &Warp, frame: &InputFrame) -> Vec<Stand> {
        stands(warp, frame, &self.places)
    }
}

fn stands(warp: &Warp, frame: &InputFrame, places: &[usize]) -> Vec<Stand> {
    let mut gradients = vec![Matrix3::zeros(); places.len()];
    warp.cells.gradients_at(places, frame.seen(), &mut gradients);
    let stand = |(place, H): (&usize, Matrix3<f64>)| {
        Stand::new(&(Matrix3::identity() + H), (&frame.turns[*place], frame.turning))
    };
    places.iter().zip(gradients).map(stand).collect()
}

/// Three rows times z.
fn times(rows: &[Vec<f64>; 3], z: &[f64]) -> Vec3 {
    Vec3::from(rows.each_ref().map(|row| row.iter().zip(z).map(|(row, z)| row * z).sum::<f64>()))
}
