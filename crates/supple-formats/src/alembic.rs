//! Alembic, `.abc`: there is no reader of its contents here. Blender, when it is on the path, converts it to
//! USD, which is read instead; without it an error says how to do that by hand.
//!
//! Alembic counts seconds, and Blender turns them into frames of the rate its scene has. So the rate is read
//! from the file first. An archive of the kind "Ogawa" is a tree of groups and data, little-endian:
//! ```text
//! "Ogawa", byte 0xFF when complete, u16 version, u64 where the root group is
//! group  u64 count, then where each child is; the highest bit says that it is data
//! data   u64 length, bytes
//! ```
//! Data 4 of the root has, for each kind of times: u32 most samples, f64 seconds per cycle, u32 count of times in
//! a cycle, and those as f64.

use crate::blob::Blob;
use crate::motion::rate_of_times;
use crate::scene::{Scene, SceneFormat};
use crate::usd::read_usd_blob;
use crate::{FormatError, Problem};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long Blender may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// Import and export; the paths come as arguments after `--`, so that no name can be taken for code.
const SCRIPT: &str = "\
import bpy, sys
source, target, rate = sys.argv[sys.argv.index('--') + 1:][:3]
bpy.ops.wm.read_factory_settings(use_empty=True)
render = bpy.context.scene.render
render.fps = max(1, round(float(rate) + 0.49))
render.fps_base = render.fps / float(rate)
bpy.ops.wm.alembic_import(filepath=source, set_frame_range=True, as_background_job=False)
wanted = dict(filepath=target, export_animation=True, export_materials=True, export_armatures=False,
              export_shapekeys=False, root_prim_path='')
known = bpy.ops.wm.usd_export.get_rna_type().properties.keys()
bpy.ops.wm.usd_export(**{name: value for name, value in wanted.items() if name in known})
";

/// Opens an `.abc` with the help of Blender.
pub(crate) fn open_alembic(path: &Path) -> Result<Scene, FormatError> {
    let needs = |reason: String| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        FormatError::whole_file(Problem::NeedsBlender { reason, name }).in_file(path)
    };
    // An error about the file itself comes before one about Blender.
    let unreadable = |error| FormatError::whole_file(Problem::Unreadable(error)).in_file(path);
    let source = path.canonicalize().map_err(unreadable)?;
    let folder = tempfile::tempdir().map_err(unreadable)?;
    let target = folder.path().join("converted.usdc");
    let rate = frames_per_second(&Blob::open(path)?);
    let output = match convert(&source, &target, rate.unwrap_or(24.0)) {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let reason = "reading Alembic needs Blender, which was not found on the PATH";
            return Err(needs(reason.to_owned()));
        }
        Err(error) => return Err(needs(format!("cannot run Blender: {error}"))),
    };
    if !target.is_file() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it wrote no file");
        return Err(needs(format!("Blender cannot convert the file: {}", crate::error::quoted(last))));
    }
    // The file stays open when its folder goes.
    let blob = File::open(&target).and_then(Blob::of_file).map_err(unreadable)?;
    let mut scene = read_usd_blob(blob, &target).map_err(|error| error.in_file(path))?;
    scene.format = SceneFormat::Alembic;
    if rate.is_none() {
        scene.notes.push("the file has no frame rate; using 24 fps".to_owned());
    }
    for object in &mut scene.objects {
        object.derived.clear();
    }
    Ok(scene)
}

/// Runs Blender without a window.
fn convert(source: &Path, target: &Path, rate: f64) -> std::io::Result<Output> {
    let mut child = Command::new("blender")
        .args(["--background", "--factory-startup", "--python-exit-code", "1", "--python-expr", SCRIPT, "--"])
        .args([source, target])
        .arg(rate.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    // Its errors are few lines, but more than a pipe holds would stop it.
    let errors = child.stderr.take();
    let listener = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut errors) = errors {
            // What it says is of use only as far as it can be read.
            let _ = std::io::Read::read_to_end(&mut errors, &mut text);
        }
        text
    });
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let stderr = listener.join().unwrap_or_default();
    Ok(Output { status, stdout: Vec::new(), stderr })
}

