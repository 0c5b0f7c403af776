//! Files by name: which layers there are, and those they refer to.

use super::package;
use super::spec::{Layer, Retiming};
use crate::blob::Blob;
use crate::scene::Budget;
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The most files one scene may consist of.
const MOST_LAYERS: usize = 4096;

/// Where a layer is: a file, or a file within an archive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Location {
    pub file: PathBuf,
    pub inner: Option<String>,
}

/// The layers that are in memory.
pub(super) struct Layers {
    pub layers: Vec<(Location, Arc<Layer>)>,
    /// The number of a layer, or nothing for one that cannot be read.
    known: HashMap<Location, Option<usize>>,
    /// The layers of a stack: a layer and all its sublayers, the strongest first.
    stacks: HashMap<usize, Vec<(usize, Retiming)>>,
    pub budget: Budget,
    pub notes: Vec<String>,
}

impl Layers {
    /// Opens the first layer.
    pub fn open(blob: Blob, path: &Path) -> Result<Self, FormatError> {
        let mut layers = Self {
            layers: Vec::new(),
            known: HashMap::new(),
            stacks: HashMap::new(),
            budget: Budget::for_file(blob.len()),
            notes: Vec::new(),
        };
        let location = Location { file: path.to_path_buf(), inner: None };
        let number = layers.read(blob, location.clone())?;
        layers.known.insert(location, Some(number));
        Ok(layers)
    }

    /// The files of all layers.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.known.keys().map(|location| location.file.clone()).collect();
        files.sort();
        files.dedup();
        files
    }

    pub fn layer(&self, number: usize) -> &Arc<Layer> {
        &self.layers[number].1
    }

    /// Reads a layer; of an archive the first one.
    fn read(&mut self, blob: Blob, mut location: Location) -> Result<usize, FormatError> {
        if self.layers.len() == MOST_LAYERS {
            return Err(FormatError::whole_file(Problem::TooLarge { what: "files of the scene" }));
        }
        let mut magic = [0; 4];
        let is_archive =
            blob.len() >= 4 && blob.read(0, &mut magic, "the beginning").is_ok() && magic == *b"PK\x03\x04";
        let blob = if is_archive && location.inner.is_none() {
            let is_layer = |name: &str| {
                [".usda", ".usdc", ".usd"].iter().any(|end| name.to_ascii_lowercase().ends_with(end))
            };
            let first = package::entries(&blob)?.into_iter().find(|(name, _)| is_layer(name));
            let (name, inner) =
                first.ok_or(FormatError::whole_file(Problem::Empty("USD file in the archive")))?;
            location.inner = Some(name);
            inner
        } else {
            blob
        };
        let layer = Layer::read(blob)?;
        self.layers.push((location, Arc::new(layer)));
        Ok(self.layers.len() - 1)
    }

    /// The layer that `from` calls `asset`. One that cannot be read is noted, once, and left out.
    pub fn find(&mut self, from: usize, asset: &str) -> Result<Option<usize>, FormatError> {
        let location = resolve(&self.layers[from].0, asset);
        if let Some(known) = self.known.get(&location) {
            return Ok(*known);
        }
        let read = match &location.inner {
            None => open_layer(&location.file, asset),
            Some(inner) => open_layer(&location.file, asset).and_then(|blob| {
                let found = package::entries(&blob)?.into_iter().find(|(name, _)| name == inner);
                found.map(|(_, blob)| blob).ok_or(FormatError::whole_file(Problem::NoMembers))
            }),
        };
        let number = read.and_then(|blob| {
            check_is_usd(&blob)?;
            self.budget.extend(blob.len());
            self.read(blob, location.clone())
        });
        let number = match number {
            Ok(number) => Some(number),
            Err(error) => {
                let asset = crate::error::quoted(asset);
                // The path is that of the asset.
                let error = FormatError { path: None, ..error };
                self.notes.push(format!("{asset}, referenced by the file, was ignored: {error}"));
                None
            }
        };
        self.known.insert(location, number);
        Ok(number)
    }

    /// A layer and all its sublayers, the strongest first, each with its change of times.
    pub fn stack(&mut self, root: usize) -> Result<Vec<(usize, Retiming)>, FormatError> {
        if let Some(stack) = self.stacks.get(&root) {
            return Ok(stack.clone());
        }
        let mut stack: Vec<(usize, Retiming)> = Vec::new();
        let mut pending = vec![(root, Retiming::NONE)];
        while let Some((number, retiming)) = pending.pop() {
            if stack.iter().any(|(known, _)| *known == number) {
                let what = format!("the sublayer {}", self.layers[number].0.file.display());
                return Err(FormatError::whole_file(Problem::Cycle { what }));
            }
            stack.push((number, retiming));
            let sublayers = self.layer(number).metadata.sublayers.clone();
            for (asset, inner) in sublayers.iter().rev() {
                if let Some(sublayer) = self.find(number, asset)? {
                    pending.push((sublayer, retiming.after(*inner).after(self.rate(number, sublayer))));
                }
            }
        }
        self.stacks.insert(root, stack.clone());
        Ok(stack)
    }

    /// Files may count time at different rates.
    pub fn rate(&self, outer: usize, inner: usize) -> Retiming {
        let scale = codes_per_second(self.layer(outer)) / codes_per_second(self.layer(inner));
        if scale.is_finite() && scale > 0.0 { Retiming { scale, offset: 0.0 } } else { Retiming::NONE }
    }
}

