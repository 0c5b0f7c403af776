//! A seagull in flight: a sheet of skin in a cage of voxels.
//!
//! The skin is what artists make: a lofted, closed body, and wings and tail of a single sheet sewn to
//! it, so that three triangles meet at each seam and nothing but the body encloses a volume. The cage
//! is every cell of a grid that the skin passes through or the body encloses.

use super::{BodyMesh, Shape, where_at};
use crate::{Aabb, FillError, MeshError, TriMesh, Vec3, VertexGroups, VoxelMesh};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use supple_model::VertexId;

/// Edge length of a voxel, metres.
const CELL: f64 = 0.0675;
/// Vertices around a ring of the body; number 0 is on the right, a quarter on is the top.
const SIDES: usize = 12;
/// Rings of the body, from tail to beak: x, height of the middle, half width, half height.
const RINGS: [[f64; 4]; 20] = [
    [-0.5, 0.015, 0.04, 0.012],
    [-0.41, 0.01, 0.06, 0.032],
    [-0.31, 0.0, 0.08, 0.056],
    [-0.2, -0.01, 0.096, 0.08],
    [-0.15, -0.014, 0.102, 0.09],
    [-0.1, -0.017, 0.107, 0.097],
    [-0.05, -0.019, 0.111, 0.103],
    [0.0, -0.02, 0.114, 0.107],
    [0.05, -0.02, 0.115, 0.109],
    [0.1, -0.018, 0.114, 0.109],
    [0.15, -0.013, 0.111, 0.106],
    [0.2, -0.005, 0.105, 0.1],
    [0.26, 0.01, 0.094, 0.09],
    [0.32, 0.032, 0.08, 0.08],
    [0.375, 0.055, 0.071, 0.073],
    [0.43, 0.07, 0.07, 0.07],
    [0.485, 0.072, 0.058, 0.058],
    [0.525, 0.064, 0.034, 0.035],
    [0.59, 0.056, 0.022, 0.025],
    [0.645, 0.046, 0.013, 0.015],
];
const TAIL_END: Vec3 = Vec3::new(-0.53, 0.015, 0.0);
const BEAK_TIP: Vec3 = Vec3::new(0.68, 0.028, 0.0);
/// The rings that wings are sewn to, first and last.
const ROOT: [usize; 2] = [3, 11];
/// How long the tail's fan is, metres.
const FAN: f64 = 0.17;
/// Rows of a wing from its root to its tip, and of the tail.
const WING_ROWS: usize = 21;
const TAIL_ROWS: usize = 4;
/// How far a wing reaches from the body, metres.
const SPAN: f64 = 1.15;
/// Where along a wing the wrist is.
const WRIST: f64 = 0.42;

/// The group "body", what is left of the limbs: how far it reaches to either side, to the tail and to
/// the head.
pub(super) const BODY_SIDE: f64 = 1.5 * CELL;
pub(super) const BODY_BACK: f64 = RINGS[1][0];
pub(super) const BODY_FRONT: f64 = RINGS[13][0];
/// Where wings begin and end, metres from the mirror plane.
const WING_ROOT: f64 = RINGS[(ROOT[0] + ROOT[1]) / 2][2];
pub(super) const WING_END: f64 = WING_ROOT + SPAN;
/// Where the tail's fan ends.
pub(super) const FAN_END: f64 = RINGS[0][0] - FAN;

/// A seagull of some two and a half metres' span with groups "left-wing", "right-wing", "tail",
/// "head" and "body".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn bird() -> Result<Shape, FillError> {
    let skin = skin()?;
    let cage = cage(&skin)?;
    let mut groups = VertexGroups::new();
    let name = |p: &Vec3| match p {
        p if p.z > BODY_SIDE => "right-wing",
        p if p.z < -BODY_SIDE => "left-wing",
        p if p.x < BODY_BACK => "tail",
        p if p.x > BODY_FRONT => "head",
        _ => "body",
    };
    for part in ["right-wing", "left-wing", "tail", "head", "body"] {
        groups.add(part, where_at(cage.positions(), |p| name(p) == part));
    }
    Ok(Shape { body: BodyMesh::Voxels(cage), skin: Some(skin), groups })
}

