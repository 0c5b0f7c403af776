//! A damped body comes to rest where its forces are in balance.

use crate::dynamics::samples::{damped, euler, largest, settings, sheet, steps, vertices_where};
use faer::prelude::Solve;
use supple_elastic::{ElasticBody, FreeVertices, Simulation};

/// R(u) − f of the free vertices, f the weight.
fn imbalance(body: &ElasticBody, free: &FreeVertices, u: &[f64]) -> Vec<f64> {
    let mut full = body.force(u);
    for (v, m) in body.masses().iter().enumerate() {
        full[3 * v + 1] += 9.81 * m;
    }
    let mut residual = vec![0.0; 3 * free.vertices().len()];
    free.gather(&full, &mut residual);
    residual
}

#[test]
fn a_hanging_sheet_comes_to_rest_in_balance() {
    let body = sheet(6);
    // Held at its two upper corners.
    let corners = vertices_where(&body, |x| x.y == 1.0 && (x.x == 0.0 || x.x == 1.0));
    let free = FreeVertices::except(body.positions().len(), &corners).unwrap();
    let settings = damped(euler(settings(0.05)), 3.0, 0.0);
    let mut simulation = Simulation::new(body.clone(), free.clone(), settings).unwrap();
    steps(&mut simulation, 200);
    assert!(largest(simulation.velocity()) < 1e-7, "{}", largest(simulation.velocity()));
    let weight = 9.81 * body.masses().iter().sum::<f64>();
    let residual = largest(&imbalance(&body, &free, simulation.displacement()));
    assert!(residual < 1e-5 * weight, "{residual} of {weight}");

    // The same pose by dense Newton iterations from where the simulation ended, displaced a little.
    let mut u = simulation.displacement().to_vec();
    for v in free.vertices() {
        u[3 * v.index()] += 1e-3 * (v.index() as f64).sin();
    }
    for _ in 0..30 {
        let mut change = imbalance(&body, &free, &u);
        let dense = body.stiffness(&u, &free).to_dense();
        let rows = change.len();
        dense.partial_piv_lu().solve_in_place(faer::MatMut::from_column_major_slice_mut(
            &mut change,
            rows,
            1,
        ));
        let mut at = vec![0.0; rows];
        free.gather(&u, &mut at);
        at.iter_mut().zip(&change).for_each(|(u, d)| *u -= d);
        free.scatter(&at, &mut u);
    }
    assert!(largest(&imbalance(&body, &free, &u)) < 1e-9 * weight);
    let difference: Vec<f64> = u.iter().zip(simulation.displacement()).map(|(a, b)| a - b).collect();
    assert!(largest(&difference) < 1e-5, "{}", largest(&difference));
    assert!(largest(&u) > 0.01, "it sags");
}
