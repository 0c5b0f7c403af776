//! `supple recover`: the material of the motion of a shot.

use crate::session::Session;
use crate::text::Rows;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use supple_model::text::{count, counted, number};
use supple_project::recover::{
    Optimise, RecoverAnswer, RecoverOptions, RecoveredRegion, RecoveryStart, recover,
};

/// How many modes are shown.
const SHOWN: usize = 8;

/// Options of `supple recover`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple sample beam-recovery\n  supple recover beam-recovery/beam-recovery.toml --frames 31..150\n\nIt \
                  learns from frames 31 to 150 and tells how well frames 151 to 300 follow from them. Frames in which loads, contacts \
                  or moving anchors push the body do not count.\n\nJSON: shot, frames [first, last], counted, seconds_per_frame, \
                  modes [frequency [Hz], damping_ratio, share], held_out [error, unoptimised, frames; null: no frames left], \
                  regions [group (null: outside of all), young [Pa], determined, uncertainty, share], damping [mass, stiffness], status \
                  [settled|unfinished|stopped], rounds, next_shot, material, seconds"
)]
pub struct RecoverArgs {
    /// The shot file
    shot: PathBuf,
    /// Learn from these frames, as 31..150 [default: the first half of the motion]
    #[arg(long, value_name = "A..B", value_parser = frames, allow_hyphen_values = true)]
    frames: Option<RangeInclusive<i32>>,
    /// Write this shot: its regions, damping and modes are those that were found
    #[arg(short, long, value_name = "NEW.toml")]
    output: Option<PathBuf>,
    /// What to look for: nothing, the frequencies and damping of given shapes, or the shapes too
    #[arg(long, value_name = "WHAT", default_value = "all")]
    optimise: What,
    /// Look for this many modes at most [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    shapes: Option<u32>,
    /// Begin with uniform material and the spectrum of the motion, as Li et al. 2014 do, for comparison
    #[arg(long)]
    from_spectrum: bool,
    /// Stop looking after this many seconds and give the best found so far
    #[arg(long, value_name = "N", value_parser = super::solve::seconds)]
    seconds: Option<Duration>,
}

/// What of a material is looked for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    None,
    Stiffness,
    All,
}

fn frames(text: &str) -> Result<RangeInclusive<i32>, String> {
    let wrong = || format!("{text:?} is not a range of frames, as 31..150");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) => Ok(from..=to),
        _ => Err(wrong()),
    }
}

pub fn run(args: &RecoverArgs, session: &Session) -> anyhow::Result<()> {
    let options = RecoverOptions {
        frames: args.frames.clone(),
        output: args.output.clone(),
        optimise: match args.optimise {
            What::None => Optimise::None,
            What::Stiffness => Optimise::Stiffness,
            What::All => Optimise::All,
        },
        start: if args.from_spectrum { RecoveryStart::Spectrum } else { RecoveryStart::Delays },
        shapes: args.shapes.map(|shapes| shapes as usize),
    };
    let progress = match args.seconds {
        Some(seconds) => session.progress().stopped_after(seconds),
        None => session.progress().clone(),
    };
    session.answer(&recover(&args.shot, &options, &progress)?, text)
}

fn text(answer: &RecoverAnswer) -> String {
    let mut rows = Rows::default();
    let [first, last] = answer.frames;
    rows.add("shot", answer.shot.display()).add(
        "learnt from",
        format!(
            "frames {first} to {last}, {} of them free of pushes, {} s apart",
            count(answer.counted),
            number(answer.seconds_per_frame)
        ),
    );
    let mut modes: Vec<_> = answer.modes.iter().collect();
    modes.sort_by(|a, b| b.share.total_cmp(&a.share));
    for mode in modes.iter().take(SHOWN) {
        rows.add(
            "mode",
            format!(
                "{} Hz, damping ratio {}, {:.2} % of the motion",
                number(mode.frequency),
                number(mode.damping_ratio),
                100.0 * mode.share
            ),
        );
    }
    if modes.len() > SHOWN {
        rows.add("more modes", count(modes.len() - SHOWN));
    }
    if let Some(held) = &answer.held_out {
        rows.add(
            "the next",
            format!(
                "{} follow from that with an error of {:.1} %; with uniform material, of {:.1} %",
                counted(held.frames, "frame", "frames"),
                100.0 * held.error,
                100.0 * held.unoptimised
            ),
        );
    }
    for region in &answer.regions {
        rows.add("region", of_region(region));
    }
    if let Some(damping) = &answer.damping {
        rows.add(
            "damping",
            format!("mass {} 1/s, stiffness {} s", number(damping.mass), number(damping.stiffness)),
        );
    }
    rows.add_some("next shot", answer.next_shot.as_ref().map(|shot| shot.display()))
        .add_some("its modes", answer.material.as_ref().map(|file| file.display()))
        .add(
            "time",
            format!(
                "{:.1} s, {} after {}",
                answer.seconds,
                answer.status,
                counted(answer.rounds, "round", "rounds")
            ),
        );
    rows.to_string()
}

fn of_region(region: &RecoveredRegion) -> String {
    let name = match &region.group {
        Some(group) => format!("\"{group}\""),
        None => "outside of all regions".to_owned(),
    };
    let share = format!("{:.1} % of the strain energy", 100.0 * region.share);
    match region.determined {
        true => format!("{name}: Young's modulus {} Pa, {share}", number(region.young)),
        false => format!("{name}: not determined, {share}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_numbers() {
        assert_eq!(frames("31..150"), Ok(31..=150));
        assert_eq!(frames("-5..20"), Ok(-5..=20));
        for wrong in ["31", "31-150", "a..b", "..", "1.5..3"] {
            assert!(frames(wrong).unwrap_err().contains("31..150"));
        }
    }
}
