//! Motions as large as those of a film, from one format to another, as a user converts them: time, memory and how
//! far the points are off, as a part of their size.

use super::BenchOptions;
use super::row::{Row, peak_rss_mib};
use anyhow::{Context, ensure};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use supple_formats::{MotionSettings, Scene, SurfaceFile, create_motion, open_scene};
use supple_model::{Frame, Progress};

const FRAMES: usize = 240;
/// Vertices along a side: 100,489 and 1,000,000 of them.
const SIDE: u32 = 317;
const LARGE_SIDE: u32 = 1000;
/// Frames that are compared: every so many.
const COMPARED: usize = 60;
/// The most a conversion may hold.
const MEMORY_MIB: f64 = 1024.0;

pub fn run(_: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    progress.report("formats: 100,489 vertices", 0.0)?;
    let sheet = Sheet::new(SIDE)?;
    rows.push(sheet.convert("pc2", "usda")?);
    rows.push(sheet.convert("pc2", "glb")?);
    progress.report("formats: reading", 0.2)?;
    rows.push(sheet.read("glb")?);
    rows.push(sheet.read("usda")?);
    drop(sheet);
    progress.report("formats: a million vertices", 0.3)?;
    let sheet = Sheet::new(LARGE_SIDE)?;
    rows.push(sheet.convert("pc2", "glb")?);
    progress.report("formats: a million vertices", 0.5)?;
    rows.push(sheet.convert("pc2", "usda")?);
    Ok(rows)
}

/// A waving sheet as `motion.pc2`, with `rest.obj`, in a folder of its own.
struct Sheet {
    folder: tempfile::TempDir,
    rest: Vec<[f64; 3]>,
}

impl Sheet {
    fn new(side: u32) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let at = |v: u32| [f64::from(v % side), 0.0, f64::from(v / side)].map(|x| x / f64::from(side));
        let corner = (0..(side - 1) * (side - 1)).map(|k| k % (side - 1) + side * (k / (side - 1)));
        let surface = SurfaceFile {
            positions: (0..side * side).map(at).collect(),
            triangles: corner.flat_map(|a| [[a, a + side, a + side + 1], [a, a + side + 1, a + 1]]).collect(),
            ..SurfaceFile::default()
        };
        let mut bytes = Vec::new();
        supple_formats::write_obj(&surface, &mut bytes)?;
        std::fs::write(folder.path().join("rest.obj"), bytes)?;
        let settings = MotionSettings::new(surface.positions.len(), Frame(1), 24.0, FRAMES);
        let mut writer = create_motion(folder.path().join("motion.pc2"), settings, Some(&surface))?;
        let mut points = surface.positions.clone();
        for frame in 0..FRAMES {
            wave(&surface.positions, frame, &mut points);
            writer.write(&points)?;
        }
        writer.finish()?;
        Ok(Self { folder, rest: surface.positions })
    }

    fn case(&self) -> String {
        format!("{} vertices, {FRAMES} frames", self.rest.len())
    }

    /// `supple convert`, a process of its own, so that its memory is known.
    fn convert(&self, from: &str, to: &str) -> anyhow::Result<Row> {
        let folder = self.folder.path();
        let (input, output) = (folder.join(format!("motion.{from}")), folder.join(format!("motion.{to}")));
        let start = Instant::now();
        let mut child = Command::new(std::env::current_exe()?)
            .arg("convert")
            .args([&input, &output])
            .arg("--topology")
            .arg(folder.join("rest.obj"))
            .stdout(Stdio::null())
            .spawn()?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        let exit = loop {
            peak = peak_rss_mib(Path::new(&status)).or(peak);
            if let Some(exit) = child.try_wait()? {
                break exit;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let seconds = start.elapsed().as_secs_f64();
        ensure!(exit.success(), "supple convert: {exit}");
        ensure!(peak.is_none_or(|peak| peak < MEMORY_MIB), "it took {peak:?} MiB");
        let residual = self.off(&mut open_scene(&output)?, COMPARED)?;
        let work = format!("supple convert .{from} to .{to}");
        Ok(Row { residual: Some(residual), peak_rss_mib: peak, ..Row::new(&self.case(), &work, seconds) })
    }

    /// Reading all frames; they are compared in a second run.
    fn read(&self, kind: &str) -> anyhow::Result<Row> {
        let file = self.folder.path().join(format!("motion.{kind}"));
        let mut points = self.rest.clone();
        let start = Instant::now();
        let mut scene = open_scene(&file)?;
        let frames = &mut scene.objects[0].frames;
        for index in 0..frames.frames() {
            frames.read(index, &mut points)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        let residual = self.off(&mut scene, COMPARED)?;
        Ok(Row { residual: Some(residual), ..Row::new(&self.case(), &format!("reading .{kind}"), seconds) })
    }

    /// The largest distance to the sheet along an axis, as a part of its size.
    fn off(&self, scene: &mut Scene, step: usize) -> anyhow::Result<f64> {
        let frames = &mut scene.objects.first_mut().context("there is an object")?.frames;
        ensure!((frames.frames(), frames.vertices()) == (FRAMES, self.rest.len()), "something is missing");
        let (mut points, mut expected) = (self.rest.clone(), self.rest.clone());
        let mut off = 0.0_f64;
        for frame in (0..FRAMES).step_by(step) {
            frames.read(frame, &mut points)?;
            wave(&self.rest, frame, &mut expected);
            let pairs = points.as_flattened().iter().zip(expected.as_flattened());
            off = pairs.fold(off, |most, (a, b)| most.max((a - b).abs()));
        }
        ensure!(off < 1e-6, "points are off by {off:e}");
        Ok(off)
    }
}

/// The sheet at a frame.
fn wave(rest: &[[f64; 3]], frame: usize, points: &mut [[f64; 3]]) {
    for (point, [x, _, z]) in points.iter_mut().zip(rest) {
        *point = [*x, 0.3 * (3.0 * x + 0.1 * frame as f64).sin() * z, *z];
    }
}
