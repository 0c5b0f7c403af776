//! The list of handles, as a person reads it.

use crate::{Generation, Snapshot};
use supple_project::shot::{Distance, Goal, Handle, Hold, Move, Orientation, Shot, Site, Zone};
use supple_project::{HandleOutcome, Reason};

/// A handle is met when it is off by less than this part of the size.
const MET: f64 = 1e-6;
/// A soft one when it misses less than this part of its way.
const NEARLY: f64 = 5e-3;

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleRow {
    /// What is held, and when: "vertex 12 at 60".
    pub title: String,
    /// What is asked: "by (0, 0.1, 0) m".
    pub goal: String,
    /// Whether it may give.
    pub soft: bool,
    /// Whether it is left alone for now.
    pub muted: bool,
    /// What became of it.
    pub state: HandleState,
}

/// What became of a handle.
#[derive(Clone, Debug, PartialEq)]
pub enum HandleState {
    /// That is not known yet.
    Unknown,
    /// It is left alone.
    Muted,
    /// It cannot hold; the words say why.
    Wrong(String),
    /// It is where it should be, as near as matters.
    Met,
    /// It is off by this: a length, or a velocity per second of the playback.
    Off {
        /// How far.
        error: f64,
        /// Whether that is a velocity.
        of_velocity: bool,
        /// Whether it contradicts others or the contacts, so that part of it was left out.
        redundant: bool,
        /// Why it is off, if that is known.
        reason: Option<Reason>,
        /// How much of the pull is missing, 0 to 1, where it is known what was asked for.
        missing: Option<f64>,
    },
}

/// The handles of a shot, with what a snapshot knows of them.
#[must_use]
pub fn handle_list(shot: &Shot, generation: Generation, snapshot: &Snapshot) -> Vec<HandleRow> {
    let report = snapshot.report.as_ref().filter(|report| report.generation == generation);
    let size = snapshot.stage.as_ref().map_or(1.0, |stage| stage.size);
    let row = |(place, (segment, handle)): (usize, (Option<usize>, &Handle))| {
        let outcome = |outcome: &&HandleOutcome| outcome.key.0 as usize == place + 1;
        let outcome = report.and_then(|report| report.report.handles.iter().find(outcome));
        let problem = snapshot.problems.get(place).and_then(Option::as_ref);
        let muted = handle.muted == Some(true);
        let state = match (muted, problem, outcome) {
            (true, ..) => HandleState::Muted,
            (_, Some(problem), _) => HandleState::Wrong(problem.clone()),
            (_, _, None) => HandleState::Unknown,
            (_, _, Some(outcome)) if outcome.error <= MET * size => HandleState::Met,
            // What is soft is off by what its firmness says.
            (_, _, Some(outcome)) if outcome.soft && outcome.shortfall() < NEARLY => HandleState::Met,
            (_, _, Some(outcome)) => HandleState::Off {
                error: outcome.error,
                of_velocity: outcome.of_velocity,
                redundant: outcome.redundant,
                reason: outcome.reason,
                missing: (outcome.asked > 0.0).then_some(outcome.error / outcome.asked),
            },
        };
        let soft = matches!(handle.firmness(shot.edit.method), Hold::Soft(_));
        HandleRow { title: title(segment, handle), goal: goal_words(&handle.goal), soft, muted, state }
    };
    shot.edit.all_handles().enumerate().map(row).collect()
}

fn title(segment: Option<usize>, handle: &Handle) -> String {
    let relative = handle.relative_to.as_ref();
    let relative = relative.map_or(String::new(), |site| format!(" relative to {}", site_name(site)));
    let segment = segment.map_or(String::new(), |number| format!("segment {number}, "));
    format!("{}{relative} · {segment}{}", site_name(&handle.site), handle.when)
}

fn site_name(site: &Site) -> String {
    match site {
        Site::Vertex(v) => format!("vertex {}", v.0),
        Site::BodyVertex(v) => format!("body vertex {}", v.0),
        Site::Vertices(vertices) => format!("{} vertices", vertices.len()),
        Site::Group(name) => format!("group {name}"),
        Site::Near(point) => format!("near {}", triple(point)),
        Site::Joint { name, offset: [0.0, 0.0, 0.0] } => format!("joint {name}"),
        Site::Joint { name, .. } => format!("point of {name}"),
        Site::CenterOfMass => "centre of mass".to_owned(),
    }
}

/// What is asked of a handle, as a person reads it.
#[must_use]
pub fn goal_words(goal: &Goal) -> String {
    match goal {
        Goal::To(to) => format!("at {} m", triple(to)),
        Goal::By(by) => format!("moved {} m", short(by[0].hypot(by[1]).hypot(by[2]))),
        Goal::Velocity(velocity) => format!("velocity {} m/s", triple(velocity)),
        Goal::Path(path) => format!("path {}", path.display()),
        Goal::Turn { turn, then } => {
            let degrees = short(turn.degrees);
            match then {
                None => format!("turn {degrees}°"),
                Some(Move::By(by)) => format!("turn {degrees}°, moved {} m", triple(by)),
                Some(Move::To(to)) => format!("turn {degrees}°, at {} m", triple(to)),
            }
        }
        Goal::Plane { normal, .. } => format!("in the plane with normal {}", triple(normal)),
        Goal::Along(curve) => format!("along {}", curve.display()),
        Goal::Stay { at: None } => "stays in one place".to_owned(),
        Goal::Stay { at: Some(Move::By([0.0, 0.0, 0.0])) } => "stays where it was".to_owned(),
        Goal::Stay { at: Some(Move::By(by)) } => format!("stays, moved {} m", triple(by)),
        Goal::Stay { at: Some(Move::To(to)) } => format!("stays at {} m", triple(to)),
        Goal::Distance(Distance::Input) => "same distance as in the original".to_owned(),
        Goal::Distance(Distance::Metres(metres)) => format!("{} m away", short(*metres)),
        Goal::SameAs(frame) => format!("same place as at frame {frame}"),
        Goal::Orientation(Orientation::Input) => "same orientation as in the original".to_owned(),
        Goal::Orientation(Orientation::Quaternion(numbers)) => {
            format!("orientation ({})", numbers.map(short).join(", "))
        }
        Goal::Inside(zone) => format!("inside {}", zone_words(zone)),
        Goal::Outside(zone) => format!("outside {}", zone_words(zone)),
    }
}

fn zone_words(zone: &Zone) -> String {
    match zone {
        Zone::Mesh(file) => file.display().to_string(),
        Zone::Box { min, max } => format!("the box from {} to {} m", triple(min), triple(max)),
        Zone::Sphere { center, radius } => {
            format!("the sphere around {}, radius {} m", triple(center), short(*radius))
        }
        Zone::Below { axis, at } => format!("{} below {} m", axis.name(), short(*at)),
    }
}

fn triple(numbers: &[f64; 3]) -> String {
    format!("({})", numbers.map(short).join(", "))
}

/// Four digits, and no zeros behind them.
fn short(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{}", number + 0.0);
    }
    let places = (3 - number.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{number:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
