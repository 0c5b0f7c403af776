use super::bodies::*;
use super::*;
use supple_model::*;
use supple_spacetime::*;

fn go(name: &str, k: &Arc<Kernel>, body: &dyn Readout, grips: &[Grip]) {
    let mut d = drag(k);
    for (i, g) in grips.iter().enumerate() { d.add(HandleId(i as u64), *g).unwrap(); }
    let r = d.release(body, &Progress::silent()).unwrap();
    let e = r.errors.iter().flat_map(|e| e.error).fold(0.0f64, |a,b| a.max(b.abs()));
    println!("{name}: {:?} it {} err {e:.1e} stat {:.1e} E {:.5e} red {:?} unmet {}", r.status, r.iterations, r.stationarity, r.energy, r.redundant, r.unmet.len());
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
