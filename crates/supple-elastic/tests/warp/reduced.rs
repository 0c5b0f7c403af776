//! The reduced warp is the warp itself while nothing is left out, and has the derivatives of what it says.

use crate::warp::motion::{FRAMES, MODES, both, coordinates, motion};
use crate::warp::readout::sites;
use crate::warp::samples::{Random, Sample, apart, masses};
use faer::Mat;
use std::sync::Arc;
use supple_elastic::{
    Cubature, ReducedBasis, ReducedError, ReducedReadout, ReducedWarp, Warp, WarpError, WarpReadout,
    WarpSite, WarpedMotion,
};
use supple_mesh::Vec3;
use supple_model::{Ask, Instant, Linearized, Readout, VertexId};

/// All fields there are.
fn whole(motion: &WarpedMotion) -> ReducedBasis {
    let free = motion.basis().free();
    let fields = Mat::<f64>::identity(3 * free.vertices().len(), 3 * free.vertices().len());
    let warp: &Warp = motion.warp();
    ReducedBasis::spanned_by(warp, &masses(warp.vertices()), free, fields.as_ref()).unwrap()
}

/// Some fields and every third place, with any weights.
fn coarse(motion: &WarpedMotion) -> ReducedWarp {
    let mut random = Random(59);
    let free = motion.basis().free();
    let fields = Mat::from_fn(3 * free.vertices().len(), 20, |_, _| random.next());
    let warp: &Warp = motion.warp();
    let basis = ReducedBasis::spanned_by(warp, &masses(warp.vertices()), free, fields.as_ref()).unwrap();
    let places: Vec<usize> = Cubature::all(warp).places.into_iter().step_by(3).collect();
    let weights = places.iter().map(|_| 3.0 + random.next()).collect();
    ReducedWarp::new(
        motion.warp().clone(),
        motion.basis(),
        basis,
        Cubature { places, weights, curve: Vec::new() },
    )
    .unwrap()
}

fn complete(motion: &WarpedMotion) -> ReducedWarp {
    let all = Cubature::all(motion.warp());
    ReducedWarp::new(motion.warp().clone(), motion.basis(), whole(motion), all).unwrap()
}

fn readout(reduced: ReducedWarp, motion: &Arc<WarpedMotion>, sites: &[WarpSite]) -> ReducedReadout {
    let mut readout = ReducedReadout::new(Arc::new(reduced), motion.clone());
    for (number, site) in sites.iter().enumerate() {
        assert_eq!(readout.add(site.clone()), Ok(number));
    }
    readout
}

/// Every kind of body, anchored and afloat, tumbling fast and slowly.
fn each(mut test: impl FnMut(&Sample, &Arc<WarpedMotion>, &[WarpSite])) {
    for (sample, anchored) in both() {
        for reach in [1, 24] {
            let mut motion = motion(&sample, anchored);
            motion.set_reach(reach);
            let mut sites = sites(&sample);
            // The middle of all, by its masses.
            let weights = masses(sample.positions.len());
            let total: f64 = weights.iter().sum();
            let vertices = weights.iter().enumerate().map(|(v, m)| (VertexId::new(v), m / total)).collect();
            sites.push(WarpSite { vertices, ..sites[3].clone() });
            test(&sample, &Arc::new(motion), &sites);
        }
    }
}

#[test]
fn with_all_places_and_all_shapes_it_is_the_warp() {
    each(|sample, motion, sites| {
        let mut full = WarpReadout::new(motion.clone());
        sites.iter().for_each(|site| assert!(full.add(site.clone()).is_ok()));
        let reduced = readout(complete(motion), motion, sites);
        let mut random = Random(61);
        let edits: Vec<Vec<f64>> = (0..4).map(|_| coordinates(&mut random, 0.6)).collect();
        let asks: Vec<Ask<'_>> =
            (0..sites.len()).map(|site| Ask { site, at: sites[site].at, z: &edits[site % 4] }).collect();
        let (expected, found) = (full.linearized(&asks), reduced.linearized(&asks));
        let values = reduced.values(&asks);
        for (k, (expected, found)) in expected.iter().zip(&found).enumerate() {
            let (wanted, given) = (Vec3::from(expected.value), Vec3::from(found.value));
            assert!((wanted - given).norm() < 1e-10, "{} {:?}", sample.name, sites[k]);
            assert!((wanted - Vec3::from(values[k])).norm() < 1e-10);
            for (wanted, given) in expected.rows.iter().zip(&found.rows) {
                assert!(apart(wanted, given) < 1e-10, "{} {:?}", sample.name, sites[k]);
            }
        }
        for frame in [0, 4, 7, FRAMES - 1] {
            let (mut wanted, mut given) = (vec![0.0; sample.size()], vec![f64::NAN; sample.size()]);
            motion.warp().apply(motion.frame(frame), &edit(motion, &edits[0]), &mut wanted);
            reduced.reduced().displacement(motion.frame(frame), &edits[0], &mut given);
            assert!(apart(&wanted, &given) < 1e-10, "{} {frame}", sample.name);
        }
    });
}

fn edit(motion: &WarpedMotion, z: &[f64]) -> Vec<f64> {
    let mut edit = vec![0.0; 3 * motion.warp().vertices()];
    motion.basis().displacement(z, &mut edit);
    edit
}

