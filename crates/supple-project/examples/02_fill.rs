//! From a surface to a body: a ball of triangles is filled with tets and with voxels, and carries its own surface.

use std::error::Error;
use supple_mesh::shapes::ball;
use supple_mesh::{Embedding, Vec3, VoxelRule, fill_tets, fill_voxels};
use supple_model::{ElementId, Progress};

fn main() -> Result<(), Box<dyn Error>> {
    let (surface, silent) = (ball(Vec3::zeros(), 1.0, 12)?, Progress::silent());
    println!("a ball of {} triangles and radius 1", surface.triangles().len());

    // Twelve cells along the longest side; holes and self-intersections of the surface would do no harm.
    let tets = fill_tets(&surface, 12, &silent)?;
    let volume: f64 = (0..).map(ElementId).take(tets.tets().len()).map(|tet| tets.volume(tet)).sum();
    println!("{} tets of together {volume:.3} m³; a ball has 4.189", tets.tets().len());

    let voxels = fill_voxels(&surface, 12, VoxelRule::Covering, &silent)?;
    println!("{} voxels around it, of {} vertices", voxels.voxels().len(), voxels.positions().len());

    // The surface rides on the tets: move them, and it follows.
    let embedding = Embedding::of(&tets, surface.positions());
    let raised: Vec<Vec3> = tets.positions().iter().map(|place| place + 0.5 * Vec3::y()).collect();
    let mut carried = vec![Vec3::zeros(); surface.positions().len()];
    embedding.apply(&raised, &mut carried);
    let highest = carried.iter().map(|place| place.y).fold(f64::MIN, f64::max);
    println!("raised by half a metre the surface ends at {highest:.3} m");
    Ok(())
}
