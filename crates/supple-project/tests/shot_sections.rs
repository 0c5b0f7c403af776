//! Reading shot files: what every section but `[body]` may say, and how mistakes are reported.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

mod characters;
mod contacts;
mod control;
mod edit;
mod handles;
mod joints;
mod material;
mod motion;
mod segments;
mod simulate;

use std::path::Path;
use supple_project::ShotError;
use supple_project::shot::Shot;

fn full() -> Shot {
    Shot::parse(Path::new("bridge.toml"), include_str!("shot_full.toml")).unwrap()
}

/// A shot with these lines from line 4 on.
pub fn parse(lines: &str) -> Result<Shot, ShotError> {
    Shot::parse(Path::new("bridge.toml"), &format!("[body]\nkind = 'solid'\nmesh = 'a.msh'\n{lines}\n"))
}

pub fn refused(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        assert_eq!(parse(lines).unwrap_err().to_string(), format!("bridge.toml:{expected}"), "{lines}");
    }
}
