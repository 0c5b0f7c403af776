//! Sites are where the whole motion shows them, and their derivatives are those of what is shown.

use crate::warp::motion::{FRAMES, MODES, both, coordinates, motion};
use crate::warp::samples::{Random, Sample, at, voxels};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_elastic::{WarpError, WarpReadout, WarpSite, WarpedMotion};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{Vec3, signed_volume, trilinear};
use supple_model::{Along, Ask, Instant, Linearized, Readout, VertexId};
use supple_numerics::rotation::exp;

/// Vertices, points and differences at frames that tumble, keep contacts, and are blended, and between them.
pub fn sites(sample: &Sample) -> Vec<WarpSite> {
    let (n, id) = (sample.positions.len(), VertexId::new);
    let axes = exp(&Vec3::new(0.4, -0.9, 0.3));
    let mut sites = Vec::new();
    for at in [3.0, 4.0, 5.0, 3.25, 4.5, FRAMES as f64 - 1.0].map(Instant::new) {
        let vertices = [
            vec![(id(n - 1), 1.0)],
            vec![(id(1), 0.2), (id(n - 2), 0.5), (id(n / 3), 0.3)],
            vec![(id(n - 1), 1.0), (id(n / 2), -1.0)],
        ];
        for (k, vertices) in vertices.into_iter().enumerate() {
            sites.push(WarpSite { vertices, at, axes: if k == 1 { axes } else { Matrix3::identity() } });
        }
    }
    sites
}

fn readout(motion: WarpedMotion, sites: &[WarpSite]) -> WarpReadout {
    let mut readout = WarpReadout::new(Arc::new(motion));
    for (number, site) in sites.iter().enumerate() {
        assert_eq!(readout.add(site.clone()), Ok(number));
    }
    readout
}

fn each(mut test: impl FnMut(&Sample, &WarpReadout, &[WarpSite])) {
    for (sample, anchored) in both() {
        for is_plain in [false, true] {
            let mut motion = motion(&sample, anchored);
            motion.set_plain(is_plain);
            let sites = sites(&sample);
            test(&sample, &readout(motion, &sites), &sites);
        }
    }
}

#[test]
fn sites_are_where_the_motion_shows_them() {
    each(|sample, readout, sites| {
        let mut random = Random(29);
        // Some share their edits and some do not.
        let edits: Vec<Vec<f64>> = (0..5).map(|_| coordinates(&mut random, 0.5)).collect();
        let asks: Vec<Ask<'_>> = sites
            .iter()
            .enumerate()
            .map(|(site, given)| Ask { site, at: given.at, z: &edits[site % 5] })
            .collect();
        let values = readout.values(&asks);
        let tangents = readout.linearized(&asks);
        for (((ask, given), value), tangent) in asks.iter().zip(sites).zip(&values).zip(&tangents) {
            let mut shown = vec![0.0; sample.size()];
            let (before, share) = ask.at.split();
            readout.motion().displacement(before, ask.z, &mut shown);
            if share > 0.0 {
                let mut after = vec![0.0; sample.size()];
                readout.motion().displacement(before + 1, ask.z, &mut after);
                shown.iter_mut().zip(after).for_each(|(x, next)| *x += share * (next - *x));
            }
            let place = |v: usize| sample.positions[v] + at(&shown, v);
            let wanted = given.axes * given.vertices.iter().map(|(v, w)| place(v.index()) * *w).sum::<Vec3>();
            assert!((Vec3::from(*value) - wanted).norm() < 1e-12, "{} {given:?}", sample.name);
            assert!((Vec3::from(tangent.value) - wanted).norm() < 1e-12);
        }
    });
}

#[test]
fn derivatives_are_those_of_the_values() {
    each(|sample, readout, sites| {
        let mut random = Random(31);
        for (site, given) in sites.iter().enumerate() {
            let z = coordinates(&mut random, 0.4);
            let at = given.at;
            let Linearized { rows, .. } = readout.linearized(&[Ask { site, at, z: &z }]).remove(0);
            for k in 0..MODES {
                let value = |step: f64| {
                    let mut z = z.clone();
                    z[k] += step;
                    Vec3::from(readout.value(site, at, &z))
                };
                let h = 1e-4;
                let found = ((value(h) - value(-h)) * 8.0 - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h);
                let exact = Vec3::new(rows[0][k], rows[1][k], rows[2][k]);
                assert!((found - exact).norm() < 1e-6 * exact.norm().max(1e-2), "{} {given:?}", sample.name);
            }
        }
    });
}

