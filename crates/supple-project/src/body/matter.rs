//! What bodies are made of: from the shot's words, and the file's, to elastic bodies.

use super::BodyError;
use super::rest::{Rest, RestMesh};
use crate::shot::{self, BodyKind, Shot};
use std::path::Path;
use std::sync::Arc;
use supple_elastic::{
    Cloth, ElasticBody, Extent, Fabric, FabricRegion, Law, Material, Network, Region, Solid, SpringMass,
    SpringMaterial, SpringRegion, SpringStiffness, Springs, Voxels,
};
use supple_mesh::{Aabb, MeshError, Vec3};
use supple_model::{ElementId, Progress};

/// The thickness of a cloth or spring that says none, as a part of the body's size.
const THICKNESS: f64 = 1e-3;

/// An elastic body of one kind or another, with its mesh.
#[derive(Clone, Debug)]
pub enum Matter {
    /// Tets.
    Solid(Arc<Solid>),
    /// Hexahedra.
    Voxels(Arc<Voxels>),
    /// Triangles that stretch and bend.
    Cloth(Arc<Cloth>),
    /// Points with springs between them.
    Springs(Arc<Springs>),
}

impl Matter {
    /// The body, whatever its kind.
    #[must_use]
    pub fn elastic(&self) -> Arc<ElasticBody> {
        match self {
            Self::Solid(body) => body.clone(),
            Self::Voxels(body) => body.clone(),
            Self::Cloth(body) => body.clone(),
            Self::Springs(body) => body.clone(),
        }
    }

    /// How many elements it has.
    #[must_use]
    pub fn elements(&self) -> usize {
        match self {
            Self::Solid(body) => body.mesh().tets().len(),
            Self::Voxels(body) => body.mesh().voxels().len(),
            Self::Cloth(body) => body.mesh().triangles().len(),
            Self::Springs(body) => body.mesh().springs().len(),
        }
    }

    /// What its elements are called.
    #[must_use]
    pub fn element_name(&self) -> &'static str {
        match self {
            Self::Solid(_) => "tets",
            Self::Voxels(_) => "voxels",
            Self::Cloth(_) => "triangles",
            Self::Springs(_) => "springs",
        }
    }

    /// Makes a rest shape of the shot's material, or of the file's where the shot names none.
    pub(super) fn new(spec: &shot::Body, rest: Rest, file: &Path) -> Result<Self, BodyError> {
        let mut regions = Vec::new();
        if spec.material.is_none() {
            regions.extend(file_regions(&rest));
        }
        for region in &spec.regions {
            regions.push(named_region(region, &rest)?);
        }
        let material = spec.material.unwrap_or_default();
        let thickness = thickness(&material, rest.mesh.positions());
        let solid_regions = || -> Vec<Region> { regions.iter().map(PartialMaterial::of_solid).collect() };
        Ok(match (spec.kind, rest.mesh) {
            (BodyKind::Solid, RestMesh::Tets(mesh)) => {
                Self::Solid(Arc::new(Solid::new(mesh, elastic_material(material), &solid_regions())?))
            }
            (BodyKind::Voxels, RestMesh::Voxels(mesh)) => {
                Self::Voxels(Arc::new(Voxels::new(mesh, elastic_material(material), &solid_regions())?))
            }
            (BodyKind::Cloth, RestMesh::Triangles(mesh)) => {
                let regions: Vec<FabricRegion> = regions.iter().map(PartialMaterial::of_cloth).collect();
                Self::Cloth(Arc::new(Cloth::new(mesh, fabric(material, thickness), &regions)?))
            }
            (BodyKind::Springs, mesh) => {
                let network = network(&mesh)
                    .map_err(|problem| BodyError::Mesh { file: file.to_path_buf(), problem })?;
                let regions: Vec<SpringRegion> = regions
                    .iter()
                    .map(|region| region.of_springs(material.young, thickness))
                    .collect::<Result<_, _>>()?;
                Self::Springs(Arc::new(Springs::new(network, springs(material, thickness), &regions)?))
            }
            (BodyKind::Character, _) => return Err(BodyError::Kind { kind: spec.kind.name() }),
            (kind, mesh) => return Err(mismatch(file, kind, &mesh)),
        })
    }
}

fn mismatch(file: &Path, kind: BodyKind, mesh: &RestMesh) -> BodyError {
    BodyError::Content {
        file: file.to_path_buf(),
        found: match mesh {
            RestMesh::Tets(_) => "the elements are tets",
            RestMesh::Voxels(_) => "the elements are hexahedra",
            RestMesh::Triangles(_) => "this is a surface",
        },
        needed: match kind {
            BodyKind::Voxels => {
                "a body of kind \"voxels\" needs hexahedra; name a `surface` to fill it with some"
            }
            BodyKind::Cloth => "a body of kind \"cloth\" needs a surface",
            _ => "a body of kind \"solid\" needs tets; name it as `surface` to fill it with some",
        },
    }
}

