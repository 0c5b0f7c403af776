//! The lowest modes of the bridge, at the counts of Barbič, Sin and Grinspun 2012, Table 1.

use super::row::Row;
use super::{BenchArgs, peer, subject};
use anyhow::ensure;
use rayon::prelude::*;
use std::time::Instant;
use supple_elastic::{ElasticBody, Modes};
use supple_model::Progress;

/// Table 1, "bridge", "modes": 1,000 modes of 31,746 tets on six cores.
const PUBLISHED: (usize, f64) = (1000, 774.0);

pub fn run(args: &BenchArgs, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let subject::Subject { name, body, linear } = subject::bridge(args)?;
    let mut rows = Vec::new();
    for count in [100, PUBLISHED.0] {
        let start = Instant::now();
        let modes = body.elastic.modes(&body.free, count, progress)?;
        let seconds = start.elapsed().as_secs_f64();
        let residual = residual(&linear, &modes);
        ensure!(residual <= 1e-8, "a mode has the residual {residual:e}");
        let certificate = modes.certificate();
        ensure!(certificate.orthonormality <= 1e-8, "orthonormal to {:e} only", certificate.orthonormality);
        let mut row = Row {
            published_seconds: (count == PUBLISHED.0).then_some(PUBLISHED.1),
            residual: Some(residual),
            elements: Some(body.matter.elements()),
            modes: Some(count),
            ..Row::new(&name, &format!("{count} modes"), seconds)
        };
        if args.peers {
            let answer = peer::modes(&body, count)?;
            let (ours, theirs) = (modes.eigenvalues()[count - 1], answer.highest);
            ensure!(
                (ours / theirs - 1.0).abs() < 1e-7,
                "mode {count} has λ = {ours}, the peer says {theirs}"
            );
            row.peer_seconds = Some(answer.seconds);
            row.peer_residual = Some(answer.residual);
            row.peer = Some(peer::MODES);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The largest ‖Kx − λMx‖ / ‖Kx‖, K x being the internal force of a linear body: element by element,
/// without any of the matrices the modes were computed with.
fn residual(linear: &ElasticBody, modes: &Modes) -> f64 {
    let of_mode = |k: usize| {
        let force = linear.force(&modes.displacement(k));
        let (mut error, mut size) = (0.0, 0.0);
        for (row, vertex) in modes.free().vertices().iter().enumerate() {
            for c in 0..3 {
                let f = force[3 * vertex.index() + c];
                let inertia =
                    modes.eigenvalues()[k] * linear.masses()[vertex.index()] * modes.shape(k)[3 * row + c];
                error += (f - inertia).powi(2);
                size += f * f;
            }
        }
        (error / size).sqrt()
    };
    (modes.rigid()..modes.count()).into_par_iter().map(of_mode).reduce(|| 0.0, f64::max)
}
