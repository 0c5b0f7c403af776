//! Sums element matrices into a sparse one.
//!
//! K = Σ_e S_eᵀ K_e S_e is computed by *gathering*: every stored block of K knows which element
//! blocks belong to it and adds them in the order of the elements. Blocks are independent, so the sum
//! runs on all threads without locks and gives the same bits on any number of them.
//!
//! An element with k vertices hands in the k(k+1)/2 blocks K_e[a][b], b ≤ a, in the order
//! (0,0), (1,0), (1,1), (2,0), … Its other half follows from symmetry.

use super::{BlockMatrix, BlockPattern};
use rayon::prelude::*;
use std::sync::Arc;

/// Block columns summed as one task.
const COLUMNS_PER_TASK: usize = 256;

/// The fixed plan by which element blocks become a [`BlockMatrix`].
#[derive(Debug)]
pub struct Assembly {
    pattern: Arc<BlockPattern>,
    /// For block b of the pattern: `sources[starts[b]..starts[b+1]]`.
    starts: Vec<u32>,
    /// Element block number, times two, plus one where it enters transposed.
    sources: Vec<u32>,
    element_blocks: usize,
}

impl Assembly {
    /// A plan for `n` block rows and elements given by the block row of each of their vertices, of
    /// which not all elements need have equally many. `None` marks a vertex that is not in the system
    /// (an anchored one), whose blocks are dropped.
    pub fn new<'a, E: AsRef<[Option<usize>]> + ?Sized + 'a>(
        n: usize,
        elements: impl Iterator<Item = &'a E> + Clone,
    ) -> Self {
        let pairs = |corners: &'a E| {
            let corners = corners.as_ref();
            (0..corners.len()).flat_map(move |a| (0..=a).map(move |b| (corners[a], corners[b])))
        };
        let coupled = elements.clone().flat_map(pairs).filter_map(|(a, b)| Some((a?, b?)));
        let pattern = BlockPattern::new(n, coupled);
        let places: Vec<(u32, u32)> = elements
            .flat_map(pairs)
            .enumerate()
            .filter_map(|(source, (a, b))| {
                let (a, b) = (a?, b?);
                let block = pattern.find(a.max(b), a.min(b)).expect("the pattern holds every pair");
                Some((index32(block), index32(2 * source + usize::from(a < b))))
            })
            .collect();
        let element_blocks = places.last().map_or(0, |p| p.1 as usize / 2 + 1);
        let mut starts = vec![0_u32; pattern.blocks() + 1];
        for (block, _) in &places {
            starts[*block as usize + 1] += 1;
        }
        for b in 0..pattern.blocks() {
            starts[b + 1] += starts[b];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; places.len()];
        for (block, source) in places {
            let slot = &mut next[block as usize];
            sources[*slot as usize] = source;
            *slot += 1;
        }
        Self { pattern: Arc::new(pattern), starts, sources, element_blocks }
    }

    /// The pattern of the sum.
    #[must_use]
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// A matrix to sum into.
    #[must_use]
    pub fn zeros(&self) -> BlockMatrix {
        BlockMatrix::zeros(self.pattern.clone())
    }

    /// Overwrites `matrix` with the sum of the element blocks, `element_blocks[…][row][column]`.
    ///
    /// # Panics
    /// When `matrix` is on another pattern or there are too few element blocks.
    pub fn sum(&self, element_blocks: &[[[f64; 3]; 3]], matrix: &mut BlockMatrix) {
        assert!(Arc::ptr_eq(matrix.pattern(), &self.pattern), "the matrix of this assembly");
        assert!(element_blocks.len() >= self.element_blocks, "a block for every pair of every element");
        let n = self.pattern.block_rows();
        let mut tasks = Vec::with_capacity(n / COLUMNS_PER_TASK + 1);
        let mut rest = matrix.values_mut();
        for first in (0..n).step_by(COLUMNS_PER_TASK) {
            let last = (first + COLUMNS_PER_TASK).min(n);
            let size = 9 * (self.pattern.column(last - 1).end - self.pattern.column(first).start);
            let (values, tail) = rest.split_at_mut(size);
            rest = tail;
            tasks.push((first..last, values));
        }
        tasks.into_par_iter().for_each(|(columns, mut values)| {
            for j in columns {
                let blocks = self.pattern.column(j);
                let (column, tail) = std::mem::take(&mut values).split_at_mut(9 * blocks.len());
                values = tail;
                self.sum_column(blocks, element_blocks, column);
            }
        });
    }

    fn sum_column(&self, blocks: std::ops::Range<usize>, element_blocks: &[[[f64; 3]; 3]], out: &mut [f64]) {
        let height = 3 * blocks.len();
        for (k, block) in blocks.enumerate() {
            // Summed column by column: sum[c][r] is entry (r, c).
            let mut sum = [[0.0; 3]; 3];
            for &source in &self.sources[self.starts[block] as usize..self.starts[block + 1] as usize] {
                let e = &element_blocks[source as usize / 2];
                if source & 1 == 1 {
                    for c in 0..3 {
                        for r in 0..3 {
                            sum[c][r] += e[c][r];
                        }
                    }
                } else {
                    for c in 0..3 {
                        for r in 0..3 {
                            sum[c][r] += e[r][c];
                        }
                    }
                }
            }
            for c in 0..3 {
                out[c * height + 3 * k..c * height + 3 * k + 3].copy_from_slice(&sum[c]);
            }
        }
    }
}

fn index32(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^31 element blocks")
}
