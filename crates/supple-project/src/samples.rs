//! The built-in shots: bodies this program makes itself, so that there is something to work on before
//! any file of one's own.

use crate::shot::{self, Anchor, BodyKind, Shot};
use crate::{ShotError, atomic};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supple_formats::{Elements, Group, SurfaceFile, VolumeFile};
use supple_mesh::shapes::{self, Shape};
use supple_mesh::{FillError, Vec3};

/// A built-in shot.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    shape: fn() -> Result<Shape, FillError>,
    anchors: &'static str,
    material: shot::Material,
    modes: usize,
}

/// Every built-in shot, by name.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "beam",
        about: "a rubber beam held at its left end",
        shape: shapes::beam,
        anchors: "left",
        material: shot::Material {
            law: shot::Law::StVenantKirchhoff,
            young: 1e6,
            poisson: 0.45,
            density: 1000.0,
        },
        modes: 60,
    },
    Sample {
        name: "bridge",
        about: "a suspension bridge with two masts, soft enough to sway",
        shape: shapes::bridge,
        anchors: "base",
        material: shot::Material {
            law: shot::Law::StVenantKirchhoff,
            young: 2e6,
            poisson: 0.45,
            density: 1000.0,
        },
        modes: 100,
    },
];

/// Why a sample could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is none of this name.
    #[error("there is no sample {name:?}; there are {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A file of the sample is there already, and may be somebody's work.
    #[error("{} is there already; choose another folder with -o, or remove it first", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The shape could not be made.
    #[error(transparent)]
    Shape(#[from] FillError),
    /// A file could not be written.
    #[error("{} could not be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The shot could not be saved.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

fn names() -> String {
    SAMPLES.iter().map(|sample| sample.name).collect::<Vec<_>>().join(", ")
}

impl Sample {
    /// The sample of this name.
    ///
    /// # Errors
    /// [`SampleError::Unknown`] lists the names there are.
    pub fn named(name: &str) -> Result<&'static Self, SampleError> {
        SAMPLES
            .iter()
            .find(|sample| sample.name == name)
            .ok_or_else(|| SampleError::Unknown { name: name.to_owned() })
    }

    /// Writes mesh, skin and shot file to `folder`, which is made if need be; returns the path of the
    /// shot. Files of these names are not overwritten.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        let path = |ending: &str| folder.join(format!("{}{ending}", self.name));
        let (mesh_file, skin_file, shot_file) = (path(".inp"), path("-skin.obj"), path(".toml"));
        for file in [&mesh_file, &skin_file, &shot_file] {
            if file.exists() {
                return Err(SampleError::Exists { file: file.clone() });
            }
        }
        let shape = (self.shape)()?;
        fs::create_dir_all(folder)
            .map_err(|source| SampleError::Write { file: folder.to_path_buf(), source })?;
        write(&mesh_file, |out| supple_formats::write_abaqus(&volume(&shape), out))?;
        let name_of = |file: &Path| file.file_name().map(PathBuf::from).unwrap_or_default();
        let mut body = shot::Body::new(BodyKind::Solid, name_of(&mesh_file));
        if let Some(skin) = &shape.skin {
            let surface = SurfaceFile {
                positions: points(skin.positions()),
                triangles: skin.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
                ..SurfaceFile::default()
            };
            write(&skin_file, |out| supple_formats::write_obj(&surface, out))?;
            body.skin = Some(shot::Skin { mesh: name_of(&skin_file), embedding: None });
        }
        body.material = Some(self.material);
        body.anchors = vec![Anchor::Group(self.anchors.into())];
        let mut shot = Shot::new(folder, body)?;
        shot.edit.modes = self.modes;
        shot.save(&shot_file)?;
        Ok(shot_file)
    }
}

fn write(file: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), SampleError> {
    let mut bytes = Vec::new();
    content(&mut bytes)
        .and_then(|()| atomic::replace(file, &bytes))
        .map_err(|source| SampleError::Write { file: file.to_path_buf(), source })
}

fn points(positions: &[Vec3]) -> Vec<[f64; 3]> {
    positions.iter().map(|p| (*p).into()).collect()
}

fn volume(shape: &Shape) -> VolumeFile {
    VolumeFile {
        positions: points(shape.mesh.positions()),
        elements: Elements::Tets(shape.mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        vertex_groups: shape
            .groups
            .iter()
            .map(|(name, vertices)| Group {
                name: name.to_owned(),
                members: vertices.iter().map(|v| v.0).collect(),
            })
            .collect(),
        ..VolumeFile::default()
    }
}
