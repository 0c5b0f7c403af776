//! Small pictures, held to the last bit against those in `tests/golden`, and pictures of an edit, which may differ only
//! where the edit is seen.
//!
//! `SUPPLE_GOLDEN=write cargo test -p supple-render --test tests golden::` writes them anew; look at them before they are kept.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use nalgebra::Vector3;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use supple_render::{
    Arrows, Camera, Colour, ColourMap, Floor, Image, Label, Markers, Object, Plot, Rule, Scalars, Scene,
    Series, Sheet, Streamer, UpAxis, View,
};

type Positions = Vec<Vector3<f64>>;
type Triangles = Vec<[u32; 3]>;

const SIZE: [u32; 2] = [120, 80];

/// A square of `n` by `n` cells from (−1, −1) to (1, 1) in the plane z = 0.
fn grid(n: u32) -> (Positions, Triangles) {
    let at = |i: u32| f64::from(i) / f64::from(n) * 2.0 - 1.0;
    let positions = (0..=n).flat_map(|j| (0..=n).map(move |i| Vector3::new(at(i), at(j), 0.0))).collect();
    let corner = |i: u32, j: u32| j * (n + 1) + i;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (positions, triangles.collect())
}

/// A saddle over the floor.
fn saddle() -> (Positions, Triangles) {
    let (mut positions, triangles) = grid(12);
    positions.iter_mut().for_each(|p| *p = Vector3::new(p.x, 0.6 + 0.4 * (p.x * p.x - p.y * p.y), p.y));
    (positions, triangles)
}

fn golden(name: &str, image: &Image) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("SUPPLE_GOLDEN").is_some() {
        image.write_png(File::create(&path).unwrap()).unwrap();
        return;
    }
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut kept = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut kept).unwrap();
    assert_eq!([info.width, info.height], [image.width, image.height], "{name}");
    let drawn = image.rgba.chunks_exact(4).map(|pixel| &pixel[..3]);
    let differing = drawn.zip(kept.chunks_exact(3)).filter(|(a, b)| a != b).count();
    if differing > 0 {
        let seen = std::env::temp_dir().join(format!("supple-golden-{name}.png"));
        image.write_png(File::create(&seen).unwrap()).unwrap();
        panic!("{name}: {differing} pixels are not those of {}; see {}", path.display(), seen.display());
    }
}

fn draw(scene: &Scene<'_>) -> Image {
    scene.render(SIZE[0], SIZE[1]).unwrap()
}

#[test]
fn pictures_are_what_they_were_to_the_last_bit() {
    let (positions, triangles) = saddle();
    let values: Vec<f64> = positions.iter().map(|p| p.y).collect();
    let camera = Camera::framing(&positions, View::ThreeQuarter, UpAxis::Y, 1.5);
    let mut scene = Scene::new(camera);
    scene.objects.push(Object::new(&positions, &triangles));
    golden("solid", &draw(&scene));

    scene.floor = Some(Floor::new(0.0, UpAxis::Y));
    scene.style.sun = Some(camera.sun_over_shoulder(UpAxis::Y));
    golden("floor", &draw(&scene));

    let raised: Positions = positions.iter().map(|p| p + Vector3::new(0.3, 0.3, 0.0)).collect();
    scene.objects.push(Object {
        colour: Colour::rgb(236, 196, 60),
        opacity: 0.45,
        ..Object::new(&raised, &triangles)
    });
    golden("ghost", &draw(&scene));
    scene.objects.pop();

    scene.objects[0].scalars =
        Some(Scalars { label: "height".into(), ..Scalars::new(&values, ColourMap::Sequential) });
    scene.objects[0].wireframe = true;
    scene.caption = "saddle".into();
    golden("colours", &draw(&scene));
    scene.objects[0].scalars = None;

    let path: Positions = (0..40).map(|i| Vector3::new(f64::from(i) / 20.0 - 1.0, 1.0, 0.0)).collect();
    let ends = [[Vector3::zeros(), Vector3::new(0.0, 1.2, 0.0)]];
    scene.streamers.push(Streamer::new(&path));
    scene.arrows.push(Arrows::new(&ends));
    scene.markers.push(Markers::new(&path[..1]));
    scene.labels.push(Label::new(Vector3::new(0.0, 0.6, 0.0), "here"));
    golden("marks", &draw(&scene));

    let mut sheet = Sheet::new();
    sheet.push(draw(&scene), "one");
    sheet.push(draw(&scene), "two");
    golden("sheet", &sheet.image().unwrap());
}

