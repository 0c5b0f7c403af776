//! The shots that are dragged: bodies of Barbič, Sin and Grinspun 2012 with the counts of its Table 1.
//!
//! What an event of a drag costs does not depend on what the input motion is, so most bodies swing in their
//! first modes, which takes no simulation. The dragon tumbles down its stairs for real: its contacts count.

use super::super::BenchOptions;
use anyhow::Context;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::path::PathBuf;
use std::sync::Arc;
use supple_elastic::Basis;
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, Progress};
use supple_project::shot::{self, Contacts, Handle, Input, Shot};
use supple_project::{Body, Cache, DragMethod, MotionOutput, Moving, Sample, prepare_modes};
use tempfile::TempDir;

/// Skins are divided until they have about this many vertices.
const SKIN: usize = 100_000;
/// How far the swinging bodies swing, as a part of their size.
const SWING: f64 = 0.05;

/// A shot in a folder of its own, with its cache.
pub struct TempShot {
    pub name: String,
    folder: TempDir,
    pub shot: Shot,
}

impl TempShot {
    /// The bridge of `--data` with its skin divided finely, or the built-in one, swinging.
    pub fn bridge(
        options: &BenchOptions,
        modes: usize,
        frames: usize,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (name, shot) = match &options.data {
            None => ("bridge", Shot::load(&Sample::named("bridge")?.write_full(folder.path())?)?),
            Some(data) => {
                let data = std::path::absolute(data)?;
                let skin = folder.path().join("skin.obj");
                finer(&data.join("bridge.obj"), &skin)
                    .with_context(|| format!("--data {} must contain bridge.obj", data.display()))?;
                let body = shot::Body {
                    material: Some(shot::Material { young: 2e6, ..shot::Material::default() }),
                    anchors: vec![shot::Anchor::File(data.join("bridge.bou"))],
                    skin: Some(shot::Skin { mesh: skin, embedding: None }),
                    ..shot::Body::new(shot::BodyKind::Solid, data.join("bridge.abq"))
                };
                let mut shot = Shot::new(folder.path(), body)?;
                shot.edit.feel = shot::Feel::Lively;
                ("bridge (data)", shot)
            }
        };
        Self { name: name.into(), folder, shot }.swinging(modes, frames, progress)
    }

    /// A built-in body, swinging.
    pub fn sample(name: &str, modes: usize, frames: usize, progress: &Progress) -> anyhow::Result<Self> {
        Self::as_it_is(name, modes)?.swinging(modes, frames, progress)
    }

    /// A box of so many voxels along each axis, held at its first side, swinging.
    pub fn boxed(
        voxels: [usize; 3],
        modes: usize,
        frames: usize,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mesh = folder.path().join("box.inp");
        std::fs::write(&mesh, box_of(voxels))?;
        let body = shot::Body {
            anchors: vec![shot::Anchor::Group("held".into())],
            ..shot::Body::new(shot::BodyKind::Voxels, mesh)
        };
        let shot = Shot::new(folder.path(), body)?;
        Self { name: "box".into(), folder, shot }.swinging(modes, frames, progress)
    }

