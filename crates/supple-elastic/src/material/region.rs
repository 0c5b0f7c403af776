//! Parts of a body that are made of something else.

use crate::{ElasticError, Material, Part};
use supple_model::{ElementId, VertexId};

/// A part of a solid with its own stiffness or weight. What is `None` stays as it is in the body; where
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

impl Overlay for Region {
    type Of = Material;

    fn name(&self) -> &str {
        &self.name
    }

    fn extent(&self) -> &Extent {
        &self.extent
    }

    fn over(&self, material: &Material) -> Material {
        Material {
            law: material.law,
            young: self.young.unwrap_or(material.young),
            poisson: self.poisson.unwrap_or(material.poisson),
            density: self.density.unwrap_or(material.density),
        }
    }
}

/// The numbers an element is made of.
pub(crate) trait Substance: Copy {
    /// Checks them; `part` is blamed.
    fn check(&self, part: &Part) -> Result<(), ElasticError>;
}

/// A region of some kind of body.
pub(crate) trait Overlay {
    /// What that kind of body is made of.
    type Of: Substance;

    fn name(&self) -> &str;
    fn extent(&self) -> &Extent;
    /// `substance` with this region's numbers in place of its own.
    fn over(&self, substance: &Self::Of) -> Self::Of;
}

/// What every element is made of. `elements` are their corners, among so many `vertices`.
pub(crate) fn element_substances<R: Overlay>(
    elements: &[impl AsRef<[VertexId]>],
    vertices: usize,
    substance: R::Of,
    regions: &[R],
) -> Result<Vec<R::Of>, ElasticError> {
    substance.check(&Part::Body)?;
    let mut substances = vec![substance; elements.len()];
    for region in regions {
        let part = Part::Region(region.name().to_string());
        region.over(&substance).check(&part)?;
        for element in region.extent().among(elements, vertices, &part)? {
            let own = &mut substances[element.index()];
            *own = region.over(own);
        }
    }
    Ok(substances)
}

impl Extent {
    /// The elements it holds; `part` is blamed when there are none or one does not exist.
    fn among(
        &self,
        elements: &[impl AsRef<[VertexId]>],
        vertices: usize,
        part: &Part,
    ) -> Result<Vec<ElementId>, ElasticError> {
        let part = || part.clone();
        let held: Vec<ElementId> = match self {
            Self::Elements(list) => {
                let count = elements.len();
                if let Some(&element) = list.iter().find(|e| e.index() >= count) {
                    return Err(ElasticError::NoSuchElement { part: part(), element, elements: count });
                }
                list.clone()
            }
            Self::Vertices(list) => {
                let inside = membership(list, vertices, part)?;
                let whole = |corners: &[VertexId]| corners.iter().all(|v| inside[v.index()]);
                (0..elements.len()).filter(|&e| whole(elements[e].as_ref())).map(ElementId::new).collect()
            }
        };
        if held.is_empty() { Err(ElasticError::EmptyRegion { part: part() }) } else { Ok(held) }
    }
}

/// For every element the last region that says how stiff it is there, if any does. `elements` are their corners, among so
/// many `vertices`.
pub(crate) fn stiffening(
    elements: &[impl AsRef<[VertexId]>],
    vertices: usize,
    regions: &[Region],
) -> Result<Vec<Option<usize>>, ElasticError> {
    let mut found = vec![None; elements.len()];
    for (k, region) in regions.iter().enumerate().filter(|(_, region)| region.young.is_some()) {
        let part = Part::Region(region.name.clone());
        for element in region.extent.among(elements, vertices, &part)? {
            found[element.index()] = Some(k);
        }
    }
    Ok(found)
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
