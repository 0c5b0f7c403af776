//! `floor` and `obstacles`: what stands in the way of the body, to collide with and to draw.

use super::SimulateError;
use crate::shot::{ObstacleShape as Shape, Shot, Simulate};
use std::path::PathBuf;
use supple_formats::MeshFile;
use supple_mesh::{Aabb, MeshError, Obstacle, ObstacleMesh, ObstacleShape, TriMesh, Vec3, shapes};
use supple_model::VertexId;

/// Reads what stands in the way, the floor first. Floor, spheres and boxes are larger by `gap`: the vertices
/// of a cloth are the middle of its thickness, and its triangles are chords of what is round.
pub(crate) fn load(shot: &Shot, gap: f64) -> Result<Vec<Obstacle>, SimulateError> {
    let simulate = &shot.simulate;
    let mut obstacles = Vec::new();
    if let Some(floor) = &simulate.floor {
        let up = up(simulate.gravity);
        let shape = ObstacleShape::Floor { height: floor.height * up.sum() + gap, up };
        obstacles.push(make("the floor".into(), shape, floor.friction)?);
    }
    for (k, obstacle) in simulate.obstacles.iter().enumerate() {
        let shape = match &obstacle.shape {
            Shape::Mesh(path) => {
                let file = shot.resolve(path);
                let part = file.display().to_string();
                let mesh = ObstacleMesh::new(&mesh(file)?);
                ObstacleShape::Mesh(mesh.map_err(|problem| SimulateError::Obstacle { part, problem })?)
            }
            Shape::Sphere { center, radius } => {
                ObstacleShape::Sphere { center: (*center).into(), radius: *radius + gap }
            }
            Shape::Box { min, max } => ObstacleShape::Box(Aabb {
                min: Vec3::from(*min) - Vec3::repeat(gap),
                max: Vec3::from(*max) + Vec3::repeat(gap),
            }),
        };
        obstacles.push(make(format!("obstacle {}", k + 1), shape, obstacle.friction.unwrap_or(0.0))?);
    }
    Ok(obstacles)
}

/// What stands in the way, as surfaces to draw. The floor is as large as what lies on it, `around` it.
///
/// # Errors
/// A mesh that cannot be read, or a shape that is none.
pub fn scenery(shot: &Shot, around: &Aabb) -> Result<Vec<TriMesh>, SimulateError> {
    let simulate = &shot.simulate;
    let mut surfaces = Vec::new();
    for (k, obstacle) in simulate.obstacles.iter().enumerate() {
        let unusable = |problem| SimulateError::Mesh { file: format!("obstacle {}", k + 1).into(), problem };
        surfaces.push(match &obstacle.shape {
            Shape::Mesh(path) => mesh(shot.resolve(path))?,
            Shape::Sphere { center, radius } => {
                shapes::ball((*center).into(), *radius, BALL_CELLS).map_err(unusable)?
            }
            Shape::Box { min, max } => block((*min).into(), (*max).into()).map_err(unusable)?,
        });
    }
    let seen = surfaces.iter().fold(*around, |seen, s| seen.union(&Aabb::around(s.positions())));
    surfaces.extend(floor(simulate, &seen)?);
    Ok(surfaces)
}

/// The floor as it is drawn, under a box and somewhat farther; none where there is none.
pub(crate) fn floor(simulate: &Simulate, seen: &Aabb) -> Result<Option<TriMesh>, SimulateError> {
    let Some(floor) = &simulate.floor else { return Ok(None) };
    let up = up(simulate.gravity);
    let margin = 0.3 * seen.size().max();
    let (mut min, mut max) = (seen.min - Vec3::repeat(margin), seen.max + Vec3::repeat(margin));
    let axis = up.iamax();
    let height = floor.height * up[axis];
    (min[axis], max[axis]) =
        if up[axis] > 0.0 { (height - 0.01 * margin, height) } else { (height, height + 0.01 * margin) };
    let surface = block(min, max);
    surface.map(Some).map_err(|problem| SimulateError::Mesh { file: "the floor".into(), problem })
}

/// Triangles along an edge of the twenty faces a ball is drawn with.
const BALL_CELLS: usize = 16;

/// The surface of a box.
fn block(min: Vec3, max: Vec3) -> Result<TriMesh, MeshError> {
    let corner =
        |k: usize| Vec3::new([min.x, max.x][k & 1], [min.y, max.y][k >> 1 & 1], [min.z, max.z][k >> 2 & 1]);
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    TriMesh::new((0..8).map(corner).collect(), triangles.map(|t| t.map(VertexId)).collect())
}

/// The axis that points most against gravity; y without any.
pub(crate) fn up(gravity: [f64; 3]) -> Vec3 {
    let axis = (0..3).max_by(|&a, &b| gravity[a].abs().total_cmp(&gravity[b].abs())).unwrap_or(1);
    if gravity[axis] == 0.0 { Vec3::y() } else { Vec3::ith(axis, -gravity[axis].signum()) }
}

fn make(part: String, shape: ObstacleShape, friction: f64) -> Result<Obstacle, SimulateError> {
    Obstacle::new(shape, friction).map_err(|problem| SimulateError::Obstacle { part, problem })
}

/// A closed mesh as something with an inside.
pub(crate) fn zone_mesh(file: PathBuf) -> Result<Obstacle, SimulateError> {
    let part = file.display().to_string();
    let mesh = ObstacleMesh::new(&mesh(file)?);
    let mesh = mesh.map_err(|problem| SimulateError::Obstacle { part: part.clone(), problem })?;
    make(part, ObstacleShape::Mesh(mesh), 0.0)
}

fn mesh(file: PathBuf) -> Result<TriMesh, SimulateError> {
    let MeshFile::Surface(surface) = supple_formats::load_mesh(&file)? else {
        return Err(SimulateError::Column {
            file,
            problem: "this is a volume mesh; an obstacle must be a surface (.obj, .ply, .stl)".into(),
        });
    };
    let positions = surface.positions.iter().map(|p| Vec3::from(*p)).collect();
    let triangles = surface.triangles.iter().map(|t| t.map(VertexId)).collect();
    TriMesh::skin(positions, triangles).map_err(|problem| SimulateError::Mesh { file, problem })
}
