//! Shapes that carry the poses: where the search for shapes begins when whole poses are asked for.
//!
//! Of x̂_p = Σ_i σ_i u_i v_ip the u_i are the few directions that all poses need. As the first shapes they take the poses over
//! alone, so that they swing as one: with each part of a pose on a shape of its own, parts that hardly differ in speed drift
//! apart after the last pose, and V hardly tells. What other shapes there are keep what is left of their own.

use nalgebra::{DMatrix, DVector};

/// Directions that carry less than this part of the largest are none.
const LITTLE: f64 = 1e-6;
/// A shape of which less than this is left adds nothing.
const NOTHING: f64 = 0.1;

/// Orthonormal columns, the first of which carry `poses` (a column each, weighted), the others as `S` has them; none without
/// poses.
pub(super) fn carrying(poses: &DMatrix<f64>, S: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (rows, count) = S.shape();
    let svd = poses.clone().svd(true, false);
    let U = svd.u?;
    let largest = svd.singular_values.max();
    let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
    order.sort_by(|a, b| svd.singular_values[*b].total_cmp(&svd.singular_values[*a]));
    order.retain(|k| svd.singular_values[*k] > LITTLE * largest);
    let mut columns: Vec<DVector<f64>> = Vec::with_capacity(count);
    let carriers = order.iter().map(|k| signed(U.column(*k).into_owned()));
    let others = S.column_iter().map(nalgebra::Matrix::into_owned);
    // The body's own modes, where shapes repeat what poses have.
    let modes = (0..rows).map(|j| DVector::from_fn(rows, |row, _| f64::from(u8::from(row == j))));
    for column in carriers.chain(others).chain(modes) {
        if columns.len() == count {
            break;
        }
        columns.extend(beside(&columns, column));
    }
    (!order.is_empty() && columns.len() == count).then(|| DMatrix::from_columns(&columns))
}

/// What is left of a column beside others, of length 1.
fn beside(columns: &[DVector<f64>], mut column: DVector<f64>) -> Option<DVector<f64>> {
    // Twice: once leaves round-off of what was taken away.
    for pass in 0..2 {
        for other in columns {
            let along = other.dot(&column);
            column.axpy(-along, other, 1.0);
        }
        let left = column.norm();
        if pass == 0 && left < NOTHING {
            return None;
        }
        column /= left;
    }
    Some(column)
}

/// With a positive largest entry: an SVD leaves the sign open.
fn signed(column: DVector<f64>) -> DVector<f64> {
    if column[column.iamax()] < 0.0 { -column } else { column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_shapes_carry_the_poses_and_all_are_orthonormal() {
        let S = DMatrix::from_fn(6, 4, |j, k| f64::from(u8::from(j == k)));
        let a = DVector::from_vec(vec![3.0, 1.0, 0.0, 0.0, 0.0, 2.0]);
        let b = DVector::from_vec(vec![-1.0, 1.0, 0.0, 0.0, 0.5, 0.0]);
        let poses = DMatrix::from_columns(&[a.clone(), b, a * -2.0]);
        let found = carrying(&poses, &S).unwrap();
        assert!((found.tr_mul(&found) - DMatrix::identity(4, 4)).amax() < 1e-14);
        let first = found.columns(0, 2);
        assert!((&poses - first * first.tr_mul(&poses)).amax() < 1e-13);
        // One shape is not enough for two directions, but it takes what it can; no poses are carried by none.
        let one = carrying(&poses, &S.columns(0, 1).into_owned()).unwrap();
        assert_eq!(one.shape(), (6, 1));
        assert!(carrying(&DMatrix::zeros(6, 2), &S).is_none());
    }
}
