use super::*;
use crate::shapes;
use crate::surface::OPPOSITE_FACE;
use crate::triangle::{blend, closest_weights};
use nalgebra::Matrix3;
use proptest::prelude::*;

fn body() -> TetMesh {
    shapes::box_mesh(Vec3::new(1.0, 0.7, 0.4), [3, 2, 2]).unwrap()
}

/// Voxels in the same box, the corners inside moved by `bend`.
fn voxels(bend: f64) -> VoxelMesh {
    let cells: Vec<_> = (0..12).map(|c| [c % 3, c / 3 % 2, c / 6]).collect();
    let size = Vec3::new(1.0 / 3.0, 0.35, 0.2);
    let grid = VoxelMesh::of_cells(Vec3::zeros(), size, &cells).unwrap();
    let inside = |x: f64, end: f64| x > 0.0 && x < end;
    let bent = grid.positions().iter().map(|p| {
        let free = Vec3::new(
            f64::from(inside(p.x, 0.99)) * (9.0 * p.y).sin(),
            f64::from(inside(p.y, 0.69)) * (7.0 * p.x + p.z).cos(),
            f64::from(inside(p.z, 0.39)) * (8.0 * p.x - 5.0 * p.y).sin(),
        );
        p + free * bend
    });
    VoxelMesh::new(bent.collect(), grid.voxels().to_vec()).unwrap()
}

fn point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-0.5..1.5).prop_map(Vec3::from)
}

fn is_inside(p: &Vec3) -> bool {
    (0..3).all(|i| p[i] > 0.0 && p[i] < [1.0, 0.7, 0.4][i])
}

/// Distance to a tet by brute force over its four faces, with an inside test of its own.
fn distance_to_tet(point: &Vec3, tet: &[Vec3; 4]) -> f64 {
    let inside = OPPOSITE_FACE.iter().all(|f| {
        let [a, b, c] = f.map(|k| tet[k]);
        (b - a).cross(&(c - a)).dot(&(point - a)) <= 0.0
    });
    let faces = OPPOSITE_FACE.iter().map(|f| {
        let corners = f.map(|k| tet[k]);
        (point - blend(&corners, closest_weights(point, &corners))).norm()
    });
    if inside { 0.0 } else { faces.fold(f64::INFINITY, f64::min) }
}

/// How far the skin vertex lands from where the affine map takes it, when its body moves by it.
fn affine_error(embedding: &Embedding, positions: &[Vec3], p: &Vec3, matrix: &[f64; 9], shift: &Vec3) -> f64 {
    let matrix = Matrix3::from_row_slice(matrix);
    let affine = |x: &Vec3| matrix * x + shift;
    let moved: Vec<Vec3> = positions.iter().map(affine).collect();
    let mut skin = [Vec3::zeros()];
    embedding.apply(&moved, &mut skin);
    (skin[0] - affine(p)).norm()
}