/// A surface under construction.
#[derive(Default)]
struct Sheet {
    positions: Vec<Vec3>,
    triangles: Vec<[VertexId; 3]>,
}

impl Sheet {
    fn add(&mut self, position: Vec3) -> VertexId {
        self.positions.push(position);
        VertexId::new(self.positions.len() - 1)
    }

    /// A strip of quads between two rows of vertices.
    fn strip(&mut self, row: &[VertexId], next: &[VertexId]) {
        for (a, b) in row.windows(2).zip(next.windows(2)) {
            self.triangles.extend([[a[0], a[1], b[1]], [a[0], b[1], b[0]]]);
        }
    }

    /// A sheet sewn to the vertices `seam`: `rows` more rows, each point of which is `at(row, k)`
    /// where the row counts from 1 and k along the seam.
    fn sew(&mut self, seam: Vec<VertexId>, rows: usize, at: impl Fn(usize, usize) -> Vec3) {
        let mut last = seam;
        for row in 1..=rows {
            let next: Vec<VertexId> = (0..last.len()).map(|k| self.add(at(row, k))).collect();
            self.strip(&last, &next);
            last = next;
        }
    }
}

fn skin() -> Result<TriMesh, MeshError> {
    let mut sheet = Sheet::default();
    let rings = body(&mut sheet);
    for side in [1.0, -1.0] {
        let around = if side > 0.0 { 0 } else { SIDES / 2 };
        let seam = rings[ROOT[0]..=ROOT[1]].iter().map(|ring| ring[around]).collect();
        sheet.sew(seam, WING_ROWS, |row, k| wing(side, row, k));
    }
    let seam = rings[0][..=SIDES / 2].to_vec();
    sheet.sew(seam, TAIL_ROWS, tail);
    TriMesh::new(sheet.positions, sheet.triangles)
}

/// The closed body; returns its rings of vertices.
fn body(sheet: &mut Sheet) -> Vec<Vec<VertexId>> {
    let mut rings: Vec<Vec<VertexId>> = Vec::new();
    for [x, y, width, height] in RINGS {
        let angle = |k: usize| TAU * k as f64 / SIDES as f64;
        let at = |k: usize| Vec3::new(x, y + height * angle(k).sin(), width * angle(k).cos());
        rings.push((0..SIDES).map(|k| sheet.add(at(k))).collect());
    }
    let closed = |ring: &[VertexId]| -> Vec<VertexId> { ring.iter().chain(&ring[..1]).copied().collect() };
    for pair in rings.windows(2) {
        // Seen from outside, with z to the right and y up, x comes towards the viewer.
        sheet.strip(&closed(&pair[1]), &closed(&pair[0]));
    }
    let (tail, beak) = (sheet.add(TAIL_END), sheet.add(BEAK_TIP));
    for (tip, ring) in [(tail, &rings[0]), (beak, &rings[RINGS.len() - 1])] {
        for edge in closed(ring).windows(2) {
            let [a, b] = if tip == tail { [edge[0], edge[1]] } else { [edge[1], edge[0]] };
            sheet.triangles.push([a, b, tip]);
        }
    }
    rings
}

/// A wing cut across its span.
#[derive(Clone, Copy)]
pub(super) struct Section {
    /// x of the leading edge.
    pub lead: f64,
    /// From the leading edge to the trailing edge.
    pub chord: f64,
    /// y of both edges.
    pub rise: f64,
}

impl Section {
    /// The section `distance` metres from the mirror plane.
    pub(super) fn at(distance: f64) -> Self {
        Self::along(((distance - WING_ROOT) / SPAN).clamp(0.0, 1.0))
    }

    /// The section at 0 for the root to 1 for the tip: the arm rises forward to the wrist, the hand
    /// sweeps back to a point.
    fn along(s: f64) -> Self {
        let (arm, hand) = ((s / WRIST).min(1.0), hand(s));
        let bow = arm * (2.0 - arm);
        Self {
            lead: 0.2 + 0.1 * bow - 0.46 * hand.powf(1.5),
            chord: (0.4 - 0.13 * bow) * (1.0 - 0.85 * hand.powf(2.2)),
            rise: 0.17 * bow - 0.1 * hand.powf(1.5) - 0.01,
        }
    }
}

