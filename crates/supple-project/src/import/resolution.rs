//! How finely a surface is filled: about as many vertices as the surface has, in as few pieces.
//!
//! ```text
//! 24 cells; then as many as the vertices so far suggest, until they are between half and 1.5 times the wanted
//! in more pieces than the surface, or with specks: some coarser ones, and a finer one
//! the best of all: not beyond 1.5 times the wanted; few pieces; no specks; near to the wanted
//! ```
//!
//! Thin parts fall off at one resolution and hold at the next, coarser ones too.

use supple_mesh::FillError;

/// The fewest and the most vertices a body is given without being told how many cells; in between it has as many as
/// its skin.
const VERTICES: [usize; 2] = [800, 8000];
/// The most vertices, in wanted ones.
const MOST: f64 = 1.5;
/// Cells along the longest side, tried first, and the bounds of what is tried.
const CELLS: usize = 24;
const CELL_BOUNDS: [usize; 2] = [4, 120];
/// Fillings tried until the size is right.
const TRIES: usize = 5;
/// Then these, in cells of the best so far.
const AROUND: [f64; 5] = [0.9, 0.8, 1.1, 0.7, 0.62];

/// A filling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Filled {
    pub cells: usize,
    pub vertices: usize,
    /// The pieces that hang together.
    pub parts: usize,
    /// The specks that were left out.
    pub specks: usize,
}

/// The filling that suits a surface of so many vertices and pieces, and what it is made of; that of `asked` cells if they
/// are.
pub(super) fn finest<M>(
    vertices: usize,
    pieces: usize,
    asked: Option<usize>,
    fill: impl Fn(usize) -> Result<(Filled, M), FillError>,
) -> Result<(Filled, M), FillError> {
    if let Some(cells) = asked {
        return fill(cells);
    }
    let wanted = vertices.clamp(VERTICES[0], VERTICES[1]) as f64;
    let mut search = Search { wanted, pieces, fill, tried: Vec::new(), made: None };
    let mut next = Some(CELLS);
    for _ in 0..TRIES {
        let Some(cells) = next.filter(|next| !search.has_tried(*next)) else { break };
        next = search.attempt(cells).map(|scale| scaled(cells, scale));
    }
    if let Some(best) = search.best()
        && !search.is_whole(&best)
    {
        for cells in AROUND.map(|scale| scaled(best.cells, scale)) {
            if search.has_tried(cells) {
                continue;
            }
            search.attempt(cells);
            if search.best().is_some_and(|best| search.is_whole(&best) && search.fits(&best)) {
                break;
            }
        }
    }
    match (search.best(), search.made, search.tried.pop()) {
        (Some(best), Some(made), _) => Ok((best, made)),
        (_, _, Some((_, Err(problem)))) => Err(problem),
        _ => (search.fill)(CELLS),
    }
}

fn scaled(cells: usize, scale: f64) -> usize {
    ((cells as f64 * scale).round() as usize).clamp(CELL_BOUNDS[0], CELL_BOUNDS[1])
}

struct Search<F, M> {
    wanted: f64,
    pieces: usize,
    fill: F,
    tried: Vec<(usize, Result<Filled, FillError>)>,
    /// What the best so far is made of; others would only take room.
    made: Option<M>,
}

impl<F: Fn(usize) -> Result<(Filled, M), FillError>, M> Search<F, M> {
    /// Fills once more, and says by how much finer to try next, unless the size is right.
    fn attempt(&mut self, cells: usize) -> Option<f64> {
        match (self.fill)(cells) {
            Ok((filled, made)) => {
                self.tried.push((cells, Ok(filled)));
                if self.best() == Some(filled) {
                    self.made = Some(made);
                }
                (!self.fits(&filled)).then(|| (self.wanted / filled.vertices as f64).cbrt())
            }
            Err(problem) => {
                self.tried.push((cells, Err(problem)));
                Some(1.6)
            }
        }
    }

    fn has_tried(&self, cells: usize) -> bool {
        self.tried.iter().any(|(other, _)| *other == cells)
    }

    fn fits(&self, filled: &Filled) -> bool {
        (0.5 * self.wanted..=MOST * self.wanted).contains(&(filled.vertices as f64))
    }

    fn is_whole(&self, filled: &Filled) -> bool {
        filled.parts <= self.pieces && filled.specks == 0
    }

    fn best(&self) -> Option<Filled> {
        let off = |filled: &Filled| (filled.vertices as f64 / self.wanted).ln().abs();
        let rank = |filled: &Filled| {
            let excess = filled.parts.saturating_sub(self.pieces);
            (filled.vertices as f64 > MOST * self.wanted, excess, filled.specks > 0)
        };
        let made = self.tried.iter().filter_map(|(_, filled)| filled.as_ref().ok()).copied();
        made.min_by(|a, b| rank(a).cmp(&rank(b)).then(off(a).total_cmp(&off(b))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn solid(cells: usize) -> Filled {
        Filled { cells, vertices: cells.pow(3) / 8, parts: 1, specks: 0 }
    }

    /// The filling that is found where `fill` makes them; none is made twice, and what is handed on is the one found.
    fn found(
        vertices: usize,
        asked: Option<usize>,
        fill: impl Fn(usize) -> Result<Filled, FillError>,
    ) -> Result<Filled, FillError> {
        let tried = RefCell::new(Vec::new());
        let found = finest(vertices, 1, asked, |cells| {
            assert!(!tried.borrow().contains(&cells), "{cells} cells again");
            tried.borrow_mut().push(cells);
            fill(cells).map(|filled| (filled, cells))
        });
        found.map(|(filled, made)| {
            assert_eq!(made, filled.cells);
            filled
        })
    }

    #[test]
    fn the_size_is_that_of_the_skin_within_bounds() {
        for (vertices, wanted) in [(10, 800.0), (2904, 2904.0), (1_000_000, 8000.0)] {
            let filled = found(vertices, None, |cells| Ok(solid(cells))).unwrap();
            let off = filled.vertices as f64 / wanted;
            assert!((0.5..=1.5).contains(&off), "{vertices}: {filled:?}");
        }
        assert_eq!(found(10, Some(77), |cells| Ok(solid(cells))).unwrap().cells, 77);
    }

    #[test]
    fn what_holds_at_a_coarser_resolution_is_taken_and_never_one_beyond_the_cap() {
        // Whole at 22 cells and below, and again where there are far too many vertices.
        let horned = |cells: usize| {
            let parts = if (23..60).contains(&cells) { 3 } else { 1 };
            Ok(Filled { parts, ..solid(cells) })
        };
        let filled = found(2904, None, horned).unwrap();
        assert!(filled.cells <= 22 && filled.cells >= 15, "{filled:?}");
        // Nowhere whole: the one that is nearest in size, not the finest there is.
        let broken = |cells: usize| Ok(Filled { parts: 5, ..solid(cells) });
        let filled = found(2904, None, broken).unwrap();
        assert!(filled.vertices <= 2904 * 3 / 2 && filled.vertices >= 2904 / 2, "{filled:?}");
    }

    #[test]
    fn what_cannot_be_filled_says_why() {
        let thin =
            |cells: usize| if cells < 50 { Err(FillError::Nothing { cell: 1.0 }) } else { Ok(solid(cells)) };
        assert!(found(8000, None, thin).unwrap().cells >= 50);
        let none = |_| Err(FillError::Nothing { cell: 1.0 });
        assert!(matches!(found(8000, None, none), Err(FillError::Nothing { .. })));
    }
}
