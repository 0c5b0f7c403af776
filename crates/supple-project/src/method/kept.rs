//! What one opening leaves for the next: made from a key, and made again only when the key is another.

use crate::shot::Shot;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use supple_formats::files_of;

/// One thing that is kept with what it was made from.
#[derive(Debug)]
pub(crate) struct Kept<K, T>(Option<(K, T)>);

impl<K, T> Default for Kept<K, T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq, T: Clone> Kept<K, T> {
    /// The thing, if it was made from this.
    pub fn known(&self, key: &K) -> Option<T> {
        self.0.as_ref().filter(|(of, _)| of == key).map(|(_, made)| made.clone())
    }

    /// The thing, made now unless it was made from this.
    pub fn get<E>(&mut self, key: K, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if let Some(made) = self.known(&key) {
            return Ok(made);
        }
        // What is out of date takes no room while the next is made.
        self.0 = None;
        let made = make()?;
        self.0 = Some((key, made.clone()));
        Ok(made)
    }
}

/// Something of the level above, told apart by where it is: what is made from it keeps it alive.
#[derive(Debug)]
pub(crate) struct Same<T>(pub Arc<T>);

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What the files of a shot looked like when they were read.
#[derive(Clone, Debug)]
pub(crate) struct Stamps(Vec<(PathBuf, Option<(u64, SystemTime)>)>);

impl Stamps {
    /// Those of the files that a shot reads.
    pub fn of(shot: &Shot) -> Self {
        let files = shot.files();
        let files = files.iter().map(|file| shot.resolve(file)).flat_map(|file| files_of(&file));
        let stamp = |file: &PathBuf| {
            let found = std::fs::metadata(file).ok()?;
            Some((found.len(), found.modified().ok()?))
        };
        Self(files.map(|file| (file.clone(), stamp(&file))).collect())
    }
}

impl PartialEq for Stamps {
    /// A file that is gone cannot be read anew, so it has not changed.
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&(PathBuf, Option<_>), &(PathBuf, Option<_>))| {
            a.0 == b.0 && (a.1 == b.1 || a.1.is_none() || b.1.is_none())
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(is_same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_made_once_for_a_key() {
        let (mut kept, mut made) = (Kept::default(), 0);
        for (key, expected) in [(1, 1), (1, 1), (2, 2), (1, 3)] {
            let found: Result<i32, ()> = kept.get(key, || {
                made += 1;
                Ok(10 * key)
            });
            assert_eq!((found, made), (Ok(10 * key), expected));
        }
        assert_eq!(kept.get(3, || Err("no")), Err("no"));
        assert_eq!(kept.known(&1), None);
    }
}
