//! How a segment begins: where its rest shape stands, and the state that the segment before leaves, in its own modes.
//!
//! z is the least squares of turns and strains; what is left of the shape stays with every element as turn and strain and
//! fades, so that nothing jumps. ż is the least squares of velocities by mass; what is left of them is lost, and told.

use super::fit::{about_center, kinetic, velocity};
use super::flight::{Ballistic, momentum, spin};
use super::goal::combined;
use super::ground::{Ground, center_of_mass};
use super::placement::Placement;
use crate::body::Body;
use nalgebra::Unit;
use std::sync::Arc;
use supple_elastic::ModalShape;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_spacetime::ModalState;

/// How a segment ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// Where the vertices are.
    pub positions: Vec<Vec3>,
    /// How fast they move, per second of the body's own time; three numbers each.
    pub velocities: Vec<f64>,
    pub placement: Placement,
    /// Where keys sent vertices.
    pub sent: Vec<(VertexId, Vec3)>,
}

/// How a segment begins.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub placement: Placement,
    pub state: ModalState,
    /// What is left of the shape.
    pub left: Option<Arc<ModalShape>>,
    /// What anchors do that are not where the rest shape has them, three numbers per vertex.
    pub carried: Option<Vec<f64>>,
    pub flight: Option<Ballistic>,
    pub lost: Lost,
}

/// What the modes of a segment could not take over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lost {
    /// Of the shape, as a part of the size: it fades.
    pub position: f64,
    /// Of the kinetic energy, as a part of it: it is gone.
    pub velocity: f64,
    /// Of the spin of a flight, radians per second of the body's own time.
    pub spin: f64,
    /// How far anchors are from where the rest shape has them, as a part of the size: so they stay.
    pub anchors: f64,
}

impl Entry {
    /// At rest, under what constant loads do.
    pub fn at_rest(balance: &[f64]) -> Self {
        Self {
            placement: Placement::identity(),
            state: ModalState { position: balance.to_vec(), velocity: vec![0.0; balance.len()] },
            left: None,
            carried: None,
            flight: None,
            lost: Lost::default(),
        }
    }

    /// As the segment before ended; `gravity` is in the body's own time.
    pub fn after(ended: &Ended, body: &Body, ground: &Ground, gravity: Option<Vec3>, size: f64) -> Self {
        let up = gravity.and_then(|g| Unit::try_new(-g, 0.0)).unwrap_or_else(Vec3::y_axis);
        let placement = placed(ended, body, ground, &up);
        let center = center_of_mass(body);
        let flight = gravity.filter(|_| ground.flies).map(|gravity| Ballistic {
            from: center.iter().map(|(v, share)| ended.positions[v.index()] * *share).sum(),
            speed: combined(&center, &ended.velocities),
            gravity,
        });
        let mut u: Vec<f64> = (ended.positions.iter().zip(body.positions()))
            .flat_map(|(x, X)| (placement.local(x) - X).data.0[0])
            .collect();
        let mut v: Vec<f64> = (ended.velocities.chunks_exact(3))
            .flat_map(|v| placement.local_direction(&Vec3::from_column_slice(v)).data.0[0])
            .collect();
        if ground.flies {
            about_center(body, &mut u);
            about_center(body, &mut v);
        }
        let carried = (!ground.held.is_empty()).then(|| ground.warp.carried(&u));
        let (shape, z) = ground.warp.fitted(&u);
        let left = ground.warp.beyond(&shape, &z);
        let moves = velocity(ground, body, &shape, &v);
        let lost = Lost {
            position: farthest(body, ground, &u, carried.as_deref(), &z) / size,
            velocity: ratio(kinetic(body, &moves.left), kinetic(body, &v)),
            spin: if ground.flies { lost_spin(body, &u, &moves.left) } else { 0.0 },
            anchors: ground.held.iter().map(|v| moved(&u, v)).fold(0.0, f64::max) / size,
        };
        Self {
            placement,
            state: ModalState { position: z, velocity: moves.modal },
            left: Some(Arc::new(left)),
            carried,
            flight,
            lost,
        }
    }
}

/// Where the rest shape stands: as keys sent the anchors, else turned about gravity to where they landed.
fn placed(ended: &Ended, body: &Body, ground: &Ground, up: &Unit<Vec3>) -> Placement {
    let rest = body.positions();
    let sent: Vec<(Vec3, Vec3)> = (ended.sent.iter())
        .filter(|(v, _)| ground.held.binary_search(v).is_ok())
        .map(|(v, to)| (rest[v.index()], *to))
        .collect();
    let landed = |v: &VertexId| (rest[v.index()], ended.positions[v.index()]);
    let masses = body.elastic.masses();
    if let Some(turned) = Placement::through(&sent) {
        // Keys say how it is turned; where it stands is where it landed.
        let pairs: Vec<(Vec3, Vec3)> = ground.held.iter().map(landed).collect();
        let off: Vec3 = pairs.iter().map(|(X, x)| x - turned.place(X)).sum::<Vec3>() / pairs.len() as f64;
        return Placement { shift: turned.shift + off, ..turned };
    }
    let all: Vec<VertexId> = (0..rest.len()).map(VertexId::new).collect();
    let holds = if ground.held.is_empty() { &all } else { &ground.held };
    let pairs: Vec<(Vec3, Vec3)> = holds.iter().map(landed).collect();
    let weights: Vec<f64> = holds.iter().map(|v| masses[v.index()]).collect();
    ended.placement.upright(up, &pairs, &weights)
}

/// How far a vertex is displaced.
fn moved(u: &[f64], v: &VertexId) -> f64 {
    Vec3::from_column_slice(&u[3 * v.index()..][..3]).norm()
}

/// How far the modes are from a displacement.
fn farthest(body: &Body, ground: &Ground, u: &[f64], carried: Option<&[f64]>, z: &[f64]) -> f64 {
    let mut w = vec![0.0; u.len()];
    ground.warp.displacement(&ground.warp.shape(z, None), &mut w);
    let mut off: Vec<f64> =
        w.iter().enumerate().map(|(k, w)| u[k] - w - carried.map_or(0.0, |carried| carried[k])).collect();
    if ground.flies {
        about_center(body, &mut off);
    }
    off.chunks_exact(3).map(|off| Vec3::from_column_slice(off).norm()).fold(0.0, f64::max)
}

fn lost_spin(body: &Body, u: &[f64], left: &[f64]) -> f64 {
    let center = body.positions().iter().flat_map(|x| x.data.0[0]).zip(u).map(|(x, u)| x + u);
    let mut from_center: Vec<f64> = center.collect();
    about_center(body, &mut from_center);
    let from_center: Vec<Vec3> = from_center.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let masses = body.elastic.masses();
    spin(masses, &from_center, momentum(masses, &from_center, left)).norm()
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
