//! `supple edit`: handles of a shot, from the command line.

use super::feel::FeelArgs;
use crate::session::Session;
use crate::text::Rows;
use anyhow::bail;
use std::path::PathBuf;
use supple_model::text::{number, triple};
use supple_project::edit::{EditAnswer, EditOptions, HandleAnswer, NewGoal, NewHandle, NewSite, edit};

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

pub fn run(args: &EditArgs, session: &Session) -> anyhow::Result<()> {
    let options = EditOptions {
        add: args.frame.map(|frame| new_handle(args, frame)).transpose()?,
        remove: args.remove.map(|number| number as usize),
        feel: args.feel.options(),
    };
    session.answer(&edit(&args.shot, &options, session.progress())?, text)
}

/// The handle that is asked for.
fn new_handle(args: &EditArgs, frame: i32) -> anyhow::Result<NewHandle> {
    let site = match (args.near, args.vertex, &args.group) {
        (Some(Triple(near)), ..) => NewSite::Near(near),
        (_, Some(vertex), _) => NewSite::Vertex(vertex),
        (_, _, Some(group)) => NewSite::Group(group.clone()),
        _ => bail!("choose a point with --near, --vertex or --group"),
    };
    let goal = match (args.by, args.to) {
        (Some(Triple(by)), _) => NewGoal::By(by),
        (_, Some(Triple(to))) => NewGoal::To(to),
        _ => bail!("choose a goal with --by or --to"),
    };
    Ok(NewHandle { frame, until: args.until, site, goal, hold: args.hold, in_file: args.in_file })
}

fn text(answer: &EditAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("shot", answer.shot.display());
    let reach = answer.reach.map_or("one second".to_owned(), |reach| format!("{} frames", number(reach)));
    match answer.feel {
        "smooth" => rows.add("feel", format!("smooth, reach {reach}, spread {}", number(answer.spread))),
        feel => rows.add("feel", feel),
    };
    let name = match answer.done {
        "listed" | "set" => "handle",
        "added" => "added",
        _ => "removed",
    };
    for handle in &answer.handles {
        rows.add(name, format!("{}: {}", handle.handle, of_handle(handle)));
    }
    if answer.handles.is_empty() {
        rows.add("handles", "none");
    }
    match answer.done {
        "added" => format!("{rows}\nNext:\n  supple solve {} -o OUT", answer.shot.display()),
        _ => rows.to_string(),
    }
}

fn of_handle(handle: &HandleAnswer) -> String {
    let frames = match handle.frame == handle.last_frame {
        true => format!("frame {}", handle.frame),
        false => format!("frames {} to {}", handle.frame, handle.last_frame),
    };
    let at = handle.at.map(|at| format!(" at ({})", triple(at, ", "))).unwrap_or_default();
    let to = handle.to.map(|to| format!(" ({})", triple(to, ", "))).unwrap_or_default();
    let soft = handle.hold.map(|weight| format!(", soft, firmness {}", number(weight))).unwrap_or_default();
    format!("{frames}, {}{at}, {}{to}{soft}", handle.site, handle.asks)
}