/// The rate of the finest times of an archive, where it says.
fn frames_per_second(blob: &Blob) -> Option<f64> {
    let mut header = [0; 16];
    blob.read(0, &mut header, "the header").ok()?;
    if !header.starts_with(b"Ogawa") {
        return None;
    }
    let number = |at: u64| -> Option<u64> {
        let mut bytes = [0; 8];
        blob.read(at, &mut bytes, "a number").ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    let root = number(8)?;
    let is_data = |at: &u64| at >> 63 == 1;
    let data = number(root.checked_add(8 + 4 * 8)?).filter(|_| number(root) >= Some(5)).filter(is_data)?
        & !(1 << 63);
    let bytes = blob.bytes(data.checked_add(8)?, number(data)?, "times").ok()?;
    let mut rest = bytes.as_slice();
    let mut best: Option<f64> = None;
    while !rest.is_empty() {
        let (most, after) = rest.split_first_chunk::<4>()?;
        let (cycle, after) = after.split_first_chunk::<8>()?;
        let (count, after) = after.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let (times, after) = after.split_at_checked(count.checked_mul(8)?)?;
        rest = after;
        let cycle = f64::from_le_bytes(*cycle);
        let times: Vec<f64> = times.as_chunks::<8>().0.iter().map(|time| f64::from_le_bytes(*time)).collect();
        // Times that follow no cycle have one of an enormous length.
        let rate = if cycle < 1e6 { Some(count as f64 / cycle) } else { rate_of_times(&times) };
        let is_used = u32::from_le_bytes(*most) > 1;
        if let Some(rate) = rate.filter(|rate| is_used && *rate > 0.1 && *rate < 1e4) {
            best = Some(best.map_or(rate, |best: f64| best.max(rate)));
        }
    }
    // 25 frames a second are written as 0.04 seconds, which is not exact.
    best.map(|rate| if (rate - rate.round()).abs() < 1e-6 { rate.round() } else { rate })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(times: &[(u32, f64, &[f64])]) -> Vec<u8> {
        let mut bytes = b"Ogawa\xFF\0\x01".to_vec();
        bytes.extend(16_u64.to_le_bytes());
        bytes.extend(5_u64.to_le_bytes());
        bytes.extend([0; 32]);
        bytes.extend((64_u64 | 1 << 63).to_le_bytes());
        let mut data = Vec::new();
        for (most, cycle, times) in times {
            data.extend(most.to_le_bytes());
            data.extend(cycle.to_le_bytes());
            data.extend((times.len() as u32).to_le_bytes());
            data.extend(times.iter().flat_map(|time| time.to_le_bytes()));
        }
        bytes.extend((data.len() as u64).to_le_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn the_rate_is_that_of_the_finest_times() {
        let rate = |times: &[(u32, f64, &[f64])]| frames_per_second(&Blob::memory(archive(times)));
        assert_eq!(rate(&[(1, 1.0, &[0.0]), (240, 0.04, &[0.04])]), Some(25.0));
        assert_eq!(rate(&[(1, 1.0, &[0.0])]), None, "nothing moves");
        assert_eq!(rate(&[(9, 1.0 / 24.0, &[0.0, 0.01])]), Some(48.0), "two samples in a frame");
        assert_eq!(rate(&[(3, f64::MAX / 32.0, &[0.0, 1.0 / 30.0, 2.0 / 30.0])]), Some(30.0));
    }

    #[test]
    fn broken_archives_say_nothing() {
        let whole = archive(&[(240, 0.04, &[0.04])]);
        for end in 0..whole.len() {
            assert_eq!(frames_per_second(&Blob::memory(whole[..end].to_vec())), None, "{end} bytes");
        }
        let mut endless = whole.clone();
        endless[56..64].fill(0xFF);
        assert_eq!(frames_per_second(&Blob::memory(endless)), None);
    }
}
