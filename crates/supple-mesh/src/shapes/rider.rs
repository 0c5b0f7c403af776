//! The [`dinosaur`] on a skateboard. The board moves as its feet do: it is of their group, in a piece of its own.

use super::figure::Figure;
use super::{BodyMesh, Shape, box_mesh, dinosaur};
use crate::implicit::Tube;
use crate::{FillError, TetMesh, TriMesh, Vec3, VertexGroups};
use supple_model::VertexId;

/// Edge of the cubes of the board's surface, metres.
const CELL: f64 = 0.022;
/// How high the top of the board is over what its wheels stand on.
const HEIGHT: f64 = 0.16;
/// The tets of the board: a box around its deck, so long, so high and so wide, cut into so many.
const BOX: [f64; 3] = [1.5, 0.05, 0.56];
const CUTS: [usize; 3] = [6, 1, 2];

/// A dinosaur on a skateboard, with groups tail, body, neck, head, legs, feet and board; the board is also of the feet.
/// The dinosaur stands on y = 0, the wheels below.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn rider() -> Result<Shape, FillError> {
    let Shape { body, skin, groups } = dinosaur()?;
    let (BodyMesh::Tets(body), Some(skin)) = (&body, &skin) else { return dinosaur() };
    let deck = box_mesh(Vec3::from(BOX), CUTS)?;
    let first = body.positions().len();
    let under = Vec3::new(-0.5 * BOX[0], -BOX[1], -0.5 * BOX[2]);
    let positions = body.positions().iter().copied().chain(deck.positions().iter().map(|p| p + under));
    let moved = |corners: &[VertexId; 4]| corners.map(|v| VertexId::new(v.index() + first));
    let tets = body.tets().iter().copied().chain(deck.tets().iter().map(moved));
    let all = TetMesh::new(positions.collect(), tets.collect())?;
    let board: Vec<VertexId> = (first..all.positions().len()).map(VertexId::new).collect();
    let mut named = VertexGroups::new();
    for (name, members) in groups.iter() {
        let more: &[VertexId] = if name == "feet" { &board } else { &[] };
        named.add(name, members.iter().chain(more).copied());
    }
    named.add("board", board.iter().copied());
    let skin = beside(skin, &board_skin()?)?;
    Ok(Shape { body: BodyMesh::Tets(all), skin: Some(skin), groups: named })
}

/// Two surfaces as one, the second lower by [`HEIGHT`].
fn beside(one: &TriMesh, other: &TriMesh) -> Result<TriMesh, FillError> {
    let first = one.positions().len();
    let lower = other.positions().iter().map(|p| p - Vec3::new(0.0, HEIGHT, 0.0));
    let positions = one.positions().iter().copied().chain(lower);
    let moved = |corners: &[VertexId; 3]| corners.map(|v| VertexId::new(v.index() + first));
    let triangles = one.triangles().iter().copied().chain(other.triangles().iter().map(moved));
    Ok(TriMesh::skin(positions.collect(), triangles.collect())?)
}

/// Deck, axles and wheels.
fn board_skin() -> Result<TriMesh, FillError> {
    let mut board = Figure::default();
    let deck = [
        [-0.92, 0.225, 0.0, 0.16],
        [-0.76, 0.165, 0.0, 0.3],
        [-0.55, 0.138, 0.0, 0.34],
        [0.0, 0.138, 0.0, 0.345],
        [0.55, 0.138, 0.0, 0.34],
        [0.76, 0.165, 0.0, 0.3],
        [0.92, 0.225, 0.0, 0.16],
    ];
    board.part("deck", 0.0, Tube::flat(&deck, Vec3::y(), 0.075));
    for x in [-0.5, 0.5] {
        board.part("axle", 0.02, Tube::new(&[[x, 0.065, -0.2, 0.025], [x, 0.065, 0.2, 0.025]]));
        board.part("axle", 0.02, Tube::new(&[[x, 0.13, 0.0, 0.05], [x, 0.07, 0.0, 0.03]]));
        board.pair("wheel", 0.005, Tube::new(&[[x, 0.065, 0.2, 0.06], [x, 0.065, 0.27, 0.06]]));
    }
    board.skin(CELL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_under_the_feet_and_moves_with_them() {
        let Shape { body, skin, groups } = rider().unwrap();
        let BodyMesh::Tets(tets) = &body else { panic!("tets") };
        let [board, feet] = ["board", "feet"].map(|name| groups.get(name).unwrap());
        assert!(board.iter().all(|v| feet.contains(v)) && board.len() < feet.len());
        assert!(board.iter().all(|v| tets.positions()[v.index()].y <= 0.0));
        let alone = dinosaur().unwrap();
        assert_eq!(groups.get("head").unwrap(), alone.groups.get("head").unwrap());
        assert_eq!(body.positions().len(), alone.body.positions().len() + board.len());
        let lowest = skin.unwrap().positions().iter().map(|p| p.y).fold(f64::MAX, f64::min);
        assert!((-HEIGHT - CELL..-0.1).contains(&lowest), "{lowest}");
    }
}
