//! `supple edit`: handles of a shot, from the command line.

use super::feel::FeelArgs;
use super::prepare::load_body;
use crate::session::Session;
use crate::text::{Rows, number, triple};
use anyhow::{Context, bail};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use supple_model::{Frame, VertexId};
use supple_project::shot::{Goal, Handle, Hold, Site, When};
use supple_project::{Cache, Shot, ShotLock, Space, handle_places};

/// Options of `supple edit`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple edit cape.toml --frame 60 --near 0,1.5,0 --by 0,0.2,0\n  supple edit \
                  cape.toml --frame 60 --vertex 1234 --to 0.1,1.7,0 --hold 50\n  supple edit cape.toml \
                  --list\n  supple edit cape.toml --remove 2\n  supple edit cape.toml --reach 12 --spread \
                  0.5\n\nComments and layout of the shot file are kept.\n\nJSON: shot, done \
                  [added|removed|listed|set], feel, reach [frames, null: one second], spread, handles \
                  [handle, frame, last_frame, site, vertex, at, asks, to, hold]; at is the position in the \
                  input",
    group(clap::ArgGroup::new("what").required(true).args(["frame", "remove", "list", "feel", "reach", "spread"]).multiple(true)),
    group(clap::ArgGroup::new("site").args(["near", "vertex", "group"])),
    group(clap::ArgGroup::new("goal").args(["by", "to"]))
)]
pub struct EditArgs {
    /// The shot file
    shot: PathBuf,
    /// Add a handle at this frame
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "site", requires = "goal")]
    frame: Option<i32>,
    /// Hold it until this frame
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "frame")]
    until: Option<i32>,
    /// Put it on the vertex nearest to this point at that frame of the input
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true)]
    near: Option<Triple>,
    /// Put it on this vertex: of the skin if there is one, otherwise of the body
    #[arg(long, value_name = "V")]
    vertex: Option<u32>,
    /// Put it on the average of this group
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Move it by this offset from the input
    #[arg(long, value_name = "DX,DY,DZ", value_parser = parse_triple, allow_hyphen_values = true)]
    by: Option<Triple>,
    /// Move it to this position
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true)]
    to: Option<Triple>,
    /// Make it soft: a single handle stops 1/(1 + H) short of its goal, 1 goes half-way [default: hard]
    #[arg(long, value_name = "H")]
    hold: Option<f64>,
    /// Give positions in the unit and axes of the motion's file [default: metres, y up]
    #[arg(long)]
    in_file: bool,
    /// Remove this handle, counted from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "frame")]
    remove: Option<u32>,
    /// List the handles
    #[arg(long, conflicts_with_all = ["frame", "remove"])]
    list: bool,
    #[command(flatten)]
    feel: FeelArgs,
}

/// Three numbers.
#[derive(Clone, Copy, Debug)]
struct Triple([f64; 3]);

fn parse_triple(text: &str) -> Result<Triple, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|c| c.is_finite()) => Ok(Triple([x, y, z])),
        _ => Err("give three numbers, as in 0,1.5,-2".into()),
    }
}

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    done: &'static str,
    feel: &'static str,
    reach: Option<f64>,
    spread: f64,
    handles: Vec<HandleAnswer>,
}

impl Answer {
    fn new(args: &EditArgs, done: &'static str, shot: &Shot, handles: Vec<HandleAnswer>) -> Self {
        let edit = &shot.edit;
        let (feel, reach, spread) = (edit.feel.name(), edit.reach, edit.spread.unwrap_or_default());
        Self {
            shot: args.shot.clone(),
            done,
            feel,
            reach: reach.map(|reach| reach.0),
            spread: spread.0,
            handles,
        }
    }
}

#[derive(Serialize)]
struct HandleAnswer {
    handle: usize,
    frame: i32,
    last_frame: i32,
    site: String,
    vertex: Option<u32>,
    at: Option<[f64; 3]>,
    asks: &'static str,
    to: Option<[f64; 3]>,
    hold: Option<f64>,
}

pub fn run(args: &EditArgs, session: &Session) -> anyhow::Result<()> {
    let shot = Shot::load(&args.shot)?;
    if args.frame.is_none() && args.remove.is_none() && !args.feel.is_set() {
        let handles = listed(&shot);
        return session.answer(&Answer::new(args, "listed", &shot, handles));
    }
    // Finding the place of a handle may take as long as a simulation, so nobody waits for that.
    let found = match args.frame {
        Some(frame) => Some((frame, make(args, frame, &shot, session)?)),
        None => None,
    };
    let lock = ShotLock::take(&args.shot, session.progress())?;
    let (before, mut shot) = (shot, Shot::load(&args.shot)?);
    args.feel.apply(&mut shot.edit);
    let (done, handles) = match (args.remove, found) {
        (Some(number), _) => ("removed", vec![remove(args, number, &mut shot)?]),
        (_, Some((frame, made))) => {
            // Unless somebody has changed what the place depends on.
            let (handle, at) =
                if is_same_input(&before, &shot) { made } else { make(args, frame, &shot, session)? };
            shot.edit.handles.push(handle.clone());
            ("added", vec![HandleAnswer::of(shot.edit.handles.len(), &handle, at)])
        }
        _ => ("set", listed(&shot)),
    };
    shot.save(&args.shot)?;
    drop(lock);
    session.answer(&Answer::new(args, done, &shot, handles))
}

fn listed(shot: &Shot) -> Vec<HandleAnswer> {
    (1..).zip(&shot.edit.handles).map(|(k, handle)| HandleAnswer::of(k, handle, None)).collect()
}

