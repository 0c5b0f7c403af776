//! The lowest modes of the bodies of Barbič, Sin and Grinspun 2012, at the counts of its Table 1.

use super::row::Row;
use super::subject::{self, Subject};
use super::{BenchOptions, peer};
use anyhow::ensure;
use rayon::prelude::*;
use std::time::Instant;
use supple_elastic::Modes;
use supple_model::Progress;
use supple_project::Matter;

/// Sample, modes, and the seconds of Table 1 ("modes", six cores); the paper's seagull is our bird.
const TABLE: &[(&str, usize, Option<f64>)] = &[
    ("beam", 500, Some(1.9)),
    ("bird", 500, Some(26.0)),
    ("curtain", 200, Some(7.3)),
    ("dragon", 500, Some(383.0)),
    ("bridge", 100, None),
    ("bridge", 1000, Some(774.0)),
];

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    // With --data there is the paper's own bridge, and only that.
    let wanted = TABLE.iter().filter(|(sample, ..)| options.data.is_none() || *sample == "bridge");
    for &(sample, count, published) in wanted {
        let subject = if sample == "bridge" { subject::bridge(options)? } else { subject::built_in(sample)? };
        rows.push(measure(&subject, count, published, options.peers, progress)?);
    }
    Ok(rows)
}

fn measure(
    subject: &Subject,
    count: usize,
    published_seconds: Option<f64>,
    peers: bool,
    progress: &Progress,
) -> anyhow::Result<Row> {
    let body = &subject.body;
    let start = Instant::now();
    let modes = body.elastic.modes(&body.free, count, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let residual = residual(subject, &modes);
    ensure!(residual <= 1e-8, "{}: a mode has the residual {residual:e}", subject.name);
    let orthonormality = modes.certificate().orthonormality;
    ensure!(orthonormality <= 1e-8, "{}: orthonormal to {orthonormality:e} only", subject.name);
    let mut row = Row {
        published_seconds,
        residual: Some(residual),
        elements: Some(body.matter.elements()),
        modes: Some(count),
        ..Row::new(&subject.name, &format!("{count} modes"), seconds)
    };
    if peers {
        let answer = peer::modes(body, count)?;
        let (ours, theirs) = (modes.eigenvalues()[count - 1], answer.highest);
        ensure!((ours / theirs - 1.0).abs() < 1e-7, "mode {count} has λ = {ours}, the peer says {theirs}");
        row.peer_seconds = Some(answer.seconds);
        row.peer_residual = Some(answer.residual);
        row.peer = Some(peer::MODES);
    }
    Ok(row)
}

/// The largest ‖Kx − λMx‖ / ‖Kx‖. K x is the internal force of the body under the linear law, element by
/// element, without any of the matrices the modes were computed with; cloth knows no linear law, there it
/// is a product with a stiffness assembled anew.
fn residual(subject: &Subject, modes: &Modes) -> f64 {
    let (body, linear) = (&subject.body, &subject.linear);
    let masses: Vec<f64> = modes.free().vertices().iter().map(|v| linear.masses()[v.index()]).collect();
    let stiffness = match body.matter {
        Matter::Solid(_) | Matter::Voxels(_) => None,
        Matter::Cloth(_) | Matter::Springs(_) => {
            Some(linear.stiffness(&vec![0.0; 3 * body.positions().len()], modes.free()))
        }
    };
    let of_mode = |k: usize| {
        let shape = modes.shape(k);
        let mut force = vec![0.0; shape.len()];
        match &stiffness {
            Some(stiffness) => stiffness.mul(shape, &mut force),
            None => modes.free().gather(&linear.force(&modes.displacement(k)), &mut force),
        }
        let (mut error, mut size) = (0.0, 0.0);
        for (i, f) in force.iter().enumerate() {
            error += (f - modes.eigenvalues()[k] * masses[i / 3] * shape[i]).powi(2);
            size += f * f;
        }
        (error / size).sqrt()
    };
    (modes.rigid()..modes.count()).into_par_iter().map(of_mode).reduce(|| 0.0, f64::max)
}
