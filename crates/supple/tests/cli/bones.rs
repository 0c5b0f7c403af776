//! `supple render` of characters: bones, ways of joints, strobes in alternating colours.

use crate::cli::run::Place;
use serde_json::json;

/// `walk/walk-2d.toml`: a planar walk, one plant of which is moved.
fn with_walk() -> Place {
    let place = Place::new();
    place.done(&["sample", "walk-2d", "-o", "walk"]);
    place
}

/// Renders the walk small and reads what was written.
fn draw(place: &Place, more: &[&str]) -> Vec<u8> {
    let fixed = ["render", "walk/walk-2d.toml", "--size", "320x180", "--no-caption", "-o", "a.png"];
    place.done(&[&fixed, more].concat());
    place.read("a.png")
}

/// How many pixels of a PNG are so: red, green, blue.
fn count(bytes: &[u8], is_so: impl Fn([i32; 3]) -> bool) -> usize {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut rgb).unwrap();
    rgb.chunks_exact(3).filter(|p| is_so([p[0], p[1], p[2]].map(i32::from))).count()
}

fn is_blue([r, _, b]: [i32; 3]) -> bool {
    b > r + 40
}

fn is_orange([r, _, b]: [i32; 3]) -> bool {
    r > b + 60
}

#[test]
fn bones_are_what_is_drawn_of_a_character_and_of_nothing_else() {
    let place = with_walk();
    let plain = draw(&place, &["--frame", "40"]);
    assert!(plain == draw(&place, &["--frame", "40", "--body", "bones"]));
    assert!(draw(&place, &[]) == draw(&place, &["--body", "bones"]), "at rest");
    // The capture alone, which the shot edits.
    place.done(&[
        "render",
        "walk/walk-2d.bvh",
        "--frame",
        "40",
        "--size",
        "320x180",
        "--no-caption",
        "-o",
        "b.png",
    ]);
    assert!(place.read("b.png") == draw(&place, &["--frame", "40", "--input"]));
    let bar = Place::with_bar();
    for more in [&["--body", "bones"][..], &["--body", "bones", "--frame", "2"]] {
        let message = bar.error(&[&["render", "bar.toml", "-o", "a.png"], more].concat());
        assert_eq!(
            message,
            "bar.toml: there are no bones: only a character has them; leave out --body bones"
        );
    }
    let message = place.error(&["render", "walk/walk-2d.bvh", "--mode", "1", "-o", "a.png"]);
    assert!(message.contains("a motion has no modes"), "{message}");
}

#[test]
fn ways_follow_joints_by_name_and_are_striped_before_the_edit() {
    let place = with_walk();
    let fixed = ["--frames", "20..60", "--strobe", "2", "--view", "front"];
    let with = |more: &[&str]| draw(&place, &[&fixed[..], more].concat());
    let (plain, ways) = (with(&[]), with(&["--streamers", "LeftFoot_end,Head"]));
    assert!(plain != ways && ways == with(&["--streamers", "Head, LeftFoot_end"]), "in any order");
    assert!(with(&["--streamers", "Head"]) != with(&["--streamers", "LeftFoot_end"]));
    // Stripes of the input are nearly black, its own colour is yellow, the edited way dark red at its end.
    let is_stripe = |[r, g, b]: [i32; 3]| r < 100 && g < 90 && b < 60;
    let is_yellow = |[r, g, b]: [i32; 3]| r > 180 && g > 120 && b < 110;
    assert!(count(&ways, is_stripe) > count(&plain, is_stripe) + 20);
    assert!(count(&ways, is_yellow) > count(&plain, is_yellow) + 20);
    // Without an edit there is one way, and it is not striped.
    let input = with(&["--streamers", "Head", "--input"]);
    assert!(count(&input, is_stripe) < 20, "{}", count(&input, is_stripe));
    for (wrong, meant) in [("LeftFot_end", "`LeftFoot_end`"), ("Haed", "`Head`")] {
        let message = place.error(&[
            "render",
            "walk/walk-2d.toml",
            "--frame",
            "4",
            "--streamers",
            wrong,
            "-o",
            "a.png",
        ]);
        assert!(message.contains(wrong) && message.contains(&format!("did you mean {meant}?")), "{message}");
    }
    let message = Place::with_bar().error(&[
        "render",
        "bar.toml",
        "--frame",
        "4",
        "--streamers",
        "Head",
        "-o",
        "a.png",
    ]);
    assert!(message.contains("only a character has joints") || message.contains("no motion"), "{message}");
}

#[test]
fn frames_of_a_strobe_alternate_in_colour_and_fade() {
    let place = with_walk();
    let strobe = |count: &str| draw(&place, &["--strobe", count, "--view", "front"]);
    let (one, six) = (strobe("1"), strobe("6"));
    assert!(count(&one, is_orange) == 0 && count(&one, is_blue) > 50, "the last frame is blue");
    assert!(count(&six, is_orange) > 100 && count(&six, is_blue) > 100);
    let answer = place.json(&["render", "walk/walk-2d.toml", "--strobe", "6", "-o", "b.png"]);
    assert_eq!((&answer["kind"], &answer["edited"]), (&json!("strobe"), &json!(true)));
    assert_eq!(answer["frames"].as_array().unwrap().len(), 6);
    let answer = place.json(&["render", "walk/walk-2d.toml", "--strobe", "6", "--input", "-o", "b.png"]);
    assert_eq!((&answer["edited"], &answer["handles"]), (&json!(false), &json!([])));
    let message = place.error(&["render", "walk/walk-2d.bvh", "--frame", "4", "--ghost", "-o", "a.png"]);
    assert!(message.contains("has no edits"), "{message}");
}
