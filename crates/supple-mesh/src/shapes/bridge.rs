//! A suspension bridge: deck, two masts on footings, main cables and hangers.
//!
//! One description serves the body and its skin. The skin shows the members as slender as they are;
//! the body makes each at least as thick as its lattice can hold, so that the skin rides inside it.
//! The bridge is symmetric in x (along the deck) and z (across it), so only the quarter x, z ≥ 0
//! is described; y is up and the footings stand on y = 0.

use super::{BodyMesh, Shape};
use crate::implicit::{bar, rounded_box, union};
use crate::{Aabb, FillError, Filling, TetMesh, Vec3, VertexGroups};
use supple_model::VertexId;

/// Lattice cells of body and skin, metres.
const BODY_CELL: f64 = 0.06;
const SKIN_CELL: f64 = 0.0125;
/// The least half thickness of the body's members, in cells: any thinner and they would break up.
const LEAST: f64 = 0.82;

/// How far edges are rounded, metres.
const ROUNDING: f64 = 0.014;

/// Half the length of the deck, and half its width.
const HALF_LENGTH: f64 = 2.0;
const HALF_WIDTH: f64 = 0.17;
/// Height of the deck at its ends, and how much higher it is in the middle.
const DECK_HEIGHT: f64 = 0.36;
const CAMBER: f64 = 0.05;
/// Where the masts stand along the deck, and how high they are.
const MAST_X: f64 = 1.1;
const MAST_HEIGHT: f64 = 1.3;
/// Half the size of the footing under each leg.
const FOOTING: Vec3 = Vec3::new(0.11, 0.045, 0.08);
/// Half the distance between a mast's legs, at its foot and at its top.
const LEG_FOOT: f64 = 0.27;
const LEG_TOP: f64 = 0.19;
/// Where the main cables hang across the deck, their lowest height and their height at a mast.
const CABLE_Z: f64 = 0.19;
const CABLE_LOW: f64 = 0.56;
const CABLE_HIGH: f64 = 1.27;
/// Distance between hangers; the middle of the bridge lies between two.
const HANGER_SPACING: f64 = 0.2;

/// A suspension bridge four metres long, with groups "deck", "mast-left", "mast-right", "cable" and
/// "base": the undersides of footings and abutments and the ends of the deck, which hold it to the
/// ground.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn bridge() -> Result<Shape, FillError> {
    let body = Bridge { least: LEAST * BODY_CELL };
    let fine = Bridge { least: 0.0 };
    let mesh = Filling::new(body.bounds(), BODY_CELL).tets(|p| body.value(p))?;
    let skin = Filling::new(fine.bounds(), SKIN_CELL).surface(|p| fine.value(p))?;
    let groups = body.groups(&mesh);
    Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
}

/// The bridge with members at least `2 least` thick.
#[derive(Clone, Copy)]
struct Bridge {
    least: f64,
}

/// The values of the solids the bridge is made of, at one point.
struct Parts {
    deck: f64,
    mast: f64,
    cable: f64,
}

impl Bridge {
    /// A box around the bridge, with room for fillets.
    fn bounds(&self) -> Aabb {
        let corner = Vec3::new(HALF_LENGTH, 0.0, LEG_FOOT + FOOTING.z);
        Aabb { min: -corner, max: corner + Vec3::y() * MAST_HEIGHT }.grown(self.least + 0.01)
    }

    /// All parts together, cut off flat at the ground.
    fn value(&self, p: Vec3) -> f64 {
        let Parts { deck, mast, cable } = self.parts(p);
        union(union(deck, mast, 0.02), cable, 0.015).max(-p.y)
    }

    fn parts(&self, p: Vec3) -> Parts {
        let quarter = Vec3::new(p.x.abs(), p.y, p.z.abs());
        Parts { deck: self.deck(quarter), mast: self.mast(quarter), cable: self.cables(quarter) }
    }