#[test]
fn plots_are_what_they_were_to_the_last_bit() {
    let mut plot = Plot::new("A wave");
    (plot.x.label, plot.y.label) = ("frame".into(), "height (m)".into());
    // A parabola, so that no library of functions has a say.
    plot.series
        .push(Series::line("edited", (0..50).map(|i| [f64::from(i), f64::from(i * (50 - i)) / 100.0])));
    plot.series.push(Series { dashed: true, ..Series::line("input", (0..50).map(|i| [f64::from(i), 2.0])) });
    plot.verticals.push(Rule::new(25.0, "handle"));
    golden("plot", &plot.image(240, 150).unwrap());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/plot.svg");
    let text = plot.svg(240, 150);
    if std::env::var_os("SUPPLE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap());
}

/// Where a camera on the z axis at distance 5, 2 units of the plane z = 0 from top to bottom, sees a point.
fn pixel(p: &Vector3<f64>, [width, height]: [u32; 2]) -> [f64; 2] {
    let scale = f64::from(height) / 2.0 * 5.0 / (5.0 - p.z);
    [f64::from(width) / 2.0 + scale * p.x, f64::from(height) / 2.0 - scale * p.y]
}

/// Whether a pixel's square comes within a pixel of a triangle on the screen: it is not on the far side of any edge.
fn near(triangle: [[f64; 2]; 3], x: f64, y: f64) -> bool {
    let [a, b, c] = triangle;
    let cross =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let side = cross(a, b, c).signum();
    [(a, b), (b, c), (c, a)].into_iter().all(|(p, q)| {
        let length = (q[0] - p[0]).hypot(q[1] - p[1]);
        side * cross(p, q, [x, y]) > -1.5 * length
    })
}

#[test]
fn an_edit_changes_the_pixels_it_should_and_no_others() {
    const SIZE: [u32; 2] = [240, 240];
    let (before, triangles) = grid(10);
    let moved = 5 * 11 + 5;
    let mut after = before.clone();
    after[moved] += Vector3::new(0.05, 0.03, 0.15);
    let camera = Camera {
        eye: Vector3::new(0.0, 0.0, 5.0),
        target: Vector3::zeros(),
        up: Vector3::y(),
        vertical_angle: 2.0 * 0.2_f64.atan(),
    };
    let image = |positions: &Positions| {
        let mut scene = Scene::new(camera);
        scene.objects.push(Object::new(positions, &triangles));
        scene.render(SIZE[0], SIZE[1]).unwrap()
    };
    let (input, output) = (image(&before), image(&after));
    // Triangles at the vertex move; those that share a vertex with them are shaded by other normals.
    let touching: Vec<&[u32; 3]> = triangles.iter().filter(|t| t.contains(&(moved as u32))).collect();
    let ring: Vec<u32> = touching.iter().flat_map(|t| t.iter().copied()).collect();
    let affected: Vec<&[u32; 3]> = triangles.iter().filter(|t| t.iter().any(|v| ring.contains(v))).collect();
    let on_screen = |positions: &Positions, list: &[&[u32; 3]]| -> Vec<[[f64; 2]; 3]> {
        list.iter().map(|t| t.map(|v| pixel(&positions[v as usize], SIZE))).collect()
    };
    let allowed = [on_screen(&before, &affected), on_screen(&after, &affected)].concat();
    let (mut changed, mut at_the_vertex) = (0, 0);
    let centre = pixel(&after[moved], SIZE);
    for (i, (a, b)) in input.rgba.chunks_exact(4).zip(output.rgba.chunks_exact(4)).enumerate() {
        let [x, y] = [(i % SIZE[0] as usize) as f64 + 0.5, (i / SIZE[0] as usize) as f64 + 0.5];
        if a == b {
            continue;
        }
        changed += 1;
        at_the_vertex += usize::from((x - centre[0]).hypot(y - centre[1]) < 10.0);
        assert!(allowed.iter().any(|triangle| near(*triangle, x, y)), "pixel {x}, {y} changed");
    }
    // A cell is 24 pixels wide; nearly all that is around the vertex is seen at another slope.
    assert!(at_the_vertex > 200, "{at_the_vertex} pixels at the vertex changed");
    assert!((600..4 * 24 * 4 * 24).contains(&changed), "{changed} pixels changed");
}