    /// A built-in shot with its own motion.
    pub fn as_it_is(name: &str, modes: usize) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut shot = Shot::load(&Sample::named(name)?.write_full(folder.path())?)?;
        shot.edit.modes = modes;
        shot.edit.handles.clear();
        Ok(Self { name: name.into(), folder, shot })
    }

    /// The same with contacts from a list, none of them taken together.
    pub fn touching(mut self, contacts: &[supple_model::Contact]) -> anyhow::Result<Self> {
        let file = self.folder.path().join("contacts.csv");
        std::fs::write(&file, super::contacts::table(contacts))?;
        let cluster = shot::Clustering::Apart;
        self.shot.contacts = Some(Contacts { cluster, ..Contacts::of_file(file) });
        Ok(self)
    }

    /// The file of the shot, if it is saved; its cache is beside it.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("shot.toml")
    }

    /// Everything from the files to an editor without handles; modes and simulations from the cache if there.
    pub fn open(&self, progress: &Progress) -> anyhow::Result<DragMethod> {
        let body = Arc::new(Body::load(&self.shot)?);
        Ok(DragMethod::open(&self.shot, body, &Cache::of_shot(&self.path()), progress)?)
    }

    /// The same with the handles on the linear edit, warped afterwards, as published.
    pub fn open_post_warp(&self, handles: Vec<Handle>, progress: &Progress) -> anyhow::Result<DragMethod> {
        let mut shot = self.shot.clone();
        shot.edit.exact = false;
        shot.edit.handles = handles;
        let body = Arc::new(Body::load(&shot)?);
        Ok(DragMethod::open(&shot, body, &Cache::of_shot(&self.path()), progress)?)
    }

    /// Gives the shot an input in which the body swings in its first modes.
    fn swinging(mut self, modes: usize, frames: usize, progress: &Progress) -> anyhow::Result<Self> {
        self.shot.edit.modes = modes;
        self.shot.edit.handles.clear();
        let body = Body::load(&self.shot)?;
        let prepared = prepare_modes(&body, modes, &Cache::of_shot(&self.path()), progress)?.modes;
        let first = prepared.rigid();
        let reach: Vec<f64> = (first..first + 3)
            .map(|k| prepared.shape(k).iter().fold(0.0, |most: f64, x| most.max(x.abs())))
            .collect();
        let size = supple_mesh::Aabb::around(body.positions()).size().norm();
        let basis = Basis::of(prepared);
        let file = self.folder.path().join("input.pc2");
        let mut output =
            MotionOutput::create(&file, &body, Moving::Body, Clock { start: Frame(1), frames, fps: 24.0 })?;
        let mut u = vec![0.0; 3 * body.positions().len()];
        for frame in 0..frames {
            let mut z = vec![0.0; modes];
            for (k, reach) in reach.iter().enumerate() {
                let turn = TAU * frame as f64 * (k + 1) as f64 / 48.0;
                z[first + k] = SWING * size / reach * turn.sin();
            }
            basis.displacement(&z, &mut u);
            let moved = u.chunks_exact(3).map(Vec3::from_column_slice);
            let positions: Vec<[f64; 3]> =
                body.positions().iter().zip(moved).map(|(x, u)| (x + u).into()).collect();
            output.write(&positions, &[])?;
        }
        output.finish()?;
        self.shot.motion = shot::Motion { input: Input::File(file), ..shot::Motion::default() };
        Ok(self)
    }
}

/// A box of voxels as an Abaqus file.
fn box_of([x, y, z]: [usize; 3]) -> String {
    let vertex = |i: usize, j: usize, k: usize| 1 + (i * (y + 1) + j) * (z + 1) + k;
    let mut nodes = String::from("*NODE\n");
    let mut cells = String::from("*ELEMENT, TYPE=C3D8\n");
    let mut held = String::from("*NSET, NSET=held\n");
    for i in 0..=x {
        for j in 0..=y {
            for k in 0..=z {
                let v = vertex(i, j, k);
                nodes += &format!("{v}, {}, {}, {}\n", 0.25 * i as f64, 0.25 * j as f64, 0.25 * k as f64);
                if i == 0 {
                    held += &format!("{v}\n");
                }
                if i < x && j < y && k < z {
                    let floor =
                        |k| [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| vertex(i, j, k));
                    let corners = [floor(k), floor(k + 1)].concat();
                    let corners: Vec<String> = corners.iter().map(usize::to_string).collect();
                    cells += &format!("{}, {}\n", 1 + (i * y + j) * z + k, corners.join(", "));
                }
            }
        }
    }
    nodes + &cells + &held
}

/// Writes a surface with its triangles in four each, again and again until there are vertices enough.
fn finer(from: &std::path::Path, to: &std::path::Path) -> anyhow::Result<()> {
    let supple_formats::MeshFile::Surface(mut file) = supple_formats::load_mesh(from)? else {
        anyhow::bail!("{} is no surface", from.display());
    };
    while file.positions.len() < SKIN {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut triangles = Vec::with_capacity(4 * file.triangles.len());
        for [a, b, c] in file.triangles {
            if file.positions.len() >= SKIN {
                triangles.push([a, b, c]);
                continue;
            }
            let mut middle = |v: u32, w: u32| {
                *middles.entry((v.min(w), v.max(w))).or_insert_with(|| {
                    let (p, q) = (file.positions[v as usize], file.positions[w as usize]);
                    file.positions.push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
                    file.positions.len() as u32 - 1
                })
            };
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        file.triangles = triangles;
    }
    let surface = supple_formats::SurfaceFile {
        positions: file.positions,
        triangles: file.triangles,
        ..supple_formats::SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    supple_formats::write_obj(&surface, &mut bytes)?;
    Ok(std::fs::write(to, bytes)?)
}
