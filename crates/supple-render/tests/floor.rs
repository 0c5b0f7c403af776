//! Floor and shadows: squares and shadows where geometry says, and no surface that shades itself.

use crate::helpers::{awkward_numbers, is_the_same_on_all_threads};
use nalgebra::Vector3;
use supple_render::{Camera, Colour, Floor, Image, Object, RenderError, Scene, Shadow, UpAxis};

type V = Vector3<f64>;
const SIZE: u32 = 200;
const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// A level square of half-width `half` around `(x, y, z)`.
fn plate(half: f64, [x, y, z]: [f64; 3]) -> [V; 4] {
    [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(|[i, k]| V::new(x + i * half, y, z + k * half))
}

fn ball(n: u32) -> (Vec<V>, Vec<[u32; 3]>) {
    let slices = 2 * n;
    let point = |i: u32, j: u32| {
        let latitude = (f64::from(j) / f64::from(n) - 0.5) * std::f64::consts::PI;
        let (sin, cos) = (f64::from(i) / f64::from(slices) * std::f64::consts::TAU).sin_cos();
        V::new(latitude.cos() * sin, latitude.sin(), latitude.cos() * cos)
    };
    let positions = (0..=n).flat_map(|j| (0..slices).map(move |i| point(i, j))).collect();
    let at = |i: u32, j: u32| j * slices + i % slices;
    let quad =
        |i, j| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
    (positions, (0..n).flat_map(|j| (0..slices).flat_map(move |i| quad(i, j))).collect())
}

/// From far above, nearly without perspective: 200 pixels are 8 units at the floor; x runs to the
/// right and z down.
fn from_above() -> Camera {
    Camera {
        eye: V::new(0.0, 4000.0, 0.0),
        target: V::zeros(),
        up: -V::z(),
        vertical_angle: 2.0 * (4.0_f64 / 4000.0).atan(),
    }
}

/// The pixel over the point `(x, 0, z)` seen from above.
fn brightness(image: &Image, x: f64, z: f64) -> f64 {
    let place = |v: f64| ((v + 4.0) * 25.0) as usize;
    let s = f64::from(image.rgba[(place(z) * SIZE as usize + place(x)) * 4 + 1]) / 255.0;
    if s > 0.04045 { ((s + 0.055) / 1.055).powf(2.4) } else { s / 12.92 }
}

/// A white floor at height 0.
fn white_floor() -> Floor {
    Floor { colours: [Colour::rgb(240, 240, 240); 2], ..Floor::new(0.0, UpAxis::Y) }
}

fn scene<'a>(objects: Vec<Object<'a>>, sun: Option<V>) -> Scene<'a> {
    let mut scene = Scene::new(from_above());
    scene.floor = Some(white_floor());
    scene.style.sun = sun;
    scene.objects = objects;
    scene
}

#[test]
fn squares_lie_where_their_numbers_say() {
    let mut scene = scene(vec![], None);
    let colours = [Colour::rgb(255, 255, 255), Colour::rgb(0, 0, 0)];
    scene.floor = Some(Floor { tile: Some(1.0), colours, ..white_floor() });
    let image = scene.render(SIZE, SIZE).unwrap();
    for (x, z, dark) in
        [(0.5, 0.5, true), (-0.5, 0.5, false), (0.5, -0.5, false), (1.5, 0.5, false), (2.5, 0.5, true)]
    {
        let found = brightness(&image, x, z);
        assert_eq!(found < 0.5, dark, "{found} at {x}, {z}");
    }
}

#[test]
fn a_shadow_falls_away_from_the_sun() {
    // A plate one unit up, the sun at 45° on the right: the shadow lies one unit to the left.
    let positions = plate(0.5, [0.0, 1.0, 0.0]);
    let with = |sun| scene(vec![Object::new(&positions, &SQUARE)], sun).render(SIZE, SIZE).unwrap();
    let (lit, shaded) = (with(None), with(Some(V::new(1.0, 1.0, 0.0))));
    let share = |x: f64, z: f64| brightness(&shaded, x, z) / brightness(&lit, x, z);
    for z in [-0.45, 0.0, 0.45] {
        assert!((-145..-54).step_by(10).all(|x| share(f64::from(x) / 100.0, z) < 0.65));
        assert!(share(-1.6, z) > 0.99 && share(0.7, z) > 0.99);
    }
    assert!(share(-1.0, 0.6) > 0.99 && share(-1.0, -0.6) > 0.99);
}

#[test]
fn the_shadow_of_what_stands_begins_at_its_foot() {
    // A wall on the floor along z, one unit high.
    let wall = [[-1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 1.0]].map(|[z, y]| V::new(0.02, y, z));
    let image =
        scene(vec![Object::new(&wall, &SQUARE)], Some(V::new(1.0, 1.0, 0.0))).render(SIZE, SIZE).unwrap();
    let lit = brightness(&image, 2.0, 0.0);
    assert!(brightness(&image, -0.06, 0.0) < 0.6 * lit, "two pixels from the foot");
    assert!(brightness(&image, -0.9, 0.0) < 0.6 * lit);
    assert!(brightness(&image, 0.1, 0.0) > 0.99 * lit && brightness(&image, -1.1, 0.0) > 0.99 * lit);
}