proptest! {
    #[test]
    fn a_point_rides_on_the_nearest_tet_and_follows_affine_motion(
        p in point(), matrix in prop::array::uniform9(-2.0..2.0), shift in point()
    ) {
        let body = body();
        let embedding = Embedding::of(&body, &[p]);
        let mine = distance_to_tet(&p, &body.corners(embedding.elements()[0]));
        let all = (0..body.tets().len()).map(|t| distance_to_tet(&p, &body.corners(ElementId::new(t))));
        let nearest = all.fold(f64::INFINITY, f64::min);
        prop_assert!(mine - nearest < 1e-12, "{mine} {nearest}");
        let (_, weights) = embedding.rows().next().unwrap();
        prop_assert_eq!(is_inside(&p), weights.iter().all(|w| *w >= -1e-14));
        prop_assert!(affine_error(&embedding, body.positions(), &p, &matrix, &shift) < 1e-12);
    }

    #[test]
    fn a_point_rides_on_the_nearest_cube_and_follows_affine_motion(
        p in point(), matrix in prop::array::uniform9(-2.0..2.0), shift in point()
    ) {
        let body = voxels(0.0);
        let embedding = Embedding::in_voxels(&body, &[p]);
        let bounds = |e: usize| Aabb::around(&body.corners(ElementId::new(e)));
        let nearest = (0..12).map(|e| bounds(e).distance_squared(&p)).fold(f64::INFINITY, f64::min);
        let mine = bounds(embedding.elements()[0].index()).distance_squared(&p);
        prop_assert!(mine - nearest < 1e-12, "{mine} {nearest}");
        let (_, weights) = embedding.rows().next().unwrap();
        prop_assert_eq!(is_inside(&p), weights.iter().all(|w| *w >= -1e-14));
        prop_assert!(affine_error(&embedding, body.positions(), &p, &matrix, &shift) < 1e-12);
    }

    /// In bent voxels the place is found by iteration: a point made from known weights gets them back.
    #[test]
    fn a_point_in_a_bent_voxel_gets_its_weights_back(
        element in 0..12_usize, xi in prop::array::uniform3(0.01..0.99),
        matrix in prop::array::uniform9(-2.0..2.0), shift in point()
    ) {
        let body = voxels(0.06);
        let element = ElementId::new(element);
        let xi = Vec3::from(xi);
        let p = crate::trilinear::position(&body.corners(element), &xi);
        let embedding = Embedding::in_voxels(&body, &[p]);
        prop_assert_eq!(embedding.elements(), &[element]);
        let (_, weights) = embedding.rows().next().unwrap();
        let expected = crate::trilinear::weights(&xi);
        prop_assert!(weights.iter().zip(expected).all(|(w, e)| (w - e).abs() < 1e-8), "{weights:?} {expected:?}");
        prop_assert!(affine_error(&embedding, body.positions(), &p, &matrix, &shift) < 1e-12);
    }

    #[test]
    fn a_point_on_a_cloth_gets_its_barycentric_weights(u in 0.01..0.98, s in 0.0..1.0, t in 0..20_usize) {
        let box_body = body();
        let surface = crate::Surface::of(&box_body);
        let cloth = surface.to_mesh(box_body.positions()).unwrap();
        let v = (0.99 - u) * s;
        let corners = cloth.triangles()[t].map(|v| cloth.positions()[v.index()]);
        let p = blend(&corners, [1.0 - u - v, u, v]);
        let embedding = Embedding::on_triangles(&cloth, &[p]);
        let mut again = [Vec3::zeros()];
        embedding.apply(cloth.positions(), &mut again);
        prop_assert!((again[0] - p).norm() < 1e-12);
    }
}

/// Outside, the trilinear motion is continued linearly: twice as far is twice as much.
#[test]
fn far_skin_continues_the_motion_of_its_voxel_linearly() {
    let body = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(1.0), &[[0, 0, 0]]).unwrap();
    let twisted: Vec<f64> = body.positions().iter().map(|p| p.x * p.y * p.z).collect();
    let skin = [1.0, 2.0, 3.0].map(|far| Vec3::new(far, far, far));
    let mut values = [0.0; 3];
    Embedding::in_voxels(&body, &skin).apply(&twisted, &mut values);
    // ∇(xyz) = (1, 1, 1) at the corner.
    assert!(values.iter().zip([1.0, 4.0, 7.0]).all(|(v, e)| (v - e).abs() < 1e-12), "{values:?}");
}

fn from_weights<const N: usize>(
    elements: &[[VertexId; N]],
    vertices: &[[VertexId; N]],
    weights: &[[f64; N]],
) -> Result<Embedding, EmbeddingError> {
    Embedding::from_weights(36, elements, vertices, weights)
}

#[test]
fn given_weights_find_their_element_in_any_corner_order_and_sum_to_one() {
    let body = body();
    let [a, b, c, d] = body.tets()[7];
    let embedding = from_weights(body.tets(), &[[d, b, a, c]], &[[0.1, 0.2, 0.3, 0.399_999]]).unwrap();
    assert_eq!(embedding.elements(), [ElementId(7)]);
    let (vertices, weights) = embedding.rows().next().unwrap();
    assert_eq!(vertices, [d, b, a, c]);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);

    let body = voxels(0.0);
    let mut corners = body.voxels()[5];
    corners.reverse();
    let embedding = from_weights(body.voxels(), &[corners], &[[0.125; 8]]).unwrap();
    assert_eq!(embedding.elements(), [ElementId(5)]);
}

