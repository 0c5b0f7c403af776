use super::*;
use crate::shapes::{BodyMesh, bird};
use crate::{Embedding, TriMesh, VoxelMesh, trilinear};
use std::collections::BTreeSet;

/// Frames before and after the turn.
const LEVEL: [std::ops::Range<usize>; 2] = [0..111, 162..Flap::FRAMES];
/// Amid the turn.
const TURN: usize = 128;

struct Flight {
    shape: Shape,
    flap: Flap,
}

impl Flight {
    fn new() -> Self {
        let shape = bird().unwrap();
        let flap = Flap::of(&shape);
        Self { shape, flap }
    }

    fn skin(&self) -> &TriMesh {
        self.shape.skin.as_ref().unwrap()
    }

    fn cage(&self) -> &VoxelMesh {
        let BodyMesh::Voxels(cage) = &self.shape.body else { panic!("a body of voxels") };
        cage
    }

    fn skin_at(&self, frame: usize) -> Vec<Vec3> {
        let mut skin = vec![Vec3::zeros(); self.skin().positions().len()];
        self.flap.skin(frame, &mut skin);
        skin
    }

    fn cage_at(&self, frame: usize) -> Vec<Vec3> {
        let mut cage = vec![Vec3::zeros(); self.cage().positions().len()];
        self.flap.body(frame, &mut cage);
        cage
    }

    fn skins(&self) -> Vec<Vec<Vec3>> {
        (0..Flap::FRAMES).map(|frame| self.skin_at(frame)).collect()
    }

    /// The skin's vertex farthest to the right, or to the left.
    fn tip(&self, side: f64) -> usize {
        let rest = self.skin().positions();
        (0..rest.len()).max_by(|a, b| (side * rest[*a].z).total_cmp(&(side * rest[*b].z))).unwrap()
    }
}

/// The largest of numbers that are not negative.
fn most(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, f64::max)
}

#[test]
fn the_body_stays_exactly_where_it_is_and_every_limb_moves() {
    let flight = Flight::new();
    let rest = flight.cage().positions();
    let body = flight.shape.groups.get("body").unwrap();
    let mut reach = vec![0.0_f64; rest.len()];
    for frame in 0..Flap::FRAMES {
        let cage = flight.cage_at(frame);
        assert!(body.iter().all(|v| cage[v.index()] == rest[v.index()]), "frame {frame}");
        reach
            .iter_mut()
            .zip(cage.iter().zip(rest))
            .for_each(|(reach, (p, q))| *reach = reach.max((p - q).norm()));
    }
    for (limb, least) in [("left-wing", 0.45), ("right-wing", 0.45), ("tail", 0.02), ("head", 0.02)] {
        let found = most(flight.shape.groups.get(limb).unwrap().iter().map(|v| reach[v.index()]));
        assert!(found > least, "{limb}: {found}");
    }
}

#[test]
fn the_motion_begins_and_ends_at_rest() {
    let flight = Flight::new();
    for frame in [0, 1, Flap::FRAMES - 2, Flap::FRAMES - 1] {
        assert_eq!(flight.skin_at(frame), flight.skin().positions(), "frame {frame}");
        assert_eq!(flight.cage_at(frame), flight.cage().positions(), "frame {frame}");
    }
}

#[test]
fn no_edge_of_the_skin_stretches_much_and_wings_keep_their_length() {
    let flight = Flight::new();
    let rest = flight.skin().positions();
    let edges: BTreeSet<[usize; 2]> = flight
        .skin()
        .triangles()
        .iter()
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .map(|[a, b]| [a.min(b).index(), a.max(b).index()])
        .collect();
    let length = |p: &[Vec3], [a, b]: [usize; 2]| (p[a] - p[b]).norm();
    // The middle of each wing's rows from the root to the tip: 21 of 9 vertices, after the body.
    let first = flight.tip(1.0) / 9 * 9;
    let spar = |p: &[Vec3]| {
        let wing = &p[first + 9 - 21 * 9..first + 9];
        wing.chunks(9)
            .map(|row| row[4])
            .collect::<Vec<_>>()
            .windows(2)
            .map(|w| (w[1] - w[0]).norm())
            .sum::<f64>()
    };
    for (frame, skin) in flight.skins().iter().enumerate() {
        for edge in &edges {
            let stretch = length(skin, *edge) / length(rest, *edge) - 1.0;
            assert!(stretch.abs() < 0.12, "frame {frame}, {edge:?}: {stretch}");
        }
        let stretch = spar(skin) / spar(rest) - 1.0;
        assert!(stretch.abs() < 0.02, "frame {frame}: {stretch}");
    }
}

