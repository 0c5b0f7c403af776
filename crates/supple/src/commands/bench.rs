//! `supple bench`: whole capabilities against the clock.

use crate::session::{Failed, Session};
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use supple_gallery::bench::{self, BenchOptions};

/// Options of `supple bench`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  supple bench modes --peers\n  supple bench feel --data motions\n\nThe second \
                  measures edits of the motions made by bench/motions/make.py, and fails if a bar is \
                  missed.\n\nJSON: bench, rows [case, work, seconds, published_seconds, peer_seconds, peer, \
                  residual, peer_residual, elements, modes, threads, peak_rss_mib; for character also frames, \
                  dofs, rows, slide_before, slide_after, largest_move, acceleration_ratio]; with no name: \
                  benches [bench, rows], all but feel; feel: bench, feel, missed, all [lines], motions [name, \
                  vertices, frames, kind, still, coinciding, touching, import_seconds, lines [measured, \
                  value, bar, ok], pulls]"
)]
pub struct BenchArgs {
    /// The bench to run [default: all but feel]
    #[arg(value_parser = PossibleValuesParser::new(bench::names()))]
    name: Option<String>,
    /// A folder with bridge.abq, bridge.bou and bridge.obj, the bridge of Barbič, Sin and Grinspun 2012, and dinosaur.abq
    /// and dinosaur.bou of Barbič, da Silva and Popović 2009; for feel: the folder of motions;
    /// for character: a folder with cmu-02_01-walk.bvh [default: the built-in bodies]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Only cases whose name contains this word
    #[arg(long, value_name = "WORD")]
    case: Option<String>,
    /// Also run other programs on the same matrices (needs python3; makes a virtual environment)
    #[arg(long)]
    peers: bool,
    /// For feel: number of drags of 5, 12 and 25 % of the size each, or three numbers such as 0,3,1
    #[arg(long, value_name = "N", value_parser = parse_pulls, default_value = "24")]
    pulls: [usize; 3],
    /// For feel: use the energy of Barbič, Sin and Grinspun 2012, with no bars to pass
    #[arg(long)]
    lively: bool,
}

/// One number for all sizes of pulls, or one for each.
fn parse_pulls(text: &str) -> Result<[usize; 3], String> {
    let wrong = || "give one number of drags, or three as in 0,3,1".to_owned();
    let numbers: Result<Vec<usize>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.map_err(|_| wrong())?.as_slice() {
        [all] => Ok([*all; 3]),
        [small, middling, large] => Ok([*small, *middling, *large]),
        _ => Err(wrong()),
    }
}

pub fn run(args: &BenchArgs, session: &Session) -> anyhow::Result<()> {
    let options = BenchOptions {
        name: args.name.clone(),
        data: args.data.clone(),
        case: args.case.clone(),
        peers: args.peers,
        pulls: args.pulls,
        lively: args.lively,
    };
    let answer = bench::measure(&options, session.progress())?;
    session.answer(&answer, ToString::to_string)?;
    answer.missed().map_or(Ok(()), |missed| Err(Failed(missed).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulls_are_one_number_or_three() {
        assert_eq!(parse_pulls("24"), Ok([24; 3]));
        assert_eq!(parse_pulls("0, 3,1"), Ok([0, 3, 1]));
        assert!(["", "1,2", "-1", "a", "1,2,3,4"].iter().all(|text| parse_pulls(text).is_err()));
    }
}
