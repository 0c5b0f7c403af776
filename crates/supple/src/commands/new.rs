//! `supple new`: a shot from an animated surface.

use super::feel::FeelArgs;
use crate::session::Session;
use crate::text::{Rows, count, counted, number};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use supple_model::Clock;
use supple_project::shot::Axis;
use supple_project::{Import, ImportKind, Imported, MotionFile, RestShape, parse_unit};

/// Which file, what it is of, and what it does not say itself.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Mesh for a .pc2 or .mdd, with the vertices in the same order
    #[arg(long, value_name = "MESH")]
    topology: Option<PathBuf>,
    /// Object to use when the file has several: its path, or the end of its path
    #[arg(long, value_name = "NAME")]
    object: Option<String>,
    /// Unit of the file: mm, cm, dm, m, km, in, ft, or a length in metres [default: from the file]
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    unit: Option<f64>,
    /// Axis of the file that points up [default: from the file]
    #[arg(long, value_name = "AXIS")]
    up: Option<UpAxis>,
}

/// An axis.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum UpAxis {
    /// The first
    X,
    /// The second, as in Maya, Houdini and glTF
    Y,
    /// The third, as in Blender
    Z,
}

impl FileArgs {
    /// The file at `path`, as these options describe it.
    pub fn of(&self, path: &std::path::Path) -> MotionFile {
        let axis = |up| match up {
            UpAxis::X => Axis::X,
            UpAxis::Y => Axis::Y,
            UpAxis::Z => Axis::Z,
        };
        MotionFile {
            path: path.to_path_buf(),
            topology: self.topology.clone(),
            object: self.object.clone(),
            unit: self.unit,
            up: self.up.map(axis),
        }
    }
}