    /// Every vertex belongs to the part it lies deepest in; the base overlaps them.
    fn groups(&self, mesh: &TetMesh) -> VertexGroups {
        let part = |p: &Vec3| {
            let Parts { deck, mast, cable } = self.parts(*p);
            if deck <= mast.min(cable) {
                "deck"
            } else if cable < mast {
                "cable"
            } else if p.x < 0.0 {
                "mast-left"
            } else {
                "mast-right"
            }
        };
        let parts: Vec<&str> = mesh.positions().iter().map(part).collect();
        let on_base = |p: &Vec3| p.y < BODY_CELL / 10.0 || p.x.abs() > HALF_LENGTH - BODY_CELL;
        let ids = || (0..parts.len()).map(VertexId::new);
        let mut groups = VertexGroups::new();
        for name in ["deck", "mast-left", "mast-right", "cable"] {
            groups.add(name, ids().filter(|v| parts[v.index()] == name));
        }
        groups.add("base", ids().filter(|v| on_base(&mesh.positions()[v.index()])));
        groups
    }

    /// A half thickness, no less than the lattice can hold.
    fn half(&self, half: f64) -> f64 {
        half.max(self.least)
    }

    /// A box with its corner rounding limited by its thickness.
    fn block(&self, p: Vec3, center: Vec3, half: Vec3) -> f64 {
        let half = half.map(|h| self.half(h));
        rounded_box(p, center, half, half.min().min(ROUNDING))
    }

    /// A slab with girders along its edges, ribs under it and an abutment at its end.
    fn deck(&self, p: Vec3) -> f64 {
        let q = Vec3::new(p.x, p.y - deck_height(p.x), p.z);
        let slab = self.block(q, Vec3::zeros(), Vec3::new(HALF_LENGTH, 0.016, HALF_WIDTH));
        let edge = Vec3::new(0.0, 0.0, HALF_WIDTH + 0.005);
        let girder = self.block(q, edge, Vec3::new(HALF_LENGTH, 0.032, 0.014));
        let rib_at = Vec3::new(nearest_hanger(p.x), -0.02, 0.0);
        let rib = self.block(q, rib_at, Vec3::new(0.012, 0.02, HALF_WIDTH));
        let top = (DECK_HEIGHT + 0.05) / 2.0;
        let end =
            self.block(p, Vec3::new(HALF_LENGTH - 0.08, top, 0.0), Vec3::new(0.08, top, HALF_WIDTH + 0.05));
        union(union(union(slab, girder, 0.01), rib, 0.01), end, 0.02)
    }

    /// Two tapering legs, each on a footing, joined by three cross beams.
    fn mast(&self, p: Vec3) -> f64 {
        // Far from the mast the nearest it can be says enough, and is quicker.
        let beside = (p.x - MAST_X).abs() - FOOTING.x;
        if beside > FOOTING.x {
            return beside;
        }
        let up = (p.y / MAST_HEIGHT).clamp(0.0, 1.0);
        let leg_z = LEG_FOOT + (LEG_TOP - LEG_FOOT) * up;
        let half = Vec3::new(0.055 - 0.02 * up, MAST_HEIGHT / 2.0, 0.036 - 0.008 * up);
        let leg =
            self.block(Vec3::new(p.x, p.y, p.z - leg_z), Vec3::new(MAST_X, MAST_HEIGHT / 2.0, 0.0), half);
        let footing = self.block(p, Vec3::new(MAST_X, FOOTING.y, LEG_FOOT), FOOTING);
        let mut mast = union(leg, footing, 0.03);
        for (height, half_height) in [(deck_height(MAST_X) - 0.06, 0.035), (0.84, 0.028), (1.18, 0.035)] {
            let beam = Vec3::new(0.03, half_height, LEG_FOOT + (LEG_TOP - LEG_FOOT) * height / MAST_HEIGHT);
            mast = union(mast, self.block(p, Vec3::new(MAST_X, height, 0.0), beam), 0.03);
        }
        mast
    }

