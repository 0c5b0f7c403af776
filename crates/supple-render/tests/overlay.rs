//! Lines, arrows, discs and words at places of the scene: where they are seen, and what hides them.

use crate::helpers::awkward_numbers;
use nalgebra::Vector3;
use supple_render::{Arrows, Camera, Colour, Hidden, Image, Label, Markers, Object, Scene, Streamer};

type V = Vector3<f64>;
const RED: Colour = Colour::rgb(255, 0, 0);
const BLUE: Colour = Colour::rgb(0, 0, 255);
const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// From z = 5 down the z axis; at z = 0 the picture of 100 x 100 pixels is 2 units high.
fn scene<'a>() -> Scene<'a> {
    let camera = Camera {
        eye: V::new(0.0, 0.0, 5.0),
        target: V::zeros(),
        up: V::y(),
        vertical_angle: 2.0 * 0.2_f64.atan(),
    };
    let mut scene = Scene::new(camera);
    scene.style.background = [Colour::rgb(250, 250, 250); 2];
    scene
}

/// A wall at z = 0 in the right half of the picture.
fn wall() -> [V; 4] {
    [[0.0, -2.0], [2.0, -2.0], [2.0, 2.0], [0.0, 2.0]].map(|[x, y]| V::new(x, y, 0.0))
}

fn pixel(image: &Image, x: usize, y: usize) -> [u8; 3] {
    let start = (y * image.width as usize + x) * 4;
    [image.rgba[start], image.rgba[start + 1], image.rgba[start + 2]]
}

fn columns_where(image: &Image, row: usize, matches: impl Fn([u8; 3]) -> bool) -> Vec<usize> {
    (0..image.width as usize).filter(|&x| matches(pixel(image, x, row))).collect()
}

#[test]
fn a_streamer_runs_through_its_points_in_changing_colour() {
    let points = [V::new(-0.8, 0.01, 0.0), V::new(0.0, 0.01, 0.0), V::new(0.8, 0.01, 0.0)];
    let mut scene = scene();
    scene.streamers.push(Streamer { colours: [RED, BLUE], width: 4.0, ..Streamer::new(&points) });
    let image = scene.render(100, 100).unwrap();
    let [r, g, b] = pixel(&image, 11, 49);
    assert!(r > 250 && g < 20 && b < 60, "red where it begins: {:?}", [r, g, b]);
    let [r, _, b] = pixel(&image, 50, 49);
    assert!(r.abs_diff(188) < 4 && b.abs_diff(188) < 4, "half of each light in the middle");
    let drawn = columns_where(&image, 49, |[_, g, _]| g < 20);
    assert!((7..=10).contains(&drawn[0]) && (89..=92).contains(drawn.last().unwrap()) && drawn.len() > 75);
}

/// A line across the picture, 80 pixels long: stripes of nine pixels, the first of its own colour, whatever its points are.
#[test]
fn a_striped_streamer_changes_colour_by_length() {
    let few = [V::new(-0.8, 0.01, 0.0), V::new(0.8, 0.01, 0.0)];
    let many: Vec<V> = (0..=160).map(|k| V::new(-0.8 + 0.01 * f64::from(k), 0.01, 0.0)).collect();
    let row = |points: &[V]| {
        let mut scene = scene();
        let colours = [RED; 2];
        scene.streamers.push(Streamer { colours, stripes: Some(BLUE), width: 4.0, ..Streamer::new(points) });
        let image = scene.render(100, 100).unwrap();
        let is_red = |x: usize| pixel(&image, x, 49)[0] > 128;
        (12..88).map(is_red).collect::<Vec<bool>>()
    };
    let stripes = row(&few);
    assert_eq!(stripes, row(&many));
    let changes: Vec<usize> = (1..stripes.len()).filter(|k| stripes[*k] != stripes[k - 1]).collect();
    assert!(stripes[0] && changes.len() == 8, "{changes:?}");
    assert!(changes.windows(2).all(|pair| (8..=10).contains(&(pair[1] - pair[0]))), "{changes:?}");
}

#[test]
fn what_is_behind_a_surface_is_faint_dropped_or_shown() {
    let positions = wall();
    let points = [V::new(-1.0, 0.0, -1.0), V::new(1.0, 0.0, -1.0)];
    let ends = [points];
    let behind = [V::new(-0.5, 0.0, -1.0), V::new(0.5, 0.0, -1.0)];
    for kind in 0..3 {
        let mut redness = Vec::new();
        for hidden in [Hidden::Faint, Hidden::Dropped, Hidden::Shown] {
            let mut scene = scene();
            let grey = Colour::rgb(120, 120, 120);
            scene.objects.push(Object { colour: grey, ..Object::new(&positions, &SQUARE) });
            let plain = scene.render(100, 100).unwrap();
            let colours = [RED; 2];
            match kind {
                0 => scene.streamers.push(Streamer { colours, width: 5.0, hidden, ..Streamer::new(&points) }),
                1 => scene.arrows.push(Arrows { colour: RED, width: 5.0, hidden, ..Arrows::new(&ends) }),
                _ => scene.markers.push(Markers { colour: RED, hidden, ..Markers::new(&behind) }),
            }
            let image = scene.render(100, 100).unwrap();
            // Six units deep instead of five: 0.5 is seen 20.8 pixels from the middle.
            let (before, behind) = (pixel(&image, 29, 50), pixel(&image, 70, 50));
            assert_eq!(before, [255, 0, 0], "before the wall, kind {kind}");
            redness.push(i32::from(behind[0]) - i32::from(behind[1]));
            assert_eq!(hidden == Hidden::Dropped, behind == pixel(&plain, 70, 50), "kind {kind} {hidden:?}");
        }
        assert!(redness[0] > 20 && redness[0] < 200, "{redness:?}");
        assert!(redness[1].abs() < 20 && redness[2] == 255, "{redness:?}");
    }
}

