//! `supple prepare`: the modes of a shot's body, and its input motion where that is simulated.

use crate::session::Session;
use crate::text::{Rows, count, counted, number};
use anyhow::{Context, anyhow};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_elastic::EigenError;
use supple_model::Progress;
use supple_project::shot::{Feel, Input};
use supple_project::{
    Body, Cache, InputMotion, PreparedModes, Shot, check_modes, prepare_modes, prepare_modes_of,
};

/// How many frequencies are shown.
const SHOWN: usize = 8;

/// Options of `supple prepare`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple prepare bridge/bridge.toml --modes 200\n\nJSON: shot, vertices, elements, \
                  element_kind, anchors, degrees_of_freedom, modes, rigid_modes, frequencies [Hz], worst_residual, \
                  orthonormality, count_below [1/s²], counted, found, from_cache, seconds, input [frames, contacts, \
                  from_cache, seconds], warnings; input is null unless it is simulated"
)]
pub struct PrepareArgs {
    /// The shot file
    shot: PathBuf,
    /// Number of modes [default: from the shot]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    modes: Option<u32>,
}

/// What was prepared.
#[derive(Serialize)]
pub struct Prepared {
    shot: PathBuf,
    vertices: usize,
    elements: usize,
    element_kind: &'static str,
    anchors: usize,
    degrees_of_freedom: usize,
    modes: usize,
    rigid_modes: usize,
    frequencies: Vec<f64>,
    worst_residual: f64,
    orthonormality: f64,
    count_below: f64,
    counted: usize,
    found: usize,
    from_cache: bool,
    seconds: f64,
    /// The simulated input motion.
    pub input: Option<PreparedInput>,
    warnings: Vec<String>,
}

/// A simulated input motion.
#[derive(Serialize)]
pub struct PreparedInput {
    frames: usize,
    contacts: usize,
    from_cache: bool,
    seconds: f64,
}

pub fn run(args: &PrepareArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let shot = Shot::load(&args.shot)?;
    let body = load_body(&args.shot, &shot)?;
    let count = args.modes.map_or(shot.edit.modes, |modes| modes as usize);
    let simulated = shot.motion.input == Input::Simulate;
    let share = if simulated { 0.2 } else { 1.0 };
    let prepared = modes(&args.shot, &body, count, &session.progress().part(0.0, share))?;
    session.warn_all(&prepared.warnings);
    if shot.edit.feel == Feel::Smooth {
        // Vibration is what is reported; smooth edits are made of other modes.
        prepare_edit(&args.shot, &shot, &body, count, session)?;
    }
    let mut answer = Prepared::of(&args.shot, &body, &prepared, start.elapsed().as_secs_f64());
    if simulated {
        answer.input = Some(input(&args.shot, &shot, &body, &session.progress().part(share, 1.0), session)?);
    }
    session.answer(&answer)
}

