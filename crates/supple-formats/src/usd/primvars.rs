//! Values that ride on a mesh: texture coordinates, normals, colours, groups.
//!
//! Each has as many values as its *interpolation* says: one (`constant`), one per face (`uniform`), per vertex
//! (`vertex`, `varying`) or per corner (`faceVarying`); or indices of that number into fewer values.

use super::attribute::Attribute;
use super::compose::{Prim, Stage};
use crate::group::Groups;
use crate::{FormatError, SurfaceFile};

/// A corner of a mesh, by all its numbers.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub face: usize,
    pub vertex: usize,
    /// Counted over all corners of the file.
    pub corner: usize,
}

pub(super) struct Primvar {
    interpolation: String,
    pub numbers: Vec<f64>,
    indices: Option<Vec<f64>>,
}

impl Primvar {
    pub fn read(stage: &Stage, prim: &Prim, name: &str) -> Result<Option<Self>, FormatError> {
        let Some(attribute) = Attribute::find(stage, prim, name) else {
            return Ok(None);
        };
        let indices = Attribute::find(stage, prim, &format!("{name}:indices"));
        let fallback = if name.starts_with("primvars:") { "constant" } else { "vertex" };
        Ok(Some(Self {
            numbers: attribute.numbers()?,
            indices: indices.map(|indices| indices.numbers()).transpose()?,
            interpolation: attribute.interpolation.unwrap_or_else(|| fallback.to_owned()),
        }))
    }

    /// Which of the values, of `size` numbers each, a corner has.
    pub fn index(&self, corner: Corner, size: usize) -> Option<u32> {
        let at = match self.interpolation.as_str() {
            "constant" => 0,
            "uniform" => corner.face,
            "faceVarying" => corner.corner,
            _ => corner.vertex,
        };
        let at = match &self.indices {
            None => at,
            Some(indices) => {
                let index = *indices.get(at)?;
                (index >= 0.0).then_some(index as usize)?
            }
        };
        (at < self.numbers.len() / size).then_some(at as u32)
    }

    fn is_per_vertex(&self) -> bool {
        matches!(self.interpolation.as_str(), "vertex" | "varying")
    }

    /// The values, of `N` finite numbers each.
    pub fn values<const N: usize>(&self) -> Vec<[f64; N]> {
        let (values, _) = self.numbers.as_chunks::<N>();
        values.iter().map(|value| value.map(|x| if x.is_finite() { x } else { 0.0 })).collect()
    }
}

/// The texture coordinates of a mesh: `st` where there is one, else the first that are any.
pub(super) fn find_uvs(stage: &Stage, prim: &Prim) -> Result<Option<Primvar>, FormatError> {
    let mut names = Attribute::names(stage, prim, "primvars:");
    names.retain(|name| {
        let type_name = Attribute::find(stage, prim, name).map(|attribute| attribute.type_name);
        let is_named =
            matches!(name.as_str(), "primvars:st" | "primvars:uv" | "primvars:UVMap" | "primvars:map1");
        type_name.is_some_and(|of| of.starts_with("texCoord2") || (is_named && of.starts_with("float2")))
    });
    let chosen = names.iter().find(|name| *name == "primvars:st").or(names.first());
    chosen.map_or(Ok(None), |name| Primvar::read(stage, prim, name))
}

/// Normals, and under which name the file has them.
pub(super) fn find_normals(stage: &Stage, prim: &Prim) -> Result<Option<Primvar>, FormatError> {
    match Primvar::read(stage, prim, "primvars:normals")? {
        Some(normals) => Ok(Some(normals)),
        None => Primvar::read(stage, prim, "normals"),
    }
}

/// One colour for each vertex, where the file has colours for them or one for all.
pub(super) fn read_colours(
    stage: &Stage,
    prim: &Prim,
    corners: &[Corner],
    vertices: usize,
) -> Result<Vec<[f64; 3]>, FormatError> {
    let Some(colours) = Primvar::read(stage, prim, "primvars:displayColor")? else {
        return Ok(Vec::new());
    };
    let values = colours.values::<3>();
    if values.is_empty() || colours.interpolation == "constant" {
        // One colour for the whole is not a property of its vertices.
        return Ok(Vec::new());
    }
    let mut out = vec![[0.0; 3]; vertices];
    for corner in corners.iter().rev() {
        if let Some(index) = colours.index(*corner, 3) {
            out[corner.vertex] = values[index as usize];
        }
    }
    Ok(out)
}

/// The rest shape, where there is one.
pub(super) fn read_rest(
    stage: &Stage,
    prim: &Prim,
    vertices: usize,
) -> Result<Option<Vec<[f64; 3]>>, FormatError> {
    for name in ["primvars:rest", "primvars:Pref", "primvars:pref", "primvars:rest_position", "rest", "Pref"]
    {
        if let Some(rest) = Primvar::read(stage, prim, name)?
            && rest.numbers.len() == 3 * vertices
            && rest.indices.is_none()
        {
            let is_finite = rest.numbers.iter().all(|x| x.is_finite());
            return Ok(is_finite.then(|| rest.values::<3>()));
        }
    }
    Ok(None)
}

/// Groups of the vertices at which a number is above 0.
pub(super) fn read_groups(
    stage: &Stage,
    prim: &Prim,
    surface: &SurfaceFile,
    groups: &mut Groups,
) -> Result<(), FormatError> {
    const NUMBERS: [&str; 8] =
        ["float[]", "double[]", "half[]", "int[]", "uint[]", "int64[]", "bool[]", "uchar[]"];
    for name in Attribute::names(stage, prim, "primvars:") {
        let short = name.trim_start_matches("primvars:").to_owned();
        let type_name = Attribute::find(stage, prim, &name).map(|attribute| attribute.type_name);
        if short.contains(':') || !type_name.is_some_and(|of| NUMBERS.contains(&of.as_str())) {
            continue;
        }
        let Some(weights) = Primvar::read(stage, prim, &name)?.filter(Primvar::is_per_vertex) else {
            continue;
        };
        let vertices = (0..surface.positions.len()).filter(|&vertex| {
            let corner = Corner { face: 0, vertex, corner: 0 };
            weights.index(corner, 1).is_some_and(|index| weights.numbers[index as usize] > 0.0)
        });
        let members: Vec<u32> = vertices.map(|vertex| vertex as u32).collect();
        let group = groups.named(&short);
        groups.members_mut(group).extend(members);
    }
    Ok(())
}
