use super::*;
use std::f64::consts::PI;

/// Directions and lengths that meet every branch.
fn vectors() -> Vec<Vector3<f64>> {
    let directions =
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.3, -0.5, 0.8], [-1.0, 1.0, 1e-3], [-0.2, -0.9, 0.1]];
    let lengths = [0.0, 1e-12, 1e-5, 0.1, 0.199_999, 0.200_001, 1.0, 2.5, 3.1, PI - 1e-6, PI - 1e-10];
    let unit = directions.map(|d| Vector3::from(d).normalize());
    unit.iter().flat_map(|d| lengths.map(|l| d * l)).collect()
}

/// The exponential of a matrix from its series alone, halved until short and squared back.
fn series(omega: &Vector3<f64>) -> Matrix3<f64> {
    let halvings = 20;
    let small = omega.cross_matrix() / f64::powi(2.0, halvings);
    let mut sum = Matrix3::identity();
    let mut term = Matrix3::identity();
    for k in 1..8 {
        term *= small / f64::from(k);
        sum += term;
    }
    (0..halvings).for_each(|_| sum *= sum);
    sum
}

#[test]
fn the_exponential_is_a_rotation_and_agrees_with_the_series_of_the_matrix() {
    for omega in vectors().into_iter().flat_map(|v| [v, v * 5.0, -v]) {
        let q = exp(&omega);
        assert!((q.transpose() * q - Matrix3::identity()).amax() < 3e-15);
        assert!((q - series(&omega)).amax() < 2e-9, "{omega}");
        assert_eq!(exp_and_jacobian(&omega).1, left_jacobian(&omega));
        assert!((exp_and_jacobian(&omega).0 - q).amax() < 1e-15);
    }
    let quarter = exp(&Vector3::new(0.0, 0.0, PI / 2.0));
    assert!((quarter * Vector3::x() - Vector3::y()).amax() < 1e-15);
}

#[test]
fn coefficients_side_by_side_are_those_one_by_one() {
    let squares: Vec<f64> =
        vectors().iter().flat_map(|v| [v.norm_squared(), 25.0 * v.norm_squared()]).collect();
    let near: Vec<f64> = squares.iter().copied().filter(|t| *t < 4.0).collect();
    for of in [squares, near] {
        for t in of.windows(8).filter_map(|t| t.first_chunk::<8>()) {
            let found = coefficients_of_many(t);
            for (k, t) in t.iter().enumerate() {
                assert_eq!(found.map(|found| found[k]), coefficients_of(*t), "{t}");
            }
        }
    }
}

#[test]
fn the_logarithm_gives_the_vector_back_up_to_half_a_turn() {
    for omega in vectors() {
        let back = log(&exp(&omega));
        assert!((back - omega).norm() < 1e-14 + 4e-16 * omega.norm(), "{omega} became {back}");
    }
    // At and beyond half a turn it is the shorter way round.
    for (angle, expected) in
        [(PI, PI), (PI + 0.1, 0.1 - PI), (1.5 * PI, -0.5 * PI), (2.0 * PI, 0.0), (7.0, 7.0 - TAU)]
    {
        let axis = Vector3::new(0.6, 0.0, -0.8);
        let back = log(&exp(&(axis * angle)));
        let away =
            (back - axis * expected).norm().min((back + axis * expected).norm() + (expected - PI).abs());
        assert!(away < 1e-14, "{angle}: {back}");
    }
}

#[test]
fn the_exponential_of_the_logarithm_is_the_rotation_at_exact_half_turns() {
    for axis in [Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(1.0, -2.0, 3.0).normalize()] {
        let q = axis * axis.transpose() * 2.0 - Matrix3::identity();
        let omega = log(&q);
        assert!((omega.norm() - PI).abs() < 1e-15);
        assert!((exp(&omega) - q).amax() < 1e-15);
    }
}