/// Simulates the input motion, unless that is in the cache.
fn input(
    path: &Path,
    shot: &Shot,
    body: &Body,
    progress: &Progress,
    session: &Session,
) -> anyhow::Result<PreparedInput> {
    let start = Instant::now();
    let motion = InputMotion::open(shot, body, &Cache::of_shot(path), progress)
        .with_context(|| path.display().to_string())?;
    session.warn_all(&motion.warnings);
    Ok(PreparedInput {
        frames: motion.clock.frames,
        contacts: motion.contacts.len(),
        from_cache: motion.from_cache,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Puts the modes that smooth edits are made of into the cache.
fn prepare_edit(
    path: &Path,
    shot: &Shot,
    body: &Body,
    count: usize,
    session: &Session,
) -> anyhow::Result<()> {
    let (feel, cache) = (shot.edit.feel, Cache::of_shot(path));
    check_modes(body, count).with_context(|| path.display().to_string())?;
    let prepared = prepare_modes_of(body, &body.free, feel, count, &cache, session.progress())
        .with_context(|| path.display().to_string())?;
    session.warn_all(&prepared.warnings);
    Ok(())
}

/// The body of a shot; errors name the shot.
pub fn load_body(path: &Path, shot: &Shot) -> anyhow::Result<Body> {
    Body::load(shot).with_context(|| path.display().to_string())
}

/// The modes of a shot's body, from its cache or computed; errors name the shot.
pub fn modes(shot: &Path, body: &Body, count: usize, progress: &Progress) -> anyhow::Result<PreparedModes> {
    check_modes(body, count).with_context(|| shot.display().to_string())?;
    prepare_modes(body, count, &Cache::of_shot(shot), progress).map_err(|error| {
        let hint = match &error {
            EigenError::TooMany { .. } => "; lower --modes, or `modes` in [edit]",
            _ => "",
        };
        anyhow!("{}: {error}{hint}", shot.display())
    })
}

impl Prepared {
    /// What the modes of a body turned out to be, after `seconds`.
    pub fn of(shot: &Path, body: &Body, prepared: &PreparedModes, seconds: f64) -> Self {
        let modes = &prepared.modes;
        let certificate = modes.certificate();
        Self {
            shot: shot.to_path_buf(),
            vertices: body.positions().len(),
            elements: body.matter.elements(),
            element_kind: body.matter.element_name(),
            anchors: body.anchors.len(),
            degrees_of_freedom: 3 * body.free.vertices().len(),
            modes: modes.count(),
            rigid_modes: modes.rigid(),
            frequencies: (0..modes.count()).map(|k| modes.frequency(k)).collect(),
            worst_residual: certificate.residuals.iter().copied().fold(0.0, f64::max),
            orthonormality: certificate.orthonormality,
            count_below: certificate.count_shift,
            counted: certificate.counted,
            found: certificate.found,
            from_cache: prepared.from_cache,
            seconds,
            input: None,
            warnings: prepared.warnings.iter().map(ToString::to_string).collect(),
        }
    }

    /// Name and value of everything worth knowing.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows::default();
        let source = if self.from_cache { "from the cache" } else { "computed and cached" };
        rows.add("shot", self.shot.display())
            .add(
                "body",
                format!(
                    "{} vertices, {} {}, {} anchored, {} degrees of freedom",
                    count(self.vertices),
                    count(self.elements),
                    self.element_kind,
                    count(self.anchors),
                    count(self.degrees_of_freedom)
                ),
            )
            .add("modes", format!("{}, {source}, {:.1} s in total", count(self.modes), self.seconds))
            .add("frequencies", self.frequency_text());
        if self.rigid_modes > 0 {
            let rigid = counted(self.rigid_modes, "rigid mode", "rigid modes");
            rows.add("rigid", format!("{rigid}: the body is free to move; add anchors to hold it"));
        }
        if let Some(input) = &self.input {
            let source = if input.from_cache { "from the cache" } else { "simulated and cached" };
            rows.add(
                "input motion",
                format!(
                    "{} frames, {}, {source}, {:.1} s",
                    count(input.frames),
                    counted(input.contacts, "contact", "contacts"),
                    input.seconds
                ),
            );
        }
        rows.add(
            "checked",
            format!(
                "{} eigenvalues below {}, {} found\nlargest residual {:.1e}, orthonormal to {:.1e}",
                count(self.counted),
                number(self.count_below),
                count(self.found),
                self.worst_residual,
                self.orthonormality
            ),
        );
        rows
    }

    fn frequency_text(&self) -> String {
        let shown = self.frequencies.iter().take(SHOWN).enumerate();
        let mut texts: Vec<String> =
            shown.map(|(k, f)| if k < self.rigid_modes { "rigid".into() } else { number(*f) }).collect();
        if let Some(last) = self.frequencies.last().filter(|_| self.frequencies.len() > SHOWN) {
            texts.push(format!("… {}", number(*last)));
        }
        format!("{} Hz", texts.join(" "))
    }
}

impl fmt::Display for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().fmt(f)
    }
}
