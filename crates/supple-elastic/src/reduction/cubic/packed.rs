//! Symmetric matrices as their lower triangles, row by row: (0,0), (1,0), (1,1), (2,0), …

/// How many entries the triangle of an r×r matrix has.
pub(super) fn pairs(r: usize) -> usize {
    r * (r + 1) / 2
}

/// The place of the entry (i, j), in any order.
pub(super) fn pair(i: usize, j: usize) -> usize {
    let (i, j) = if i < j { (j, i) } else { (i, j) };
    pairs(i) + j
}

/// Overwrites `out` with x_i y_j + y_i x_j for j < i and x_i y_i on the diagonal, times `weight`: what the packed form of
/// a matrix has to be multiplied with to see x and y on both its sides.
pub(super) fn products(x: &[f64], y: &[f64], weight: f64, out: &mut [f64]) {
    let mut at = 0;
    for i in 0..x.len() {
        for j in 0..i {
            out[at] = weight * (x[i] * y[j] + y[i] * x[j]);
            at += 1;
        }
        out[at] = weight * (x[i] * y[i]);
        at += 1;
    }
}