#[test]
fn unusable_weights_name_their_row() {
    let body = body();
    let good = body.tets()[0];
    let row = [0.25; 4];
    let of = |vertices: &[[VertexId; 4]], weights: &[[f64; 4]]| {
        from_weights(body.tets(), vertices, weights).unwrap_err()
    };
    let skin = VertexId(1);
    assert_eq!(of(&[good], &[row; 2]), EmbeddingError::Lengths { corners: 1, weights: 2 });
    let vertex = VertexId(36);
    let bad = [good[0], vertex, good[2], good[3]];
    assert_eq!(of(&[good, bad], &[row; 2]), EmbeddingError::OutOfRange { skin, vertex, vertices: 36 });
    assert_eq!(of(&[good; 2], &[row, [f64::NAN, 0.0, 0.0, 1.0]]), EmbeddingError::NonFinite { skin });
    assert_eq!(of(&[good; 2], &[row, [0.5; 4]]), EmbeddingError::Sum { skin, sum: 2.0 });
    let corners = [0, 1, 2, 35].map(VertexId);
    let error = of(&[good, corners], &[row; 2]);
    assert_eq!(error, EmbeddingError::NoSuchElement { skin, corners: corners.to_vec() });
    assert_eq!(
        error.to_string(),
        "skin vertex 1 depends on vertices 0, 1, 2, 35, which are not the corners of an element"
    );
}

#[test]
fn displacements_are_added_to_the_rest() {
    let body = shapes::box_mesh(Vec3::new(1.0, 1.0, 1.0), [3, 3, 3]).unwrap();
    let rest: Vec<Vec3> =
        (0..5000).map(|k| Vec3::new(0.37 * f64::from(k), 0.73, 0.11).map(f64::fract)).collect();
    let embedding = Embedding::of(&body, &rest);
    let u: Vec<Vec3> = body.positions().iter().map(|x| Vec3::new(x.y, -x.z, 0.5)).collect();
    let (mut moved, mut skin) = (vec![Vec3::zeros(); rest.len()], vec![Vec3::zeros(); rest.len()]);
    embedding.apply(&u, &mut moved);
    embedding.displace(&rest, &u, &mut skin);
    assert!(skin.iter().zip(&moved).zip(&rest).all(|((skin, u), x)| *skin == x + u));
    assert!(moved.iter().any(|u| u.norm() > 0.5));
}

#[test]
fn vertices_that_are_one_ride_as_their_leader() {
    let body = body();
    let skin = [Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.9, 0.6, 0.3), Vec3::new(0.5, 0.2, 0.2)];
    let mut shared = Embedding::of(&body, &skin);
    let own: Vec<_> = shared.rows().map(|(v, w)| (v.to_vec(), w.to_vec())).collect();
    shared.share(&[0, 1, 0].map(VertexId));
    let rows: Vec<_> = shared.rows().map(|(v, w)| (v.to_vec(), w.to_vec())).collect();
    assert_eq!(rows, [own[0].clone(), own[1].clone(), own[0].clone()]);
    assert_eq!(shared.elements()[2], shared.elements()[0]);
}

#[test]
fn what_is_far_outside_is_drawn_in_and_what_is_near_stays() {
    for far in [Vec3::new(4.0, 0.3, 0.2), Vec3::new(-2.0, 3.0, 5.0)] {
        let near = Vec3::new(1.05, 0.3, 0.2);
        for mut embedding in
            [Embedding::of(&body(), &[far, near]), Embedding::in_voxels(&voxels(0.0), &[far, near])]
        {
            embedding.draw_in();
            let (positions, mut places) = (voxels(0.0).positions().to_vec(), [Vec3::zeros(); 2]);
            let positions = if embedding.corners == 4 { body().positions().to_vec() } else { positions };
            embedding.apply(&positions, &mut places);
            assert!((places[1] - near).norm() < 1e-12);
            let away = Aabb::around(&positions).distance_squared(&places[0]).sqrt();
            assert!(away < 1.5, "{far:?} at {:?}", places[0]);
            let rows: Vec<_> = embedding.rows().map(|(_, weights)| weights.to_vec()).collect();
            assert!((rows[0].iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(rows[0].iter().all(|w| *w >= -1.0 - 1e-12), "{:?}", rows[0]);
        }
    }
}

#[test]
fn a_skin_vertex_sits_on_a_vertex_of_the_body() {
    let body = body();
    let mut embedding = Embedding::of(&body, &[Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.9, 0.6, 0.3)]);
    let element = ElementId(7);
    let corners = body.tets()[7];
    embedding.sit(VertexId(1), corners[2], element, &corners);
    assert_eq!(embedding.row(VertexId(1)), (&corners[..], &[0.0, 0.0, 1.0, 0.0][..]));
    assert_eq!(embedding.elements()[1], element);
    let mut places = [Vec3::zeros(); 2];
    embedding.apply(body.positions(), &mut places);
    assert_eq!(places[1], body.positions()[corners[2].index()]);
    assert!((places[0] - Vec3::new(0.1, 0.1, 0.1)).norm() < 1e-12);
}
