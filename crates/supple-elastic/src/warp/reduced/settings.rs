//! How a reduced warp is made.

/// What it takes; the default is that of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedSettings {
    /// h: how many shapes changes are made of, at most; 80.
    pub size: usize,
    /// Of how many leading modes all pairs are bent; 30.
    pub leading: usize,
    /// How many places are looked at, at most; 80.
    pub places: usize,
    /// The relative error, over the training, at which no more places are taken; 0.4 %.
    pub accuracy: f64,
    /// How many edits shapes and places are chosen for; 250.
    pub pairs: usize,
    /// How many others tell the error; 50.
    pub held_out: usize,
    /// How many numbers of each place are compared while places are chosen; 2,000. Weights are found with all of them.
    pub rows: usize,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for ReducedSettings {
    fn default() -> Self {
        Self {
            size: 80,
            leading: 30,
            places: 80,
            accuracy: 0.004,
            pairs: 250,
            held_out: 50,
            rows: 2000,
            seed: 1,
        }
    }
}
