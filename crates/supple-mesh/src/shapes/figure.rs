//! Figures: creatures and plants as lists of parts.
//!
//! A part is a [`Tube`] that blends into the parts before it, or is a groove in them. One list
//! serves the body and its skin: the skin shows all of it as slender as it is; the body leaves the
//! details out and makes every part at least as thick as its lattice can hold, so that limbs stay
//! whole and the skin rides inside them. Figures stand on y = 0, look along x and have their right
//! side at z > 0.

use super::{BodyMesh, Shape};
use crate::implicit::{Tube, carve, union};
use crate::{Aabb, FillError, Filling, TetMesh, Vec3, VertexGroups};
use std::collections::BTreeMap;
use supple_model::VertexId;

/// The least half thickness of parts of body and skin, in cells: any thinner and they would break
/// up. A body needs more, to bend well.
const LEAST_BODY: f64 = 0.95;
const LEAST_SKIN: f64 = 0.8;
/// Parts passed over together.
const CLUSTER: usize = 8;
/// Width over which the edge along the ground is rounded, metres.
const GROUND_BLEND: f64 = 0.03;

/// A list of parts.
#[derive(Default)]
pub struct Figure {
    parts: Vec<Part>,
    /// Groups made of others.
    united: Vec<(&'static str, Vec<String>)>,
}

#[derive(Clone)]
struct Part {
    kind: Kind,
    tube: Tube,
    /// Width of the fillet to the parts before, metres.
    blend: f64,
}

#[derive(Clone, PartialEq)]
enum Kind {
    /// Moves, and lends its vertices to the group of this name.
    Flesh(String),
    /// Seen on the skin only: added to it, or cut out of it.
    Detail,
    Groove,
}

/// Edge lengths of lattice cubes, metres.
#[derive(Clone, Copy)]
pub struct Cells {
    pub body: f64,
    pub skin: f64,
}

impl Figure {
    /// A part that moves, whose vertices are the group `name`; parts of one name share it.
    pub fn part(&mut self, name: &str, blend: f64, tube: Tube) {
        self.push(Kind::Flesh(name.to_owned()), blend, tube);
    }

    /// A part on the right and its mirror image on the left, as groups right-`name` and left-`name`.
    pub fn pair(&mut self, name: &str, blend: f64, right: Tube) {
        self.part(&format!("left-{name}"), blend, right.mirrored());
        self.part(&format!("right-{name}"), blend, right);
    }

    /// Adds something too small to move by itself: it is on the skin only.
    pub fn detail(&mut self, blend: f64, tube: Tube) {
        self.push(Kind::Detail, blend, tube);
    }

    /// A detail on the right and its mirror image.
    pub fn details(&mut self, blend: f64, right: Tube) {
        self.detail(blend, right.mirrored());
        self.detail(blend, right);
    }

    /// Cuts a small tube and its mirror image out of the skin only.
    pub fn grooves(&mut self, blend: f64, right: Tube) {
        self.push(Kind::Groove, blend, right.mirrored());
        self.push(Kind::Groove, blend, right);
    }

    /// Makes a group of others.
    pub fn unite<const N: usize>(&mut self, name: &'static str, groups: [&str; N]) {
        self.united.push((name, groups.map(str::to_owned).to_vec()));
    }

    /// The body filled with tets, its skin and its groups.
    pub fn shape(&self, cells: Cells) -> Result<Shape, FillError> {
        let moving = self.parts.iter().filter(|part| matches!(part.kind, Kind::Flesh(_)));
        let body = Solid::new(moving, LEAST_BODY * cells.body);
        let mesh = body.filling(cells.body).tets(|p| body.value(p))?;
        let fine = Solid::new(self.parts.iter(), LEAST_SKIN * cells.skin);
        let skin = fine.filling(cells.skin).surface(|p| fine.value(p))?;
        let groups = self.groups(&mesh);
        Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
    }

    fn push(&mut self, kind: Kind, blend: f64, tube: Tube) {
        self.parts.push(Part { kind, tube, blend });
    }

    /// Every vertex belongs to the part it lies deepest in.
    fn groups(&self, mesh: &TetMesh) -> VertexGroups {
        let mut members: BTreeMap<&str, Vec<VertexId>> = BTreeMap::new();
        for (v, p) in mesh.positions().iter().enumerate() {
            let flesh = self.parts.iter().filter_map(|part| match &part.kind {
                Kind::Flesh(name) => Some((name.as_str(), part.tube.value(*p))),
                _ => None,
            });
            if let Some((name, _)) = flesh.min_by(|a, b| a.1.total_cmp(&b.1)) {
                members.entry(name).or_default().push(VertexId::new(v));
            }
        }
        let mut groups = VertexGroups::new();
        for (name, of) in &self.united {
            groups.add(*name, of.iter().filter_map(|part| members.get(part.as_str())).flatten().copied());
        }
        for (name, vertices) in members {
            groups.add(name, vertices);
        }
        groups
    }
}

/// Parts put together as one function.
struct Solid {
    /// A few consecutive parts each, with a box around them to pass them over by.
    clusters: Vec<(Aabb, Vec<Part>)>,
    /// Width of the widest fillet, metres.
    reach: f64,
}

impl Solid {
    /// The parts, none thinner than `2 least`.
    fn new<'a>(parts: impl Iterator<Item = &'a Part>, least: f64) -> Self {
        let parts: Vec<Part> = parts.map(|part| part.thickened(least)).collect();
        let boxed = |parts: &[Part]| {
            let bounds = parts.iter().fold(Aabb::EMPTY, |all, part| all.union(&part.tube.bounds()));
            (bounds, parts.to_vec())
        };
        Self {
            clusters: parts.chunks(CLUSTER).map(boxed).collect(),
            reach: parts.iter().map(|part| part.blend).fold(GROUND_BLEND, f64::max),
        }
    }

