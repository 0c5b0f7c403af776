//! `supple bench feel`, on a motion made of numbers.

use crate::cli::run::{Place, keys};
use std::fmt::Write;

const COLUMNS: usize = 10;
const ROWS: usize = 8;
const FRAMES: usize = 30;

/// A sheet that swings under its first row, which stands still: `sheet.obj`, `sheet.pc2` and `motions.json`.
fn swinging() -> Place {
    let place = Place::new();
    let at = |row: usize, column: usize| row * COLUMNS + column;
    let mut mesh = String::new();
    let mut cache = b"POINTCACHE2\0".to_vec();
    let header = [1, (ROWS * COLUMNS) as i32].map(i32::to_le_bytes);
    cache.extend(header.concat());
    cache.extend([1.0_f32, 1.0].map(f32::to_le_bytes).concat());
    cache.extend((FRAMES as i32).to_le_bytes());
    for frame in 0..FRAMES {
        let angle = 0.4 * (0.3 * frame as f64).sin();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let (down, aside) = (0.1 * row as f64, 0.1 * column as f64);
                let place = [aside, -down * angle.cos(), down * angle.sin()].map(|x| x as f32);
                cache.extend(place.map(f32::to_le_bytes).concat());
                if frame == 0 {
                    writeln!(mesh, "v {} {} {}", place[0], place[1], place[2]).unwrap();
                }
            }
        }
    }
    for row in 1..ROWS {
        for column in 1..COLUMNS {
            let [a, b] = [at(row - 1, column - 1) + 1, at(row - 1, column) + 1];
            let [c, d] = [at(row, column) + 1, at(row, column - 1) + 1];
            writeln!(mesh, "f {a} {d} {c} {b}").unwrap();
        }
    }
    place.write("sheet.obj", mesh);
    place.write("sheet.pc2", cache);
    place.write(
        "motions.json",
        r#"[{ "name": "sheet", "file": "sheet.pc2", "fps": 24, "options": { "topology": "sheet.obj" } }]"#,
    );
    place
}

#[test]
fn pulls_are_measured_on_what_is_written() {
    let place = swinging();
    let answer = place.json(&["bench", "feel", "--data", ".", "--pulls", "0,0,3", "--lively"]);
    assert_eq!(keys(&answer), ["all", "bench", "feel", "missed", "motions"]);
    assert_eq!((&answer["feel"], &answer["missed"]), (&"lively".into(), &0.into()));
    let sheet = &answer["motions"][0];
    assert_eq!((&sheet["vertices"], &sheet["frames"], &sheet["still"]), (&80.into(), &30.into(), &10.into()));
    assert!(sheet["lines"].as_array().unwrap().iter().all(|line| line["bar"].is_null()));
    // The last frame is free, and what was pulled there is there.
    let last = &sheet["pulls"][1];
    assert_eq!((&last["frame"], &last["percent"]), (&30.into(), &25.into()));
    assert!(last["off"].as_f64().unwrap() < 1e-5 && last["here"].as_f64().unwrap() > 0.99, "{last}");
    let table = place.done(&["bench", "feel", "--data", ".", "--pulls", "0,0,2", "--lively"]);
    assert!(table.contains("largest / pull") && table.contains("2 pulls on 1 motion"), "{table}");
}

#[test]
fn what_is_wrong_with_the_motions_is_said() {
    let place = swinging();
    assert!(place.error(&["bench", "feel"]).contains("make.py"));
    assert!(place.error(&["bench", "feel", "--data", "elsewhere"]).contains("elsewhere/motions.json"));
    // One motion was asked for, and half an hour went by with all of them.
    let none = place.error(&["bench", "feel", "--data", ".", "--case", "cape"]);
    assert!(none.contains("no motion has \"cape\" in its name"), "{none}");
    place.write("motions.json", r#"[{ "name": "a", "file": "gone.usdc", "fps": 24 }]"#);
    assert!(place.error(&["bench", "feel", "--data", "."]).contains("gone.usdc"));
    place.write("motions.json", r#"[{ "name": "a", "file": "b.pc2", "fps": 24, "options": { "up": "w" } }]"#);
    assert!(place.error(&["bench", "feel", "--data", "."]).contains("got w"));
    let run = place.run(&["bench", "feel", "--pulls", "1,2"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}
