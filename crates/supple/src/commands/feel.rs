//! `--feel`, `--reach`, `--spread`: the three plain controls of an edit.

use clap::ValueEnum;
use supple_project::edit::FeelOptions;
use supple_project::shot::{Feel, Spread};

/// How an edit feels.
#[derive(Debug, Default, clap::Args)]
pub struct FeelArgs {
    /// How the motion responds to an edit
    #[arg(long, value_enum, value_name = "FEEL")]
    feel: Option<FeelArg>,
    /// Frames before and after a handle until the edit has faded to 5 % [default: one second]
    #[arg(long, value_name = "FRAMES", value_parser = parse_reach, allow_negative_numbers = true)]
    reach: Option<f64>,
    /// Share of the body that follows at least half of the edit, 0.05 to 1 [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = parse_spread, allow_negative_numbers = true)]
    spread: Option<f64>,
}

/// How the motion follows a pull.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeelArg {
    /// An edit fades in and out smoothly; nothing swings back
    Smooth,
    /// Least force: the body swings before and after the edit
    Lively,
}

fn parse_reach(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(frames) if frames > 0.0 && frames.is_finite() => Ok(frames),
        _ => Err("must be a number of frames greater than 0".into()),
    }
}

fn parse_spread(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if Spread::RANGE.contains(&share) => Ok(share),
        _ => Err(format!("must be between {} and {}", Spread::RANGE.start(), Spread::RANGE.end())),
    }
}

impl FeelArgs {
    /// What is set.
    pub fn options(&self) -> FeelOptions {
        let feel = self.feel.map(|feel| match feel {
            FeelArg::Smooth => Feel::Smooth,
            FeelArg::Lively => Feel::Lively,
        });
        FeelOptions { feel, reach: self.reach, spread: self.spread }
    }
}
