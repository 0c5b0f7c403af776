//! What a file of volume elements holds.

use crate::Group;
use std::collections::{HashMap, HashSet};

/// The contents of a file of volume elements, as they stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeFile {
    /// Where the vertices are, in the order of the file.
    pub positions: Vec<[f64; 3]>,
    /// The elements, all of one kind, in the order of the file.
    pub elements: Elements,
    /// Named groups of vertices.
    pub vertex_groups: Vec<Group>,
    /// Named groups of elements.
    pub element_groups: Vec<Group>,
    /// Materials, where the file has them.
    pub materials: Vec<Material>,
    /// Which elements are made of which material; where regions overlap the last one holds.
    pub regions: Vec<Region>,
}

/// Volume elements by their corners, which are indices into [`VolumeFile::positions`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Tetrahedra.
    Tets(Vec<[u32; 4]>),
    /// Hexahedra: a face of four corners in turn, then the four opposite them, as in the unit cube
    /// 000, 100, 110, 010, 001, 101, 111, 011.
    Hexes(Vec<[u32; 8]>),
}

/// An isotropic material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name in the file.
    pub name: String,
    /// Mass per volume.
    pub density: f64,
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

/// Says that a group of elements is made of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name of an element group, or [`Region::ALL_ELEMENTS`].
    pub group: String,
    /// The name of a material.
    pub material: String,
}

impl Region {
    /// The name that stands for every element, unless a group has it.
    pub const ALL_ELEMENTS: &str = "allElements";
}

impl Default for Elements {
    fn default() -> Self {
        Self::Tets(Vec::new())
    }
}

impl Elements {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Tets(tets) => tets.len(),
            Self::Hexes(hexes) => hexes.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl VolumeFile {
    /// For every element the index of its material, or `None` where no region covers it.
    #[must_use]
    pub fn element_materials(&self) -> Vec<Option<usize>> {
        let groups: HashMap<&str, &Group> =
            self.element_groups.iter().map(|group| (group.name.as_str(), group)).collect();
        let materials: HashMap<&str, usize> =
            self.materials.iter().enumerate().map(|(i, material)| (material.name.as_str(), i)).collect();
        let mut of_element = vec![None; self.elements.len()];
        let mut done = HashSet::new();
        // From the last region back: the first material to reach an element stays, and a group that
        // comes up again can change nothing, so the work is bounded by the size of the groups.
        for region in self.regions.iter().rev().filter(|region| done.insert(region.group.as_str())) {
            let material = materials.get(region.material.as_str()).copied();
            let mut assign = |slot: &mut Option<usize>| *slot = slot.or(material);
            match groups.get(region.group.as_str()) {
                Some(group) => {
                    for &element in &group.members {
                        of_element.get_mut(element as usize).map(&mut assign);
                    }
                }
                None if region.group == Region::ALL_ELEMENTS => of_element.iter_mut().for_each(assign),
                None => {}
            }
        }
        of_element
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_region_holds() {
        let material = |name: &str| Material { name: name.into(), density: 1.0, young: 1.0, poisson: 0.0 };
        let region = |group: &str, material: &str| Region { group: group.into(), material: material.into() };
        let file = VolumeFile {
            elements: Elements::Tets(vec![[0, 1, 2, 3]; 4]),
            element_groups: vec![
                Group { name: "a".into(), members: vec![0, 1] },
                Group { name: "b".into(), members: vec![1, 2] },
            ],
            materials: vec![material("soft"), material("hard")],
            regions: vec![region("a", "soft"), region("b", "hard"), region("a", "hard"), region("b", "soft")],
            ..VolumeFile::default()
        };
        assert_eq!(file.element_materials(), [Some(1), Some(0), Some(0), None]);

        let all = VolumeFile { regions: vec![region("allElements", "hard"), region("b", "soft")], ..file };
        assert_eq!(all.element_materials(), [Some(1), Some(0), Some(0), Some(1)]);
    }
}