#[test]
fn nothing_pops() {
    let skins = Flight::new().skins();
    let vertices = 0..skins[0].len();
    for (frame, skin) in skins.windows(3).enumerate() {
        let step = most(vertices.clone().map(|v| (skin[1][v] - skin[0][v]).norm()));
        let change = most(vertices.clone().map(|v| (skin[2][v] - 2.0 * skin[1][v] + skin[0][v]).norm()));
        assert!(step < 0.26 && change < 0.14, "frame {frame}: {step} {change}");
    }
}

#[test]
fn both_wing_tips_beat_seven_times() {
    let flight = Flight::new();
    let skins = flight.skins();
    for side in [1.0, -1.0] {
        let tip = flight.tip(side);
        let heights: Vec<f64> = skins.iter().map(|skin| skin[tip].y).collect();
        let reach = |pick: fn(f64, f64) -> f64| heights.iter().copied().reduce(pick).unwrap();
        assert!(reach(f64::max) - reach(f64::min) > 0.8, "{} {}", reach(f64::max), reach(f64::min));
        // Strokes from well above to well below.
        let (mut strokes, mut above) = (0, false);
        for height in &heights {
            match above {
                false if *height > 0.3 => above = true,
                true if *height < -0.25 => (strokes, above) = (strokes + 1, false),
                _ => {}
            }
        }
        assert_eq!(strokes, 7);
    }
}

#[test]
fn hands_fold_on_the_way_up_and_stretch_on_the_way_down() {
    let flight = Flight::new();
    let tip = flight.tip(1.0);
    // The second beat, where the tip passes the height of the body.
    let skins = flight.skins();
    let passes = |up: bool| {
        let pass = |frame: &usize| {
            let [before, after] = [frame - 1, *frame].map(|f| skins[f][tip].y);
            if up { before < 0.1 && after >= 0.1 } else { before > 0.1 && after <= 0.1 }
        };
        let frame = (41..59).find(pass).unwrap();
        skins[frame][tip].z
    };
    let [up, down] = [true, false].map(passes);
    assert!(down - up > 0.2, "the span is {down} down, {up} up");
}

#[test]
fn left_is_the_mirror_image_of_right_but_in_the_turn() {
    let score = Score::new();
    let flight = Flight::new();
    let image = |p: Vec3| Vec3::new(p.x, p.y, -p.z);
    let difference = |frame: usize| {
        let posed = Posed::new(&score.at(frame as f64));
        most(
            flight
                .skin()
                .positions()
                .iter()
                .map(|p| (posed.place(image(*p)) - image(posed.place(*p))).norm()),
        )
    };
    for frame in LEVEL.into_iter().flatten() {
        assert!(difference(frame) < 1e-12, "frame {frame}");
    }
    assert!(difference(TURN) > 0.4);
    // It leans to the right: the left wing is up.
    let turn = flight.skin_at(TURN);
    assert!(turn[flight.tip(-1.0)].y - turn[flight.tip(1.0)].y > 0.4);
}

#[test]
fn the_cage_moves_with_the_skin_and_stays_whole() {
    let flight = Flight::new();
    let cage = flight.cage();
    let embedding = Embedding::in_voxels(cage, flight.skin().positions());
    let mut carried = flight.skin().positions().to_vec();
    let rest =
        trilinear::jacobian(&cage.corners(supple_model::ElementId::new(0)), &Vec3::zeros()).determinant();
    let corners = [0.0, 1.0].map(|x| [0.0, 1.0].map(|y| [0.0, 1.0].map(|z| Vec3::new(x, y, z))));
    for frame in 0..Flap::FRAMES {
        let moved = flight.cage_at(frame);
        embedding.apply(&moved, &mut carried);
        let apart = most(carried.iter().zip(flight.skin_at(frame)).map(|(p, q)| (p - q).norm()));
        assert!(apart < 0.01, "frame {frame}: {apart}");
        for voxel in cage.voxels() {
            let at = voxel.map(|v| moved[v.index()]);
            for corner in corners.as_flattened().as_flattened() {
                let volume = trilinear::jacobian(&at, corner).determinant() / rest;
                assert!(volume > 0.7, "frame {frame}: {volume}");
            }
        }
    }
}

#[test]
fn frames_are_the_same_in_any_order_and_every_time() {
    let [one, other] = [Flight::new(), Flight::new()];
    let forwards = one.skins();
    for frame in (0..Flap::FRAMES).rev() {
        assert_eq!(forwards[frame], other.skin_at(frame));
    }
}
