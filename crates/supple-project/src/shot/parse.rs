//! From the text of a shot file to its types, key by key.

use super::field::{Field, Section, Source};
use super::schema::{Anchor, Axis, Body, BodyKind, Edit, Law, Material, Region, Skin};
use crate::error::ShotError;
use std::path::Path;
use supple_model::VertexId;
use toml_edit::Document;

const LAWS: [Law; 3] = [Law::Linear, Law::StVenantKirchhoff, Law::NeoHookean];
const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// Reads a whole shot. `file` only names the text in errors.
pub(super) fn shot(file: &Path, text: &str) -> Result<(Body, Edit), ShotError> {
    let source = Source { file, text };
    let document = Document::parse(text).map_err(|error| ShotError::Syntax {
        at: source.at(error.span().map_or(0, |span| span.start)),
        message: error.message().replace('\n', ", "),
    })?;
    let root = Field::root(&source, document.as_table()).section(&["body", "edit"])?;
    let edit = root.optional("edit").map(|field| edit(&field)).transpose()?.unwrap_or_default();
    Ok((body(&root.required("body")?)?, edit))
}

fn body(field: &Field<'_>) -> Result<Body, ShotError> {
    let section = field.section(&["kind", "mesh", "skin", "embedding", "material", "anchors", "regions"])?;
    let material = section.optional("material");
    let anchors = section.optional("anchors");
    let regions = section.optional("regions");
    Ok(Body {
        kind: section.required("kind")?.choice(&[BodyKind::Solid], BodyKind::name)?,
        mesh: section.required("mesh")?.path()?,
        skin: skin(&section)?,
        material: material.map(|field| self::material(&field)).transpose()?.unwrap_or_default(),
        anchors: anchors.map(|field| self::anchors(&field)).transpose()?.unwrap_or_default(),
        regions: regions.map(|field| self::regions(&field)).transpose()?.unwrap_or_default(),
    })
}

fn skin(body: &Section<'_>) -> Result<Option<Skin>, ShotError> {
    let embedding = body.optional("embedding");
    match (body.optional("skin"), embedding) {
        (None, None) => Ok(None),
        (None, Some(embedding)) => Err(embedding.bad("hangs a skin on the body, but there is no `skin`")),
        (Some(mesh), embedding) => {
            let embedding = embedding.map(|field| field.path()).transpose()?;
            Ok(Some(Skin { mesh: mesh.path()?, embedding }))
        }
    }
}

fn material(field: &Field<'_>) -> Result<Material, ShotError> {
    let section = field.section(&["law", "young", "poisson", "density"])?;
    let default = Material::default();
    Ok(Material {
        law: section
            .optional("law")
            .map(|law| law.choice(&LAWS, Law::name))
            .transpose()?
            .unwrap_or(default.law),
        young: section.number("young")?.unwrap_or(default.young),
        poisson: section.number("poisson")?.unwrap_or(default.poisson),
        density: section.number("density")?.unwrap_or(default.density),
    })
}

fn anchors(field: &Field<'_>) -> Result<Vec<Anchor>, ShotError> {
    if field.is_list() {
        field.list("a table or a list of tables")?.iter().map(anchor).collect()
    } else {
        Ok(vec![anchor(field)?])
    }
}

fn anchor(field: &Field<'_>) -> Result<Anchor, ShotError> {
    let section = field.section(&["vertices", "group", "below", "above", "box", "file"])?;
    let keys: Vec<&str> = section.keys().collect();
    let [key] = keys.as_slice() else {
        return Err(field.bad(format!(
            "takes one of vertices, group, below, above, box or file, found {}; \
             for several write a list [{{ .. }}, {{ .. }}]",
            if keys.is_empty() { "none".to_owned() } else { keys.join(" and ") }
        )));
    };
    let value = section.optional(key).ok_or_else(|| field.bad("is empty"))?;
    Ok(match *key {
        "vertices" => Anchor::Vertices(vertices(&value)?),
        "group" => Anchor::Group(value.text()?.to_owned()),
        "below" => half_space(&value).map(|(axis, at)| Anchor::Below { axis, at })?,
        "above" => half_space(&value).map(|(axis, at)| Anchor::Above { axis, at })?,
        "box" => bounding_box(&value)?,
        _ => Anchor::File(value.path()?),
    })
}

fn vertices(field: &Field<'_>) -> Result<Vec<VertexId>, ShotError> {
    let list = field.list("a list of vertex numbers")?;
    if list.is_empty() {
        return Err(field.bad("is empty; leave `anchors` out for a free body"));
    }
    list.iter().map(|vertex| vertex.count().map(VertexId)).collect()
}

fn half_space(field: &Field<'_>) -> Result<(Axis, f64), ShotError> {
    let section = field.section(&["axis", "at"])?;
    Ok((section.required("axis")?.choice(&AXES, Axis::name)?, section.required("at")?.number()?))
}

fn bounding_box(field: &Field<'_>) -> Result<Anchor, ShotError> {
    let section = field.section(&["min", "max"])?;
    let (min, max) = (section.required("min")?.vector()?, section.required("max")?.vector()?);
    match (0..3).find(|&i| min[i] > max[i]) {
        None => Ok(Anchor::Box { min, max }),
        Some(i) => Err(field.bad(format!(
            "is empty: along {} its min {} is greater than its max {}",
            AXES[i].name(),
            min[i],
            max[i]
        ))),
    }
}

fn regions(field: &Field<'_>) -> Result<Vec<Region>, ShotError> {
    field.list("a list of tables")?.iter().map(region).collect()
}

fn region(field: &Field<'_>) -> Result<Region, ShotError> {
    let section = field.section(&["group", "young", "poisson", "density"])?;
    let region = Region {
        group: section.required("group")?.text()?.to_owned(),
        young: section.number("young")?,
        poisson: section.number("poisson")?,
        density: section.number("density")?,
    };
    if (region.young, region.poisson, region.density) == (None, None, None) {
        return Err(field.bad("changes nothing: give it young, poisson or density"));
    }
    Ok(region)
}

fn edit(field: &Field<'_>) -> Result<Edit, ShotError> {
    let section = field.section(&["modes"])?;
    let Some(modes) = section.optional("modes") else { return Ok(Edit::default()) };
    match modes.count()? {
        0 => Err(modes.bad("has to be at least 1")),
        count => Ok(Edit { modes: count as usize }),
    }
}