fn network(mesh: &RestMesh) -> Result<Network, MeshError> {
    let positions: Vec<Vec3> = mesh.positions().to_vec();
    match mesh {
        RestMesh::Tets(mesh) => Network::between_corners(positions, mesh.tets()),
        RestMesh::Voxels(mesh) => Network::between_corners(positions, mesh.voxels()),
        RestMesh::Triangles(mesh) => Network::between_corners(positions, mesh.triangles()),
    }
}

/// The regions of the body of a shot as they are to a solid, those its file brings along first.
pub(crate) fn solid_regions(shot: &Shot, progress: &Progress) -> Result<Vec<Region>, BodyError> {
    let rest = Rest::load(shot, None, progress)?;
    let mut regions = if shot.body.material.is_none() { file_regions(&rest) } else { Vec::new() };
    for region in &shot.body.regions {
        regions.push(named_region(region, &rest)?);
    }
    Ok(regions.iter().map(PartialMaterial::of_solid).collect())
}

/// How thick a cloth or spring of this material is.
pub(crate) fn thickness(material: &shot::Material, positions: &[Vec3]) -> f64 {
    material.thickness.unwrap_or_else(|| THICKNESS * Aabb::around(positions).size().max())
}

/// What a material of a shot is to an elastic body.
pub(crate) fn elastic_material(material: shot::Material) -> Material {
    let law = match material.law {
        shot::Law::Linear => Law::Linear,
        shot::Law::StVenantKirchhoff => Law::StVenantKirchhoff,
        shot::Law::NeoHookean => Law::NeoHookean,
    };
    Material { law, young: material.young, poisson: material.poisson, density: material.density }
}

fn fabric(material: shot::Material, thickness: f64) -> Fabric {
    let shot::Material { young, poisson, density, .. } = material;
    Fabric { young, poisson, thickness, density, shear: 1.0, bending: None }
}

/// Springs are rods of a square cross-section.
fn springs(material: shot::Material, thickness: f64) -> SpringMaterial {
    let section = thickness * thickness;
    SpringMaterial {
        stiffness: SpringStiffness::ByLength(material.young * section),
        mass: SpringMass::PerLength(material.density * section),
    }
}

/// A part of a body and the numbers that differ there.
struct PartialMaterial {
    name: String,
    extent: Extent,
    young: Option<f64>,
    poisson: Option<f64>,
    density: Option<f64>,
}

impl PartialMaterial {
    fn of_solid(&self) -> Region {
        Region {
            name: self.name.clone(),
            extent: self.extent.clone(),
            young: self.young,
            poisson: self.poisson,
            density: self.density,
        }
    }

    fn of_cloth(&self) -> FabricRegion {
        FabricRegion {
            name: self.name.clone(),
            extent: self.extent.clone(),
            young: self.young,
            poisson: self.poisson,
            thickness: None,
            density: self.density,
            shear: None,
            bending: None,
        }
    }

    /// Springs know no sideways contraction, and their mass comes from the whole.
    fn of_springs(&self, young: f64, thickness: f64) -> Result<SpringRegion, BodyError> {
        if self.poisson.is_some() || self.density.is_some() {
            return Err(BodyError::SpringRegion { region: self.name.clone() });
        }
        let stiffness = SpringStiffness::ByLength(self.young.unwrap_or(young) * thickness * thickness);
        Ok(SpringRegion { name: self.name.clone(), extent: self.extent.clone(), stiffness })
    }
}

/// The materials a mesh file brings along.
fn file_regions(rest: &Rest) -> Vec<PartialMaterial> {
    let of_element = &rest.element_materials;
    let materials = rest.materials.iter().enumerate().map(|(m, material)| {
        let elements = (0..of_element.len()).filter(|&e| of_element[e] == Some(m)).map(ElementId::new);
        PartialMaterial {
            name: material.name.clone(),
            extent: Extent::Elements(elements.collect()),
            young: Some(material.young),
            poisson: Some(material.poisson),
            density: Some(material.density),
        }
    });
    materials.filter(|m| !matches!(&m.extent, Extent::Elements(elements) if elements.is_empty())).collect()
}

/// A region names a group of elements, or else of vertices.
fn named_region(region: &shot::Region, rest: &Rest) -> Result<PartialMaterial, BodyError> {
    let extent = match rest.element_groups.iter().find(|group| group.name == region.group) {
        Some(group) => Extent::Elements(group.members.iter().copied().map(ElementId).collect()),
        None => {
            let vertices = rest.groups.get(&region.group).map_err(|problem| BodyError::Select {
                part: format!("region \"{}\"", region.group),
                problem,
            })?;
            Extent::Vertices(vertices.to_vec())
        }
    };
    let (young, poisson, density) = (region.young, region.poisson, region.density);
    Ok(PartialMaterial { name: region.group.clone(), extent, young, poisson, density })
}
