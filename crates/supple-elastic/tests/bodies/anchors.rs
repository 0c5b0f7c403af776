//! Free and anchored vertices.

use crate::bodies::samples::{irregular_solid, noise};
use supple_elastic::{FreeVertices, Law};
use supple_model::VertexId;

#[test]
fn free_vertices_map_there_and_back() {
    let free = FreeVertices::except(5, &[VertexId(3), VertexId(0), VertexId(3)]).unwrap();
    assert_eq!(free.vertices(), [1, 2, 4].map(VertexId));
    assert_eq!(
        (0..5).map(|v| free.index(VertexId(v))).collect::<Vec<_>>(),
        [None, Some(0), Some(1), None, Some(2)]
    );
    assert_eq!(free.body_vertices(), 5);

    let full: Vec<f64> = (0..15).map(f64::from).collect();
    let mut gathered = vec![0.0; 9];
    free.gather(&full, &mut gathered);
    assert_eq!(gathered, [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 12.0, 13.0, 14.0]);

    let mut scattered = vec![-1.0; 15];
    free.scatter(&gathered, &mut scattered);
    let expected: Vec<f64> =
        (0..15).map(|i| if [0, 3].contains(&(i / 3)) { -1.0 } else { f64::from(i) }).collect();
    assert_eq!(scattered, expected);
}

#[test]
fn a_floating_body_has_no_anchors() {
    assert_eq!(FreeVertices::all(4), FreeVertices::except(4, &[]).unwrap());
}

#[test]
fn impossible_anchors_are_refused() {
    let message = |anchors: &[VertexId]| FreeVertices::except(2, anchors).unwrap_err().to_string();
    assert_eq!(
        message(&[0, 1].map(VertexId)),
        "all 2 vertices are anchored, so nothing can move; remove some anchors"
    );
    assert_eq!(
        message(&[VertexId(2)]),
        "the anchors: there is no vertex 2: the body has 2 vertices, counted from 0"
    );
}

#[test]
fn anchors_take_their_rows_and_columns_out_of_the_stiffness() {
    let solid = irregular_solid(2, Law::StVenantKirchhoff);
    let u = noise(&solid, 0.05, 4);
    let anchors: Vec<_> = (0..27).filter(|v| v % 3 == 0).map(VertexId).collect();
    let free = FreeVertices::except(27, &anchors).unwrap();
    let (all, some) = (solid.stiffness(&u, &FreeVertices::all(27)), solid.stiffness(&u, &free));
    assert_eq!(some.dim(), 54);
    for i in 0..18 {
        for j in 0..=i {
            let [v, w] = [i, j].map(|k| free.vertices()[k].index());
            assert_eq!(some.block(i, j), all.block(v, w), "vertices {v} and {w}");
        }
    }
}