/// 0 up to the wrist, 1 at the tip.
fn hand(s: f64) -> f64 {
    ((s - WRIST) / (1.0 - WRIST)).max(0.0)
}

/// A point of a wing.
fn wing(side: f64, row: usize, k: usize) -> Vec3 {
    let s = row as f64 / WING_ROWS as f64;
    let k = k as f64 / (ROOT[1] - ROOT[0]) as f64;
    let Section { lead, chord, rise } = Section::along(s);
    // Feathers: every other row of the hand ends short.
    let chord = if row.is_multiple_of(2) { chord * (1.0 - 0.1 * hand(s).min(0.6)) } else { chord };
    // The sheet is cambered like any wing.
    let camber = 0.3 * chord * k * (1.0 - k);
    Vec3::new(lead - chord * (1.0 - k), rise + camber, side * (WING_ROOT + SPAN * s))
}

/// A point of the tail: a fan that widens backwards.
fn tail(row: usize, k: usize) -> Vec3 {
    let s = row as f64 / TAIL_ROWS as f64;
    let angle = PI * (k as f64 / (SIDES / 2) as f64 - 0.5);
    let half = RINGS[0][2] + 0.14 * s;
    let end = FAN * s * (1.0 - 0.12 * angle.sin().powi(2));
    Vec3::new(RINGS[0][0] - end, RINGS[0][1] + 0.012 * angle.cos() + 0.02 * s, -half * angle.sin())
}

/// The cells that hold a point of the skin or have their middle in the body.
fn cage(skin: &TriMesh) -> Result<VoxelMesh, MeshError> {
    let bounds = Aabb::around(skin.positions()).grown(CELL);
    // The mirror plane z = 0 runs between two layers of cells.
    let layers = 2 * (bounds.max.z / CELL).ceil() as usize;
    let origin = Vec3::new(bounds.min.x, bounds.min.y, -0.5 * CELL * layers as f64);
    let cell_of = |p: Vec3| <[usize; 3]>::from(((p - origin) / CELL).map(|c| c as usize));
    let mut cells = BTreeSet::new();
    let mut add = |[i, j, k]: [usize; 3]| cells.extend([[i, j, k], [i, j, layers - 1 - k]]);
    for triangle in skin.triangles() {
        samples(triangle.map(|v| skin.positions()[v.index()])).for_each(|p| add(cell_of(p)));
    }
    let [nx, ny, nz] = cell_of(bounds.max);
    for [i, j, k] in (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [i, j, k]))) {
        if in_body(origin + Vec3::new(i as f64 + 0.5, j as f64 + 0.5, k as f64 + 0.5) * CELL) {
            add([i, j, k]);
        }
    }
    let cells: Vec<[usize; 3]> = cells.into_iter().collect();
    VoxelMesh::of_cells(origin, Vec3::repeat(CELL), &cells)
}

/// Points of a triangle, so close that no cell it crosses is missed but by a corner.
fn samples([a, b, c]: [Vec3; 3]) -> impl Iterator<Item = Vec3> {
    let longest = (b - a).norm().max((c - a).norm()).max((c - b).norm());
    let steps = (8.0 * longest / CELL).ceil() as usize;
    let fraction = move |n: usize| n as f64 / steps as f64;
    (0..=steps)
        .flat_map(move |i| (0..=steps - i).map(move |j| a + (b - a) * fraction(i) + (c - a) * fraction(j)))
}

/// Whether the point is between two rings of the body and inside the ellipse there.
fn in_body(p: Vec3) -> bool {
    RINGS.windows(2).any(|pair| {
        let t = (p.x - pair[0][0]) / (pair[1][0] - pair[0][0]);
        let mix = |n: usize| pair[0][n] + (pair[1][n] - pair[0][n]) * t;
        (0.0..1.0).contains(&t) && ((p.y - mix(1)) / mix(3)).hypot(p.z / mix(2)) < 1.0
    })
}
