use super::bodies::*;
use super::*;
use supple_model::*;
use supple_spacetime::*;

fn go(name: &str, k: &Arc<Kernel>, body: &dyn Readout, grips: &[Grip]) {
    let mut d = drag(k);
    for (i, g) in grips.iter().enumerate() { d.add(HandleId(i as u64), *g).unwrap(); }
    let r = d.release(body, &Progress::silent()).unwrap();
    let e = r.errors.iter().flat_map(|e| e.error).fold(0.0f64, |a,b| a.max(b.abs()));
    let mut slow = drag(k);
    let starts: Vec<[f64;3]> = grips.iter().map(|g| if g.order==Order::Velocity {[0.0;3]} else {body.value(g.site, g.frame, &vec![0.0; body.modes()])}).collect();
    for (i, g) in grips.iter().enumerate() { slow.add(HandleId(i as u64), *g).unwrap(); }
    let mut last = None;
    for step in 1..=60 { for (i,g) in grips.iter().enumerate() { let f = (step as f64/50.0).min(1.0); let t: [Option<f64>;3] = std::array::from_fn(|a| Some(starts[i][a] + f*(g.target[a].unwrap()-starts[i][a]))); slow.set_target(HandleId(i as u64), t).unwrap(); }
      last = Some(slow.step(body, &Progress::silent()).unwrap()); }
    let l = last.unwrap();
    let le = l.errors.iter().flat_map(|e| e.error).fold(0.0f64, |a,b| a.max(b.abs()));
    let flag = if r.energy > 1.01*l.energy && le < 1e-3 {"WORSE"} else {""};
    println!("slow {:?} err {le:.1e} stat {:.1e} E {:.4e} {flag} || {name}: {:?} it {} err {e:.1e} stat {:.1e} E {:.5e} red {:?} unmet {}", l.status, l.stationarity, l.energy, r.status, r.iterations, r.stationarity, r.energy, r.redundant, r.unmet.len());
}

#[test]
fn try_it() {
    let k = kernel(6, 1);
    for bend in [0.0, 1.57, 3.0] {
        let c = Chain::new(20, 6, bend);
        for t in [[0.5,0.5],[0.0,0.6],[-0.5,0.2],[-0.9,0.1],[0.2,0.05],[0.5,0.0],[1.2,0.0],[1.2,0.3],[0.0,2.0],[-0.3,-0.3]] {
            go(&format!("chain {bend} {t:?}"), &k, &c, &[Grip::position(0, 25, [t[0],t[1],0.0])]);
        }
    }
    let k = kernel(30, 5);
    for bend in [[0.0;3],[0.0,1.57,0.0],[0.5,2.5,1.0]] {
        let b = Beam::new(30, bend, FRAMES);
        for t in [[0.5,0.5,0.1],[0.0,0.0,0.6],[-0.5,0.2,0.3],[-0.8,0.1,0.1],[0.2,0.05,0.0],[0.5,0.0,0.0],[1.2,0.0,0.0],[0.0,2.0,0.5],[3.0,3.0,3.0]] {
            go(&format!("beam {bend:?} {t:?}"), &k, &b, &[Grip::position(0, 25, t)]);
        }
        go("several", &k, &b, &[Grip::position(0, 10, [0.3,0.6,0.2]), Grip::position(1, 20, [0.2,-0.2,0.3]), Grip::position(0, 30, [-0.3,-0.2,0.3]), Grip::position(2, 30, [0.1,0.1,0.2])]);
        go("soft", &k, &b, &[Grip{hold:Hold::Soft(1e4), ..Grip::position(0, 10, [0.3,0.6,0.2])}, Grip::position(1, 20, [0.2,-0.2,0.3])]);
        go("velocity", &k, &b, &[Grip{order:Order::Velocity, ..Grip::position(0, 20, [0.3,2.0,1.0])}, Grip::position(0, 20, [0.2,-0.5,0.5])]);
        go("twins", &k, &b, &[Grip::position(0, 20, [0.3,0.6,0.2]), Grip::position(0, 20, [0.3,0.6,0.2])]);
        go("rivals", &k, &b, &[Grip::position(0, 20, [0.3,0.6,0.2]), Grip::position(0, 20, [0.3,0.6,0.5])]);
    }
}
