//! Keys: the hash of everything a cached result depends on.
//!
//! Each field is hashed as type tag, name, number of values, values (little-endian). Tags and
//! lengths keep neighbouring fields apart: no two different lists of fields hash the same bytes.

use std::fmt;

/// What an entry holds, and the version of its layout and of the algorithm behind it. Raising the
/// version retires every older entry of the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    name: &'static str,
    version: u32,
}

impl Kind {
    pub(super) const MAX_NAME: usize = 32;

    /// A kind of entry, for use in a constant: `const MODES: Kind = Kind::new("modes", 1);`.
    ///
    /// # Panics
    /// When `name` is not 1 to 32 lower-case ASCII letters; in a constant that is a compile error.
    #[must_use]
    pub const fn new(name: &'static str, version: u32) -> Self {
        let bytes = name.as_bytes();
        assert!(!bytes.is_empty() && bytes.len() <= Self::MAX_NAME, "a kind's name has 1 to 32 letters");
        let mut i = 0;
        while i < bytes.len() {
            assert!(bytes[i].is_ascii_lowercase(), "a kind's name is made of the letters a to z");
            i += 1;
        }
        Self { name, version }
    }

    /// What entries of this kind are called in listings and file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The schema version.
    #[must_use]
    pub fn version(self) -> u32 {
        self.version
    }
}

/// The name of a cached result: equal for equal inputs, different otherwise. Shown in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

impl CacheKey {
    pub(super) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Builds a [`CacheKey`] from named, typed fields. Order and names matter.
#[derive(Clone, Debug)]
pub struct KeyHasher(blake3::Hasher);

impl KeyHasher {
    /// Begins the key of an entry of this kind, its version included.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self(blake3::Hasher::new_derive_key("supple cache key"))
            .str("kind", kind.name)
            .u32("version", kind.version)
    }

    /// Adds one number. −0 counts as 0.
    #[must_use]
    pub fn f64(self, name: &str, value: f64) -> Self {
        self.f64s(name, [value])
    }

    /// Adds numbers, in order. −0 counts as 0.
    #[must_use]
    pub fn f64s<I>(self, name: &str, values: I) -> Self
    where
        I: IntoIterator<Item = f64, IntoIter: Clone>,
    {
        self.words(b'f', name, values.into_iter().map(|value| if value == 0.0 { 0 } else { value.to_bits() }))
    }

    /// Adds one index or count.
    #[must_use]
    pub fn u32(self, name: &str, value: u32) -> Self {
        self.u32s(name, [value])
    }

    /// Adds indices or counts, in order.
    #[must_use]
    pub fn u32s<I>(self, name: &str, values: I) -> Self
    where
        I: IntoIterator<Item = u32, IntoIter: Clone>,
    {
        self.words(b'i', name, values.into_iter().map(u64::from))
    }

    /// Adds one large count or seed.
    #[must_use]
    pub fn u64(self, name: &str, value: u64) -> Self {
        self.words(b'u', name, [value].into_iter())
    }

    /// Adds text, such as the name of a law or a setting.
    #[must_use]
    pub fn str(mut self, name: &str, value: &str) -> Self {
        self.begin(b's', name, value.len());
        self.0.update(value.as_bytes());
        self
    }

    /// The key of all fields so far.
    #[must_use]
    pub fn finish(&self) -> CacheKey {
        CacheKey(*self.0.finalize().as_bytes())
    }

    fn begin(&mut self, tag: u8, name: &str, count: usize) {
        self.0.update(&[tag]);
        self.0.update(&(name.len() as u64).to_le_bytes());
        self.0.update(name.as_bytes());
        self.0.update(&(count as u64).to_le_bytes());
    }

    /// Collects words into blocks, because the hash is fast on long inputs only.
    fn words(mut self, tag: u8, name: &str, values: impl Iterator<Item = u64> + Clone) -> Self {
        self.begin(tag, name, values.clone().count());
        let mut block = [0; 16 * 1024];
        let mut filled = 0;
        for value in values {
            block[filled..filled + 8].copy_from_slice(&value.to_le_bytes());
            filled += 8;
            if filled == block.len() {
                self.0.update(&block);
                filled = 0;
            }
        }
        self.0.update(&block[..filled]);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const KIND: Kind = Kind::new("modes", 1);

    #[test]
    fn different_fields_give_different_keys() {
        let fresh = || KeyHasher::new(KIND);
        let keys = [
            fresh(),
            KeyHasher::new(Kind::new("modes", 2)),
            KeyHasher::new(Kind::new("model", 1)),
            fresh().f64("a", 1.0),
            fresh().f64("b", 1.0),
            fresh().f64("a", 1.0 + f64::EPSILON),
            fresh().u64("a", 1.0_f64.to_bits()),
            fresh().u64("a", 1),
            fresh().u32("a", 1),
            fresh().u32s("a", []),
            fresh().u32s("a", []).u32s("b", []),
            fresh().u32s("a", [1, 2]).u32s("b", [3]),
            fresh().u32s("a", [1]).u32s("b", [2, 3]),
            fresh().u32s("a", [2, 1]).u32s("b", [3]),
            fresh().str("a", "bc").str("d", ""),
            fresh().str("a", "b").str("cd", ""),
            fresh().str("ab", "c").str("d", ""),
        ];
        let distinct: HashSet<_> = keys.iter().map(KeyHasher::finish).collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn zeros_are_equal_and_block_borders_do_not_matter() {
        let key = |values: &[f64]| KeyHasher::new(KIND).f64s("a", values.iter().copied()).finish();
        assert_eq!(key(&[0.0, 1.0]), key(&[-0.0, 1.0]));
        assert_ne!(key(&[1.0]), key(&[-1.0]));

        // One block holds 2048 words; the layout of the bytes is part of the cache's contract.
        let values: Vec<u32> = (0..5000).collect();
        let mut expected = blake3::Hasher::new_derive_key("supple cache key");
        let mut field = |tag: u8, name: &str, count: u64, bytes: &[u8]| {
            for part in
                [&[tag][..], &(name.len() as u64).to_le_bytes(), name.as_bytes(), &count.to_le_bytes(), bytes]
            {
                expected.update(part);
            }
        };
        field(b's', "kind", 5, b"modes");
        field(b'i', "version", 1, &1_u64.to_le_bytes());
        let bytes: Vec<u8> = values.iter().flat_map(|&v| u64::from(v).to_le_bytes()).collect();
        field(b'i', "tets", 5000, &bytes);
        let key = KeyHasher::new(KIND).u32s("tets", values).finish();
        assert_eq!(key.as_bytes(), expected.finalize().as_bytes());
        assert_eq!(key.to_string(), expected.finalize().to_hex().to_string());
    }
}