#[test]
fn what_lies_on_a_surface_is_not_hidden() {
    let positions = wall();
    let points = [V::new(0.2, 0.0, -0.01), V::new(0.9, 0.0, -0.01)];
    let mut scene = scene();
    scene.objects.push(Object::new(&positions, &SQUARE));
    scene.streamers.push(Streamer { colours: [RED; 2], width: 5.0, ..Streamer::new(&points) });
    assert_eq!(pixel(&scene.render(100, 100).unwrap(), 75, 50), [255, 0, 0]);
}

#[test]
fn a_line_through_the_camera_is_cut_and_one_behind_it_is_not_seen() {
    let through = [V::new(0.5, 0.0, 0.0), V::new(0.5, 0.0, 20.0)];
    let behind = [V::new(0.5, 0.0, 6.0), V::new(-0.5, 0.0, 20.0)];
    let empty = scene().render(100, 100).unwrap();
    let render = |points: &[V]| {
        let mut scene = scene();
        scene.streamers.push(Streamer { colours: [RED; 2], ..Streamer::new(points) });
        scene.render(100, 100).unwrap()
    };
    // It runs from 0.5 at depth 5, 25 pixels from the middle, to the right and out of the picture.
    let found = columns_where(&render(&through), 50, |[r, g, _]| r > 200 && g < 120);
    assert_eq!((found[0].abs_diff(75) <= 1, found.last()), (true, Some(&99)));
    assert_eq!(render(&behind), empty);
}

#[test]
fn an_arrow_has_its_head_at_its_tip_and_shrinks_to_a_dot() {
    let ends = [[V::new(-0.6, 0.0, 0.0), V::new(0.6, 0.0, 0.0)]];
    let mut scene = scene();
    scene.arrows.push(Arrows { colour: RED, width: 3.0, ..Arrows::new(&ends) });
    let image = scene.render(100, 100).unwrap();
    let thickness =
        |x: usize| (0..100).filter(|&y| matches!(pixel(&image, x, y), [200..=255, 0..=100, _])).count();
    assert!((2..=4).contains(&thickness(40)) && thickness(67) >= 10 && thickness(83) == 0);
    assert!(thickness(76) < thickness(72) && thickness(72) < thickness(67));
    for short in [[V::zeros(), V::new(0.05, 0.0, 0.0)], [V::zeros(), V::zeros()], [V::zeros(), V::z()]] {
        let ends = [short];
        let mut scene = self::scene();
        scene.arrows = vec![Arrows { colour: RED, width: 3.0, ..Arrows::new(&ends) }];
        let image = scene.render(100, 100).unwrap();
        let red = image.rgba.chunks(4).filter(|p| p[0] > 200 && p[1] < 100).count();
        assert!((2..30).contains(&red), "{short:?}: {red}");
    }
}

#[test]
fn words_stand_beside_their_point_and_inside_the_picture() {
    let dark = |image: &Image| -> Vec<(usize, usize)> {
        let all = (0..200).flat_map(|y| (0..300).map(move |x| (x, y)));
        all.filter(|&(x, y)| pixel(image, x, y)[1] < 190).collect()
    };
    for (x, right) in [(-1.0, true), (1.4, false)] {
        let mut scene = scene();
        scene.labels.push(Label::new(V::new(x, 0.0, 0.0), "vertex 12"));
        let found = dark(&scene.render(300, 200).unwrap());
        let at = 150.0 + 100.0 * x;
        assert!(found.len() > 40);
        assert!(found.iter().all(|&(x, y)| (x as f64 > at) == right && (70..100).contains(&y)), "{found:?}");
    }
    let mut scene = scene();
    scene.labels.push(Label::new(V::new(50.0, 0.0, 0.0), "outside"));
    scene.labels.push(Label::new(V::repeat(f64::NAN), "nowhere"));
    assert!(dark(&scene.render(300, 200).unwrap()).is_empty());
}

#[test]
fn no_numbers_make_it_panic() {
    let mut draw = awkward_numbers();
    for _ in 0..300 {
        let points: Vec<V> = (0..8).map(|_| V::from_fn(|_, _| draw())).collect();
        let ends: Vec<[V; 2]> = points.windows(2).map(|p| [p[0], p[1]]).collect();
        let mut scene = scene();
        scene.streamers.push(Streamer { width: draw(), ..Streamer::new(&points) });
        scene.arrows.push(Arrows { width: draw(), ..Arrows::new(&ends) });
        scene.labels.push(Label::new(points[0], "awkward"));
        assert_eq!(scene.render(30, 20).unwrap().rgba.len(), 2400);
    }
}
