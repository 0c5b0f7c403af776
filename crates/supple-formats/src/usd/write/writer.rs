//! The part that is the same for both: points over time, and their normals.

use super::normals::{NormalSamples, name_of};
use super::numbers::push_tuples;
use super::whole;
use crate::motion::{Staged, check_frame, unwritable};
use crate::normals::MovingNormals;
use crate::scene::{CornerOrder, Placement, Transform};
use crate::{FormatError, MotionSettings, MotionWriter, Problem, SurfaceFile};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSink};

/// How much room there is for the number of the last frame.
const END_ROOM: usize = 24;

/// What goes around the points.
pub(super) struct Frame {
    /// Up to and including the room for the last frame.
    pub head: String,
    /// From there up to the points.
    pub middle: Vec<u8>,
    /// After the points: closes what the middle opened.
    pub tail: String,
    /// How far the points are indented.
    pub indent: String,
}

pub(crate) struct UsdWriter {
    staged: Staged,
    path: PathBuf,
    settings: MotionSettings,
    codes_per_frame: f64,
    placement: Placement,
    normals: Option<NormalSamples>,
    /// Where the room for the last frame is.
    end_at: u64,
    /// Where the next frame goes.
    at: u64,
    frames: usize,
    /// The box around each frame.
    extents: Vec<[[f32; 3]; 2]>,
    indent: String,
    tail: String,
    buffer: Vec<u8>,
    points: Vec<[f32; 3]>,
}

impl UsdWriter {
    /// A whole file.
    pub fn whole(path: &Path, settings: MotionSettings, surface: &SurfaceFile) -> Result<Self, FormatError> {
        let frame = whole::frame(&settings, surface);
        let normals = settings.moving_normals(surface);
        let samples = |normals: MovingNormals| {
            let name = name_of(&normals, &[]);
            NormalSamples::new(path, name, normals, CornerOrder::Same, &frame.indent)
        };
        let normals = normals.map(samples).transpose().map_err(unwritable)?;
        Self::new(path, settings, (1.0, Placement::Still(Transform::IDENTITY)), frame, normals)
    }

    pub(super) fn new(
        path: &Path,
        settings: MotionSettings,
        (codes_per_frame, placement): (f64, Placement),
        frame: Frame,
        normals: Option<NormalSamples>,
    ) -> Result<Self, FormatError> {
        let mut staged = Staged::new(path).map_err(unwritable)?;
        let mut begin = frame.head.into_bytes();
        let end_at = begin.len() as u64;
        begin.extend([b' '; END_ROOM]);
        begin.extend(frame.middle);
        begin.extend(format!("{}point3f[] points.timeSamples = {{\n", frame.indent).bytes());
        staged.file().write_all(&begin).map_err(unwritable)?;
        Ok(Self {
            staged,
            path: path.to_path_buf(),
            settings,
            codes_per_frame,
            placement,
            normals,
            end_at,
            at: begin.len() as u64,
            frames: 0,
            extents: Vec::new(),
            indent: frame.indent,
            tail: frame.tail,
            buffer: Vec::new(),
            points: Vec::new(),
        })
    }

    fn code(&self, index: usize) -> f64 {
        self.settings.number(index) * self.codes_per_frame
    }

    fn write_frame(&mut self, positions: &[[f64; 3]]) -> Result<(), FormatError> {
        let number = self.settings.number(self.frames);
        check_frame(positions, self.settings.vertices, number)?;
        let placement = self.placement.at(self.frames);
        let back = if placement == Transform::IDENTITY { None } else { Some(placement.inverse()) };
        let back = match back {
            Some(None) => return Err(FormatError::whole_file(Problem::Flat { frame: number })),
            Some(Some(back)) => Some(back),
            None => None,
        };
        self.points.clear();
        let mut extent = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for (vertex, &position) in positions.iter().enumerate() {
            let point = back.map_or(position, |back| back.apply(position));
            let single = point.map(|x| x as f32);
            for i in 0..3 {
                if !single[i].is_finite() {
                    let problem = Problem::BeyondSinglePrecision { frame: number, vertex, value: point[i] };
                    return Err(FormatError::whole_file(problem));
                }
                extent[0][i] = extent[0][i].min(single[i]);
                extent[1][i] = extent[1][i].max(single[i]);
            }
            self.points.push(single);
        }
        self.buffer.clear();
        let begin = format!("{}    {}: ", self.indent, self.code(self.frames));
        self.buffer.extend(begin.bytes());
        push_tuples(&mut self.buffer, &self.points);
        self.buffer.extend(b",\n");
        if let Some(normals) = &mut self.normals {
            normals.keep(&begin, positions, &placement).map_err(unwritable)?;
        }
        // Each frame is sent to its place, so that one that failed halfway leaves no trace.
        let file = self.staged.file();
        file.seek(SeekFrom::Start(self.at)).and_then(|_| file.write_all(&self.buffer)).map_err(unwritable)?;
        self.at += self.buffer.len() as u64;
        self.normals.iter_mut().for_each(NormalSamples::accept);
        self.extents.push(extent);
        self.frames += 1;
        Ok(())
    }

    fn complete(mut self) -> Result<(), FormatError> {
        if self.frames == 0 {
            return Err(FormatError::whole_file(Problem::NoFrames));
        }
        let close = format!("{}}}\n", self.indent);
        let mut text = format!("{close}{}float3[] extent.timeSamples = {{\n", self.indent).into_bytes();
        for (index, extent) in self.extents.iter().enumerate() {
            text.extend(format!("{}    {}: ", self.indent, self.code(index)).bytes());
            push_tuples(&mut text, extent);
            text.extend(b",\n");
        }
        text.extend(format!("{close}{}", self.tail).bytes());
        let last = format!("{:<END_ROOM$}", self.code(self.frames - 1));
        let mut put = || {
            let file = self.staged.file();
            file.seek(SeekFrom::Start(self.at))?;
            let mut end = self.at;
            if let Some(normals) = self.normals.take() {
                file.write_all(close.as_bytes())?;
                end += close.len() as u64 + normals.append_to(file)?;
            }
            file.write_all(&text)?;
            file.set_len(end + text.len() as u64)?;
            file.seek(SeekFrom::Start(self.end_at))?;
            // A number that long has more digits than mean anything.
            file.write_all(&last.as_bytes()[..END_ROOM])
        };
        put().map_err(unwritable)?;
        self.staged.persist().map_err(unwritable)
    }
}

impl FrameSink for UsdWriter {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.write_frame(positions).map_err(|error| error.in_file(&self.path).into())
    }
}

impl MotionWriter for UsdWriter {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        let path = self.path.clone();
        self.complete().map_err(|error| error.in_file(path))
    }
}

/// The lines about time and space that both kinds of file begin with, up to the room for the last frame.
pub(super) fn metadata(settings: &MotionSettings, codes_per_frame: f64, more: &str) -> String {
    let mut text = "#usda 1.0\n(\n".to_owned();
    text.push_str(more);
    // Always: who finds nothing takes centimetres, though metres are meant.
    let (unit, up) = (settings.metres_per_unit.unwrap_or(1.0), settings.up.unwrap_or(crate::Up::Y));
    text.push_str(&format!("    metersPerUnit = {unit}\n"));
    text.push_str(&format!("    upAxis = \"{}\"\n", up.letter()));
    text.push_str(&format!("    framesPerSecond = {}\n", settings.fps));
    text.push_str(&format!("    timeCodesPerSecond = {}\n", settings.fps * codes_per_frame));
    text.push_str(&format!("    startTimeCode = {}\n", settings.number(0) * codes_per_frame));
    text.push_str("    endTimeCode = ");
    text
}