#[test]
fn along_few_directions_it_is_the_same() {
    each(|sample, readout, sites| {
        let mut random = Random(37);
        let times = [3.0, 4.5, 5.0].map(Instant::new);
        let z: Vec<Vec<f64>> = times.iter().map(|_| coordinates(&mut random, 0.3)).collect();
        let directions: Vec<Vec<f64>> =
            [2, 0, 3].iter().map(|k| (0..*k).flat_map(|_| coordinates(&mut random, 1.0)).collect()).collect();
        let numbers: Vec<Vec<usize>> =
            times.iter().map(|at| (0..sites.len()).filter(|&s| sites[s].at == *at).collect()).collect();
        let along: Vec<Along<'_>> = (0..3)
            .map(|k| Along { sites: &numbers[k], at: times[k], z: &z[k], directions: &directions[k] })
            .collect();
        let Some(restricted) = readout.restrict(&along) else {
            assert!(readout.motion().is_plain());
            return;
        };
        let c: [&[f64]; 3] = [&[0.3, -0.2], &[], &[0.1, 0.2, -0.3]];
        let moved: Vec<Vec<f64>> = (0..3)
            .map(|k| {
                let mut z = z[k].clone();
                for (c, d) in c[k].iter().zip(directions[k].chunks_exact(MODES)) {
                    z.iter_mut().zip(d).for_each(|(z, d)| *z += c * d);
                }
                z
            })
            .collect();
        let asks: Vec<Ask<'_>> = (0..3)
            .flat_map(|k| numbers[k].iter().map(move |&site| (k, site)))
            .map(|(k, site)| Ask { site, at: times[k], z: &moved[k] })
            .collect();
        let (values, tangents) = (restricted.values(&c), restricted.linearized(&c));
        assert_eq!(values.len(), asks.len());
        let expected = readout.linearized(&asks);
        for ((value, tangent), expected) in values.iter().zip(&tangents).zip(&expected) {
            for axis in 0..3 {
                assert!((value[axis] - expected.value[axis]).abs() < 1e-13, "{}", sample.name);
                assert!((tangent.value[axis] - expected.value[axis]).abs() < 1e-13);
                for k in 0..MODES {
                    assert!((tangent.rows[axis][k] - expected.rows[axis][k]).abs() < 1e-12);
                }
            }
        }
    });
}

#[test]
fn sites_keep_their_numbers() {
    let (sample, anchored) = both().swap_remove(0);
    let sites = sites(&sample);
    let mut readout = readout(motion(&sample, anchored), &sites);
    let z = coordinates(&mut Random(41), 0.3);
    let before = readout.value(5, sites[5].at, &z);
    readout.remove(2);
    assert_eq!(readout.sites(), sites.len());
    assert_eq!(readout.value(5, sites[5].at, &z), before);
    assert_eq!(readout.add(sites[5].clone()), Ok(2));
    assert_eq!(readout.value(2, sites[5].at, &z), before);
    assert_eq!(readout.add(sites[0].clone()), Ok(sites.len()));
}

#[test]
fn wrong_sites_are_refused() {
    let (sample, anchored) = both().swap_remove(0);
    let mut readout = readout(motion(&sample, anchored), &[]);
    let good = sites(&sample).remove(0);
    let n = sample.positions.len();
    let far = VertexId::new(n);
    let missing = WarpSite { vertices: vec![(far, 1.0)], ..good.clone() };
    assert_eq!(readout.add(missing), Err(WarpError::NoSuchVertex { vertex: far, vertices: n }));
    for at in [FRAMES as f64, FRAMES as f64 - 0.5, -0.5, f64::NAN].map(Instant::new) {
        let nowhere = WarpSite { at, ..good.clone() };
        assert_eq!(readout.add(nowhere), Err(WarpError::NoSuchFrame { at, frames: FRAMES }));
    }
    let nothing = WarpSite { vertices: Vec::new(), ..good.clone() };
    assert_eq!(readout.add(nothing), Err(WarpError::NoVertices));
    let skew = WarpSite { axes: Matrix3::identity() * f64::NAN, ..good };
    assert!(matches!(readout.add(skew), Err(WarpError::Degenerate { .. })));
    assert_eq!(readout.sites(), 0);
}

/// The volumes of a sample's elements: tets by their corners, voxels by the planes of many slices.
fn volumes(sample: &Sample, u: &[f64]) -> Vec<f64> {
    let place = |v: VertexId| sample.positions[v.index()] + at(u, v.index());
    let tets = box_mesh(Vec3::new(1.0, 0.3, 0.2), [7, 3, 2]).unwrap();
    let cells = voxels(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [3, 1, 0], [3, 1, 1]]);
    match sample.name {
        "tets" => {
            let volume = |tet: &[VertexId; 4]| {
                let [a, b, c, d] = tet.map(place);
                signed_volume(a, b, c, d)
            };
            tets.tets().iter().map(volume).collect()
        }
        "voxels" => {
            const SLICES: usize = 12;
            let volume = |voxel: &[VertexId; 8]| {
                let corners = voxel.map(place);
                let middle = |k: usize| (k as f64 + 0.5) / SLICES as f64;
                let all = 0..SLICES * SLICES * SLICES;
                let sum: f64 = all
                    .map(|k| [k % SLICES, k / SLICES % SLICES, k / SLICES / SLICES].map(middle))
                    .map(|xi| trilinear::jacobian(&corners, &xi.into()).determinant())
                    .sum();
                sum / (SLICES * SLICES * SLICES) as f64
            };
            cells.voxels().iter().map(volume).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn elements_inside_out_are_counted() {
    let mut turned = 0;
    each(|sample, readout, _| {
        let mut random = Random(41);
        for (frame, size) in [(3, 0.1), (5, 2.0), (FRAMES - 1, 4.0)] {
            let z = coordinates(&mut random, size);
            let mut shown = vec![0.0; sample.size()];
            readout.motion().displacement(frame, &z, &mut shown);
            let input = readout.motion().frame(frame).displacement();
            let (before, after) = (volumes(sample, input), volumes(sample, &shown));
            let expected = before.iter().zip(&after).filter(|(a, b)| **a > 0.0 && **b <= 0.0).count();
            assert_eq!(readout.inverted(frame, &z), expected, "{} at {frame}", sample.name);
            assert_eq!(readout.inverted(frame, &[0.0; MODES]), 0);
            turned += expected;
        }
    });
    assert!(turned > 10, "{turned}");
}
