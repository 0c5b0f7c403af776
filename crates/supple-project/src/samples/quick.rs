//! Samples that are ready within half a minute: coarser or shorter than the papers' examples, and otherwise the same.
//!
//! A solid rides on a coarse cage of voxels while it is simulated, a cloth keeps every other row and column of its
//! vertices, and motions end soon after what the shot's handle is about.

use super::SampleError;
use crate::shot::{Shot, Substeps, When};
use supple_mesh::shapes::{self, BodyMesh, Shape};
use supple_mesh::{FillError, TriMesh, VertexGroups};
use supple_model::VertexId;

/// What is less than in the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    /// In words.
    pub how: &'static str,
    /// How many frames.
    frames: usize,
    /// Cells of the cage along the longest side.
    cage: Option<usize>,
    /// Time steps per frame.
    substeps: Option<usize>,
    /// A coarser body.
    pub shape: Option<fn() -> Result<Shape, FillError>>,
    /// Vertices in a row of a cloth of which every other one is kept.
    pub every: Option<usize>,
    /// How many times as thick a cloth is, of the same mass and as hard to stretch: larger triangles cut the corners of
    /// what they lie on, which then looks through.
    thicker: f64,
    /// Whether every other frame of a motion through poses is left out.
    sparser: bool,
}

const NOTHING: Quick = Quick {
    how: "",
    frames: 0,
    cage: None,
    substeps: None,
    shape: None,
    every: None,
    thicker: 1.0,
    sparser: false,
};

pub(super) const THICK_BEAM: Quick =
    Quick { how: "768 tets, 240 frames", frames: 240, shape: Some(shapes::coarse_thick_beam), ..NOTHING };

pub(super) const COARSE_DINOSAUR: Quick = Quick {
    how: "a quarter of the tets, 240 frames",
    frames: 240,
    shape: Some(shapes::coarse_dinosaur),
    ..NOTHING
};

pub(super) const BRIDGE: Quick =
    Quick { how: "simulated on a coarse cage, 160 frames", frames: 160, cage: Some(26), ..NOTHING };

pub(super) const CLOTH: Quick = Quick {
    how: "a quarter of the vertices, thicker, 72 frames",
    frames: 72,
    every: Some(41),
    thicker: 4.0,
    ..NOTHING
};

pub(super) const CURTAIN: Quick =
    Quick { how: "a quarter of the vertices, 160 frames", frames: 160, every: Some(61), ..NOTHING };

pub(super) const DINOSAUR: Quick =
    Quick { how: "150 frames of one time step each", frames: 150, substeps: Some(1), ..NOTHING };

pub(super) const DRAGON: Quick =
    Quick { how: "simulated on a coarser cage, 160 frames", frames: 160, cage: Some(26), ..NOTHING };

pub(super) const SPRINGS: Quick = Quick { how: "every other frame", frames: 76, sparser: true, ..NOTHING };

pub(super) const T_REX: Quick =
    Quick { how: "simulated on a coarse cage, 160 frames", frames: 160, cage: Some(18), ..NOTHING };

impl Quick {
    /// Makes the shot of a sample quick.
    pub fn shorten(&self, shot: &mut Shot) {
        shot.motion.frames = Some(self.frames);
        if self.sparser {
            shot.motion.fps = shot.motion.fps.map(|fps| fps / 2.0);
            for pose in &mut shot.edit.poses {
                if let When::Frame(frame) = &mut pose.when {
                    *frame = (*frame + 1) / 2;
                }
            }
        }
        shot.simulate.cage = self.cage.or(shot.simulate.cage);
        if let Some(substeps) = self.substeps {
            shot.simulate.substeps = Substeps::Count(substeps);
        }
        if let Some(material) = &mut shot.body.material {
            material.thickness = material.thickness.map(|thickness| self.thicker * thickness);
            (material.young, material.density) =
                (material.young / self.thicker, material.density / self.thicker);
        }
    }
}

