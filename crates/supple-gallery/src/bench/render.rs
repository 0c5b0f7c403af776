//! A picture of a hundred thousand triangles, alone and with a floor that its shadow falls on.

use super::row::Row;
use super::surface::torus;
use super::{BenchOptions, median_seconds};
use anyhow::ensure;
use nalgebra::Vector3;
use supple_mesh::{TriMesh, TriangleTree};
use supple_model::{Progress, VertexId};
use supple_render::{Camera, Floor, Image, Object, Scene, UpAxis, View};

const SIZE: [u32; 2] = [1280, 720];

pub fn run(_: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    progress.report("render", 0.0)?;
    let (positions, triangles) = torus(320, 160);
    let camera =
        Camera::framing(&positions, View::ThreeQuarter, UpAxis::Y, f64::from(SIZE[0]) / f64::from(SIZE[1]));
    let mut scene = Scene::new(camera);
    scene.objects.push(Object::new(&positions, &triangles));
    let (seconds, picture) = timed(&scene)?;
    let empty = Scene::new(scene.camera).render(SIZE[0], SIZE[1])?;
    let residual = disagreement(&picture, &empty, &scene.camera, &positions, &triangles)?;
    ensure!(residual < 0.01, "rays and pixels disagree in {:.2} % of the picture", 100.0 * residual);
    let row = |work: &str, seconds| Row {
        residual: Some(residual),
        elements: Some(triangles.len()),
        ..Row::new("torus", &format!("{}×{} picture{work}", SIZE[0], SIZE[1]), seconds)
    };
    let mut rows = vec![row("", seconds)];
    progress.report("render", 0.5)?;
    let lowest = positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    scene.floor = Some(Floor::new(lowest, UpAxis::Y));
    scene.style.sun = Some(scene.camera.sun_over_shoulder(UpAxis::Y));
    let (seconds, shaded) = timed(&scene)?;
    ensure!(shaded != picture, "there is no floor to be seen");
    rows.push(row(" with floor and shadow", seconds));
    Ok(rows)
}

/// How long a picture takes, and the picture, which must not depend on the number of threads.
fn timed(scene: &Scene<'_>) -> anyhow::Result<(f64, Image)> {
    let draw = || scene.render(SIZE[0], SIZE[1]);
    let mut picture = draw()?;
    let mut failure = None;
    let seconds = median_seconds(15, || match draw() {
        Ok(image) => picture = image,
        Err(error) => failure = Some(error),
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(draw)?;
    ensure!(picture == alone, "the picture depends on the number of threads");
    Ok((seconds, picture))
}

/// The part of the picture in which pixels and rays through their centres do not agree whether there is
/// something to see; pixels the outline passes through may.
fn disagreement(
    picture: &Image,
    empty: &Image,
    camera: &Camera,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> anyhow::Result<f64> {
    let mesh = TriMesh::skin(positions.to_vec(), triangles.iter().map(|t| t.map(VertexId)).collect())?;
    let tree = TriangleTree::of(&mesh);
    let back = (camera.eye - camera.target).normalize();
    let right = camera.up.cross(&back).normalize();
    let up = back.cross(&right);
    let half = (camera.vertical_angle / 2.0).tan();
    let [width, height] = SIZE.map(f64::from);
    let pixels: Vec<(usize, Vector3<f64>)> = (0..SIZE[1])
        .step_by(7)
        .flat_map(|y| (0..SIZE[0]).step_by(7).map(move |x| (x, y)))
        .map(|(x, y)| {
            let sideways = (2.0 * (f64::from(x) + 0.5) - width) / height * half;
            let upwards = (1.0 - 2.0 * (f64::from(y) + 0.5) / height) * half;
            (4 * (y * SIZE[0] + x) as usize, sideways * right + upwards * up - back)
        })
        .collect();
    let wrong = pixels.iter().filter(|(at, direction)| {
        let seen = picture.rgba[*at..at + 4] != empty.rgba[*at..at + 4];
        seen != tree.ray_cast(&camera.eye, direction).is_some()
    });
    Ok(wrong.count() as f64 / pixels.len() as f64)
}
