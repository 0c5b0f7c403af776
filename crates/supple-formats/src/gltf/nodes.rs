//! The tree of nodes: names, parents, and where each is at a time.

use super::accessor::Arrays;
use super::animation::Tracks;
use super::document::Node;
use crate::scene::Transform;
use crate::{FormatError, Problem};
use std::collections::HashSet;

/// The most nodes above one another.
const DEEPEST: usize = 512;

pub(super) struct Nodes {
    pub parents: Vec<Option<usize>>,
    /// Those of the scene, parents first.
    pub order: Vec<usize>,
    /// As `/root/cape`, each different.
    pub paths: Vec<String>,
}

impl Nodes {
    pub fn read(arrays: &Arrays) -> Result<Self, FormatError> {
        let document = &arrays.document;
        let count = document.nodes.len();
        let mut parents: Vec<Option<usize>> = vec![None; count];
        for (number, node) in document.nodes.iter().enumerate() {
            for &child in &node.children {
                let Some(parent) = parents.get_mut(child) else {
                    let problem =
                        Problem::NoSuchNumber { what: "node", number: child as i64, count, first: 0 };
                    return Err(FormatError::whole_file(problem));
                };
                if parent.replace(number).is_some() {
                    let name = child.to_string();
                    return Err(FormatError::whole_file(Problem::DefinedTwice {
                        what: "the parent of node",
                        name,
                    }));
                }
            }
        }
        let roots: Vec<usize> = match document.scenes.get(document.scene.unwrap_or(0)) {
            Some(scene) => scene.nodes.clone(),
            None => (0..count).filter(|node| parents[*node].is_none()).collect(),
        };
        let mut nodes = Self { parents, order: Vec::new(), paths: vec![String::new(); count] };
        nodes.walk(arrays, roots)?;
        Ok(nodes)
    }

    fn walk(&mut self, arrays: &Arrays, roots: Vec<usize>) -> Result<(), FormatError> {
        let document = &arrays.document;
        let count = document.nodes.len();
        let mut is_seen = vec![false; count];
        let mut taken = HashSet::new();
        let mut length = 0;
        let mut pending: Vec<usize> = roots.into_iter().rev().collect();
        while let Some(number) = pending.pop() {
            let Some(node) = document.nodes.get(number) else {
                let problem = Problem::NoSuchNumber { what: "node", number: number as i64, count, first: 0 };
                return Err(FormatError::whole_file(problem));
            };
            if std::mem::replace(&mut is_seen[number], true) {
                return Err(FormatError::whole_file(Problem::Cycle { what: format!("node {number}") }));
            }
            let name = self.name(arrays, number, node);
            let above = self.parents[number].map_or("", |parent| self.paths[parent].as_str());
            if above.bytes().filter(|byte| *byte == b'/').count() > DEEPEST {
                let what = format!("a node below more than {DEEPEST} others");
                return Err(FormatError::whole_file(Problem::Unsupported(what)));
            }
            let mut path = format!("{above}/{name}");
            if !taken.insert(path.clone()) {
                path = format!("{path}_{number}");
                taken.insert(path.clone());
            }
            // Paths repeat the names above them, so deep trees of long names are refused.
            length += path.len();
            if length > 64 << 20 {
                return Err(FormatError::whole_file(Problem::TooLarge { what: "names of nodes" }));
            }
            self.paths[number] = path;
            self.order.push(number);
            pending.extend(node.children.iter().rev());
        }
        // Roots may not be below others: what is above a node would lead in a circle.
        if let Some(root) =
            self.order.iter().find(|n| self.parents[**n].is_some_and(|parent| !is_seen[parent]))
        {
            return Err(FormatError::whole_file(Problem::Cycle { what: format!("node {root}") }));
        }
        Ok(())
    }

    fn name(&self, arrays: &Arrays, number: usize, node: &Node) -> String {
        let mesh = node.mesh.and_then(|mesh| arrays.document.meshes.get(mesh)?.name.clone());
        let name = node.name.clone().or(mesh).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("node_{number}"), |name| name.replace('/', "_"))
    }

    /// A node and those above it.
    pub fn chain(&self, node: usize) -> impl Iterator<Item = usize> {
        // The tree was walked from its roots, so this ends.
        std::iter::successors(Some(node), |node| self.parents.get(*node).copied().flatten()).take(DEEPEST)
    }

    /// Whether a node is shown: nothing above it is hidden.
    pub fn is_visible(&self, arrays: &Arrays, node: usize) -> bool {
        let extensions = |node: usize| &arrays.document.nodes[node].extensions;
        self.chain(node).all(|node| extensions(node).visibility.as_ref().is_none_or(|said| said.visible))
    }

    /// Where a node is in the world.
    pub fn place(&self, arrays: &Arrays, tracks: &[Tracks], node: usize, time: f64) -> Transform {
        self.chain(node).fold(Transform::IDENTITY, |all, above| {
            local(&arrays.document.nodes[above], &tracks[above], time).after(&all)
        })
    }
}

/// Where a node is in the one above it.
fn local(node: &Node, tracks: &Tracks, time: f64) -> Transform {
    if let Some(matrix) = &node.matrix {
        return Transform::from_columns(matrix);
    }
    let three = |track: &Option<super::animation::Track>, fixed: Option<[f64; 3]>, otherwise: [f64; 3]| {
        let moving = track.as_ref().and_then(|track| track.at(time, false).as_array::<3>().copied());
        moving.or(fixed).unwrap_or(otherwise)
    };
    let turning = tracks.rotation.as_ref().and_then(|track| track.at(time, true).as_array::<4>().copied());
    let [x, y, z, w] = turning.or(node.rotation).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Transform::translation(three(&tracks.translation, node.translation, [0.0; 3]))
        .after(&Transform::rotation([w, x, y, z]))
        .after(&Transform::scaling(three(&tracks.scale, node.scale, [1.0; 3])))
}
