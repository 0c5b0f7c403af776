//! One site of a reduced readout at one frame: where it is under an edit, and how that changes.
//!
//! The displacement at a site is Σ_v b_v·u_v, b_v the weights of its vertices; where the frame keeps contacts, also what
//! these take back, see [`super::super::listen`]. With R the rotation that the warp takes out of a component and θ the
//! turn of the edit where that turns far, 0 elsewhere,
//!
//! > W = Σ_v b_v·ū_v + Σ_c (Σ b_v) t_c + Σ_g L_g ((exp θ − I) a_g + exp θ y_g), y_g = Σ_e C_ge : Δ_e,
//!
//! a sum over groups g of vertices that turn together, a_g and y_g what the group reads of x + ū − c̄ and of R B q̂. All
//! that does not turn far is one group. A vertex that does, in a frame with contacts, is in nine of them: b_v is a matrix
//! then, and turns come between it and y.

use super::super::floating::Floating;
use super::super::listen::Read;
use super::super::{InputFrame, WarpError};
use super::ReducedWarp;
use super::packs::{Maps, Pack, PackedPulls, PackedStands, SIDE};
use super::stations::Whole;
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation;

/// A frame of the motion at the stations of a reduced warp.
#[derive(Debug)]
pub(super) struct Placed {
    pub frame: InputFrame,
    stands: PackedStands,
}

impl Placed {
    pub fn new(of: &ReducedWarp, frame: &InputFrame) -> Self {
        let stands = of.stations.stands(&of.warp, frame);
        Self { stands: PackedStands::of(&stands, frame.turning), frame: frame.clone() }
    }
}

/// What a site reads of a frame.
#[derive(Debug)]
pub(super) struct Reading {
    pub placed: Arc<Placed>,
    /// Σ b_v·ū_v, and what contacts that shall move add.
    base: Vec3,
    /// Σ b_v of floating components, and their places among these.
    shares: Vec<(usize, Matrix3<f64>)>,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    /// C: three matrices for every station, one for each number of y.
    pulls: PackedPulls,
    swing: Option<Swing>,
}

/// Of a group that turns far.
#[derive(Debug)]
struct Swing {
    /// Its component, among the floating ones.
    floating: usize,
    /// L.
    along: Matrix3<f64>,
    /// a.
    arm: Vec3,
}

impl Reading {
    pub fn new(
        of: &ReducedWarp,
        placed: Arc<Placed>,
        vertices: &[(VertexId, f64)],
    ) -> Result<Self, WarpError> {
        let (warp, frame) = (&of.warp, &placed.frame);
        let (reads, shift) = warp.reads_in_space(frame, vertices)?;
        let input = |(v, w): &(VertexId, f64)| at(frame.displacement(), *v) * *w;
        let base = vertices.iter().map(input).sum::<Vec3>() + shift;
        let far = |read: &Read| read.floating.filter(|_| frame.spins[read.component]);
        let mut groups = Vec::new();
        let still: Vec<&Read> = reads.iter().filter(|read| far(read).is_none()).collect();
        if !still.is_empty() {
            let weights = still.iter().flat_map(|read| {
                let R = frame.rotations[read.component];
                read.vertices.iter().map(move |(v, b)| (*v, b * R))
            });
            groups.push(Group { pulls: pulls(of, weights), swing: None });
        }
        for (read, floating) in reads.iter().filter_map(|read| Some((read, far(read)?))) {
            groups.extend(turning(of, frame, read, floating));
        }
        let shares = reads.iter().filter_map(|read| Some((read.floating?, read.share))).collect();
        Ok(Self { placed, base, shares, groups })
    }

    /// Where the site is, as a displacement.
    pub fn value(&self, of: &ReducedWarp, z: &[f64], wholes: &[Whole]) -> Vec3 {
        let strains = self.strains(of, z, wholes);
        let moved = |group: &Group| group.moved(&group.pulls.value(&self.placed.stands, &strains), wholes);
        self.whole(wholes) + self.groups.iter().map(moved).sum::<Vec3>()
    }

    /// The same; `rows` gets `weight` times ∂W/∂z added, three rows of a number for each mode.
    pub fn linearized(
        &self,
        of: &ReducedWarp,
        z: &[f64],
        wholes: &[Whole],
        weight: f64,
        rows: &mut [f64],
    ) -> Vec3 {
        let modes = z.len();
        let strains = self.strains(of, z, wholes);
        let mut place = self.whole(wholes);
        for group in &self.groups {
            let (y, maps) = group.pulls.slopes(&self.placed.stands, &strains);
            let mut slopes = of.packs.products(&maps);
            for (k, taken) in self.taken(of, &maps, wholes) {
                add_times(&-taken, &of.stations.wholes()[k].turn, &mut slopes, modes);
            }
            group.add_slopes(of, &slopes, &y, wholes, weight, rows);
            place += group.moved(&y, wholes);
        }
        for (k, share) in &self.shares {
            add_times(&(share * weight), &of.stations.wholes()[*k].shift, rows, modes);
        }
        place
    }

    /// s of all packs, without the turns that are taken out of floating components.
    fn strains(&self, of: &ReducedWarp, z: &[f64], wholes: &[Whole]) -> Vec<[Pack; 9]> {
        let mut strains = of.packs.strains(z);
        if wholes.iter().any(|whole| whole.turn != Vec3::zeros()) {
            for e in 0..of.stations.count() {
                let Some(k) = of.stations.floating(e) else { continue };
                (0..3).for_each(|c| strains[e / SIDE][c][e % SIDE] -= wholes[k].turn[c]);
            }
        }
        strains
    }

