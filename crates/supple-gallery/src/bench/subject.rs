//! The bodies benches work on.

use super::BenchOptions;
use anyhow::Context;
use std::sync::Arc;
use supple_elastic::ElasticBody;
use supple_project::shot::{self, Shot};
use supple_project::{Body, Sample};

/// A body and what to call it.
pub struct Subject {
    pub name: String,
    pub body: Body,
    /// The same body under the linear law, where its kind has laws: its force at u is K u.
    pub linear: Arc<ElasticBody>,
}

impl Subject {
    fn of(name: &str, mut shot: Shot) -> anyhow::Result<Self> {
        let body = Body::load(&shot)?;
        let material = shot.body.material.unwrap_or_default();
        shot.body.material = Some(shot::Material { law: shot::Law::Linear, ..material });
        Ok(Self { name: name.into(), body, linear: Body::load(&shot)?.elastic })
    }
}

/// The bridge of `--data`, or the one this program makes.
pub fn bridge(options: &BenchOptions) -> anyhow::Result<Subject> {
    given(options, "bridge", 2e6)
}

/// The dinosaur of `--data`, or the one this program makes.
pub fn dinosaur(options: &BenchOptions) -> anyhow::Result<Subject> {
    given(options, "dinosaur", 3e6)
}

fn given(options: &BenchOptions, name: &str, young: f64) -> anyhow::Result<Subject> {
    let Some(folder) = &options.data else {
        return built_in(name);
    };
    let spec = shot::Body {
        material: Some(shot::Material { young, ..shot::Material::default() }),
        anchors: vec![shot::Anchor::File(format!("{name}.bou").into())],
        ..shot::Body::new(shot::BodyKind::Solid, format!("{name}.abq"))
    };
    Subject::of(&format!("{name} (data)"), Shot::new(folder, spec)?)
        .with_context(|| format!("--data {} must contain {name}.abq and {name}.bou", folder.display()))
}

/// A sample.
pub fn built_in(name: &str) -> anyhow::Result<Subject> {
    let folder = tempfile::tempdir()?;
    let shot = Sample::named(name)?.write_full(folder.path())?;
    Subject::of(name, Shot::load(&shot)?)
}
