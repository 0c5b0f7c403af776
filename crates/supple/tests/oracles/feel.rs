//! Pulls on motions that Blender's solvers make look as they should, by the bars of `supple bench feel`.

use crate::cli::run::Place;
use crate::oracles::script;
use std::collections::BTreeSet;
use std::path::Path;

/// The script of the motions, seen from those of the oracles.
const MAKE: &str = "../../../../bench/motions/make.py";
/// What it makes.
const MOTIONS: [&str; 7] = ["curtain", "flag", "cape", "jelly", "walker", "figure", "face"];

#[test]
#[ignore = "needs the virtual environment of oracles"]
fn pulls_on_motions_of_blender_look_natural() {
    let place = Place::new();
    script::run(MAKE, &[place.path(), Path::new("--small")]);
    let run = place.run(&["bench", "feel", "--data", ".", "--pulls", "0,3,1", "--json"]);
    let answer: serde_json::Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let motions = answer["motions"].as_array().unwrap();
    let names: Vec<&str> = motions.iter().map(|motion| motion["name"].as_str().unwrap()).collect();
    assert_eq!(names, MOTIONS);
    for motion in motions {
        assert_eq!(motion["pulls"].as_array().unwrap().len(), 4, "{}", motion["name"]);
        let count = |key: &str| motion[key].as_u64().unwrap();
        assert!(count("vertices") <= 1500 && count("frames") <= 60, "{}: not small", motion["name"]);
    }
    // Nothing of the table is measured nowhere; whether a pull is near to what is held is left to chance.
    let lines = motions.iter().flat_map(|motion| motion["lines"].as_array().unwrap());
    let measured: BTreeSet<&str> = lines
        .filter(|line| !line["value"].is_null())
        .map(|line| line["measured"].as_str().unwrap())
        .collect();
    let all = motions[0]["lines"].as_array().unwrap().iter().map(|line| line["measured"].as_str().unwrap());
    let missing: Vec<&str> =
        all.filter(|name| !measured.contains(name) && !name.starts_with("nearer")).collect();
    assert_eq!(missing, [""; 0], "measured on no motion");
    for (name, what) in
        [("walker", "coinciding"), ("face", "still"), ("curtain", "still"), ("figure", "touching")]
    {
        let motion = motions.iter().find(|motion| motion["name"] == name).unwrap();
        assert!(motion[what].as_u64().unwrap() > 0, "{name} has nothing {what}");
    }
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "a bar is missed");
}