/// A cloth whose vertices are rows of `columns`, of which every other row and column is left, with the groups of what is left.
pub(super) fn thinned(shape: &Shape, columns: usize) -> Result<Shape, SampleError> {
    let BodyMesh::Cloth(cloth) = &shape.body else { return Ok(shape.clone()) };
    let rows = cloth.positions().len() / columns;
    let (across, down) = (columns.div_ceil(2), rows.div_ceil(2));
    let old = |i: usize, j: usize| 2 * i + columns * 2 * j;
    let vertex = |i: usize, j: usize| VertexId::new(i + across * j);
    let places = (0..down).flat_map(|j| (0..across).map(move |i| (i, j)));
    let positions = places.map(|(i, j)| cloth.positions()[old(i, j)]).collect();
    let mut triangles = Vec::new();
    for (i, j) in (0..down - 1).flat_map(|j| (0..across - 1).map(move |i| (i, j))) {
        let [a, b, c, d] = [vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j), vertex(i, j)];
        // Diagonals in turn, as in the whole cloth.
        let halves = if (i + j).is_multiple_of(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        triangles.extend(halves);
    }
    let mut groups = VertexGroups::new();
    for (name, members) in shape.groups.iter() {
        let kept = |v: &VertexId| {
            let (i, j) = (v.index() % columns, v.index() / columns);
            (i % 2 == 0 && j % 2 == 0).then(|| vertex(i / 2, j / 2))
        };
        groups.add(name, members.iter().filter_map(kept));
    }
    Ok(Shape { body: BodyMesh::Cloth(TriMesh::new(positions, triangles)?), skin: None, groups })
}

#[cfg(test)]
mod tests {
    use super::super::{SAMPLES, Sample};
    use super::*;

    /// A test for each sample that has two sizes.
    macro_rules! slow_samples_are_less_unless_asked_for_in_full {
        ($($name:ident: $sample:literal,)*) => {
            /// Samples took up to 100 seconds before anything could be edited: those are shorter or coarser now, and keep
            /// their groups and their handles.
            mod slow_samples_are_less_unless_asked_for_in_full {
                $(#[test]
                fn $name() {
                    super::is_less(super::Sample::named($sample).unwrap());
                })*
            }

            #[test]
            fn every_slow_sample_has_a_test() {
                let there: Vec<&str> =
                    SAMPLES.iter().filter(|sample| sample.has_full()).map(|sample| sample.name).collect();
                assert_eq!(there, [$($sample),*]);
            }
        };
    }

    slow_samples_are_less_unless_asked_for_in_full! {
        beam_recovery: "beam-recovery",
        bridge: "bridge",
        cloth: "cloth",
        curtain: "curtain",
        dinosaur: "dinosaur",
        dinosaur_recovery: "dinosaur-recovery",
        dragon: "dragon",
        spring_bridge: "spring-bridge",
        t_rex: "t-rex",
        t_rex_jump: "t-rex-jump",
    }

    fn is_less(sample: &Sample) {
        let size = |shot: &Shot| {
            let crate::shot::Shape::Mesh(mesh) = &shot.body.shape else { panic!("a mesh") };
            let bytes = std::fs::metadata(shot.resolve(mesh)).unwrap().len();
            (bytes, shot.motion.frames.unwrap(), shot.simulate.cage.unwrap_or(usize::MAX))
        };
        let folder = tempfile::tempdir().unwrap();
        let (quick, full) = (folder.path().join("quick"), folder.path().join("full"));
        let files = [sample.write(&quick).unwrap(), sample.write_full(&full).unwrap()];
        let said = files.clone().map(|file| std::fs::read_to_string(file).unwrap());
        let command = format!("`supple sample {} --full`", sample.name);
        assert!(said[0].starts_with(&format!("# {}; ", sample.about)) && said[0].contains(&command));
        assert!(said[1].lines().next().unwrap().ends_with("; at the paper's size"), "{}", said[1]);
        let [quick, full] = files.map(|file| Shot::load(&file).unwrap());
        let (less, all) = (size(&quick), size(&full));
        assert!(less.0 <= all.0 && less.1 < all.1 && less.2 <= all.2, "{}: {less:?} {all:?}", sample.name);
        assert_eq!(quick.edit.handles, full.edit.handles, "{}", sample.name);
        assert_eq!(quick.edit.poses.len(), full.edit.poses.len(), "{}", sample.name);
        let asked = quick.edit.handles.iter().map(|handle| handle.when.clone());
        let last = asked.chain(quick.edit.poses.iter().map(|pose| pose.when.clone()));
        let last = last.filter_map(|when| when.range().last()).max().unwrap();
        assert!((last as usize) <= less.1, "{}: what is asked is in the motion", sample.name);
    }

    #[test]
    fn a_thinned_curtain_has_every_other_row_and_column() {
        let whole = shapes::curtain().unwrap();
        let thin = thinned(&whole, 61).unwrap();
        assert_eq!((thin.body.positions().len(), whole.body.positions().len()), (31 * 11, 61 * 21));
        let top = thin.groups.get("top").unwrap();
        assert_eq!(top, (0..31).map(VertexId::new).collect::<Vec<_>>());
        assert_eq!(thin.groups.get("hem").unwrap().len(), 31);
        assert_eq!(thin.body.positions()[31 * 11 - 1], whole.body.positions()[61 * 21 - 1]);
    }
}
