//! A file that is kept open while it is looked at.

use super::sample::{PreviewFrame, PreviewScene};
use super::{ImportChecked, ImportWrong};
use crate::import::shape::Topology;
use crate::import::skin::add_groups;
use crate::import::{Import, ImportError, ImportKind, bones};
use crate::source::{Source, Space, choose, open};
use std::sync::Arc;
use supple_formats::{Scene, SurfaceFile};
use supple_model::FrameError;

pub(super) struct Reader {
    source: Source,
    pub scene: Arc<PreviewScene>,
    first: PreviewFrame,
}

impl Reader {
    pub fn open(import: &Import) -> Result<Self, ImportWrong> {
        let scene = scene(import).map_err(|error| ImportWrong::of(&error, import))?;
        // Points are shown in the space of the file.
        let source = Source { scene, object: 0, space: Space::default() };
        let scene = PreviewScene::of(&source.scene, (source.start().0, source.fps()));
        let points = source.scene.objects.iter().zip(&scene.objects);
        let objects = points.map(|(object, of)| Arc::new(of.pick(&object.surface.positions))).collect();
        Ok(Self { first: PreviewFrame { index: 0, objects }, scene: Arc::new(scene), source })
    }

    /// The first frame, which is known once a file is open.
    pub fn first(&self) -> PreviewFrame {
        self.first.clone()
    }

    /// Another frame; what stands still is shared with the first.
    pub fn frame(&mut self, index: usize) -> Result<PreviewFrame, FrameError> {
        let mut frame = PreviewFrame { index, ..self.first.clone() };
        for (k, of) in self.scene.objects.iter().enumerate().filter(|(_, object)| object.animated) {
            let mut positions = vec![[0.0; 3]; of.vertices];
            self.source.scene.objects[k].frames.read(index, &mut positions)?;
            frame.objects[k] = Arc::new(of.pick(&positions));
        }
        Ok(frame)
    }

    /// What an import asks for.
    pub fn check(&mut self, import: &Import) -> Result<ImportChecked, ImportWrong> {
        self.found(import).map_err(|error| ImportWrong::of(&error, import))
    }

    fn found(&mut self, import: &Import) -> Result<ImportChecked, ImportError> {
        let is_character = import.is_of_character();
        if is_character {
            import.suits_a_skeleton()?;
        }
        let object = choose(&self.source.scene, &import.file)?;
        self.source.object = object;
        let (positions, rest_name) = import.rest_shape(&mut self.source)?;
        let rest = self.scene.objects[object].pick(&positions);
        let surface = &self.source.object().surface;
        let topology = Topology::at_rest(surface, &positions);
        let vertex_groups = surface.vertex_groups.clone();
        let mut skin = SurfaceFile { positions, vertex_groups, ..SurfaceFile::default() };
        if let Some(file) = &import.groups {
            add_groups(&mut skin, file)?;
        }
        let groups = skin.vertex_groups.iter().map(|group| (group.name.clone(), group.members.len()));
        let kind = if is_character { ImportKind::Character } else { topology.suggests() };
        let edges = topology.edges;
        Ok(ImportChecked { object, rest, rest_name, edges, kind, groups: groups.collect() })
    }
}

/// What is in the file of an import; of a skeleton, its bones.
fn scene(import: &Import) -> Result<Scene, ImportError> {
    if import.is_of_character() {
        return bones::scene(&import.skeleton()?, &import.file.path);
    }
    Ok(open(&import.file)?)
}
