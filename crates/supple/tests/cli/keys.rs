//! `supple render --keys`: what a motion is made of.

use crate::cli::run::{BAR, Place};
use serde_json::json;

/// The last quarter of the bar, every vertex of it.
const LAST: &str = "vertices = [3, 4, 8, 9, 13, 14, 18, 19]\npoints = \"each\"\n";
/// Both ends free: nothing is asked but at the key.
const FREE: &str = "ends = { start = \"free\", end = \"free\" }";
const SIZE: [usize; 2] = [160, 90];

/// `keys.toml`: the bar with keys at frame 12 of 24, its ends as `edit` has them.
fn keyed(edit: &str, keys: &[&str]) -> Place {
    let place = Place::with_bar();
    let bar = BAR.replace("feel = \"lively\"", &format!("method = \"sparse\"\n{edit}"));
    let keys: String = keys.iter().map(|key| format!("[[edit.handle]]\nframe = 12\n{key}\n")).collect();
    place.write("keys.toml", format!("{bar}\n{keys}\n[motion]\nframes = 24\nseconds_per_frame = 0.02\n"));
    place
}

/// Where a picture of one key has pixels like this: their middle in the tile, and how many there are.
fn middle(place: &Place, more: &[&str], is_like: fn([u8; 3]) -> bool) -> ([f64; 2], usize) {
    let camera = ["--eye", "2,0.5,12", "--target", "2,0.5,0", "--size", "160x90"];
    let answer = place.json(&[&["render", "keys.toml", "--keys", "-o", "a.png"], &camera[..], more].concat());
    assert_eq!((&answer["kind"], &answer["frames"]), (&json!("sheet"), &json!([12])));
    let bytes = place.read("a.png");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    let width = info.width as usize;
    // A rim as wide above as beside it, and a caption below.
    let rim = (width - SIZE[0]) / 2;
    let (mut sum, mut count) = ([0.0; 2], 0);
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let at = 3 * ((y + rim) * width + x + rim);
            if is_like([rgb[at], rgb[at + 1], rgb[at + 2]]) {
                sum = [sum[0] + x as f64 + 0.5, sum[1] + y as f64 + 0.5];
                count += 1;
            }
        }
    }
    (sum.map(|sum| sum / f64::from(count.max(1))), count as usize)
}

fn is_dark([r, _, b]: [u8; 3]) -> bool {
    r < 80 && b < 190 && b > r.saturating_add(40)
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 150 && g < 110 && b < 110
}

fn is_black(pixel: [u8; 3]) -> bool {
    pixel.iter().all(|channel| *channel < 40)
}

/// A point of the front of the bar in the picture: 90 pixels are 2 · 11.5 tan 14° = 5.73 m.
fn seen(x: f64, y: f64) -> [f64; 2] {
    [80.0 + 15.7 * (x - 2.0), 45.0 - 15.7 * (y - 0.5)]
}

fn is_near(a: [f64; 2], b: [f64; 2], pixels: f64) -> bool {
    (a[0] - b[0]).hypot(a[1] - b[1]) < pixels
}

#[test]
fn what_is_keyed_is_dark_where_it_is_asked_to_be() {
    for by in [[0.0, 0.9], [0.0, -0.9], [-0.4, 0.6]] {
        let goal = format!("{LAST}by = [{}, {}, 0.0]", by[0], by[1]);
        let (at, count) = middle(&keyed(FREE, &[&goal]), &[], is_dark);
        // A square of 1 m.
        assert!(is_near(at, seen(3.5 + by[0], 0.5 + by[1]), 2.5), "{by:?}: {at:?}");
        assert!((150..400).contains(&count), "{by:?}: {count}");
    }
    // Asked so softly that it hardly moves, it is dark at its goal all the same.
    let soft = format!("{LAST}by = [0.0, 1.2, 0.0]\nhold = 0.01");
    let (at, count) = middle(&keyed(FREE, &[&soft]), &[], is_dark);
    assert!(is_near(at, seen(3.5, 1.7), 2.5) && count > 150, "{at:?}, {count}");
}

