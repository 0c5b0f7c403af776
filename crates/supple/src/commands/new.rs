//! `supple new`: a shot from an animated surface or a skeleton.

use super::feel::FeelArgs;
use crate::session::Session;
use crate::text::{Rows, few, typed};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use supple_model::text::{count, counted, number};
use supple_project::import::{CharacterAnswer, ImportAnswer, SurfaceAnswer, UnitFrom, import};
use supple_project::shot::Axis;
use supple_project::{Import, ImportKind, MotionFile, RestShape, parse_unit};

/// Which file, what it is of, and what it does not say itself.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Mesh for a .pc2 or .mdd, with the vertices in the same order
    #[arg(long, value_name = "MESH")]
    topology: Option<PathBuf>,
    /// Object to use when the file has several: its path, or the end of its path
    #[arg(long, value_name = "NAME")]
    object: Option<String>,
    /// Unit of the file: mm, cm, dm, m, km, in, ft, or a length in metres [default: from the file; of a skeleton: by its height]
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    unit: Option<f64>,
    /// Axis of the file that points up [default: from the file; of a skeleton y, or z if it stands along it]
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

impl UpAxis {
    /// The same of a shot.
    pub fn axis(self) -> Axis {
        match self {
            Self::X => Axis::X,
            Self::Y => Axis::Y,
            Self::Z => Axis::Z,
        }
    }
}

impl FileArgs {
    /// The file at `path`, as these options describe it.
    pub fn of(&self, path: &Path) -> MotionFile {
        MotionFile {
            path: path.to_path_buf(),
            topology: self.topology.clone(),
            object: self.object.clone(),
            unit: self.unit,
            up: self.up.map(UpAxis::axis),
        }
    }
}

/// Options of `supple new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple new cape.usdc -o cape.toml\n  supple new run.pc2 --topology rest.obj --unit cm --up z -o \
                  run.toml\n  supple new party.glb --object balloon --rest 1 -o balloon.toml\n  supple new walk.bvh -o walk.toml\n\nThen:\n  supple edit \
                  cape.toml --frame 60 --near 0,1.5,0 --by 0,0.2,0\n  supple solve cape.toml -o edited.usda\n\nJSON: shot, \
                  files, object, vertices, triangles, open_edges, branching_edges, rest, unit [m], up, start, frames, fps, \
                  kind, body_vertices, body_elements, element_kind, still, copies, fit [rms, max, frame, unsettled], modes, \
                  scenery, notes, seconds, warnings; fit is null where the body is the surface\nof a skeleton: shot, files, \
                  kind, joints, end_sites, degrees_of_freedom, hinges, height [m], unit [m], unit_from [option, file, height], \
                  unit_reason, up, start, frames, fps, notes, seconds"
)]
pub struct NewArgs {
    /// The motion: USD, glTF, FBX, Alembic, .pc2 or .mdd with --topology, name.####.obj or .ply; or a skeleton: .bvh
    motion: PathBuf,
    #[command(flatten)]
    file: FileArgs,
    /// Rest shape: a frame, or a mesh with the same vertices [default: from the file, or its first frame]
    #[arg(long, value_name = "FRAME|MESH", allow_negative_numbers = true)]
    rest: Option<String>,
    /// Extra vertex groups for anchors, handles and regions (CSV: name,index)
    #[arg(long, value_name = "CSV")]
    groups: Option<PathBuf>,
    /// Body to build from the surface or skeleton
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
    /// Tets for a closed surface, cloth for one open sheet, otherwise voxels; a character for a .bvh
    Auto,
    /// Tets inside the surface
    Solid,
    /// Voxels around the surface
    Voxels,
    /// Cloth, for a surface of one piece
    Cloth,
    /// A character, for a skeleton
    Character,
}

pub fn run(args: &NewArgs, session: &Session) -> anyhow::Result<()> {
    let rest = args.rest.as_ref().map(|text| match text.parse() {
        Ok(frame) => RestShape::Frame(frame),
        Err(_) => RestShape::File(text.into()),
    });
    let kind = match args.kind {
        KindArg::Auto => ImportKind::Auto,
        KindArg::Solid => ImportKind::Solid,
        KindArg::Voxels => ImportKind::Voxels,
        KindArg::Cloth => ImportKind::Cloth,
        KindArg::Character => ImportKind::Character,
    };
    let cells = args.cells.map(|cells| cells as usize);
    let asked = Import {
        file: args.file.of(&args.motion),
        rest,
        kind,
        cells,
        groups: args.groups.clone(),
        force: args.force,
    };
    let answer = import(&asked, &args.output, &args.feel.options(), session.progress())?;
    session.answer(&answer, text)
}

