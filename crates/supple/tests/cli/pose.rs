//! `supple pose`.

use crate::cli::run::{BAR, Place, keys};

const LOAD: &str = "\n[[load]]\nnear = [4, 1, 0.5]\nforce = [0, 300, 0]\n";

#[test]
fn a_pose_and_its_reactions_are_written() {
    let place = Place::with_bar();
    place.write("bar.toml", format!("{BAR}{LOAD}"));
    let answer = place.json(&["pose", "bar.toml", "-o", "bent.obj"]);
    assert_eq!(
        keys(&answer),
        ["asked", "output", "reactions", "reactions_file", "seconds", "shot", "stages", "vertices"]
    );
    assert_eq!(answer["stages"][0]["status"], "converged");
    assert!(answer["stages"][0]["strain_energy"].as_f64().unwrap() > 0.0);
    let reactions = String::from_utf8(place.read("bent.obj.reactions.csv")).unwrap();
    let rows: Vec<f64> =
        reactions.lines().skip(1).map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert!((rows.iter().sum::<f64>() + 300.0).abs() < 1e-3, "the anchors bear the load: {rows:?}");
    let info = place.json(&["info", "bent.obj"]);
    assert_eq!(info["vertices"], 20);
    assert!(info["bounds"]["max"][1].as_f64().unwrap() > 1.001);
}

#[test]
fn a_load_that_cannot_be_borne_fails_and_leaves_the_last_pose() {
    let place = Place::with_bar();
    place.write("bar.toml", format!("{BAR}{}", LOAD.replace("[0, 300, 0]", "[-1e9, 0, 0]")));
    let run = place.run(&["pose", "bar.toml", "-o", "bent.obj"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("stage 1 of 1 diverges: the body carries"), "{run:?}");
    assert!(run.stdout.contains("diverged"), "{run:?}");
    place.done(&["info", "bent.obj"]);
}

#[test]
fn weight_alone_bends_and_nothing_at_all_is_a_mistake() {
    let place = Place::with_bar();
    let message = place.error(&["pose", "bar.toml", "-o", "bent.obj"]);
    assert!(message.contains("no force acts on the body"), "{message}");
    place.done(&["pose", "bar.toml", "--weight", "-o", "bent.ply"]);
    let message = place.error(&["pose", "bar.toml", "--weight", "-o", "bent.pc2"]);
    assert!(message.contains("a pose is written as .obj, .ply or .stl"), "{message}");
    let message = place.error(&["pose", "bar.toml", "--fit", "bent.ply", "-o", "fit.obj"]);
    assert!(message.contains("the body has no skin"), "{message}");
}
