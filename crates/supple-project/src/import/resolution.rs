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

/// The filling that suits a surface of so many vertices and pieces; that of `asked` cells if they are.
pub(super) fn finest(
    vertices: usize,
    pieces: usize,
    asked: Option<usize>,
    fill: impl Fn(usize) -> Result<Filled, FillError>,
) -> Result<Filled, FillError> {
    if let Some(cells) = asked {
        return fill(cells);
    }
    let search = Search { wanted: vertices.clamp(VERTICES[0], VERTICES[1]) as f64, pieces };
    let mut tried: Vec<(usize, Result<Filled, FillError>)> = Vec::new();
    let mut cells = CELLS;
    for _ in 0..TRIES {
        let filled = fill(cells);
        let next = match &filled {
            Ok(filled) if search.fits(filled) => None,
            Ok(filled) => Some((search.wanted / filled.vertices as f64).cbrt()),
            Err(_) => Some(1.6),
        };
        tried.push((cells, filled));
        let next = next
            .map(|scale| scaled(cells, scale))
            .filter(|next| tried.iter().all(|(cells, _)| cells != next));
        let Some(next) = next else { break };
        cells = next;
    }
    if let Some(best) = search.best(&tried)
        && !search.is_whole(&best)
    {
        for cells in AROUND.map(|scale| scaled(best.cells, scale)) {
            if tried.iter().any(|(other, _)| *other == cells) {
                continue;
            }
            tried.push((cells, fill(cells)));
            if search.best(&tried).is_some_and(|best| search.is_whole(&best) && search.fits(&best)) {
                break;
            }
        }
    }
    match (search.best(&tried), tried.pop()) {
        (Some(best), _) => Ok(best),
        (None, Some((_, last))) => last,
        (None, None) => fill(CELLS),
    }
}

fn scaled(cells: usize, scale: f64) -> usize {
    ((cells as f64 * scale).round() as usize).clamp(CELL_BOUNDS[0], CELL_BOUNDS[1])
}

struct Search {
    wanted: f64,
    pieces: usize,
}

impl Search {
    fn fits(&self, filled: &Filled) -> bool {
        (0.5 * self.wanted..=MOST * self.wanted).contains(&(filled.vertices as f64))
    }

    fn is_whole(&self, filled: &Filled) -> bool {
        filled.parts <= self.pieces && filled.specks == 0
    }

    fn best(&self, tried: &[(usize, Result<Filled, FillError>)]) -> Option<Filled> {
        let off = |filled: &Filled| (filled.vertices as f64 / self.wanted).ln().abs();
        let rank = |filled: &Filled| {
            let excess = filled.parts.saturating_sub(self.pieces);
            (filled.vertices as f64 > MOST * self.wanted, excess, filled.specks > 0)
        };
        let made = tried.iter().filter_map(|(_, filled)| filled.as_ref().ok()).copied();
        made.min_by(|a, b| rank(a).cmp(&rank(b)).then(off(a).total_cmp(&off(b))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solid(cells: usize) -> Filled {
        Filled { cells, vertices: cells.pow(3) / 8, parts: 1, specks: 0 }
    }

    #[test]
    fn the_size_is_that_of_the_skin_within_bounds() {
        for (vertices, wanted) in [(10, 800.0), (2904, 2904.0), (1_000_000, 8000.0)] {
            let filled = finest(vertices, 1, None, |cells| Ok(solid(cells))).unwrap();
            let off = filled.vertices as f64 / wanted;
            assert!((0.5..=1.5).contains(&off), "{vertices}: {filled:?}");
        }
        assert_eq!(finest(10, 1, Some(77), |cells| Ok(solid(cells))).unwrap().cells, 77);
    }

    #[test]
    fn what_holds_at_a_coarser_resolution_is_taken_and_never_one_beyond_the_cap() {
        // Whole at 22 cells and below, and again where there are far too many vertices.
        let horned = |cells: usize| {
            let parts = if (23..60).contains(&cells) { 3 } else { 1 };
            Ok(Filled { parts, ..solid(cells) })
        };
        let filled = finest(2904, 1, None, horned).unwrap();
        assert!(filled.cells <= 22 && filled.cells >= 15, "{filled:?}");
        // Nowhere whole: the one that is nearest in size, not the finest there is.
        let broken = |cells: usize| Ok(Filled { parts: 5, ..solid(cells) });
        let filled = finest(2904, 1, None, broken).unwrap();
        assert!(filled.vertices <= 2904 * 3 / 2 && filled.vertices >= 2904 / 2, "{filled:?}");
    }

    #[test]
    fn what_cannot_be_filled_says_why() {
        let thin =
            |cells: usize| if cells < 50 { Err(FillError::Nothing { cell: 1.0 }) } else { Ok(solid(cells)) };
        assert!(finest(8000, 1, None, thin).unwrap().cells >= 50);
        let none = |_| Err(FillError::Nothing { cell: 1.0 });
        assert!(matches!(finest(8000, 1, None, none), Err(FillError::Nothing { .. })));
    }
}
