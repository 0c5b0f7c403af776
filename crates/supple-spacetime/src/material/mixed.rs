//! A body through shapes that are made of its modes: x = C S z, so that W and all its derivatives follow from what the body
//! says of x.

use supple_model::{Along, Ask, Linearized, Readout, Restricted};

/// A readout over shapes, of one over the modes they are made of.
#[derive(Clone)]
pub struct MixedReadout<'a> {
    inner: &'a dyn Readout,
    /// The columns of C S, an entry per mode each.
    columns: Vec<Vec<f64>>,
}

/// The same along few directions.
#[derive(Debug)]
struct MixedRestricted {
    inner: Box<dyn Restricted>,
    columns: Vec<Vec<f64>>,
}

impl<'a> MixedReadout<'a> {
    /// Shapes are columns with an entry for each of the body's modes.
    ///
    /// # Panics
    /// When a column has not an entry per mode.
    #[must_use]
    pub fn new(inner: &'a dyn Readout, columns: Vec<Vec<f64>>) -> Self {
        assert!(columns.iter().all(|column| column.len() == inner.modes()), "an entry per mode");
        Self { inner, columns }
    }

    /// x = C S z.
    fn mixed(&self, z: &[f64]) -> Vec<f64> {
        mixed(&self.columns, z)
    }

    fn all_mixed(&self, asks: &[Ask<'_>]) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::with_capacity(asks.len());
        for (place, ask) in asks.iter().enumerate() {
            // Sites that are read at one time share their coordinates.
            let same = place > 0 && std::ptr::eq(asks[place - 1].z, ask.z);
            let x = if same { found[place - 1].clone() } else { self.mixed(ask.z) };
            found.push(x);
        }
        found
    }
}

/// Σ_k z_k times column k.
pub(super) fn mixed(columns: &[Vec<f64>], z: &[f64]) -> Vec<f64> {
    assert_eq!(columns.len(), z.len(), "an entry per shape");
    let mut x = vec![0.0; columns.first().map_or(0, Vec::len)];
    for (column, z) in columns.iter().zip(z) {
        crate::sqp::add(&mut x, *z, column);
    }
    x
}

/// A row over modes as one over shapes.
fn row(columns: &[Vec<f64>], row: &[f64]) -> Vec<f64> {
    columns.iter().map(|column| crate::rows::dot(column, row)).collect()
}

fn through(columns: &[Vec<f64>], found: Vec<Linearized>) -> Vec<Linearized> {
    let of = |found: Linearized| Linearized {
        value: found.value,
        rows: std::array::from_fn(|axis| row(columns, &found.rows[axis])),
    };
    found.into_iter().map(of).collect()
}

impl Readout for MixedReadout<'_> {
    fn modes(&self) -> usize {
        self.columns.len()
    }

    fn sites(&self) -> usize {
        self.inner.sites()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        let x = self.all_mixed(asks);
        let asks: Vec<Ask<'_>> = asks.iter().zip(&x).map(|(ask, x)| Ask { z: x, ..*ask }).collect();
        self.inner.values(&asks)
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let x = self.all_mixed(asks);
        let asks: Vec<Ask<'_>> = asks.iter().zip(&x).map(|(ask, x)| Ask { z: x, ..*ask }).collect();
        through(&self.columns, self.inner.linearized(&asks))
    }

    fn restrict(&self, along: &[Along<'_>]) -> Option<Box<dyn Restricted>> {
        let shapes = self.columns.len();
        let x: Vec<Vec<f64>> = along.iter().map(|along| self.mixed(along.z)).collect();
        let directions: Vec<Vec<f64>> = along
            .iter()
            .map(|along| along.directions.chunks_exact(shapes).flat_map(|d| self.mixed(d)).collect())
            .collect();
        let along: Vec<Along<'_>> = along
            .iter()
            .zip(x.iter().zip(&directions))
            .map(|(along, (z, directions))| Along { z, directions, ..*along })
            .collect();
        let inner = self.inner.restrict(&along)?;
        Some(Box::new(MixedRestricted { inner, columns: self.columns.clone() }))
    }

    fn inverted(&self, frame: usize, z: &[f64]) -> usize {
        self.inner.inverted(frame, &self.mixed(z))
    }

    fn inverted_at(&self, asked: &[(usize, &[f64])]) -> usize {
        let x: Vec<Vec<f64>> = asked.iter().map(|(_, z)| self.mixed(z)).collect();
        let asked: Vec<(usize, &[f64])> =
            asked.iter().zip(&x).map(|((frame, _), x)| (*frame, x.as_slice())).collect();
        self.inner.inverted_at(&asked)
    }
}

impl Restricted for MixedRestricted {
    fn values(&self, coefficients: &[&[f64]]) -> Vec<[f64; 3]> {
        self.inner.values(coefficients)
    }

    fn linearized(&self, coefficients: &[&[f64]]) -> Vec<Linearized> {
        through(&self.columns, self.inner.linearized(coefficients))
    }
}
