use super::super::super::target::Edit;
use super::*;

/// More than a pack of places, and an odd number of modes.
const PLACES: usize = SIDE + 3;
const COUNT: usize = 5;

fn number(k: usize) -> f64 {
    0.3 * ((k * 37 + 11) % 29) as f64 / 29.0 - 0.15
}

fn N(e: usize, b: usize, k: usize) -> f64 {
    number(100 * e + 10 * b + k)
}

fn rows() -> PackedRows {
    let mut numbers = vec![[[0.0; SIDE]; 9]; 2 * COUNT];
    for e in 0..PLACES {
        for (b, k) in (0..9).flat_map(|b| (0..COUNT).map(move |k| (b, k))) {
            numbers[COUNT * (e / SIDE) + k][b][e % SIDE] = N(e, b, k);
        }
    }
    PackedRows { modes: COUNT, numbers }
}

#[test]
fn strains_and_products_are_those_of_matrices() {
    let z: Vec<f64> = (0..COUNT).map(|k| number(k + 4)).collect();
    let strains = rows().strains(&z);
    let mut maps = vec![[[[0.0; SIDE]; 9]; 3]; 2];
    let map = |e: usize, i: usize, b: usize| number(31 * e + 9 * i + b);
    for e in 0..PLACES {
        for b in 0..9 {
            let expected: f64 = (0..COUNT).map(|k| N(e, b, k) * z[k]).sum();
            assert!((strains[e / SIDE][b][e % SIDE] - expected).abs() < 1e-15);
            (0..3).for_each(|i| maps[e / SIDE][i][b][e % SIDE] = map(e, i, b));
        }
    }
    assert_eq!(strains[1].map(|numbers| numbers[SIDE - 1]), [0.0; 9]);
    let found = rows().products(&maps);
    for (i, k) in (0..3).flat_map(|i| (0..COUNT).map(move |k| (i, k))) {
        let of = |e: usize| (0..9).map(|b| map(e, i, b) * N(e, b, k)).sum::<f64>();
        assert!((found[i * COUNT + k] - (0..PLACES).map(of).sum::<f64>()).abs() < 1e-14);
    }
}

/// As one place after the other has them: little turns and such as take the library's sine; none of them exactly nothing.
#[test]
fn slopes_are_those_of_one_place_after_the_other() {
    for (turning, size) in [(Turning::Added, 1.0), (Turning::Added, 40.0), (Turning::Composed, 40.0)] {
        let matrix = |k: usize| Matrix3::from_fn(|i, j| number(9 * k + 3 * i + j));
        let omega = |e: usize| Vec3::new(number(e), number(e + 7), number(e + 9)) * size;
        let stand = |e: usize| Stand::new(&(Matrix3::identity() + matrix(e)), (&omega(e), turning));
        let stands: Vec<Stand> = (0..PLACES).map(stand).collect();
        let pulls: Vec<[Matrix3<f64>; 3]> =
            (0..PLACES).map(|e| [1, 2, 3].map(|i| matrix(17 * e + i))).collect();
        // The second is not edited.
        let edit =
            |e: usize| -> [f64; 9] { std::array::from_fn(|b| if e == 1 { 0.0 } else { number(5 * e + b) }) };
        let mut strains = vec![[[0.0; SIDE]; 9]; 2];
        for (e, b) in (0..PLACES).flat_map(|e| (0..9).map(move |b| (e, b))) {
            strains[e / SIDE][b][e % SIDE] = edit(e)[b];
        }
        let packed = PackedStands::of(&stands, turning);
        let (y, maps) = PackedPulls::of(&pulls).slopes(&packed, &strains);
        assert_eq!(PackedPulls::of(&pulls).value(&packed, &strains), y);
        let mut expected = Vec3::zeros();
        for e in 0..PLACES {
            let slope = stands[e].slope(&Edit::of_strain(&edit(e)));
            assert!(e != 1 || slope.change == Matrix3::zeros());
            for (i, pull) in pulls[e].iter().enumerate() {
                expected[i] += pull.dot(&slope.change);
                for (b, expected) in slope.by_strain(pull).into_iter().enumerate() {
                    assert!((maps[e / SIDE][i][b][e % SIDE] - expected).abs() < 1e-14);
                }
            }
        }
        assert!((y - expected).norm() < 1e-14);
        let nothing = PackedPulls::of(&pulls).value(&packed, &vec![[[0.0; SIDE]; 9]; 2]);
        assert_eq!(nothing, Vec3::zeros());
    }
}
