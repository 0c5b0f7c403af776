//! Blocks of frames give what single frames give, and any number of threads the same bits.

use crate::warp::samples::{Random, apart, applied, moved, warp};
use supple_elastic::{InputFrame, WarpContact};
use supple_mesh::Vec3;
use supple_mesh::shapes::box_mesh;
use supple_model::{Progress, VertexId};
use supple_numerics::rotation::exp;

#[test]
fn blocks_agree_with_single_frames_and_threads_with_each_other() {
    let mesh = box_mesh(Vec3::new(1.0, 0.4, 0.4), [12, 5, 5]).unwrap();
    let n = mesh.positions().len();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let warp = warp(&mesh, mesh.positions(), false);
            let mut random = Random(5);
            let motion: Vec<Vec<f64>> = (0..19)
                .map(|i| moved(mesh.positions(), |x| exp(&Vec3::new(0.3 * f64::from(i) * x.x, 0.1, 0.0)) * x))
                .collect();
            let mut frames = warp.inputs(motion.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
            let contact = WarpContact {
                vertices: vec![(VertexId(3), 1.0)],
                normal: Some(Vec3::y()),
                shift: Vec3::zeros(),
            };
            for frame in frames.iter_mut().step_by(4) {
                warp.hold(frame, std::slice::from_ref(&contact)).unwrap();
            }
            let edits = random.field(19 * n, 0.1);
            let mut out = vec![0.0; edits.len()];
            let all: Vec<&InputFrame> = frames.iter().collect();
            warp.apply_many(&all, &edits, &mut out);
            for (i, frame) in frames.iter().enumerate() {
                let alone = applied(&warp, frame, &edits[3 * n * i..][..3 * n]);
                assert!(apart(&alone, &out[3 * n * i..][..3 * n]) < 1e-13, "frame {i}");
            }
            let point = warp.point(&frames[1], &[(VertexId(7), 1.0)]).unwrap();
            out.extend(point.value(&warp, &frames[1], &edits[..3 * n]).iter());
            let gradient = point.gradient(&warp, &frames[1], &edits[..3 * n]);
            out.extend((0..3).flat_map(|i| gradient.col_as_slice(i).to_vec()));
            out
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}