fn remove(args: &EditArgs, number: u32, shot: &mut Shot) -> anyhow::Result<HandleAnswer> {
    let (index, there) = (number as usize - 1, shot.edit.handles.len());
    if index >= there {
        bail!("{}: there is no handle {number}; the shot has {there}", args.shot.display());
    }
    Ok(HandleAnswer::of(number as usize, &shot.edit.handles.remove(index), None))
}

/// Whether two shots differ in their edits alone.
fn is_same_input(a: &Shot, b: &Shot) -> bool {
    let mut a = a.clone();
    a.edit.clone_from(&b.edit);
    a == *b
}

/// The handle that is asked for, and where the input has it.
fn make(
    args: &EditArgs,
    frame: i32,
    shot: &Shot,
    session: &Session,
) -> anyhow::Result<(Handle, Option<[f64; 3]>)> {
    let space = if args.in_file { Space::of_shot(shot)? } else { Space::default() };
    let body = load_body(&args.shot, shot)?;
    let cache = Cache::of_shot(&args.shot);
    let places = handle_places(shot, &body, Frame(frame), &cache, session.progress())
        .with_context(|| args.shot.display().to_string())?;
    let (site, at) = match (args.near, args.vertex, &args.group) {
        (Some(Triple(near)), ..) => {
            let near = space.inside(near);
            let distance = |p: &[f64; 3]| (0..3).map(|c| (p[c] - near[c]).powi(2)).sum::<f64>();
            let nearest = places.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
            let (v, place) = nearest.context("the motion has no vertices")?;
            (Site::Vertex(VertexId::new(v)), Some(*place))
        }
        (_, Some(v), _) => {
            let place = places.get(v as usize).with_context(|| {
                format!(
                    "{}: there is no vertex {v}; there are {} vertices, counted from 0",
                    args.shot.display(),
                    places.len()
                )
            })?;
            (Site::Vertex(VertexId(v)), Some(*place))
        }
        (_, _, Some(group)) => {
            body.groups.get(group).with_context(|| args.shot.display().to_string())?;
            (Site::Group(group.clone()), None)
        }
        _ => bail!("choose a point with --near, --vertex or --group"),
    };
    let goal = match (args.by, args.to) {
        (Some(Triple(by)), _) => Goal::By(space.inside(by)),
        (_, Some(Triple(to))) => Goal::To(space.inside(to)),
        _ => bail!("choose a goal with --by or --to"),
    };
    let when = match args.until {
        Some(until) if until < frame => {
            bail!("--until {until} is before --frame {frame}")
        }
        Some(until) => When::Frames(frame..=until),
        None => When::Frame(frame),
    };
    let mut handle = Handle::new(when, site, goal);
    if let Some(weight) = args.hold {
        handle.hold = Hold::Soft(weight);
    }
    Ok((handle, at))
}

impl HandleAnswer {
    fn of(number: usize, handle: &Handle, at: Option<[f64; 3]>) -> Self {
        let (site, vertex) = match &handle.site {
            Site::Vertex(v) => (format!("vertex {}", v.0), Some(v.0)),
            Site::BodyVertex(v) => (format!("body vertex {}", v.0), None),
            Site::Vertices(vs) => (format!("{} vertices", vs.len()), None),
            Site::Group(name) => (format!("group {name}"), None),
            Site::Near(p) => (format!("vertex nearest to {}", triple(*p, ", ")), None),
            Site::Joint(name) => (format!("joint {name}"), None),
            Site::CenterOfMass => ("centre of mass".to_owned(), None),
        };
        let (asks, to) = match &handle.goal {
            Goal::To(to) => ("to", Some(*to)),
            Goal::By(by) => ("by", Some(*by)),
            Goal::Velocity(velocity) => ("velocity", Some(*velocity)),
            Goal::Path(_) => ("path", None),
            Goal::Turn { .. } => ("turn", None),
            Goal::Plane { .. } => ("plane", None),
        };
        let hold = match handle.hold {
            Hold::Hard => None,
            Hold::Soft(weight) => Some(weight),
        };
        let frames = handle.when.range();
        let (frame, last_frame) = (*frames.start(), *frames.end());
        Self { handle: number, frame, last_frame, site, vertex, at, asks, to, hold }
    }
}

impl fmt::Display for HandleAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = match self.frame == self.last_frame {
            true => format!("frame {}", self.frame),
            false => format!("frames {} to {}", self.frame, self.last_frame),
        };
        write!(f, "{frames}, {}", self.site)?;
        if let Some(at) = self.at {
            write!(f, " at ({})", triple(at, ", "))?;
        }
        match self.to {
            Some(to) => write!(f, ", {} ({})", self.asks, triple(to, ", "))?,
            None => write!(f, ", {}", self.asks)?,
        }
        match self.hold {
            Some(weight) => write!(f, ", soft, firmness {}", number(weight)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        rows.add("shot", self.shot.display());
        let reach = self.reach.map_or("one second".to_owned(), |reach| format!("{} frames", number(reach)));
        match self.feel {
            "smooth" => rows.add("feel", format!("smooth, reach {reach}, spread {}", number(self.spread))),
            feel => rows.add("feel", feel),
        };
        for handle in &self.handles {
            let text = format!("{}: {handle}", handle.handle);
            match self.done {
                "listed" | "set" => rows.add("handle", text),
                "added" => rows.add("added", text),
                _ => rows.add("removed", text),
            };
        }
        if self.handles.is_empty() {
            rows.add("handles", "none");
        }
        rows.fmt(f)?;
        match self.done {
            "added" => writeln!(f, "\nNext:\n  supple solve {} -o OUT", self.shot.display()),
            _ => Ok(()),
        }
    }
}
