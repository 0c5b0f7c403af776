//! `supple edit`: handles of a shot, from the command line.

use super::feel::FeelArgs;
use crate::session::Session;
use crate::text::{Rows, typed};
use anyhow::bail;
use std::path::PathBuf;
use supple_model::text::{number, triple};
use supple_project::edit::{
    EditAnswer, EditOptions, HandleAnswer, HandleTime, NewGoal, NewHandle, NewSite, ShiftHandle, edit,
};
use supple_project::shot::{At, Move, When};

const HELP: &str = "Examples:
  supple edit cape.toml --frame 60 --near 0,1.5,0 --by 0,0.2,0
  supple edit cape.toml --frame 60 --vertex 1234 --to 0.1,1.7,0 --hold 50
  supple edit cape.toml --list
  supple edit cape.toml --move 2 --by 0,0.1,0
  supple edit cape.toml --remove 2
  supple edit cape.toml --reach 12 --spread 0.5
  supple edit jump.toml --segment 1 --at end --center-of-mass --velocity 1.5,3,0
  supple edit jump.toml --segment 3 --at 12.5 --group feet --by 0,0.1,0
  supple edit walk.toml --joint LeftToeBase --frame 11 --until 80 --stay
  supple edit walk.toml --joint LeftHand --offset 0.1,0,0 --frame 40 --by 0,0.3,0 --layer arms
  supple edit thief.toml --joint LeftHand --frame 47 --by 0,0,0.1 --prop treasure

Comments and layout of the shot file are kept.

JSON: shot, done [added|moved|removed|listed|set], method, feel, reach [frames, null: one second], spread, handles \
[handle, segment, frame, last_frame, time, site, joint, offset, vertex, at, asks, to, hold, layer, prop]; time is the scene's frame, or in a \
segment the frames from its start or \"end\"; at is the position in the input";

/// Options of `supple edit`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = HELP,
    group(clap::ArgGroup::new("what").required(true).args(["frame", "segment", "move", "remove", "list", "feel", "reach", "spread"]).multiple(true)),
    group(clap::ArgGroup::new("site").args(["near", "vertex", "group", "joint", "center_of_mass"])),
    group(clap::ArgGroup::new("goal").args(["by", "to", "velocity", "stay"]).multiple(true))
)]
pub struct EditArgs {
    /// The shot file
    shot: PathBuf,
    /// Add a handle at this frame; with the method "sparse" also between two frames, as 24.5
    #[arg(long, value_name = "N", value_parser = parse_frame, allow_negative_numbers = true, requires = "site", requires = "goal")]
    frame: Option<f64>,
    /// Hold it until this frame
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "frame")]
    until: Option<i32>,
    /// Add a handle to this segment, counted from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "frame", requires = "at", requires = "site", requires = "goal")]
    segment: Option<u32>,
    /// Time of the handle in its segment: `end`, or frames from the start of the segment
    #[arg(long, value_name = "end|FRAMES", value_parser = parse_at, requires = "segment")]
    at: Option<At>,
    /// Put it on the vertex nearest to this point: at that frame of the input, or at rest in a segment
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true)]
    near: Option<Triple>,
    /// Put it on this vertex: of the skin if there is one, otherwise of the body
    #[arg(long, value_name = "V")]
    vertex: Option<u32>,
    /// Put it on the average of this group
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Put it on this joint of a character
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,
    /// Put it this far from the joint, along the joint's own axes [default: on the joint]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true, requires = "joint")]
    offset: Option<Triple>,
    /// Put it on the centre of mass
    #[arg(long)]
    center_of_mass: bool,
    /// Plant it: keep it in one place until --until, wherever that is easiest, or where --to or --by says
    #[arg(long, conflicts_with = "velocity")]
    stay: bool,
    /// Move it by this offset from the input
    #[arg(long, value_name = "DX,DY,DZ", value_parser = parse_triple, allow_hyphen_values = true, conflicts_with_all = ["to", "velocity"])]
    by: Option<Triple>,
    /// Move it to this position
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true, conflicts_with = "velocity")]
    to: Option<Triple>,
    /// Make it move this fast, per second of playback
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_triple, allow_hyphen_values = true)]
    velocity: Option<Triple>,
    /// Make it soft: a single handle stops 1/(1 + H) short of its goal, 1 goes half-way [default: hard]
    #[arg(long, value_name = "H")]
    hold: Option<f64>,
    /// Put it in this layer of a character
    #[arg(long, value_name = "NAME", requires = "site")]
    layer: Option<String>,
    /// Say which prop it holds: handles on the same prop move together
    #[arg(long, value_name = "NAME", requires = "site")]
    prop: Option<String>,
    /// Give positions in the unit and axes of the motion's file [default: metres, y up]
    #[arg(long)]
    in_file: bool,
    /// Move this handle, counted from 1 as --list shows it, by --by; handles on the same prop move along
    #[arg(long = "move", id = "move", value_name = "K", value_parser = clap::value_parser!(u32).range(1..), requires = "by", conflicts_with_all = ["frame", "segment", "remove", "site", "stay", "hold", "layer", "prop"])]
    shift: Option<u32>,
    /// Remove this handle, counted from 1 as --list shows it
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["frame", "segment"])]
    remove: Option<u32>,
    /// List the handles
    #[arg(long, conflicts_with_all = ["frame", "segment", "remove"])]
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

fn parse_frame(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(frame) if (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&frame) => Ok(frame),
        _ => Err("give a frame, as in 60 or 24.5".into()),
    }
}