/// Opens a file that another one refers to. That may be any file, so nothing of it is read unless it is named as USD.
fn open_layer(file: &Path, asset: &str) -> Result<Blob, FormatError> {
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    if !matches!(ending.to_str(), Some("usd" | "usda" | "usdc" | "usdz")) {
        return Err(FormatError::whole_file(Problem::expected("the name of a USD file", asset)));
    }
    let blob = Blob::open(file)?;
    check_is_usd(&blob)?;
    Ok(blob)
}

/// Checks that a file begins as USD does, without a word about how it does begin.
fn check_is_usd(blob: &Blob) -> Result<(), FormatError> {
    let begins = |with: &[u8]| {
        let mut found = vec![0; with.len()];
        blob.len() >= with.len() as u64 && blob.read(0, &mut found, "the beginning").is_ok() && found == with
    };
    if [&b"#usda"[..], b"PXR-USDC", b"PK\x03\x04"].into_iter().any(begins) {
        return Ok(());
    }
    let (expected, found) = ("a USD file".to_owned(), "another one".to_owned());
    Err(FormatError::whole_file(Problem::Expected { expected, found }))
}

/// How many codes of time a second has.
pub(super) fn codes_per_second(layer: &Layer) -> f64 {
    let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let metadata = &layer.metadata;
    metadata.codes_per_second.or(metadata.frames_per_second).filter(is_rate).unwrap_or(24.0)
}

fn resolve(from: &Location, asset: &str) -> Location {
    // A file within another archive, as "a.usdz[b/c.usdc]".
    let (asset, within) = match asset.strip_suffix(']').and_then(|asset| asset.split_once('[')) {
        Some((archive, inner)) => (archive, Some(inner.to_owned())),
        None => (asset, None),
    };
    match &from.inner {
        Some(inner) if within.is_none() => {
            let folder = Path::new(inner).parent().unwrap_or(Path::new(""));
            let path = plain(&folder.join(asset)).to_string_lossy().replace('\\', "/");
            Location { file: from.file.clone(), inner: Some(path) }
        }
        _ => {
            let folder = from.file.parent().unwrap_or(Path::new(""));
            Location { file: plain(&folder.join(asset)), inner: within }
        }
    }
}

/// Without `.` and, as far as names precede them, `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_file_that_has_them() {
        let shot = Location { file: "shots/a.usda".into(), inner: None };
        let inner = Location { file: "a.usdz".into(), inner: Some("geo/root.usdc".to_owned()) };
        assert_eq!(
            resolve(&shot, "./../geo/cape.usdc"),
            Location { file: "geo/cape.usdc".into(), inner: None }
        );
        assert_eq!(resolve(&shot, "/geo/cape.usdc").file, Path::new("/geo/cape.usdc"));
        assert_eq!(resolve(&shot, "../../x.usd").file, Path::new("../x.usd"));
        assert_eq!(resolve(&inner, "../tex/x.usda").inner.as_deref(), Some("tex/x.usda"));
        assert_eq!(resolve(&shot, "b.usdz[x.usdc]").inner.as_deref(), Some("x.usdc"));
    }
}