    fn filling(&self, cell: f64) -> Filling {
        let bounds = self.clusters.iter().fold(Aabb::EMPTY, |all, (one, _)| all.union(one));
        // A fillet adds at most a quarter of its width.
        let Aabb { mut min, max } = bounds.grown(self.reach / 4.0);
        min.y = min.y.max(-cell);
        Filling::new(Aabb { min, max }, cell)
    }

    /// All parts in their order, cut off flat at the ground.
    fn value(&self, p: Vec3) -> f64 {
        let mut value = f64::MAX;
        for (bounds, parts) in &self.clusters {
            match self.far(bounds, p) {
                Some(away) => value = value.min(away),
                None => value = parts.iter().fold(value, |value, part| self.with(value, part, p)),
            }
        }
        carve(value, p.y, GROUND_BLEND)
    }

    /// The value with one more part.
    fn with(&self, value: f64, part: &Part, p: Vec3) -> f64 {
        match (self.far(&part.tube.bounds(), p), part.is_cut()) {
            (Some(_), true) => value,
            (Some(away), false) => value.min(away),
            (None, true) => carve(value, part.tube.value(p), part.blend),
            (None, false) => union(value, part.tube.value(p), part.blend),
        }
    }

    /// The distance to a box out of reach of any fillet: there it says enough, and is quicker.
    fn far(&self, bounds: &Aabb, p: Vec3) -> Option<f64> {
        let away = bounds.distance_squared(&p);
        (away > self.reach * self.reach).then(|| away.sqrt())
    }
}

impl Part {
    fn thickened(&self, least: f64) -> Self {
        match self.is_cut() {
            true => self.clone(),
            false => Self { tube: self.tube.thickened(least), ..self.clone() },
        }
    }

    fn is_cut(&self) -> bool {
        self.kind == Kind::Groove
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trunk, a limb, a tooth and a groove.
    fn figure() -> Figure {
        let mut figure = Figure::default();
        figure.part("trunk", 0.0, Tube::new(&[[0.0, 0.3, 0.0, 0.2], [1.0, 0.4, 0.0, 0.1]]));
        figure.pair("limb", 0.1, Tube::new(&[[0.5, 0.3, 0.1, 0.08], [0.5, 0.0, 0.3, 0.01]]));
        figure.detail(0.02, Tube::new(&[[1.1, 0.4, 0.0, 0.03]]));
        figure.grooves(0.02, Tube::new(&[[0.2, 0.45, 0.1, 0.05]]));
        figure.unite("limbs", ["left-limb", "right-limb"]);
        figure
    }

    #[test]
    fn passing_over_parts_by_their_boxes_leaves_no_seam() {
        let figure = figure();
        let solid = Solid::new(figure.parts.iter(), 0.0);
        let plainly = |p: Vec3| {
            let value = figure.parts.iter().fold(f64::MAX, |value, part| match part.is_cut() {
                true => carve(value, part.tube.value(p), part.blend),
                false => union(value, part.tube.value(p), part.blend),
            });
            carve(value, p.y, GROUND_BLEND)
        };
        let (mut near, mut far) = (0, 0);
        for i in 0..4000 {
            let x = f64::from(i);
            let wave = |rate: f64| (x * rate).sin();
            let p = Vec3::new(0.5 + wave(0.71), 0.3 + 0.5 * wave(1.37), 0.6 * wave(2.33));
            let (value, plain) = (solid.value(p), plainly(p));
            // Fillets differ with the distance from the surface, never on it.
            assert_eq!(value < 0.0, plain < 0.0, "{p}: {value} {plain}");
            if plain.abs() < solid.reach {
                assert!((value - plain).abs() <= plain.abs() / 2.0, "{p}: {value} {plain}");
                near += 1;
            } else {
                far += 1;
            }
        }
        assert!(near > 100 && far > 100, "{near} {far}");
    }

    #[test]
    fn the_body_leaves_details_out_and_every_vertex_has_its_part() {
        let Shape { body, skin, groups } = figure().shape(Cells { body: 0.08, skin: 0.02 }).unwrap();
        let reach = |positions: &[Vec3]| Aabb::around(positions).max.x;
        assert!(reach(skin.unwrap().positions()) > 1.12 && reach(body.positions()) < 1.11);
        let sizes = ["trunk", "left-limb", "right-limb"].map(|name| groups.get(name).unwrap().len());
        assert_eq!(sizes.iter().sum::<usize>(), body.positions().len());
        assert_eq!(groups.get("limbs").unwrap().len(), sizes[1] + sizes[2]);
    }
}