#[test]
fn velocities_are_arrows_and_the_centre_of_mass_is_a_dot() {
    let place = format!("{LAST}by = [0.0, 0.5, 0.0]");
    assert_eq!(middle(&keyed(FREE, &[&place]), &[], is_red).1, 0);
    for (velocity, side) in [("[0.0, 2.0, 0.0]", -1.0), ("[0.0, -2.0, 0.0]", 1.0)] {
        let velocity = format!("{LAST}velocity = {velocity}");
        let (at, count) = middle(&keyed(FREE, &[&place, &velocity]), &[], is_red);
        // From the middle of its mass, up or down; vertices inside the bar carry more of it.
        let from = seen(3.35, 1.0);
        assert!(count > 15 && (at[0] - from[0]).abs() < 3.0, "{at:?}, {count}");
        assert!(side * (at[1] - from[1]) > 5.0, "{velocity}: {at:?} {from:?}");
    }
    let center = "center_of_mass = true\nby = [0.0, 0.3, 0.0]";
    let (at, count) = middle(&keyed(FREE, &[center]), &[], is_black);
    assert!(count > 4 && is_near(at, seen(2.0, 0.8), 3.0), "{at:?}, {count}");
    // A single vertex is no surface: a dot, too.
    let (at, count) = middle(&keyed(FREE, &["vertex = 19\nby = [0.0, 0.8, 0.0]"]), &[], is_dark);
    assert!(count > 4 && is_near(at, seen(4.0, 1.8), 3.0), "{at:?}, {count}");
}

#[test]
fn given_ends_are_keys_and_the_answer_is_that_of_a_sheet() {
    let place = keyed("", &[&format!("{LAST}by = [0.0, 0.5, 0.0]")]);
    let draw = |more: &[&str]| {
        let args = ["render", "keys.toml", "--keys", "--size", "80x60", "-o", "a.png"];
        (place.json(&[&args[..], more].concat()), place.read("a.png"))
    };
    let (answer, picture) = draw(&[]);
    assert_eq!((&answer["frames"], &answer["edited"]), (&json!([1, 12, 24]), &json!(true)));
    assert_eq!((&answer["kind"], &answer["triangles"]), (&json!("sheet"), &json!(36)));
    assert_eq!((&answer["handles"][0]["handle"], &answer["handles"][0]["frame"]), (&json!(1), &json!(12)));
    assert!(picture == draw(&["--threads", "1"]).1, "the same bits on any number of threads");
    assert!(picture != draw(&["--floor"]).1 && picture != draw(&["--view", "front"]).1);
    let text = place.done(&["render", "keys.toml", "--keys", "-o", "a.png"]);
    assert!(text.starts_with("wrote a.png") && text.contains("handle 1 at frame 12: error"), "{text}");
}

#[test]
fn what_has_no_keys_says_so() {
    let place = keyed("", &[&format!("{LAST}by = [0.0, 0.5, 0.0]\nmuted = true")]);
    let lifted = "[[edit.handle]]\nframe = 12\nvertex = 19\nby = [0.0, 0.8, 0.0]\n\n[motion]\nframes = 24\n";
    place.write("drag.toml", format!("{BAR}\n{lifted}"));
    for (args, words) in [
        (&["keys.toml", "--keys", "-o", "a.png"][..], "the shot has no edits, so --keys has nothing to show"),
        (&["drag.toml", "--keys", "-o", "a.png"], "--keys needs a shot of the method \"sparse\""),
        (&["bar.veg", "--keys", "-o", "a.png"], "--keys needs a shot of the method \"sparse\""),
        (&["keys.toml", "--keys", "-o", "a.gif"], "keys are a still picture"),
    ] {
        let message = place.error(&[&["render"], args].concat());
        assert!(message.contains(words), "{args:?}: {message}");
    }
    for wrong in [["--sheet", "4"], ["--frame", "3"], ["--mode", "1"]] {
        let run = place.run(&[&["render", "keys.toml", "--keys", "-o", "a.png"], &wrong[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.stderr.contains(wrong[0]) && run.stderr.contains("--keys"), "{}", run.stderr);
    }
    assert!(!place.path().join("a.png").exists() && !place.path().join("a.gif").exists());
}
