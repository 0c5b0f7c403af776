//! Several bodies in one picture: ghosts that show what is behind them, in any order.
#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

use nalgebra::Vector3;
use supple_render::{Camera, Colour, Image, Object, Scene};

const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
const RED: Colour = Colour::rgb(220, 10, 10);
const YELLOW: Colour = Colour::rgb(230, 210, 10);
const BLUE: Colour = Colour::rgb(20, 30, 220);

/// A square of half-width `half` facing +z at height `z`.
fn square(half: f64, z: f64) -> [Vector3<f64>; 4] {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vector3::new(x * half, y * half, z))
}

fn scene<'a>(objects: Vec<Object<'a>>) -> Scene<'a> {
    let camera = Camera {
        eye: Vector3::new(0.0, 0.0, 5.0),
        target: Vector3::zeros(),
        up: Vector3::y(),
        vertical_angle: 2.0 * 0.2_f64.atan(),
    };
    let mut scene = Scene::new(camera);
    scene.style.background = [Colour::rgb(250, 250, 250); 2];
    scene.objects = objects;
    scene
}

fn render(objects: Vec<Object<'_>>) -> Image {
    scene(objects).render(60, 60).unwrap()
}

fn linear(image: &Image, x: u32, y: u32) -> [f64; 3] {
    let start = (y * image.width + x) as usize * 4;
    [0, 1, 2].map(|k| {
        let s = f64::from(image.rgba[start + k]) / 255.0;
        if s > 0.04045 { ((s + 0.055) / 1.055).powf(2.4) } else { s / 12.92 }
    })
}

fn object(positions: &[Vector3<f64>], colour: Colour, opacity: f64) -> Object<'_> {
    Object { colour, opacity, ..Object::new(positions, &SQUARE) }
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01), "{found:?}, not {expected:?}");
}

#[test]
fn a_ghost_is_mixed_with_what_is_behind_it_by_its_opacity() {
    let (near, far) = (square(0.5, 0.5), square(0.5, 0.0));
    let solid = linear(&render(vec![object(&far, BLUE, 1.0)]), 30, 30);
    let alone = linear(&render(vec![object(&near, RED, 1.0)]), 30, 30);
    for opacity in [0.0, 0.25, 0.6, 1.0] {
        let expected: [f64; 3] =
            std::array::from_fn(|k| (solid[k].sqrt() * (1.0 - opacity) + alone[k].sqrt() * opacity).powi(2));
        let image = render(vec![object(&far, BLUE, 1.0), object(&near, RED, opacity)]);
        assert_near(linear(&image, 30, 30), expected);
    }
    for nothing in [-1.0, f64::NAN] {
        assert_eq!(render(vec![object(&near, RED, nothing)]), render(vec![]));
    }
}

#[test]
fn the_order_of_ghosts_does_not_matter_and_their_depth_does() {
    let (near, middle, far) = (square(0.5, 0.6), square(0.5, 0.3), square(0.5, 0.0));
    let objects = [object(&near, RED, 0.5), object(&middle, YELLOW, 0.5), object(&far, BLUE, 1.0)];
    let [a, b, c] = objects.clone();
    let expected = render(vec![a, b, c]);
    for [i, j, k] in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(render(vec![objects[i].clone(), objects[j].clone(), objects[k].clone()]), expected);
    }
    let [r, g, _] = linear(&expected, 30, 30);
    assert!(r > 2.0 * g, "the red one is in front");
}

#[test]
fn a_ghost_behind_a_solid_surface_or_on_it_is_not_seen() {
    let (near, far) = (square(0.5, 0.5), square(0.3, 0.0));
    let solid = render(vec![object(&near, BLUE, 1.0)]);
    assert_eq!(render(vec![object(&near, BLUE, 1.0), object(&far, RED, 0.5)]), solid);
    // A tilted square, and the same cut along its other diagonal: depths agree but for rounding.
    let tilted = near.map(|p| Vector3::new(p.x, p.y, 0.83 * p.x + 0.37 * p.y));
    let other = [[0, 1, 3], [1, 2, 3]];
    let ghost = Object { colour: RED, opacity: 0.5, ..Object::new(&tilted, &other) };
    let solid = render(vec![object(&tilted, BLUE, 1.0)]);
    assert_eq!(render(vec![ghost, object(&tilted, BLUE, 1.0)]), solid);
}

#[test]
fn a_ghost_does_not_show_its_own_far_side() {
    // Two squares one behind the other in one object look like the front one alone.
    let both: Vec<Vector3<f64>> = square(0.5, 0.5).into_iter().chain(square(0.4, 0.0)).collect();
    let faces = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let front = square(0.5, 0.5);
    let ghost = Object { colour: RED, opacity: 0.4, ..Object::new(&both, &faces) };
    assert_eq!(render(vec![ghost]), render(vec![object(&front, RED, 0.4)]));
}

#[test]
fn the_outline_of_a_ghost_is_smooth() {
    // 30 pixels per unit at depth 5: the right edge lies 3/8 into pixel 30.
    let mut positions = square(0.9, 0.0);
    positions.iter_mut().for_each(|p| p.x = p.x.min(0.375 / 30.0));
    let image = render(vec![object(&positions, RED, 0.5)]);
    let [inside, edge, outside] = [29, 30, 31].map(|x| linear(&image, x, 30)[1]);
    let coverage = (outside - edge) / (outside - inside);
    assert!((coverage - 0.375).abs() < 0.02, "{coverage}");
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let squares: Vec<_> = (0..6).map(|i| square(0.3 + 0.1 * f64::from(i), 0.2 * f64::from(i % 4))).collect();
    let objects = squares.iter().enumerate().map(|(i, s)| object(s, RED, 0.15 * (i + 1) as f64)).collect();
    let scene = scene(objects);
    let pictures = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| scene.render(130, 170).unwrap())
    });
    assert!(pictures[0] == pictures[1] && pictures[0] == pictures[2]);
}
