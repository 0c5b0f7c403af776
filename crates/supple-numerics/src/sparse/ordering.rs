//! Fill-reducing elimination orders.
//!
//! Two candidates are compared by the size of the factor they lead to: approximate minimum degree
//! (AMD) on the vertex graph, best for thin bodies, and nested dissection by coordinates, best for
//! bulky ones. Both order vertices; a vertex's three rows stay together, so that factors are made of
//! dense 3-wide strips.

use super::BlockPattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Parts this small are not dissected further.
const LEAF: usize = 32;

/// AMD on the vertex graph: the block rows in their order of elimination. `None` when the graph is
/// too large for its index arithmetic.
pub(super) fn minimum_degree(pattern: &BlockPattern) -> Option<Vec<usize>> {
    let n = pattern.block_rows();
    let mut columns = vec![0];
    let mut rows = Vec::with_capacity(pattern.blocks());
    for j in 0..n {
        rows.extend_from_slice(pattern.rows(j));
        columns.push(rows.len());
    }
    let graph = SymbolicSparseColMatRef::new_checked(n, n, &columns, None, &rows);
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    let mut memory = MemBuffer::new(amd::order_maybe_unsorted_scratch::<usize>(n, rows.len()));
    amd::order_maybe_unsorted(
        &mut order,
        &mut inverse,
        graph,
        amd::Control::default(),
        MemStack::new(&mut memory),
    )
    .ok()?;
    Some(order)
}

/// Nested dissection by coordinates: split at the median of the longest side, eliminate both halves
/// first and the vertices that couple them last.
pub(super) fn dissection(pattern: &BlockPattern, positions: &[[f64; 3]]) -> Vec<usize> {
    let n = pattern.block_rows();
    let mut neighbours = vec![Vec::new(); n];
    for j in 0..n {
        for &i in &pattern.rows(j)[1..] {
            neighbours[j].push(i);
            neighbours[i].push(j);
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut side = vec![0_u32; n];
    let mut mark = 0;
    dissect(&neighbours, positions, (0..n).collect(), &mut side, &mut mark, &mut order);
    order
}

fn dissect(
    neighbours: &[Vec<usize>],
    positions: &[[f64; 3]],
    mut part: Vec<usize>,
    side: &mut [u32],
    mark: &mut u32,
    order: &mut Vec<usize>,
) {
    if part.len() <= LEAF {
        order.extend(part);
        return;
    }
    let extent = |axis: usize| {
        let (low, high) = part.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| {
            (low.min(positions[v][axis]), high.max(positions[v][axis]))
        });
        high - low
    };
    let axis = (0..3).max_by(|&a, &b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
    part.sort_unstable_by(|&a, &b| positions[a][axis].total_cmp(&positions[b][axis]).then(a.cmp(&b)));
    let upper = part.split_off(part.len() / 2);
    // Vertices of the upper half that touch the lower one separate the two.
    *mark += 1;
    for &v in &part {
        side[v] = *mark;
    }
    let (separator, upper): (Vec<_>, Vec<_>) =
        upper.into_iter().partition(|&v| neighbours[v].iter().any(|&w| side[w] == *mark));
    dissect(neighbours, positions, part, side, mark, order);
    dissect(neighbours, positions, upper, side, mark, order);
    order.extend(separator);
}
