//! The same bits on any number of threads.

use crate::reduction::samples::{beam, bent, states, voxel_beam};
use crate::statics::samples::{material, noise, tets};
use supple_elastic::{Basis, CubicForces, KeyBasisSettings, Law, ProjectedForces};
use supple_mesh::Vec3;
use supple_model::{Progress, ReducedDynamics};

#[test]
fn bases_and_forces_do_not_depend_on_threads() {
    // Several bands of elements and several pieces of columns.
    let large = tets(Vec3::new(1.0, 0.25, 0.2), [16, 4, 4], material(Law::StVenantKirchhoff));
    for body in [large, voxel_beam(Law::StVenantKirchhoff), beam(Law::NeoHookean)] {
        let chain = bent(&body);
        let modes = Basis::of(body.modes(&chain.free, 4, &Progress::silent()).unwrap());
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let settings =
                    KeyBasisSettings { samples: 1, modes: Some(&modes), size: Some(7), ..Default::default() };
                let (basis, report) = chain.made(&settings);
                let cubic = CubicForces::new(&body, &basis, &Progress::silent()).unwrap();
                let (r, z) = (basis.coordinates(), states(&basis, 40));
                let mut all: Vec<Vec<f64>> = vec![
                    basis
                        .basis()
                        .shapes()
                        .col_iter()
                        .flat_map(|u| u.iter().copied().collect::<Vec<_>>())
                        .collect(),
                ];
                let projected = ProjectedForces::new(body.clone(), basis);
                let kinds: [Option<&dyn ReducedDynamics>; 2] =
                    [cubic.as_ref().map(|c| c as _), Some(&projected)];
                for (forces, count) in kinds.into_iter().zip([40, 3]).filter_map(|(f, n)| Some((f?, n))) {
                    let z = &z[..r * count];
                    let (mut R, mut K, mut H) =
                        (vec![0.0; z.len()], vec![0.0; r * z.len()], vec![0.0; r * z.len()]);
                    forces.stiffness(z, &mut R, &mut K);
                    forces.curvature(z, &noise(z.len(), 3), &mut H);
                    all.extend([R, K, H]);
                }
                (all, report, cubic.map(|c| c.coefficients().to_vec()))
            })
        };
        assert!(on(1) == on(2));
    }
}