#[test]
fn no_edit_is_the_input_to_the_bit() {
    each(|sample, motion, sites| {
        let mut full = WarpReadout::new(motion.clone());
        sites.iter().for_each(|site| assert!(full.add(site.clone()).is_ok()));
        let reduced = readout(coarse(motion), motion, sites);
        let nothing = [0.0; MODES];
        for (site, given) in sites.iter().enumerate() {
            let asks = [Ask { site, at: given.at, z: &nothing }];
            let wanted = full.values(&asks)[0].map(f64::to_bits);
            assert_eq!(reduced.values(&asks)[0].map(f64::to_bits), wanted, "{} {given:?}", sample.name);
            assert_eq!(reduced.linearized(&asks)[0].value.map(f64::to_bits), wanted);
        }
        let mut shown = vec![f64::NAN; sample.size()];
        reduced.reduced().displacement(motion.frame(4), &nothing, &mut shown);
        assert_eq!(shown, motion.frame(4).displacement());
    });
}

#[test]
fn derivatives_are_those_of_the_values_whatever_is_left_out() {
    each(|sample, motion, sites| {
        let readout = readout(coarse(motion), motion, sites);
        let mut random = Random(67);
        for (site, given) in sites.iter().enumerate() {
            let (z, at) = (coordinates(&mut random, 0.4), given.at);
            let Linearized { rows, .. } = readout.linearized(&[Ask { site, at, z: &z }]).remove(0);
            for k in 0..MODES {
                let value = |step: f64| {
                    let mut z = z.clone();
                    z[k] += step;
                    Vec3::from(readout.value(site, at, &z))
                };
                let h = 1e-3;
                let found = ((value(h) - value(-h)) * 8.0 - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h);
                let exact = Vec3::new(rows[0][k], rows[1][k], rows[2][k]);
                assert!((found - exact).norm() < 1e-6 * exact.norm().max(1e-2), "{} {given:?}", sample.name);
            }
        }
    });
}

/// What contacts keep is kept whatever is left out.
#[test]
fn contacts_hold() {
    each(|sample, motion, _| {
        let reduced = coarse(motion);
        let v = sample.positions.len() - 3;
        let z = coordinates(&mut Random(71), 0.5);
        let input = motion.frame(4).displacement();
        let mut shown = vec![0.0; sample.size()];
        reduced.displacement(motion.frame(4), &z, &mut shown);
        assert!((shown[3 * v + 1] - input[3 * v + 1]).abs() < 1e-12, "{}", sample.name);
        assert!((shown[3 * v] - input[3 * v]).abs() > 1e-3, "{}", sample.name);
    });
}

/// Those of a readout of the whole warp keep theirs, with a vacancy where it has one.
#[test]
fn sites_of_the_whole_warp_are_taken_over() {
    let (sample, anchored) = both().swap_remove(0);
    let motion = Arc::new(motion(&sample, anchored));
    let mut whole = WarpReadout::new(motion.clone());
    sites(&sample).into_iter().for_each(|site| assert!(whole.add(site).is_ok()));
    whole.remove(1);
    let reduced = ReducedReadout::of(Arc::new(complete(&motion)), &whole).unwrap();
    assert_eq!(reduced.sites(), whole.sites());
    let z = coordinates(&mut Random(43), 0.3);
    for (site, given) in sites(&sample).iter().enumerate().filter(|(site, _)| *site != 1) {
        let (wanted, found) = (whole.value(site, given.at, &z), reduced.value(site, given.at, &z));
        assert!((Vec3::from(wanted) - Vec3::from(found)).norm() < 1e-10);
    }
    let mut reduced = reduced;
    assert_eq!(reduced.add(sites(&sample)[1].clone()), Ok(1));
}

#[test]
fn sites_keep_their_numbers_and_wrong_ones_are_refused() {
    let (sample, anchored) = both().swap_remove(0);
    let motion = Arc::new(motion(&sample, anchored));
    let sites = sites(&sample);
    let mut readout = readout(coarse(&motion), &motion, &sites);
    let z = coordinates(&mut Random(41), 0.3);
    let before = readout.value(5, sites[5].at, &z);
    readout.remove(2);
    assert_eq!(readout.value(5, sites[5].at, &z), before);
    assert_eq!(readout.add(sites[5].clone()), Ok(2));
    assert_eq!(readout.value(2, sites[5].at, &z), before);
    let n = sample.positions.len();
    let missing = WarpSite { vertices: vec![(VertexId::new(n), 1.0)], ..sites[0].clone() };
    let vertex = VertexId::new(n);
    assert_eq!(readout.add(missing), Err(WarpError::NoSuchVertex { vertex, vertices: n }));
    let at = Instant::new(FRAMES as f64);
    let late = WarpSite { at, ..sites[0].clone() };
    assert_eq!(readout.add(late), Err(WarpError::NoSuchFrame { at, frames: FRAMES }));
    let nothing = WarpSite { vertices: Vec::new(), ..sites[0].clone() };
    assert_eq!(readout.add(nothing), Err(WarpError::NoVertices));
}

#[test]
fn what_is_of_another_body_is_refused() {
    let (sample, anchored) = both().swap_remove(0);
    let motion = motion(&sample, anchored);
    let places = Cubature::all(motion.warp()).places.len();
    let made = |cubature: Cubature| {
        ReducedWarp::new(motion.warp().clone(), motion.basis(), whole(&motion), cubature).map(|_| ())
    };
    let far = Cubature { places: vec![0, places], weights: vec![1.0; 2], curve: Vec::new() };
    assert_eq!(made(far), Err(ReducedError::NoSuchPlace { place: places, places }));
    for weights in [vec![1.0], vec![1.0, -1.0], vec![1.0, f64::NAN]] {
        let found = made(Cubature { places: vec![0, 1], weights, curve: Vec::new() });
        assert_eq!(found, Err(ReducedError::Weights { places: 2, weights: 1 }));
    }
    let none = Mat::zeros(3 * motion.basis().free().vertices().len(), 4);
    let masses = masses(sample.positions.len());
    let found = ReducedBasis::spanned_by(motion.warp(), &masses, motion.basis().free(), none.as_ref());
    assert_eq!(found.map(|_| ()), Err(ReducedError::NothingMoves));
}