fn parse_at(text: &str) -> Result<At, String> {
    match (text, text.parse::<f64>()) {
        ("end", _) => Ok(At::End),
        (_, Ok(frames)) if frames >= 0.0 && frames.is_finite() => Ok(At::Frames(frames)),
        _ => Err("give `end`, or frames from the start of the segment, as in 12.5".into()),
    }
}

pub fn run(args: &EditArgs, session: &Session) -> anyhow::Result<()> {
    let options = EditOptions {
        add: when(args)?.map(|when| new_handle(args, when)).transpose()?,
        remove: args.remove.map(|number| number as usize),
        shift: args.shift.zip(args.by).map(|(number, Triple(by))| ShiftHandle {
            handle: number as usize,
            by,
            in_file: args.in_file,
        }),
        feel: args.feel.options(),
    };
    session.answer(&edit(&args.shot, &options, session.progress())?, text)
}

/// When a handle is to be added; none if none is.
fn when(args: &EditArgs) -> anyhow::Result<Option<When>> {
    let frame = args.frame.map(When::at_time);
    Ok(match (frame, args.until, args.at) {
        (Some(When::Frame(frame)), Some(until), _) => Some(When::Frames(frame..=until)),
        (Some(frame), Some(_), _) => bail!("--until needs a whole frame; {frame} is between two"),
        (frame @ Some(_), None, _) => frame,
        (None, _, at) => at.map(When::At),
    })
}

/// The handle that is asked for.
fn new_handle(args: &EditArgs, when: When) -> anyhow::Result<NewHandle> {
    let site = match (args.near, args.vertex, &args.group, &args.joint) {
        _ if args.center_of_mass => NewSite::CenterOfMass,
        (Some(Triple(near)), ..) => NewSite::Near(near),
        (_, Some(vertex), ..) => NewSite::Vertex(vertex),
        (_, _, Some(group), _) => NewSite::Group(group.clone()),
        (.., Some(joint)) => {
            NewSite::Joint { name: joint.clone(), offset: args.offset.map_or([0.0; 3], |offset| offset.0) }
        }
        _ => bail!("choose a point with --near, --vertex, --group, --joint or --center-of-mass"),
    };
    let goal = match (args.by, args.to, args.velocity) {
        (Some(Triple(by)), ..) if args.stay => NewGoal::Stay(Some(Move::By(by))),
        (_, Some(Triple(to)), _) if args.stay => NewGoal::Stay(Some(Move::To(to))),
        _ if args.stay => NewGoal::Stay(None),
        (Some(Triple(by)), ..) => NewGoal::By(by),
        (_, Some(Triple(to)), _) => NewGoal::To(to),
        (.., Some(Triple(velocity))) => NewGoal::Velocity(velocity),
        _ => bail!("choose a goal with --by, --to, --velocity or --stay"),
    };
    Ok(NewHandle {
        when,
        segment: args.segment.map(|number| number as usize),
        site,
        goal,
        hold: args.hold,
        layer: args.layer.clone(),
        prop: args.prop.clone(),
        in_file: args.in_file,
    })
}

fn text(answer: &EditAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("shot", answer.shot.display());
    let reach = answer.reach.map_or("one second".to_owned(), |reach| format!("{} frames", number(reach)));
    match (answer.feel, answer.spread) {
        (Some("smooth"), Some(spread)) => {
            rows.add("feel", format!("smooth, reach {reach}, spread {}", number(spread)))
        }
        (Some(feel), _) => rows.add("feel", feel),
        (None, _) => rows.add("method", answer.method),
    };
    let name = match answer.done {
        "listed" | "set" => "handle",
        "added" | "moved" => answer.done,
        _ => "removed",
    };
    for handle in &answer.handles {
        rows.add(name, format!("{}: {}", handle.handle, of_handle(handle)));
    }
    if answer.handles.is_empty() {
        rows.add("handles", "none");
    }
    match answer.done {
        "added" | "moved" => format!("{rows}\nNext:\n  supple solve {} -o OUT", typed(&answer.shot)),
        _ => rows.to_string(),
    }
}

fn of_handle(handle: &HandleAnswer) -> String {
    let at = handle.at.map(|at| format!(" at ({})", triple(at, ", "))).unwrap_or_default();
    let to = handle.to.map(|to| format!(" ({})", triple(to, ", "))).unwrap_or_default();
    let soft = handle.hold.map(|weight| format!(", soft, firmness {}", number(weight))).unwrap_or_default();
    let layer = handle.layer.as_ref().map(|layer| format!(", layer {layer}")).unwrap_or_default();
    let prop = handle.prop.as_ref().map(|prop| format!(", on {prop}")).unwrap_or_default();
    format!("{}, {}{at}, {}{to}{soft}{layer}{prop}", of_time(handle), handle.site, handle.asks)
}

fn of_time(handle: &HandleAnswer) -> String {
    match (handle.segment, handle.time, handle.frame.zip(handle.last_frame)) {
        (Some(segment), HandleTime::Frames(frames), _) => {
            format!("segment {segment}, {} frames in", number(frames))
        }
        (Some(segment), HandleTime::Word(end), _) => format!("segment {segment}, at the {end}"),
        (None, _, Some((first, last))) if first == last => format!("frame {first}"),
        (None, _, Some((first, last))) => format!("frames {first} to {last}"),
        (None, HandleTime::Frames(time), None) => format!("frame {}", number(time)),
        (None, HandleTime::Word(word), None) => word.to_owned(),
    }
}