#[test]
fn ghosts_and_what_is_excused_cast_no_shadow() {
    let positions = plate(0.5, [0.0, 1.0, 0.0]);
    let sun = Some(V::new(1.0, 1.0, 0.0));
    let ghost = Object { opacity: 0.5, ..Object::new(&positions, &SQUARE) };
    let excused = Object { shadow: Shadow::Never, ..Object::new(&positions, &SQUARE) };
    for object in [ghost, excused] {
        let image = scene(vec![object], sun).render(SIZE, SIZE).unwrap();
        assert!((brightness(&image, -1.0, 0.0) / brightness(&image, 2.0, 2.0) - 1.0).abs() < 0.05);
    }
    // A ghost that is told to.
    let told = Object { opacity: 0.5, shadow: Shadow::Always, ..Object::new(&positions, &SQUARE) };
    let image = scene(vec![told], sun).render(SIZE, SIZE).unwrap();
    assert!(brightness(&image, -1.0, 0.0) < 0.8 * brightness(&image, 2.0, 2.0));
}

#[test]
fn bodies_shade_one_another_but_a_round_one_not_itself() {
    let (positions, triangles) = ball(40);
    let lid = plate(0.6, [0.0, 3.0, 0.0]);
    let render = |shadow: Shadow, with_lid: bool| {
        let ball = Object { shadow, ..Object::new(&positions, &triangles) };
        let mut objects = vec![ball];
        if with_lid {
            objects.push(Object::new(&lid, &SQUARE));
        }
        let mut scene = scene(objects, Some(V::new(0.1, 1.0, -0.3)));
        scene.floor = None;
        scene.camera.eye = V::new(300.0, 100.0, 2000.0);
        scene.camera.up = V::y();
        scene.camera.vertical_angle = 2.0 * (1.2_f64 / 2000.0).atan();
        scene.render(SIZE, SIZE).unwrap()
    };
    let (alone, free) = (render(Shadow::OfSolid, false), render(Shadow::Never, false));
    let most = alone.rgba.iter().zip(&free.rgba).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(most < 14, "a ball shades itself by {most}");
    let darker = render(Shadow::OfSolid, true)
        .rgba
        .iter()
        .zip(&alone.rgba)
        .filter(|(a, b)| **a < **b - **b / 4)
        .count();
    assert!(darker > 5000, "the lid darkens {darker}");
}

#[test]
fn from_below_the_floor_is_not_seen_and_from_above_it_hides() {
    let positions = plate(0.5, [0.0, -0.5, 0.0]);
    let mut scene = scene(vec![Object::new(&positions, &SQUARE)], None);
    let hidden = scene.render(SIZE, SIZE).unwrap();
    assert!((brightness(&hidden, 0.0, 0.0) / brightness(&hidden, 1.0, 0.0) - 1.0).abs() < 0.01);
    scene.camera.eye.y *= -1.0;
    let below = scene.render(SIZE, SIZE).unwrap();
    scene.floor = None;
    assert_eq!(scene.render(SIZE, SIZE).unwrap(), below);
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (positions, triangles) = ball(40);
    let mut scene = scene(vec![Object::new(&positions, &triangles)], Some(V::new(0.4, 1.0, 0.1)));
    scene.floor = Some(Floor::new(-1.0, UpAxis::Y));
    scene.camera.eye = V::new(3.0, 4.0, 9.0);
    scene.camera.vertical_angle = 0.6;
    is_the_same_on_all_threads(|| scene.render(150, 170).unwrap());
}

#[test]
fn no_numbers_make_it_panic() {
    let mut draw = awkward_numbers();
    for _ in 0..300 {
        let positions: Vec<V> = (0..6).map(|_| V::from_fn(|_, _| draw())).collect();
        let triangles = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]];
        let mut scene = Scene::new(Camera {
            eye: V::from_fn(|_, _| draw()),
            target: V::from_fn(|_, _| draw()),
            up: V::y(),
            vertical_angle: 1.0,
        });
        scene.objects.push(Object::new(&positions, &triangles));
        scene.floor = Some(Floor { tile: Some(draw()), ..Floor::new(draw(), UpAxis::Z) });
        scene.style.sun = Some(V::from_fn(|_, _| draw()));
        match scene.render(20, 16) {
            Ok(image) => assert_eq!(image.rgba.len(), 20 * 16 * 4),
            Err(RenderError::Camera { .. }) => {}
            Err(RenderError::FloorHeight { height }) => assert!(!height.is_finite()),
            Err(error) => panic!("{error}"),
        }
    }
}
