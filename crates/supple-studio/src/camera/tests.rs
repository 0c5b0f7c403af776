//! Where points are seen.

use super::*;
use eframe::egui::vec2;

const RECT: Rect = Rect { min: pos2(30.0, 10.0), max: pos2(630.0, 410.0) };

fn cameras() -> [Camera; 2] {
    let eye = Camera { target: Vec3::new(1.0, 2.0, 3.0), ..Camera::default() };
    [eye, Camera { parallel: true, ..eye }]
}

#[test]
fn a_ray_through_where_a_point_is_seen_meets_the_point() {
    let point = Vec3::new(0.4, 2.3, 3.9);
    for camera in cameras() {
        let ray = camera.ray(camera.project(&point, RECT).unwrap(), RECT);
        let (origin, direction) = (Vec3::from(ray.origin), Vec3::from(ray.direction).normalize());
        let aside = (point - origin).cross(&direction).norm();
        assert!(aside < 1e-5, "{aside}");
    }
}

#[test]
fn the_matrix_puts_points_where_they_are_projected() {
    let point = Vec3::new(0.4, 2.3, 3.9);
    for camera in cameras() {
        let clip = camera.matrix(1.5, 2.0) * point.push(1.0);
        let at = camera.project(&point, RECT).unwrap();
        let (x, y) = in_clip(at, RECT);
        assert!((clip.x / clip.w - x).abs() < 1e-5 && (clip.y / clip.w - y).abs() < 1e-5);
        assert!((0.0..1.0).contains(&(clip.z / clip.w)));
        let nearer = camera.matrix(1.5, 2.0) * (point + (camera.eye() - point) * 0.1).push(1.0);
        assert!(nearer.z / nearer.w < clip.z / clip.w, "depth grows away from the eye");
    }
}

#[test]
fn what_is_panned_stays_under_the_mouse_and_both_views_agree_at_the_target() {
    for mut camera in cameras() {
        let target = camera.target;
        assert!((camera.project(&target, RECT).unwrap() - RECT.center()).length() < 1e-3);
        camera.pan(40.0, -25.0, RECT);
        let moved = camera.project(&target, RECT).unwrap() - RECT.center();
        assert!((moved - vec2(40.0, -25.0)).length() < 0.5, "{moved:?}");
    }
}

#[test]
fn what_is_framed_fills_the_picture_and_no_more() {
    let (low, high) = (Vec3::new(-1.0, 0.0, 2.0), Vec3::new(3.0, 0.5, 2.5));
    for (width, mut camera) in [300.0, 900.0].into_iter().flat_map(|width| cameras().map(|c| (width, c))) {
        let rect = Rect::from_min_size(pos2(5.0, 7.0), vec2(width, 400.0));
        let corner = |k: usize, c: usize| if k >> c & 1 == 0 { low[c] } else { high[c] };
        let corners: Vec<Vec3> = (0..8).map(|k| Vec3::from_fn(|c, _| corner(k, c))).collect();
        camera.frame(&corners, 0.0, aspect(rect));
        let corners = corners.iter().map(|p| camera.project(p, rect).unwrap() - rect.center());
        let far = corners.map(|p| (2.0 * p.x.abs() / width).max(p.y.abs() / 200.0)).fold(0.0, f32::max);
        assert!((far - 0.88).abs() < 0.01, "{far} of a picture {width} wide");
    }
}

#[test]
fn what_is_zoomed_at_stays_under_the_mouse() {
    for mut camera in cameras() {
        let (right, up, _) = camera.axes();
        let point = camera.target + right * 0.3 - up * 0.2;
        let at = camera.project(&point, RECT).unwrap();
        camera.zoom_at(3.0, at, RECT);
        assert!((camera.project(&point, RECT).unwrap() - at).length() < 1e-2);
        let middle = camera.project(&Vec3::new(1.0, 2.0, 3.0), RECT).unwrap();
        assert!((middle - at).length() > 1.3 * (RECT.center() - at).length(), "nearer");
    }
}

#[test]
fn an_axis_view_is_exact_and_left_by_turning() {
    let [mut camera, mut parallel] = cameras();
    camera.look_from(0.0, f64::INFINITY);
    assert!((camera.axes().2 + Vec3::y()).norm() < 1e-12 && camera.parallel);
    camera.orbit(0.0, -20.0);
    assert!(!camera.parallel, "perspective again");
    parallel.look_from(1.0, 0.0);
    parallel.orbit(3.0, 3.0);
    assert!(parallel.parallel, "as it was before");
}
