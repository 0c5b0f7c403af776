//! Whole pictures: what is seen where, the same bits on any number of threads, and polite answers
//! to impossible scenes.

use crate::helpers::{awkward_numbers, is_the_same_on_all_threads};
use nalgebra::Vector3;
use supple_render::{
    Camera, Colour, ColourMap, Image, Markers, Object, RenderError, Scalars, Scene, UpAxis, View,
};

type Positions = Vec<Vector3<f64>>;
type Triangles = Vec<[u32; 3]>;

/// A ball of `2 n` slices and `n` stacks around the origin.
fn ball(n: u32) -> (Positions, Triangles) {
    let slices = 2 * n;
    let positions = (0..=n)
        .flat_map(|j| (0..slices).map(move |i| (i, j)))
        .map(|(i, j)| {
            let latitude = (f64::from(j) / f64::from(n) - 0.5) * std::f64::consts::PI;
            let (sin, cos) = (f64::from(i) / f64::from(slices) * std::f64::consts::TAU).sin_cos();
            Vector3::new(latitude.cos() * sin, latitude.sin(), latitude.cos() * cos)
        })
        .collect();
    let at = |i: u32, j: u32| j * slices + i % slices;
    let triangles = (0..n)
        .flat_map(|j| (0..slices).map(move |i| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    (positions, triangles)
}

/// A square of half-width `half` facing +z at height `z`.
fn square(half: f64, z: f64) -> Positions {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[x, y]| Vector3::new(x * half, y * half, z))
        .to_vec()
}

const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// From z = 5 down the z axis; at z = 0 the picture is 2 units high.
fn front_camera() -> Camera {
    Camera {
        eye: Vector3::new(0.0, 0.0, 5.0),
        target: Vector3::zeros(),
        up: Vector3::y(),
        vertical_angle: 2.0 * 0.2_f64.atan(),
    }
}

fn pixel(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let start = (y * image.width + x) as usize * 4;
    [image.rgba[start], image.rgba[start + 1], image.rgba[start + 2]]
}

fn differing(a: &Image, b: &Image) -> usize {
    a.rgba.chunks(4).zip(b.rgba.chunks(4)).filter(|(a, b)| a != b).count()
}

fn linear(byte: u8) -> f64 {
    let s = f64::from(byte) / 255.0;
    if s > 0.04045 { ((s + 0.055) / 1.055).powf(2.4) } else { s / 12.92 }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (positions, triangles) = ball(60);
    let values: Vec<f64> = positions.iter().map(|p| p.x * p.y).collect();
    let mut scene = Scene::new(Camera::framing(&positions, View::ThreeQuarter, UpAxis::Y, 1.6));
    let mut scalars = Scalars::new(&values, ColourMap::Diverging);
    scalars.label = "xy".to_owned();
    let ball = Object { wireframe: true, scalars: Some(scalars), ..Object::new(&positions, &triangles) };
    let (inner, faces) = (square(1.4, 0.2), SQUARE);
    scene.objects = vec![ball, Object::new(&inner, &faces)];
    scene.markers.push(Markers::new(&positions[..200]));
    scene.caption = "ball".to_owned();
    is_the_same_on_all_threads(|| scene.render(320, 200).unwrap());
}

#[test]
fn a_golden_thumbnail() {
    // A ball on the gradient, as mean green of 6 x 4 blocks. Rounding in the mathematical library
    // may differ between machines by a step; a change of light, camera or colour shows.
    let (positions, triangles) = ball(24);
    let mut scene = Scene::new(Camera::framing(&positions, View::ThreeQuarter, UpAxis::Y, 1.5));
    scene.objects.push(Object::new(&positions, &triangles));
    let image = scene.render(96, 64).unwrap();
    let block = |i: u32, j: u32| {
        let pixels = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
        pixels.map(|(x, y)| f64::from(pixel(&image, i * 16 + x, j * 16 + y)[1])).sum::<f64>() / 256.0
    };
    let golden = [
        [243.9, 242.4, 214.1, 208.7, 242.0, 243.9],
        [235.3, 203.3, 171.9, 155.8, 191.6, 235.3],
        [226.4, 184.6, 134.8, 126.9, 177.5, 226.4],
        [216.9, 214.5, 161.4, 161.2, 214.5, 216.9],
    ];
    let found: Vec<Vec<f64>> = (0..4).map(|j| (0..6).map(|i| block(i, j)).collect()).collect();
    for (found_row, golden_row) in found.iter().zip(golden) {
        for (a, b) in found_row.iter().zip(golden_row) {
            assert!((a - b).abs() < 1.0, "{found:.1?}");
        }
    }
}

#[test]
fn the_nearer_surface_is_seen_whatever_the_order() {
    let (near, far) = (square(0.5, 1.0), square(0.5, 0.0));
    let red = Object { colour: Colour::rgb(200, 20, 20), ..Object::new(&near, &SQUARE) };
    let blue = Object { colour: Colour::rgb(20, 20, 200), ..Object::new(&far, &SQUARE) };
    let mut scene = Scene::new(front_camera());
    let mut pictures = Vec::new();
    for objects in [vec![red.clone(), blue.clone()], vec![blue, red]] {
        scene.objects = objects;
        pictures.push(scene.render(60, 60).unwrap());
    }
    let [r, _, b] = pixel(&pictures[0], 30, 30);
    assert!(r > 2 * b);
    assert_eq!(pictures[0], pictures[1]);
}

#[test]
fn an_edge_is_mixed_in_linear_light_by_its_coverage() {
    // 40 pixels per unit: the right edge lies 3/8 into pixel 40.
    let mut positions = square(0.9, 0.0);
    for p in &mut positions {
        p.x = p.x.min(0.375 / 40.0);
    }
    let mut scene = Scene::new(front_camera());
    scene.style.background = [Colour::rgb(250, 250, 250); 2];
    scene.objects.push(Object { colour: Colour::rgb(60, 60, 60), ..Object::new(&positions, &SQUARE) });
    let image = scene.render(80, 80).unwrap();
    let [inside, edge, outside] = [39, 40, 41].map(|x| linear(pixel(&image, x, 40)[0]));
    assert_eq!(pixel(&image, 41, 40), [250; 3]);
    let coverage = (outside - edge) / (outside - inside);
    assert!((coverage - 0.375).abs() < 0.01, "{coverage}");
}

#[test]
fn scalars_are_interpolated_in_perspective() {
    // A floor from z = 4 to z = -20 below the camera; the value is z. Where a pixel in the middle
    // column shows the floor follows from similar triangles; its light varies too little between
    // neighbouring rows to hide where the colour map turns from blue to red, at z = -8.
    let floor = [[-9.0, 4.0], [9.0, 4.0], [9.0, -20.0], [-9.0, -20.0]].map(|[x, z]| Vector3::new(x, -0.5, z));
    let values = floor.map(|p| p.z);
    let mut scalars = Scalars::new(&values, ColourMap::Diverging);
    scalars.range = Some([-20.0, 4.0]);
    let mut scene = Scene::new(front_camera());
    scene.objects.push(Object { scalars: Some(scalars), ..Object::new(&floor, &SQUARE) });
    let image = scene.render(200, 200).unwrap();
    let redness = |y: u32| {
        let [r, _, b] = pixel(&image, 100, y).map(linear);
        r / b
    };
    // The white key light is slightly warm: compare with the redness of grey under it.
    let grey = values.map(|_| f64::NAN);
    scene.objects[0].scalars = Some(Scalars::new(&grey, ColourMap::Diverging));
    let plain = scene.render(200, 200).unwrap();
    let warmth = |y: u32| {
        let [r, _, b] = pixel(&plain, 100, y).map(linear);
        r / b
    };
    // Depth 13 at z = -8: 0.5 below the axis is seen 500 * 0.5 / 13 = 19.2 rows below the middle.
    let turn = (102..200).find(|&y| redness(y) > warmth(y)).unwrap();
    assert_eq!(turn, 119);
}

#[test]
fn inside_a_box_there_is_no_background() {
    let corners: Positions =
        (0..8).map(|i| Vector3::from_fn(|axis, _| if i >> axis & 1 == 0 { -1.0 } else { 1.0 })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mut scene = Scene::new(Camera {
        eye: Vector3::new(0.3, -0.2, 0.4),
        target: Vector3::new(0.9, 0.5, -0.7),
        up: Vector3::y(),
        vertical_angle: 1.7,
    });
    scene.style.background = [Colour::rgb(255, 0, 255); 2];
    scene.objects.push(Object { colour: Colour::rgb(40, 120, 40), ..Object::new(&corners, &triangles) });
    let image = scene.render(120, 80).unwrap();
    assert!(image.rgba.chunks(4).all(|p| p[1] > p[0]), "background shows through a wall");
}

#[test]
fn a_floor_under_the_camera_ends_at_its_horizon() {
    // Far behind and far ahead of the camera: the floor must cover everything below its far edge
    // and nothing above it.
    let floor = [[-1e3, 1e3], [1e3, 1e3], [1e3, -1e3], [-1e3, -1e3]].map(|[x, z]| Vector3::new(x, -1.0, z));
    let mut scene = Scene::new(front_camera());
    scene.style.background = [Colour::rgb(255, 0, 255); 2];
    scene.objects.push(Object { colour: Colour::rgb(40, 120, 40), ..Object::new(&floor, &SQUARE) });
    let image = scene.render(90, 100).unwrap();
    // 250 pixels focal length, far edge 1005 deep: 0.25 rows below the middle, row 50.
    for y in 0..100 {
        for x in 0..90 {
            let [r, g, _] = pixel(&image, x, y);
            assert!(y == 50 || (g > r) == (y > 50), "pixel {x}, {y}");
        }
    }
}

#[test]
fn both_sides_are_lit_alike() {
    let (positions, triangles) = ball(12);
    let turned: Triangles = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let mut scene = Scene::new(Camera::framing(&positions, View::Front, UpAxis::Y, 1.0));
    scene.objects = vec![Object::new(&positions, &triangles)];
    let front = scene.render(64, 64).unwrap();
    scene.objects = vec![Object::new(&positions, &turned)];
    let back = scene.render(64, 64).unwrap();
    assert!(front.rgba.iter().zip(&back.rgba).all(|(a, b)| a.abs_diff(*b) <= 1));
}

#[test]
fn wireframe_darkens_the_edges_only() {
    let positions = square(0.8, 0.0);
    let mut scene = Scene::new(front_camera());
    scene.objects.push(Object::new(&positions, &SQUARE));
    let plain = scene.render(100, 100).unwrap();
    scene.objects[0].wireframe = true;
    let wired = scene.render(100, 100).unwrap();
    // The diagonal of the square runs through (50, 50); (70, 50) is far from all edges.
    assert!(linear(pixel(&wired, 50, 49)[1]) < 0.6 * linear(pixel(&plain, 50, 49)[1]));
    assert_eq!(pixel(&wired, 70, 50), pixel(&plain, 70, 50));
}

#[test]
fn markers_lie_on_top_and_hidden_ones_are_faint() {
    let positions = square(0.8, 0.0);
    let points = [Vector3::new(-0.4, 0.0, 0.0), Vector3::new(0.4, 0.0, -1.0), Vector3::repeat(f64::NAN)];
    let mut scene = Scene::new(front_camera());
    scene.objects.push(Object::new(&positions, &SQUARE));
    let plain = scene.render(100, 100).unwrap();
    scene.markers.push(Markers { colour: Colour::rgb(255, 0, 0), ..Markers::new(&points) });
    let marked = scene.render(100, 100).unwrap();
    assert_eq!(pixel(&marked, 30, 50), [255, 0, 0]);
    // Six units deep instead of five: 0.4 is seen 16.7 pixels from the middle.
    let (hidden, below) = (pixel(&marked, 66, 50), pixel(&plain, 66, 50));
    assert!(hidden[0] > below[0] && hidden[1] > 100, "{hidden:?} over {below:?}");
    assert!(differing(&plain, &marked) < 2 * 11 * 11);
}

#[test]
fn a_colour_bar_shows_both_ends_and_the_caption_its_corner() {
    let positions = square(0.4, 0.0);
    let values = [0.0, 1.0, 2.0, 3.0];
    let mut scene = Scene::new(front_camera());
    scene.objects.push(Object::new(&positions, &SQUARE));
    let plain = scene.render(360, 240).unwrap();
    scene.caption = "first\nsecond".to_owned();
    let captioned = scene.render(360, 240).unwrap();
    assert!(differing(&plain, &captioned) > 100);
    let rows = 60 * 360 * 4;
    assert_eq!(plain.rgba[rows..], captioned.rgba[rows..]);

    scene.objects[0].scalars = Some(Scalars::new(&values, ColourMap::Sequential));
    let image = scene.render(360, 240).unwrap();
    for end in [0.0, 1.0] {
        let Colour { r, g, b } = ColourMap::Sequential.colour(end);
        let found = image.rgba.chunks(4).filter(|p| p[..3] == [r, g, b]).count();
        assert!(found >= 5, "{found} pixels of the bar's end {end}");
    }
}

#[test]
fn impossible_scenes_are_errors_that_name_the_culprit() {
    let positions = square(0.5, 0.0);
    let mut scene = Scene::new(front_camera());
    for (width, height) in [(0, 10), (10, 0), (16_385, 1), (16_384, 4_097), (u32::MAX, u32::MAX)] {
        let error = scene.render(width, height).unwrap_err();
        assert!(matches!(error, RenderError::ImageSize { .. }));
        assert!(error.to_string().contains(&format!("{width} x {height}")));
    }
    let wrong = [[0, 1, 2], [0, 1, 4]];
    scene.objects = vec![Object::new(&positions, &SQUARE), Object::new(&positions, &wrong)];
    assert!(matches!(
        scene.render(10, 10),
        Err(RenderError::VertexIndex { object: 1, triangle: 1, vertex: 4, vertices: 4 })
    ));
    let mut scalars = Scalars::new(&[1.0, 2.0], ColourMap::Sequential);
    scene.objects = vec![Object { scalars: Some(scalars.clone()), ..Object::new(&positions, &SQUARE) }];
    assert!(matches!(
        scene.render(10, 10),
        Err(RenderError::ScalarCount { object: 0, values: 2, vertices: 4 })
    ));
    scalars.values = &[1.0; 4];
    for range in [[2.0, 1.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
        scalars.range = Some(range);
        scene.objects[0].scalars = Some(scalars.clone());
        assert!(matches!(scene.render(10, 10), Err(RenderError::ScalarRange { object: 0, .. })));
    }
    scene.objects.clear();
    scene.camera.target = scene.camera.eye;
    assert!(matches!(scene.render(10, 10), Err(RenderError::Camera { .. })));
}

#[test]
fn triangles_that_are_not_finite_are_left_out() {
    let good = square(0.5, 0.0);
    let mut scene = Scene::new(front_camera());
    scene.objects = vec![Object::new(&good, &SQUARE)];
    let expected = scene.render(50, 50).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e308] {
        let mut positions = good.clone();
        positions.push(Vector3::new(bad, -bad, bad));
        let triangles = [SQUARE[0], [0, 1, 4], SQUARE[1]];
        let mut scene = Scene::new(front_camera());
        scene.objects.push(Object::new(&positions, &triangles));
        assert_eq!(scene.render(50, 50).unwrap(), expected, "{bad}");
    }
}

#[test]
fn no_numbers_make_it_panic() {
    // Every combination of awkward coordinates in random triangles, cameras among them.
    let mut draw = awkward_numbers();
    for _ in 0..300 {
        let positions: Positions = (0..12).map(|_| Vector3::from_fn(|_, _| draw())).collect();
        let values: Vec<f64> = (0..12).map(|_| draw()).collect();
        let triangles: Triangles = (0..10).map(|i| [i, i + 1, i + 2]).collect();
        let mut scene = Scene::new(Camera {
            eye: Vector3::from_fn(|_, _| draw()),
            target: Vector3::from_fn(|_, _| draw()),
            up: Vector3::y(),
            vertical_angle: 1.0,
        });
        let scalars = Scalars::new(&values, ColourMap::Diverging);
        scene.objects.push(Object {
            wireframe: true,
            scalars: Some(scalars),
            ..Object::new(&positions, &triangles)
        });
        scene.markers.push(Markers { radius: draw(), ..Markers::new(&positions) });
        match scene.render(20, 16) {
            Ok(image) => assert_eq!(image.rgba.len(), 20 * 16 * 4),
            Err(error) => assert!(matches!(error, RenderError::Camera { .. }), "{error}"),
        }
        scene.camera = Camera::framing(&positions, View::ThreeQuarter, UpAxis::Z, draw());
        scene.render(20, 16).ok();
    }
}