    /// A main cable over the mast's top and down to the deck's end, and the nearest of its hangers.
    fn cables(&self, p: Vec3) -> f64 {
        let (height, slope) = cable_height(p.x);
        // Vertical distance times the cosine of the slope: exact for a straight cable.
        let across = ((p.y - height) / slope.hypot(1.0)).hypot(p.z - CABLE_Z);
        let past_end = (p.x - (HALF_LENGTH - 0.04)).max(0.0);
        let main = across.hypot(past_end) - self.half(0.016);
        let x = nearest_hanger(p.x);
        let (top, foot) = (cable_height(x).0, deck_height(x));
        let hanger = bar(
            p,
            (Vec3::new(x, foot, CABLE_Z), self.half(0.009)),
            (Vec3::new(x, top, CABLE_Z), self.half(0.009)),
        );
        union(main, hanger, 0.012)
    }
}

/// The deck's middle height at x ≥ 0: a gentle parabola.
fn deck_height(x: f64) -> f64 {
    DECK_HEIGHT + CAMBER * (1.0 - (x / HALF_LENGTH).powi(2))
}

/// Height and slope of the main cable at x ≥ 0: a parabola between the masts, a slack one outside.
fn cable_height(x: f64) -> (f64, f64) {
    if x <= MAST_X {
        let rise = CABLE_HIGH - CABLE_LOW;
        return (CABLE_LOW + rise * (x / MAST_X).powi(2), 2.0 * rise * x / (MAST_X * MAST_X));
    }
    let span = HALF_LENGTH - MAST_X;
    let (t, fall) = ((x - MAST_X) / span, CABLE_HIGH - DECK_HEIGHT);
    let sag = 0.25;
    (CABLE_HIGH - fall * t - sag * t * (1.0 - t), (-fall - sag * (1.0 - 2.0 * t)) / span)
}

/// Where the hanger nearest to x ≥ 0 is. There is none at the mast, nor near the end of the deck.
fn nearest_hanger(x: f64) -> f64 {
    let place = |slot: f64| (slot + 0.5) * HANGER_SPACING;
    let slot = (x.min(HALF_LENGTH - 0.3) / HANGER_SPACING).floor();
    if (place(slot) - MAST_X).abs() < HANGER_SPACING / 2.0 {
        return place(if x < MAST_X { slot - 1.0 } else { slot + 1.0 });
    }
    place(slot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Embedding, components};

    #[test]
    fn the_bridge_hangs_together_and_carries_its_skin() {
        let Shape { body: BodyMesh::Tets(mesh), skin, groups } = bridge().unwrap() else {
            panic!("not of tets")
        };
        let skin = skin.unwrap();
        let (vertices, tets) = (mesh.positions().len(), mesh.tets().len());
        // The size of the bridge in Barbič et al., Interactive Editing of Deformable Simulations (2012).
        assert!(vertices.abs_diff(9_244) < 9_244 / 20, "{vertices} vertices");
        assert!(tets.abs_diff(31_746) < 31_746 / 20, "{tets} tets");
        assert!(skin.positions().len().abs_diff(100_000) < 15_000, "{} on the skin", skin.positions().len());
        assert_eq!(components(vertices, mesh.tets()).count, 1);
        assert_eq!(components(skin.positions().len(), skin.triangles()).count, 1);

        let parts = ["cable", "deck", "mast-left", "mast-right"].map(|name| groups.get(name).unwrap().len());
        assert_eq!(parts.iter().sum::<usize>(), vertices);
        assert!(parts.iter().all(|size| *size > 500), "{parts:?}");
        let base = groups.get("base").unwrap();
        assert!(base.iter().any(|v| groups.get("mast-left").unwrap().contains(v)));
        assert!(base.iter().any(|v| groups.get("deck").unwrap().contains(v)));

        // The skin rides in the body or close to it: no weight extrapolates far.
        let embedding = Embedding::of(&mesh, skin.positions());
        let largest = embedding.rows().flat_map(|(_, w)| w).fold(0.0_f64, |m, w| m.max(w.abs()));
        assert!(largest < 1.5, "{largest}");
    }
}
