//! The plain readout: an edit is added to the input, W(z) = x + U z.

use supple_model::{Ask, Linearized, Readout};

/// One site of a [`LinearReadout`].
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSite {
    /// The three rows of U that belong to it.
    pub rows: [Vec<f64>; 3],
    /// Where it is in the input, frame by frame; between two frames on the straight line from one to the next.
    pub input: Vec<[f64; 3]>,
}

/// Positions without a warp.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearReadout {
    modes: usize,
    sites: Vec<LinearSite>,
}

impl LinearReadout {
    /// Of a body with `modes` modes; no sites yet.
    #[must_use]
    pub fn new(modes: usize) -> Self {
        Self { modes, sites: Vec::new() }
    }

    /// Adds a site and gives its number.
    ///
    /// # Panics
    /// When a row has not one entry per mode.
    pub fn add(&mut self, site: LinearSite) -> usize {
        assert!(site.rows.iter().all(|row| row.len() == self.modes), "one entry per mode");
        self.sites.push(site);
        self.sites.len() - 1
    }

    fn place(&self, ask: &Ask<'_>) -> [f64; 3] {
        let LinearSite { rows, input } = &self.sites[ask.site];
        let place = match ask.at.frame() {
            Some(frame) => input[frame],
            None => {
                let (before, share) = ask.at.split();
                std::array::from_fn(|axis| {
                    (1.0 - share) * input[before][axis] + share * input[before + 1][axis]
                })
            }
        };
        std::array::from_fn(|axis| place[axis] + crate::rows::dot(&rows[axis], ask.z))
    }
}

impl Readout for LinearReadout {
    fn modes(&self) -> usize {
        self.modes
    }

    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        asks.iter().map(|ask| self.place(ask)).collect()
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let of =
            |ask: &Ask<'_>| Linearized { value: self.place(ask), rows: self.sites[ask.site].rows.clone() };
        asks.iter().map(of).collect()
    }
}