    /// ∂y/∂s of the turns, summed over the stations of each floating component that turns far: what θ takes from them.
    fn taken(&self, of: &ReducedWarp, maps: &[Maps], wholes: &[Whole]) -> Vec<(usize, Matrix3<f64>)> {
        let far = |k: &usize| self.placed.frame.spins[of.warp.poisson.floating()[*k].component];
        let sum = |k: usize| {
            let own = (0..of.stations.count()).filter(|e| of.stations.floating(*e) == Some(k));
            let turns = own.map(|e| Matrix3::from_fn(|i, c| maps[e / SIDE][i][c][e % SIDE]));
            (k, turns.sum())
        };
        (0..wholes.len()).filter(far).map(sum).collect()
    }

    /// Σ b_v·ū_v, moved as whole components are shifted.
    fn whole(&self, wholes: &[Whole]) -> Vec3 {
        let shifts = self.shares.iter().map(|(place, share)| share * wholes[*place].shift);
        shifts.fold(self.base, |sum, shift| sum + shift)
    }
}

impl Group {
    /// What the group adds to the site when it reads y.
    fn moved(&self, y: &Vec3, wholes: &[Whole]) -> Vec3 {
        let Some(Swing { floating, along, arm }) = &self.swing else { return *y };
        let turn = rotation::exp(&wholes[*floating].turn);
        along * ((turn - Matrix3::identity()) * arm + turn * y)
    }

    /// From ∂y/∂z to what the group adds to ∂W/∂z.
    fn add_slopes(
        &self,
        of: &ReducedWarp,
        slopes: &[f64],
        y: &Vec3,
        wholes: &[Whole],
        weight: f64,
        rows: &mut [f64],
    ) {
        let modes = of.modes();
        let Some(Swing { floating, along, arm }) = &self.swing else {
            rows.iter_mut().zip(slopes).for_each(|(row, slope)| *row += weight * slope);
            return;
        };
        let theta = &wholes[*floating].turn;
        let turn = rotation::exp(theta);
        let map = along * turn * weight;
        for (i, row) in rows.chunks_exact_mut(modes).enumerate() {
            for (c, slope) in slopes.chunks_exact(modes).enumerate() {
                let m = map[(i, c)];
                row.iter_mut().zip(slope).for_each(|(row, slope)| *row += m * slope);
            }
        }
        // d(exp θ w) = (J dθ) × exp θ w.
        let reached = turn * (arm + y);
        let by_turn = -(along * reached.cross_matrix()) * rotation::left_jacobian(theta) * weight;
        add_times(&by_turn, &of.stations.wholes()[*floating].turn, rows, modes);
    }
}

/// C of vertices with a matrix each: Σ_v b_v (B_v P_e), for every station.
fn pulls(of: &ReducedWarp, weights: impl Iterator<Item = (VertexId, Matrix3<f64>)>) -> PackedPulls {
    let h = of.basis.size();
    // Σ b_v B_v: three rows of h numbers.
    let mut read = vec![Vec3::zeros(); h];
    for (v, b) in weights {
        let rows = of.basis.shapes().row(&[(v, 1.0)]);
        for (k, read) in read.iter_mut().enumerate() {
            *read += b * Vec3::new(rows[0][k], rows[1][k], rows[2][k]);
        }
    }
    let station = |pulls: &[Matrix3<f64>]| {
        let mut sums = [Matrix3::zeros(); 3];
        for (read, pull) in read.iter().zip(pulls) {
            (0..3).for_each(|i| sums[i] += pull * read[i]);
        }
        sums
    };
    PackedPulls::of(&of.pulls.chunks_exact(h).map(station).collect::<Vec<_>>())
}

/// The groups of a component that turns far.
fn turning(of: &ReducedWarp, frame: &InputFrame, read: &Read, floating: usize) -> Vec<Group> {
    let R = frame.rotations[read.component];
    let part: &Floating = &of.warp.poisson.floating()[floating];
    debug_assert_eq!(part.component, read.component);
    let group = |along: Matrix3<f64>, weight: &dyn Fn(&Matrix3<f64>) -> f64| {
        let members = || read.vertices.iter().map(|(v, b)| (*v, weight(b))).filter(|(_, w)| *w != 0.0);
        members().next()?;
        let arm = members().map(|(v, w)| of.warp.arm(frame, v) * w).sum();
        let pulls = pulls(of, members().map(|(v, w)| (v, R * w)));
        Some(Group { pulls, swing: Some(Swing { floating, along, arm }) })
    };
    let is_even = |(_, b): &(VertexId, Matrix3<f64>)| *b == Matrix3::from_diagonal_element(b[(0, 0)]);
    if read.vertices.iter().all(is_even) {
        return group(Matrix3::identity(), &|b| b[(0, 0)]).into_iter().collect();
    }
    let entries = (0..3).flat_map(|i| (0..3).map(move |a| (i, a)));
    entries
        .filter_map(|(i, a)| {
            let mut along = Matrix3::zeros();
            along[(i, a)] = 1.0;
            group(along, &move |b| b[(i, a)])
        })
        .collect()
}

/// Adds M T to three rows, T three rows of one number for each mode.
fn add_times(M: &Matrix3<f64>, T: &[Vec<f64>; 3], rows: &mut [f64], modes: usize) {
    for (i, row) in rows.chunks_exact_mut(modes).enumerate() {
        for (c, T) in T.iter().enumerate() {
            let m = M[(i, c)];
            row.iter_mut().zip(T).for_each(|(row, t)| *row += m * t);
        }
    }
}

fn at(u: &[f64], v: VertexId) -> Vec3 {
    Vec3::from_column_slice(&u[3 * v.index()..][..3])
}
