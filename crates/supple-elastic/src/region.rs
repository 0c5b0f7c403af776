//! Parts of a body that are made of something else.

use crate::{ElasticError, Material, Part};
use supple_mesh::TetMesh;
use supple_model::{ElementId, VertexId};

/// A part of a body with its own stiffness or weight. What is `None` stays as it is in the body; where
/// regions overlap the later one wins, number by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// What errors call it.
    pub name: String,
    /// Which elements it holds.
    pub extent: Extent,
    /// Young's modulus, pascals.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
    /// Kilograms per cubic metre.
    pub density: Option<f64>,
}

/// How a region says which elements it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// These.
    Elements(Vec<ElementId>),
    /// Those whose vertices are all among these.
    Vertices(Vec<VertexId>),
}

impl Region {
    /// `material` with this region's numbers in place of its own.
    fn over(&self, material: &Material) -> Material {
        Material {
            law: material.law,
            young: self.young.unwrap_or(material.young),
            poisson: self.poisson.unwrap_or(material.poisson),
            density: self.density.unwrap_or(material.density),
        }
    }

    /// The elements of `mesh` that belong to this region.
    fn elements(&self, mesh: &TetMesh) -> Result<Vec<ElementId>, ElasticError> {
        let part = || Part::Region(self.name.clone());
        let elements = match &self.extent {
            Extent::Elements(list) => {
                let count = mesh.tets().len();
                if let Some(&element) = list.iter().find(|e| e.index() >= count) {
                    return Err(ElasticError::NoSuchElement { part: part(), element, elements: count });
                }
                list.clone()
            }
            Extent::Vertices(list) => {
                let inside = membership(list, mesh.positions().len(), part)?;
                let tets = mesh.tets().iter().enumerate();
                tets.filter(|(_, tet)| tet.iter().all(|v| inside[v.index()]))
                    .map(|(e, _)| ElementId::new(e))
                    .collect()
            }
        };
        if elements.is_empty() { Err(ElasticError::EmptyRegion { part: part() }) } else { Ok(elements) }
    }
}

/// The material of every element.
pub(crate) fn element_materials(
    mesh: &TetMesh,
    material: Material,
    regions: &[Region],
) -> Result<Vec<Material>, ElasticError> {
    material.check(&Part::Body)?;
    let mut materials = vec![material; mesh.tets().len()];
    for region in regions {
        region.over(&material).check(&Part::Region(region.name.clone()))?;
        for element in region.elements(mesh)? {
            let own = &mut materials[element.index()];
            *own = region.over(own);
        }
    }
    Ok(materials)
}

/// Which of `count` vertices are in `list`; `part` is blamed for one that does not exist.
pub(crate) fn membership(
    list: &[VertexId],
    count: usize,
    part: impl Fn() -> Part,
) -> Result<Vec<bool>, ElasticError> {
    let mut inside = vec![false; count];
    for &vertex in list {
        match inside.get_mut(vertex.index()) {
            Some(flag) => *flag = true,
            None => return Err(ElasticError::NoSuchVertex { part: part(), vertex, vertices: count }),
        }
    }
    Ok(inside)
}
