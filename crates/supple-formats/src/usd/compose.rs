//! One tree of prims from the layers of a scene.
//!
//! Of each prim there is a list of *sites*: prims of layers that say something of it, the strongest first. The
//! sites of a child are the children of that name of the parent's sites, and what those refer to. References
//! bring in whole prims from elsewhere: after a site come, in this order, the classes it inherits from, the
//! variant that is chosen, its references and its payloads.

use super::load::{Layers, Location};
use super::spec::{PrimSpec, Reference, Retiming, Specifier};
use crate::blob::Blob;
use crate::{FormatError, Problem};
use std::path::Path;

/// How many references may stand one behind the other.
const DEEPEST: usize = 64;

/// The most prims above one another.
const DEEPEST_PRIM: usize = 512;

/// A prim of a layer that says something of a prim of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Site {
    /// The layer whose stack this belongs to, which references within it mean.
    stack: usize,
    pub layer: usize,
    pub prim: u32,
    pub retiming: Retiming,
}

/// A prim of the scene.
pub(super) struct Prim {
    pub path: String,
    /// The prim above, by number; those at the top have none.
    pub parent: Option<usize>,
    pub type_name: String,
    pub sites: Vec<Site>,
    pub is_instance: bool,
    /// Those below it, by number.
    pub children: Vec<usize>,
}

/// The scene: all prims that are there, parents first.
pub(super) struct Stage {
    pub layers: Layers,
    pub prims: Vec<Prim>,
}

impl Stage {
    pub fn open(blob: Blob, path: &Path) -> Result<Self, FormatError> {
        let mut stage = Self { layers: Layers::open(blob, path)?, prims: Vec::new() };
        let root = stage.root(0, Retiming::NONE)?;
        let mut pending: Vec<(Option<usize>, String, Vec<Site>, usize)> = Vec::new();
        stage.push_children(None, "", &root, 0, &mut pending)?;
        while let Some((parent, name, direct, depth)) = pending.pop() {
            let sites = stage.expand(direct, &mut Vec::new())?;
            stage.add(parent, &name, sites, depth, &mut pending)?;
        }
        Ok(stage)
    }

    fn spec(&self, site: &Site) -> &PrimSpec {
        &self.layers.layer(site.layer).prims[site.prim as usize]
    }

    /// Takes a prim into the scene, unless it is not there: only said more of, a class, or not active.
    fn add(
        &mut self,
        parent: Option<usize>,
        name: &str,
        sites: Vec<Site>,
        depth: usize,
        pending: &mut Vec<(Option<usize>, String, Vec<Site>, usize)>,
    ) -> Result<(), FormatError> {
        let specs = || sites.iter().map(|site| self.spec(site));
        let specifier = specs().map(|spec| spec.specifier).find(|specifier| *specifier != Specifier::Over);
        let is_active = specs().find_map(|spec| spec.active).unwrap_or(true);
        if specifier != Some(Specifier::Def) || !is_active {
            return Ok(());
        }
        let type_name = specs().map(|spec| &spec.type_name).find(|name| !name.is_empty()).cloned();
        let type_name = type_name.unwrap_or_default();
        let is_instance = specs().find_map(|spec| spec.instanceable).unwrap_or(false);
        let has_clips = specs().any(|spec| spec.has_clips);
        let above = parent.map_or("", |parent| self.prims[parent].path.as_str());
        let path = format!("{above}/{name}");
        let size = size_of::<Prim>() + path.len() + sites.len() * size_of::<Site>();
        self.layers.budget.take("prims", 1, size as u64)?;
        if has_clips {
            self.layers.notes.push(format!(
                "{path} is animated by value clips, which are not supported; export it without value clips"
            ));
        }
        let number = self.prims.len();
        if type_name == "PointInstancer" {
            self.layers
                .notes
                .push(format!("{path} and its instances were ignored: point instancers are not supported"));
        } else {
            self.push_children(Some(number), &path, &sites, depth, pending)?;
        }
        if let Some(parent) = parent {
            self.prims[parent].children.push(number);
        }
        self.prims.push(Prim { path, parent, type_name, sites, is_instance, children: Vec::new() });
        Ok(())
    }

