//! Moving pictures as files: GIF by ourselves, MP4 by ffmpeg, which is handed the frames one by one through a pipe.
//!
//! A file appears when it is finished; one that was begun and dropped leaves nothing behind.

use super::PictureError;
use crate::atomic;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use supple_render::{GifWriter, Image};
use tempfile::NamedTempFile;

const FFMPEG: &str = "ffmpeg";

/// How a moving picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// `.gif`.
    Gif,
    /// `.mp4`, H.264.
    Mp4,
}

impl VideoFormat {
    /// The format that the ending of a path asks for; `None` where it asks for no moving picture.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_ascii_lowercase().to_str()? {
            "gif" => Some(Self::Gif),
            "mp4" => Some(Self::Mp4),
            _ => None,
        }
    }

    /// Whether it can be written here, to be known before anything is drawn.
    ///
    /// # Errors
    /// When that takes a program that is not there.
    pub fn check(self, path: &Path) -> Result<(), PictureError> {
        if self == Self::Gif {
            return Ok(());
        }
        let mut command = Command::new(FFMPEG);
        command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status() {
            Ok(_) => Ok(()),
            Err(_) => Err(PictureError::NoFfmpeg { file: path.to_path_buf() }),
        }
    }
}

/// A moving picture in the making.
pub struct VideoWriter {
    path: PathBuf,
    unfinished: NamedTempFile,
    encoder: Encoder,
}

enum Encoder {
    Gif(Box<GifWriter<BufWriter<File>>>),
    Mp4(Ffmpeg),
}

/// A running ffmpeg; it ends with this.
struct Ffmpeg(Child);

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // It has ended already unless something went wrong, and then there is nobody to tell.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl VideoWriter {
    /// Begins a file with the size of the first sample: a few frames from the whole motion, for the colours of a GIF.
    ///
    /// # Errors
    /// No sample, a rate that is none, a folder that cannot be written to, ffmpeg missing.
    pub fn create(
        path: &Path,
        format: VideoFormat,
        fps: f64,
        samples: &[&Image],
    ) -> Result<Self, PictureError> {
        let failed = |source| PictureError::Write { file: path.to_path_buf(), source };
        let unfinished = atomic::temporary_for(path).map_err(failed)?;
        let encoder = match format {
            VideoFormat::Gif => {
                let file = unfinished.as_file().try_clone().map_err(failed)?;
                Encoder::Gif(Box::new(GifWriter::new(BufWriter::new(file), fps, samples)?))
            }
            VideoFormat::Mp4 => {
                let size = samples.first().map_or([0, 0], |image| [image.width, image.height]);
                let child =
                    ffmpeg(size, fps, unfinished.path()).spawn().map_err(|error| match error.kind() {
                        io::ErrorKind::NotFound => PictureError::NoFfmpeg { file: path.to_path_buf() },
                        _ => failed(error),
                    })?;
                Encoder::Mp4(Ffmpeg(child))
            }
        };
        Ok(Self { path: path.to_path_buf(), unfinished, encoder })
    }

    /// Takes the next frame, which must have the size of the first sample.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn frame(&mut self, image: &Image) -> Result<(), PictureError> {
        match &mut self.encoder {
            Encoder::Gif(gif) => Ok(gif.frame(image)?),
            Encoder::Mp4(Ffmpeg(child)) => {
                let written = child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(&image.rgba));
                written.map_err(|_| complaint(&self.path, child))
            }
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written; what was there before is untouched then.
    pub fn finish(self) -> Result<(), PictureError> {
        let Self { path, unfinished, encoder } = self;
        match encoder {
            Encoder::Gif(gif) => drop(gif.finish()?),
            Encoder::Mp4(mut ffmpeg) => {
                drop(ffmpeg.0.stdin.take());
                match ffmpeg.0.wait() {
                    Ok(status) if status.success() => {}
                    _ => return Err(complaint(&path, &mut ffmpeg.0)),
                }
            }
        }
        atomic::place(unfinished, &path).map_err(|source| PictureError::Write { file: path, source })
    }
}

/// Frames come in as raw bytes; H.264 wants sides that are even.
fn ffmpeg([width, height]: [u32; 2], fps: f64, to: &Path) -> Command {
    let mut command = Command::new(FFMPEG);
    command
        .args(["-loglevel", "error", "-nostats", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"])
        .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-", "-an"])
        .args([
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",
            "libx264",
            "-crf",
            "17",
            "-pix_fmt",
            "yuv420p",
        ])
        .args(["-movflags", "+faststart", "-f", "mp4"])
        .arg(to)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// What ffmpeg had to say.
fn complaint(path: &Path, child: &mut Child) -> PictureError {
    drop(child.stdin.take());
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        // What cannot be read cannot be told.
        let _ = stderr.read_to_string(&mut said);
    }
    let said = if said.trim().is_empty() { "no message".to_owned() } else { said.trim().to_owned() };
    PictureError::Ffmpeg { file: path.to_path_buf(), said }
}

impl std::fmt::Debug for VideoWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VideoWriter").field("path", &self.path).finish_non_exhaustive()
    }
}