/// Options of `supple new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple new cape.usdc -o cape.toml\n  supple new run.pc2 --topology rest.obj --unit cm --up z -o \
                  run.toml\n  supple new party.glb --object balloon --rest 1 -o balloon.toml\n\nThen:\n  supple edit \
                  cape.toml --frame 60 --near 0,1.5,0 --by 0,0.2,0\n  supple solve cape.toml -o edited.usda\n\nJSON: shot, \
                  files, object, vertices, triangles, open_edges, branching_edges, rest, unit [m], up, start, frames, fps, \
                  kind, body_vertices, body_elements, element_kind, still, copies, fit [rms, max, frame, unsettled], modes, \
                  scenery, notes, seconds, warnings; fit is null where the body is the surface"
)]
pub struct NewArgs {
    /// The motion: USD, glTF, FBX, Alembic, .pc2 or .mdd with --topology, name.####.obj or .ply
    motion: PathBuf,
    #[command(flatten)]
    file: FileArgs,
    /// Rest shape: a frame, or a mesh with the same vertices [default: from the file, or its first frame]
    #[arg(long, value_name = "FRAME|MESH", allow_negative_numbers = true)]
    rest: Option<String>,
    /// Extra vertex groups for anchors, handles and regions (CSV: name,index)
    #[arg(long, value_name = "CSV")]
    groups: Option<PathBuf>,
    /// Body to build from the surface
    #[arg(long, value_enum, default_value_t = KindArg::Auto)]
    kind: KindArg,
    /// Cells of the body along its longest side [default: chosen to suit the surface]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=400))]
    cells: Option<u32>,
    #[command(flatten)]
    feel: FeelArgs,
    /// The shot to write
    #[arg(short, long, value_name = "SHOT")]
    output: PathBuf,
    /// Overwrite an existing shot
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindArg {
    /// Tets for a closed surface, cloth for one open sheet, otherwise voxels
    Auto,
    /// Tets inside the surface
    Solid,
    /// Voxels around the surface
    Voxels,
    /// Cloth, for a surface of one piece
    Cloth,
}

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    files: Vec<PathBuf>,
    object: String,
    vertices: usize,
    triangles: usize,
    open_edges: usize,
    branching_edges: usize,
    rest: String,
    unit: f64,
    up: &'static str,
    start: i32,
    frames: usize,
    fps: f64,
    kind: &'static str,
    body_vertices: usize,
    body_elements: usize,
    element_kind: &'static str,
    still: usize,
    copies: usize,
    fit: Option<FitAnswer>,
    modes: usize,
    scenery: Vec<String>,
    notes: Vec<String>,
    seconds: f64,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct FitAnswer {
    rms: f64,
    max: f64,
    frame: i32,
    unsettled: usize,
}

pub fn run(args: &NewArgs, session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let rest = args.rest.as_ref().map(|text| match text.parse() {
        Ok(frame) => RestShape::Frame(frame),
        Err(_) => RestShape::File(text.into()),
    });
    let kind = match args.kind {
        KindArg::Auto => ImportKind::Auto,
        KindArg::Solid => ImportKind::Solid,
        KindArg::Voxels => ImportKind::Voxels,
        KindArg::Cloth => ImportKind::Cloth,
    };
    let cells = args.cells.map(|cells| cells as usize);
    let import = Import {
        file: args.file.of(&args.motion),
        rest,
        kind,
        cells,
        groups: args.groups.clone(),
        force: args.force,
    };
    let imported = import.write(&args.output, session.progress())?;
    session.warn_all(&imported.warnings);
    if args.feel.is_set() {
        let mut shot = imported.shot.clone();
        args.feel.apply(&mut shot.edit);
        shot.save(&args.output)?;
    }
    session.answer(&Answer::of(args, &imported, begin.elapsed().as_secs_f64()))
}

impl Answer {
    fn of(args: &NewArgs, imported: &Imported, seconds: f64) -> Self {
        let Clock { start, frames, fps } = imported.clock;
        let folder = |file: &PathBuf| args.output.with_file_name(file.file_name().unwrap_or_default());
        Self {
            shot: args.output.clone(),
            files: imported.files.iter().map(folder).collect(),
            object: imported.object.clone(),
            vertices: imported.surface[0],
            triangles: imported.surface[1],
            open_edges: imported.edges.open,
            branching_edges: imported.edges.branching,
            rest: imported.rest.clone(),
            unit: imported.space.unit,
            up: imported.space.up.name(),
            start: start.0,
            frames,
            fps,
            kind: imported.shot.body.kind.name(),
            body_vertices: imported.body[0],
            body_elements: imported.body[1],
            element_kind: imported.elements,
            still: imported.still,
            copies: imported.copies,
            fit: imported.fit.map(|fit| FitAnswer {
                rms: fit.rms,
                max: fit.max,
                frame: fit.frame.0,
                unsettled: fit.unsettled,
            }),
            modes: imported.shot.edit.modes,
            scenery: imported.scenery.clone(),
            notes: imported.notes.clone(),
            seconds,
            warnings: imported.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        let files: Vec<String> = self.files.iter().map(|file| file.display().to_string()).collect();
        let closed = match (self.open_edges, self.branching_edges) {
            (0, 0) => "closed".into(),
            (open, 0) => format!("open at {}", counted(open, "edge", "edges")),
            (_, branching) => format!("branching at {}", counted(branching, "edge", "edges")),
        };
        let last = i64::from(self.start) + self.frames as i64 - 1;
        rows.add("wrote", files.join("\n"))
            .add(
                "object",
                format!(
                    "{}, {} vertices, {} triangles, {closed}",
                    self.object,
                    count(self.vertices),
                    count(self.triangles)
                ),
            )
            .add("frames", format!("{}, {} to {last}, {} fps", count(self.frames), self.start, self.fps))
            .add(
                "space",
                format!("1 unit = {} m, {} up; converted to metres, y up", number(self.unit), self.up),
            )
            .add("rest shape", &self.rest)
            .add(
                "body",
                format!(
                    "{}, {} {}, {} vertices",
                    self.kind,
                    count(self.body_elements),
                    self.element_kind,
                    count(self.body_vertices)
                ),
            );
        match &self.fit {
            Some(fit) => rows.add(
                "motion",
                format!(
                    "the body follows the surface: average error {} m, largest {} m at frame {}; the rest \
                     is kept as detail",
                    number(fit.rms),
                    number(fit.max),
                    fit.frame
                ),
            ),
            None => rows.add("motion", "the body is the surface"),
        };
        if self.copies > 0 {
            let copies = counted(self.copies, "vertex", "vertices");
            rows.add("seams", format!("{copies} coincide with others in every frame and stay together"));
        }
        if self.still > 0 {
            let vertices = counted(self.still, "vertex never moves", "vertices never move");
            rows.add("anchors", format!("{vertices}: anchored as the group \"still\""));
        }
        if !self.scenery.is_empty() {
            rows.add("scenery", self.scenery.join(", "));
        }
        for note in &self.notes {
            rows.add("note", note);
        }
        rows.add("time", format!("{:.1} s", self.seconds));
        rows.fmt(f)?;
        let shot = self.shot.display();
        writeln!(
            f,
            "\nNext:\n  supple edit {shot} --frame {} --near x,y,z --by dx,dy,dz\n  supple solve {shot} -o OUT",
            i64::from(self.start) + self.frames as i64 / 2
        )
    }
}