fn text(answer: &ImportAnswer) -> String {
    match answer {
        ImportAnswer::Surface(answer) => of_surface(answer),
        ImportAnswer::Character(answer) => of_character(answer),
    }
}

fn of_character(answer: &CharacterAnswer) -> String {
    let mut rows = Rows::default();
    let files: Vec<String> = answer.files.iter().map(|file| file.display().to_string()).collect();
    let (joints, ends) =
        (counted(answer.joints, "joint", "joints"), counted(answer.end_sites, "end site", "end sites"));
    let last = i64::from(answer.start) + answer.frames as i64 - 1;
    let other = if answer.unit_from == UnitFrom::Height { "; --unit says otherwise" } else { "" };
    rows.add("wrote", few(&files, "\n"))
        .add("body", format!("{}, {joints} and {ends}", answer.kind))
        .add("frames", format!("{}, {} to {last}, {} fps", count(answer.frames), answer.start, answer.fps))
        .add("height", format!("{} m", number(answer.height)))
        .add("space", format!("1 unit = {} m, {} up; converted to metres, y up", answer.unit, answer.up))
        .add("unit", format!("{}{other}", answer.unit_reason));
    if !answer.hinges.is_empty() {
        rows.add("hinges", answer.hinges.join(", "));
    }
    let middle = i64::from(answer.start) + answer.frames as i64 / 2;
    let edit = format!("--joint NAME --frame {middle} --by dx,dy,dz");
    end(rows, &answer.notes, answer.seconds, &answer.shot, &edit)
}

/// What every answer ends with: notes, the time, and what to do next.
fn end(mut rows: Rows, notes: &[String], seconds: f64, shot: &Path, edit: &str) -> String {
    for note in notes {
        rows.add("note", note);
    }
    rows.add("time", format!("{seconds:.1} s"));
    let (rows, shot) = (rows.to_string(), typed(shot));
    format!("{rows}\nNext:\n  supple edit {shot} {edit}\n  supple solve {shot} -o OUT\n")
}

fn of_surface(answer: &SurfaceAnswer) -> String {
    let mut rows = Rows::default();
    let files: Vec<String> = answer.files.iter().map(|file| file.display().to_string()).collect();
    let closed = match (answer.open_edges, answer.branching_edges) {
        (0, 0) => "closed".into(),
        (open, 0) => format!("open at {}", counted(open, "edge", "edges")),
        (_, branching) => format!("branching at {}", counted(branching, "edge", "edges")),
    };
    let last = i64::from(answer.start) + answer.frames as i64 - 1;
    rows.add("wrote", few(&files, "\n"))
        .add(
            "object",
            format!(
                "{}, {} vertices, {} triangles, {closed}",
                answer.object,
                count(answer.vertices),
                count(answer.triangles)
            ),
        )
        .add("frames", format!("{}, {} to {last}, {} fps", count(answer.frames), answer.start, answer.fps))
        .add(
            "space",
            format!("1 unit = {} m, {} up; converted to metres, y up", number(answer.unit), answer.up),
        )
        .add("rest shape", &answer.rest)
        .add(
            "body",
            format!(
                "{}, {} {}, {} vertices",
                answer.kind,
                count(answer.body_elements),
                answer.element_kind,
                count(answer.body_vertices)
            ),
        );
    match &answer.fit {
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
    if answer.copies > 0 {
        let copies = counted(answer.copies, "vertex", "vertices");
        rows.add("seams", format!("{copies} coincide with others in every frame and stay together"));
    }
    if answer.still > 0 {
        let vertices = counted(answer.still, "vertex never moves", "vertices never move");
        rows.add("anchors", format!("{vertices}: anchored as the group \"still\""));
    }
    if !answer.scenery.is_empty() {
        rows.add("scenery", few(&answer.scenery, ", "));
    }
    let middle = i64::from(answer.start) + answer.frames as i64 / 2;
    let edit = format!("--frame {middle} --near x,y,z --by dx,dy,dz");
    end(rows, &answer.notes, answer.seconds, &answer.shot, &edit)
}
