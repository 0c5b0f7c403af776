//! A motion, imported as `supple new` does it and opened once, and what an edit of it writes.

use super::measure::Pull;
use super::surface::{Film, Surface};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_formats::{MeshFile, Scene, SceneObject};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::shot::{Edit, Goal, Handle, Site, When};
use supple_project::{
    Body, Cache, DragMethod, EditError, Import, MotionFile, Report, Shot, Space, WriteOptions, solve_into,
};
use tempfile::TempDir;

/// A motion that is being edited.
pub struct Imported {
    pub editor: DragMethod,
    pub shot: Shot,
    /// The file's surface and its motion.
    pub surface: Surface,
    space: Space,
    folder: TempDir,
}

impl Imported {
    /// Imports a file, sets how edits of it shall feel, and opens the shot.
    pub fn open(
        file: &MotionFile,
        feel: impl FnOnce(&mut Edit),
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("shot.toml");
        let import = Import { file: file.clone(), ..Import::default() };
        let imported = import.write(&path, &progress.part(0.0, 0.5))?;
        let surface = read_surface(file, &imported.object)?;
        let mut shot = Shot::load(&path)?;
        feel(&mut shot.edit);
        let body = Arc::new(Body::load(&shot)?);
        let editor = DragMethod::open(&shot, body, &Cache::of_shot(&path), &progress.part(0.5, 1.0))?;
        Ok(Self { editor, shot, surface, space: imported.space, folder })
    }

    /// A frame of a film as it is inside: in metres, y up.
    pub fn inside(&self, points: &[Vec3]) -> Vec<Vec3> {
        points.iter().map(|p| self.space.inside((*p).into()).into()).collect()
    }

    /// A direction inside, as it is in the file.
    pub fn outside(&self, direction: &Vec3) -> Vec3 {
        self.space.outside((*direction).into()).into()
    }

    /// The handle of a pull.
    fn handle(&self, pull: &Pull) -> anyhow::Result<Handle> {
        let frame = self.editor.clock().start.0 + i32::try_from(pull.frame)?;
        let by = Goal::By(self.space.inside(pull.by.into()));
        Ok(Handle::new(When::Frame(frame), Site::Vertex(VertexId::new(pull.vertex)), by))
    }

    /// Edits with one handle, and reads the file that comes of it. A handle that is refused is an error within.
    pub fn edit(
        &mut self,
        pull: &Pull,
        progress: &Progress,
    ) -> anyhow::Result<Result<(Report, Film), EditError>> {
        let handle = self.handle(pull)?;
        let key = match self.editor.add(handle) {
            Ok(key) => key,
            Err(refused) => return Ok(Err(refused)),
        };
        let written = self.write(progress);
        self.editor.remove(key)?;
        let (report, file) = written?;
        Ok(Ok((report, read_motion(&file)?)))
    }

    /// Solves and writes what `supple solve` would.
    fn write(&mut self, progress: &Progress) -> anyhow::Result<(Report, PathBuf)> {
        let file = self.folder.path().join("edited.pc2");
        let how = WriteOptions::default();
        let solved = solve_into(&file, &self.shot, &mut self.editor, &how, progress)?;
        Ok((solved.report, file))
    }
}

/// The surface of an object and all its frames, in the file's unit and axes, with the digits motion files have.
fn read_surface(file: &MotionFile, object: &str) -> anyhow::Result<Surface> {
    let mut scene = open_scene(file)?;
    let found = scene.objects.iter_mut().find(|there| there.name == object);
    let SceneObject { surface, frames, .. } =
        found.with_context(|| format!("{}: no object {object}", file.path.display()))?;
    let mut at = vec![[0.0; 3]; surface.positions.len()];
    let mut film = Film::new();
    for index in 0..scene.frames {
        frames.read(index, &mut at)?;
        film.push(at.iter().map(|p| Vec3::from(p.map(|x| f64::from(x as f32)))).collect());
    }
    let triangles = surface.triangles.iter().map(|t| t.map(|v| v as usize)).collect();
    Ok(Surface::new(film, triangles))
}

fn open_scene(file: &MotionFile) -> anyhow::Result<Scene> {
    if !supple_formats::is_motion_path(&file.path) {
        return Ok(supple_formats::open_scene(&file.path)?);
    }
    let topology = match file.topology.as_deref().map(supple_formats::load_mesh).transpose()? {
        Some(MeshFile::Surface(surface)) => Some(surface),
        _ => None,
    };
    Ok(Scene::of_motion(supple_formats::open_motion(&file.path)?, topology, &file.path)?)
}

fn read_motion(file: &Path) -> anyhow::Result<Film> {
    let mut motion = supple_formats::open_motion(file)?;
    let mut at = vec![[0.0; 3]; motion.vertices()];
    let mut film = Film::new();
    for index in 0..motion.frames() {
        motion.read(index, &mut at)?;
        film.push(at.iter().map(|p| Vec3::from(*p)).collect());
    }
    Ok(film)
}
