//! Writing frame after frame: the arrays that do not change, the points of the first frame, then how far those
//! of every other frame are from them, each followed by its normals if those move. The JSON comes first in a `.glb` but is known last: there is room for it.

use super::document::Contents;
use super::layout::{Layout, Normals, bounds};
use crate::motion::{Staged, check_frame, shift, unwritable};
use crate::normals::MovingNormals;
use crate::{FormatError, MotionSettings, MotionWriter, Problem, SurfaceFile};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSink};

/// The header of a `.glb` and of its first chunk.
const HEAD: u64 = 20;

/// The header of the second chunk.
const CHUNK: u64 = 8;

/// The most frames: every frame has a weight for every other one.
const MOST_FRAMES: usize = 8192;

/// Where the frames of a `.glb` end at the latest: it is counted in 32 bits, and the weights and the JSON need some.
const FRAMES_END: u64 = u32::MAX as u64 - (1 << 28);

/// How much is moved at once.
const PIECE: u64 = 1 << 20;

pub(crate) struct GltfWriter {
    staged: Staged,
    path: PathBuf,
    /// The file of the bytes, when the JSON is another.
    bytes_path: Option<PathBuf>,
    settings: MotionSettings,
    layout: Layout,
    /// Where the surface has some, and there is room.
    normals: Option<MovingNormals>,
    /// Where the bytes begin: behind the room for the JSON of a `.glb`.
    data_at: u64,
    base: Vec<[f32; 3]>,
    base_normals: Vec<[f32; 3]>,
    bounds: Vec<[[f32; 3]; 2]>,
    buffer: Vec<u8>,
}

impl GltfWriter {
    pub fn new(path: &Path, settings: MotionSettings, surface: &SurfaceFile) -> Result<Self, FormatError> {
        let is_binary = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb"));
        let bytes_path = (!is_binary).then(|| path.with_extension("bin"));
        let frames = settings.expected_frames.min(MOST_FRAMES) as u64;
        let (layout, normals) = with_normals(&settings, surface, is_binary.then_some(frames));
        let mut staged = Staged::new(bytes_path.as_deref().unwrap_or(path)).map_err(unwritable)?;
        let names: usize =
            layout.materials.iter().chain([&settings.name]).map(|name| 64 + 6 * name.len()).sum();
        // About 200 bytes for each frame, and a few for each in each primitive; half as much for its normals.
        let of_frame = 320 + 20 * layout.faces.len() as u64;
        let of_frame = if normals.is_some() { 2 * of_frame } else { of_frame };
        let room = 8192 + names as u64 + frames * of_frame;
        let data_at = if is_binary { HEAD + room.next_multiple_of(4) + CHUNK } else { 0 };
        let file = staged.file();
        let put = file.seek(SeekFrom::Start(data_at)).and_then(|_| file.write_all(&layout.bytes));
        put.map_err(unwritable)?;
        let path = path.to_path_buf();
        Ok(Self {
            staged,
            path,
            bytes_path,
            settings,
            layout,
            normals,
            data_at,
            base: Vec::new(),
            base_normals: Vec::new(),
            bounds: Vec::new(),
            buffer: Vec::new(),
        })
    }

