//! The real window, on a display that nobody sees.

use crate::cli::run::Place;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt, ImageFormat, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

const SIZE: [u16; 2] = [1360, 820];
/// Where the button is that stops playing.
const PAUSE: [i16; 2] = [67, 707];

/// A process that ends with its owner.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display, and its name.
fn display() -> (Ends, String) {
    let screen = format!("{}x{}x24", SIZE[0], SIZE[1]);
    let child = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.expect("this test needs Xvfb: apt-get install xvfb");
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Ends(child), format!(":{}", line.trim()))
}

/// The screen, four bytes a pixel: blue, green, red, nothing.
fn screen(connection: &RustConnection) -> Vec<u8> {
    let root = connection.setup().roots[0].root;
    let image = connection.get_image(ImageFormat::Z_PIXMAP, root, 0, 0, SIZE[0], SIZE[1], !0).unwrap();
    image.reply().unwrap().data
}

/// How many colours there are in the left half of the middle of the screen, where the body is.
fn colours(pixels: &[u8]) -> usize {
    let (width, height) = (usize::from(SIZE[0]), usize::from(SIZE[1]));
    let rows = pixels.chunks_exact(4 * width).skip(height / 4).take(height / 3);
    rows.flat_map(|row| row[..2 * width].chunks_exact(4))
        .map(|p| [p[0], p[1], p[2]])
        .collect::<HashSet<_>>()
        .len()
}

/// Seconds of a processor a process has used.
fn used(id: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn keep(pixels: &[u8]) {
    let Some(folder) = std::env::var_os("SUPPLE_PICTURES") else { return };
    let file = std::fs::File::create(std::path::Path::new(&folder).join("window.ppm")).unwrap();
    let mut bytes = format!("P6 {} {} 255\n", SIZE[0], SIZE[1]).into_bytes();
    bytes.extend(pixels.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0]]));
    std::io::Write::write_all(&mut &file, &bytes).unwrap();
}

#[test]
fn the_studio_opens_draws_a_body_and_rests_when_it_is_paused() {
    let (_display, name) = display();
    let place = Place::new();
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let begin = Instant::now();
    let mut command = place.command(&[]);
    command.current_dir(&empty).env("DISPLAY", &name).env("XDG_STATE_HOME", place.path().join("state"));
    let mut studio = Ends(command.stderr(Stdio::piped()).spawn().unwrap());
    let (connection, root) = x11rb::connect(Some(&name)).unwrap();
    let root = connection.setup().roots[root].root;
    let mut opened = None;
    let pixels = loop {
        assert!(studio.0.try_wait().unwrap().is_none(), "it ended: {}", said(&mut studio));
        assert!(begin.elapsed() < Duration::from_secs(120), "no body is drawn");
        let children = connection.query_tree(root).unwrap().reply().unwrap().children;
        if !children.is_empty() && opened.is_none() {
            opened = Some(begin.elapsed());
        }
        let pixels = screen(&connection);
        if colours(&pixels) > 60 {
            break pixels;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    println!(
        "a window after {:.2} s, a body after {:.2} s",
        opened.unwrap().as_secs_f64(),
        begin.elapsed().as_secs_f64()
    );
    keep(&pixels);
    for (event, detail) in [(MOTION_NOTIFY_EVENT, 0), (BUTTON_PRESS_EVENT, 1), (BUTTON_RELEASE_EVENT, 1)] {
        connection.xtest_fake_input(event, detail, 0, root, PAUSE[0], PAUSE[1], 0).unwrap();
        connection.flush().unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let idle = rests(studio.0.id());
    keep(&screen(&connection));
    assert!(idle < 0.05, "{:.1} % of a processor while nothing plays", 100.0 * idle);
    assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0, "nothing is written to where it was started");
}

/// The least part of a processor used in some seconds, once what is prepared beside the window is done.
fn rests(id: u32) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..15 {
        let (before, begin) = (used(id), Instant::now());
        std::thread::sleep(Duration::from_secs(2));
        least = least.min((used(id) - before) / begin.elapsed().as_secs_f64());
        if least < 0.03 {
            break;
        }
    }
    println!("{:.1} % of a processor while nothing plays", 100.0 * least);
    least
}

fn said(studio: &mut Ends) -> String {
    let mut text = String::new();
    if let Some(mut stderr) = studio.0.stderr.take() {
        std::io::Read::read_to_string(&mut stderr, &mut text).unwrap();
    }
    text
}