    /// The children of a prim, to be looked at: the first is on top.
    fn push_children(
        &mut self,
        parent: Option<usize>,
        path: &str,
        sites: &[Site],
        depth: usize,
        pending: &mut Vec<(Option<usize>, String, Vec<Site>, usize)>,
    ) -> Result<(), FormatError> {
        if depth > DEEPEST_PRIM {
            let what =
                format!("a prim below more than {DEEPEST_PRIM} others, {},", crate::error::quoted(path));
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        let mut children: Vec<(String, Vec<Site>)> = Vec::new();
        let mut by_name = std::collections::HashMap::new();
        for site in sites {
            let layer = self.layers.layer(site.layer);
            for &child in &layer.prims[site.prim as usize].children {
                let name = &layer.prims[child as usize].name;
                let at = *by_name.entry(name.clone()).or_insert_with(|| {
                    children.push((name.clone(), Vec::new()));
                    children.len() - 1
                });
                children[at].1.push(Site { prim: child, ..*site });
            }
        }
        for (name, sites) in children.into_iter().rev() {
            let size = name.len() + 64 + sites.len() * size_of::<Site>();
            self.layers.budget.take("prims", 1, size as u64)?;
            pending.push((parent, name, sites, depth + 1));
        }
        Ok(())
    }

    /// The sites of the root of a stack.
    fn root(&mut self, stack: usize, outer: Retiming) -> Result<Vec<Site>, FormatError> {
        let layers = self.layers.stack(stack)?;
        let site = |(layer, inner)| Site { stack, layer, prim: 0, retiming: outer.after(inner) };
        Ok(layers.into_iter().map(site).collect())
    }

    /// The sites of a path within a stack, with all they refer to. `chain` is what is being looked for already.
    fn sites_at(
        &mut self,
        stack: usize,
        path: &str,
        outer: Retiming,
        chain: &mut Vec<(usize, String)>,
    ) -> Result<Vec<Site>, FormatError> {
        let link = (stack, path.to_owned());
        if chain.contains(&link) || chain.len() == DEEPEST {
            let what = format!("a reference to {}", crate::error::quoted(path));
            return Err(FormatError::whole_file(Problem::Cycle { what }));
        }
        chain.push(link);
        let mut sites = self.root(stack, outer)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let child = |site: &Site| {
                Some(Site { prim: self.layers.layer(site.layer).child(site.prim, name)?, ..*site })
            };
            let direct: Vec<Site> = sites.iter().filter_map(child).collect();
            sites = self.expand(direct, chain)?;
        }
        chain.pop();
        Ok(sites)
    }

    /// The sites themselves, then all they refer to.
    fn expand(
        &mut self,
        direct: Vec<Site>,
        chain: &mut Vec<(usize, String)>,
    ) -> Result<Vec<Site>, FormatError> {
        let mut sites = direct;
        // Variants of variants come behind, and are looked at in their turn.
        let mut chosen: Vec<String> = Vec::new();
        let mut at = 0;
        while at < sites.len() {
            let spec = self.spec(&sites[at]);
            let variants: Vec<(String, String, u32)> = spec.variants.clone();
            let mut sets: Vec<&String> = variants.iter().map(|(set, _, _)| set).collect();
            sets.dedup();
            for set in sets.into_iter().filter(|set| !chosen.contains(set)).cloned().collect::<Vec<_>>() {
                let selection = sites.iter().find_map(|site| {
                    let selections = &self.spec(site).selections;
                    selections.iter().find(|(of, _)| *of == set).map(|(_, name)| name.clone())
                });
                if let Some(name) = selection {
                    let all: Vec<Site> =
                        sites.iter().filter_map(|site| self.variant(site, &set, &name)).collect();
                    sites.extend(all);
                }
                chosen.push(set);
            }
            at += 1;
        }
        let mut brought = Vec::new();
        for site in &sites {
            let spec = self.spec(site);
            let classes: Vec<String> = spec.inherits.clone();
            for class in classes {
                brought.extend(self.sites_at(site.stack, &class, site.retiming, chain)?);
            }
        }
        for of in [|spec: &PrimSpec| spec.references.clone(), |spec: &PrimSpec| spec.payloads.clone()] {
            for site in &sites {
                for reference in of(self.spec(site)) {
                    brought.extend(self.follow(site, &reference, chain)?);
                }
            }
        }
        self.layers.budget.take("references", brought.len() as u64, size_of::<Site>() as u64)?;
        sites.extend(brought);
        Ok(sites)
    }

    fn variant(&self, site: &Site, set: &str, name: &str) -> Option<Site> {
        let variants = &self.spec(site).variants;
        let (_, _, prim) = variants.iter().find(|(of, variant, _)| of == set && variant == name)?;
        Some(Site { prim: *prim, ..*site })
    }

    fn follow(
        &mut self,
        site: &Site,
        reference: &Reference,
        chain: &mut Vec<(usize, String)>,
    ) -> Result<Vec<Site>, FormatError> {
        let outer = site.retiming.after(reference.retiming);
        let (stack, outer) = if reference.asset.is_empty() {
            (site.stack, outer)
        } else {
            let Some(stack) = self.layers.find(site.layer, &reference.asset)? else {
                return Ok(Vec::new());
            };
            (stack, outer.after(self.layers.rate(site.layer, stack)))
        };
        let default = || {
            self.layers
                .layer(stack)
                .metadata
                .default_prim
                .as_ref()
                .map_or_else(String::new, |prim| format!("/{prim}"))
        };
        let path = if reference.prim.is_empty() { default() } else { reference.prim.clone() };
        if path.is_empty() {
            let Location { file, .. } = &self.layers.layers[stack].0;
            let note = format!(
                "{} was ignored: it has no default prim, and the reference names none",
                file.display()
            );
            self.layers.notes.push(note);
            return Ok(Vec::new());
        }
        self.sites_at(stack, &path, outer, chain)
    }
}
