//! How a body vibrates: the lowest modes of a rubber bar that is held at one end, with proof that none is missing.

use std::error::Error;
use supple_elastic::{FreeVertices, Law, Material, Solid};
use supple_mesh::{Vec3, shapes::box_mesh};
use supple_model::{Progress, VertexId};

fn main() -> Result<(), Box<dyn Error>> {
    // A bar two metres long, 20 × 2 × 2 cubes of six tets each.
    let mesh = box_mesh(Vec3::new(2.0, 0.2, 0.2), [20, 2, 2])?;
    let held = |place: &Vec3| place.x == 0.0;
    let vertices = (0..).map(VertexId).zip(mesh.positions());
    let anchors: Vec<VertexId> =
        vertices.filter(|(_, place)| held(place)).map(|(vertex, _)| vertex).collect();
    let free = FreeVertices::except(mesh.positions().len(), &anchors)?;

    let rubber = Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.45, density: 1000.0 };
    let body = Solid::new(mesh, rubber, &[])?;
    let modes = body.modes(&free, 8, &Progress::silent())?;
    for k in 0..modes.count() {
        println!("mode {}: {:6.2} Hz", k + 1, modes.frequency(k));
    }
    let certificate = modes.certificate();
    let residual = certificate.residuals.iter().copied().fold(0.0, f64::max);
    println!(
        "{} found and {} counted below {:.0} /s², residuals up to {residual:.0e}",
        certificate.found, certificate.counted, certificate.count_shift
    );
    Ok(())
}