#[test]
fn the_jacobian_is_the_derivative_of_the_exponential() {
    let turn = Vector3::new(0.4, -0.7, 0.2);
    for omega in vectors().into_iter().flat_map(|v| [v, v * 4.3]) {
        let h = 1e-5;
        let difference = (exp(&(omega + turn * h)) - exp(&(omega - turn * h))) / (2.0 * h);
        let exact = (left_jacobian(&omega) * turn).cross_matrix() * exp(&omega);
        assert!((difference - exact).amax() < 1e-9, "{omega}");
    }
}

#[test]
fn a_logarithm_near_a_vector_follows_it_through_many_turns() {
    let axis = Vector3::new(2.0, -1.0, 2.0) / 3.0;
    let mut omega = Vector3::zeros();
    for k in 1..=400 {
        let exact = axis * (0.05 * f64::from(k));
        omega = log_near(&exp(&exact), &omega);
        assert!((omega - exact).norm() < 1e-13, "step {k}");
    }
    // Exactly whole turns mean nothing but the vector at hand.
    let whole = axis * (2.0 * TAU);
    assert!((log_near(&Matrix3::identity(), &(whole * 0.99)) - whole).norm() < 1e-13);
    assert_eq!(log_near(&Matrix3::identity(), &(axis * 3.0)), Vector3::zeros());
}

#[test]
fn following_a_rotation_keeps_the_direction_near_a_whole_turn() {
    let near = Vector3::x() * TAU;
    let rotation = exp(&(Vector3::y() * 0.1)) * exp(&(Vector3::x() * 0.02));
    let omega = follow(&rotation, &near);
    assert!((omega - Vector3::x() * (TAU + 0.02)).norm() < 1e-4, "{omega}");
    assert!((log_near(&rotation, &near) - near).norm() > 3.0, "the exact one is elsewhere");
    // About its own axis it is exact, any number of turns and either way round.
    let axis = Vector3::new(2.0, -1.0, 2.0) / 3.0;
    for (from, to) in [(1.0, 2.0), (6.0, 7.5), (-9.0, -11.0), (20.0, 18.0)] {
        let omega = follow(&exp(&(axis * to)), &(axis * from));
        assert!((omega - axis * to).norm() < 1e-13);
    }
}

#[test]
fn polar_decompositions_are_rotations_times_symmetric_matrices() {
    let mut seed = 7_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as f64 / f64::powi(2.0, 30) - 1.0
    };
    let mut inverted = 0;
    for k in 0..2000 {
        let mut f = Matrix3::from_fn(|_, _| random());
        match k % 4 {
            0 => f = f * 0.1 + Matrix3::identity(),
            1 => f.set_column(2, &(f.column(0) * 2.0)),
            2 => f *= 1e6,
            _ => {}
        }
        let Polar { rotation, stretch } = polar(&f);
        let size = f.norm();
        assert!((rotation.transpose() * rotation - Matrix3::identity()).amax() < 1e-13);
        assert!(rotation.determinant() > 0.0);
        assert!((rotation * stretch - f).amax() < 1e-12 * size, "{f}");
        let mut eigenvalues = stretch.symmetric_eigenvalues();
        eigenvalues.as_mut_slice().sort_unstable_by(f64::total_cmp);
        let least = eigenvalues[0];
        if f.determinant() < -1e-9 * size.powi(3) {
            inverted += 1;
            assert!(least < 0.0 && eigenvalues[1] >= -least - 1e-12 * size);
        } else {
            assert!(least > -1e-12 * size);
        }
    }
    assert!(inverted > 300);
}

#[test]
fn polar_finds_the_rotation_in_a_stretched_rotation_and_takes_any_matrix() {
    for omega in vectors() {
        let stretch = Matrix3::new(1.3, 0.2, -0.1, 0.2, 0.8, 0.05, -0.1, 0.05, 2.1);
        let parts = polar(&(exp(&omega) * stretch));
        assert!((parts.rotation - exp(&omega)).amax() < 1e-14);
        assert!((parts.stretch - stretch).amax() < 1e-14);
    }
    assert_eq!(polar(&Matrix3::zeros()).rotation.determinant().round(), 1.0);
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -0.5));
    assert!((polar(&mirror).rotation - Matrix3::identity()).amax() < 1e-14);
}