    fn write_frame(&mut self, positions: &[[f64; 3]]) -> Result<(), FormatError> {
        let index = self.bounds.len();
        let number = self.settings.number(index);
        check_frame(positions, self.settings.vertices, number)?;
        if index == MOST_FRAMES {
            let what = format!("a glTF of more than {MOST_FRAMES} frames (write .usda)");
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        let frame_bytes = self.layout.frame_bytes();
        let at = self.data_at + self.layout.bytes.len() as u64 + frame_bytes * index as u64;
        if self.bytes_path.is_none() && at + frame_bytes > FRAMES_END {
            let what = "a .glb of more than 4 GiB (write .gltf or .usda)".to_owned();
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        let mut points: Vec<[f32; 3]> = Vec::with_capacity(positions.len());
        for (vertex, position) in positions.iter().enumerate() {
            let base = self.base.get(vertex).map_or([0.0; 3], |base| base.map(f64::from));
            let point = [0, 1, 2].map(|i| (position[i] - base[i]) as f32);
            if let Some(i) = (0..3).find(|i| !(point[*i].is_finite() && (position[*i] as f32).is_finite())) {
                let value = position[i];
                let problem = Problem::BeyondSinglePrecision { frame: number, vertex, value };
                return Err(FormatError::whole_file(problem));
            }
            points.push(point);
        }
        self.buffer.clear();
        self.layout.push_points(&points, &mut self.buffer);
        let normals = self.push_normals(positions);
        // Each frame is sent to its place, so that one that failed halfway leaves no trace.
        let file = self.staged.file();
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(&self.buffer)).map_err(unwritable)?;
        self.bounds.push(bounds(&points));
        if index == 0 {
            (self.base, self.base_normals) = (points, normals);
        }
        Ok(())
    }

    /// Appends the normals of a frame to its points: those of the first frame, which are returned, and how far others
    /// are from them.
    fn push_normals(&mut self, positions: &[[f64; 3]]) -> Vec<[f32; 3]> {
        let Some(normals) = &mut self.normals else {
            return Vec::new();
        };
        let normals = normals.at(positions);
        if self.bounds.is_empty() {
            self.layout.push_normals(normals, [0.0, 1.0, 0.0], &mut self.buffer);
            return normals.to_vec();
        }
        let pairs = normals.iter().zip(&self.base_normals);
        let moved: Vec<[f32; 3]> = pairs.map(|(n, base)| [0, 1, 2].map(|i| n[i] - base[i])).collect();
        self.layout.push_normals(&moved, [0.0; 3], &mut self.buffer);
        moved
    }

    fn complete(mut self) -> Result<(), FormatError> {
        let frames = self.bounds.len();
        if frames == 0 {
            return Err(FormatError::whole_file(Problem::NoFrames));
        }
        let fixed = self.layout.bytes.len() as u64 + self.layout.frame_bytes() * frames as u64;
        let mut length = fixed;
        if frames > 1 {
            self.write_weights(self.data_at + fixed, frames).map_err(unwritable)?;
            length += 4 * (frames * frames) as u64;
        }
        let contents = Contents {
            name: self.settings.name.clone(),
            bounds: std::mem::take(&mut self.bounds),
            numbers: (0..frames).map(|index| self.settings.number(index)).collect(),
            times: [0, frames - 1].map(|index| self.time(index)),
            up: self.settings.up,
            metres_per_unit: self.settings.metres_per_unit,
        };
        match self.bytes_path.clone() {
            Some(bytes_path) => self.put_two_files(&contents, &bytes_path, length).map_err(unwritable),
            None => self.put_one_file(&contents, length),
        }
    }

    /// The time of a frame, from 0 on, which is as early as glTF has any.
    fn time(&self, index: usize) -> f64 {
        (self.settings.number(index) - self.settings.start.min(0.0)) / self.settings.fps
    }

    /// The times, then for each frame the weights: 1 for its own target, else 0.
    fn write_weights(&mut self, at: u64, frames: usize) -> io::Result<()> {
        let times: Vec<u8> = (0..frames).flat_map(|index| (self.time(index) as f32).to_le_bytes()).collect();
        let file = self.staged.file();
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&times)?;
        let mut row = vec![0; 4 * (frames - 1)];
        for frame in 0..frames {
            row.fill(0);
            if frame > 0 {
                row[4 * (frame - 1)..4 * frame].copy_from_slice(&1.0_f32.to_le_bytes());
            }
            file.write_all(&row)?;
        }
        Ok(())
    }

    fn put_one_file(mut self, contents: &Contents, length: u64) -> Result<(), FormatError> {
        let mut json = contents.json(&self.layout, None).into_bytes();
        let room = (self.data_at - HEAD - CHUNK) as usize;
        json.resize(json.len().next_multiple_of(4).max(room), b' ');
        let data_at = HEAD + json.len() as u64 + CHUNK;
        let (Ok(whole), Ok(bytes)) = (u32::try_from(data_at + length), u32::try_from(length)) else {
            let what = "a .glb of more than 4 GiB (write .gltf or .usda)".to_owned();
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        };
        let mut put = || {
            let file = self.staged.file();
            shift(file, self.data_at, data_at, length, PIECE)?;
            file.set_len(whole.into())?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(b"glTF")?;
            for number in [2, whole, json.len() as u32] {
                file.write_all(&number.to_le_bytes())?;
            }
            file.write_all(b"JSON")?;
            file.write_all(&json)?;
            file.write_all(&bytes.to_le_bytes())?;
            file.write_all(b"BIN\0")
        };
        put().map_err(unwritable)?;
        self.staged.persist().map_err(unwritable)
    }

    /// The bytes first: a JSON that is there finds them.
    fn put_two_files(mut self, contents: &Contents, bytes_path: &Path, length: u64) -> io::Result<()> {
        let name = bytes_path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let json = contents.json(&self.layout, Some(&escaped(&name)));
        let mut staged = Staged::new(&self.path)?;
        staged.file().write_all(json.as_bytes())?;
        self.staged.file().set_len(length)?;
        self.staged.persist()?;
        staged.persist()
    }
}

/// The layout of a surface, and its normals if they move. A `.glb` of so many frames that there is no room for both
/// has the points alone, which viewers shade flat.
fn with_normals(
    settings: &MotionSettings,
    surface: &SurfaceFile,
    glb_frames: Option<u64>,
) -> (Layout, Option<MovingNormals>) {
    if settings.expected_frames == 1 {
        return (Layout::new(surface, Normals::Fixed), None);
    }
    if let Some(normals) = MovingNormals::of(surface) {
        let layout = Layout::new(normals.surface(), Normals::Moving);
        let bytes = layout.bytes.len() as u64 + layout.frame_bytes() * glb_frames.unwrap_or_default();
        if bytes < FRAMES_END - (1 << 26) {
            return (layout, Some(normals.without_rest()));
        }
    }
    (Layout::new(surface, Normals::Dropped), None)
}

/// A name of a file as an address has it.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    name.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

impl FrameSink for GltfWriter {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.write_frame(positions).map_err(|error| error.in_file(&self.path).into())
    }
}

impl MotionWriter for GltfWriter {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        let path = self.path.clone();
        self.complete().map_err(|error| error.in_file(path))
    }
}
