//! Few shapes and few elements that stand for the whole warp: what they miss, what making them costs, and what one sees.

use crate::bench::material::few::{Few, Published, TABLE};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, HALF, INPUT, OUTPUT, Workshop, draw, sheet};
use anyhow::Context;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::Shot;
use supple_project::{Body, Matter, Moving};
use supple_render::{Plot, Scale, Series};

const VIEW: From = From(20.0, 14.0);
/// What is drawn: a flower, bent far.
const DRAWN: &str = "flower-circle";

/// Figure 2, the inset of Section 3.2, and the first half of Table 1.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "A handle is read at some tens of elements that stand for all. Shapes and elements are chosen for edits of each \
         motion, at most as many elements as were published; the error is that of other edits. Seconds in brackets are \
         published ones, on other hardware. The last column is how far whole frames are from those of the whole warp, with \
         shapes that are left out.",
    );
    let mut rows = Vec::new();
    for (k, published) in TABLE.iter().enumerate() {
        let part = |at: f64| (k as f64 + at) / TABLE.len() as f64;
        let progress = progress.part(part(0.0), part(1.0));
        progress.report(published.sample, 0.0)?;
        let shot = workshop.whole_shot(published.sample)?;
        let few = Few::new(&shot, &workshop.cache(published.sample), published, &progress)
            .with_context(|| published.sample.to_owned())?;
        rows.push(row(&mut section, published, &few));
        if published.sample == DRAWN {
            workshop.plot(
                &mut section,
                "material-cubature",
                &curve(&few),
                "Error by the number of elements",
            )?;
            let words = "An edit that bends the flower by a right angle, and the elements that are looked at";
            workshop.show(&mut section, "material-reduced", &bent(&shot, &few)?, words)?;
        }
    }
    let head = ["motion", "elements", "looked at", "basis", "cubature", "error", "whole frames"];
    section.table(&head, rows);
    Ok(section)
}

fn row(section: &mut Section, published: &Published, few: &Few) -> Vec<String> {
    let (error, apart) = (few.reduced.cubature().held_out(), few.apart());
    let percent = |part: f64| format!("{} %", short(100.0 * part));
    let name = published.sample;
    section.tabled(format!("{name}: error"), 100.0 * error, "%");
    section.tabled(format!("{name}: error of whole frames"), 100.0 * apart, "%");
    section.tabled(format!("{name}: elements that are looked at"), few.elements as f64, "");
    vec![
        name.to_owned(),
        few.of.to_string(),
        format!("{} ({})", few.elements, published.elements),
        format!("{} s ({})", short(few.basis_seconds), published.basis),
        format!("{} s ({})", short(few.cubature_seconds), published.cubature),
        format!("{} ({})", percent(error), percent(published.error)),
        percent(apart),
    ]
}

fn curve(few: &Few) -> Plot {
    let mut plot = Plot::new("What few elements miss of the whole warp");
    (plot.x.label, plot.y.label) = ("elements that are looked at".into(), "relative error".into());
    plot.y.scale = Scale::Log10;
    let curve = &few.reduced.cubature().curve;
    let points = |of: fn(&supple_elastic::CubatureError) -> f64| -> Vec<[f64; 2]> {
        curve.iter().map(|error| [error.places as f64, of(error)]).collect()
    };
    let chosen = points(|error| error.training);
    plot.series.push(Series { colour: Some(INPUT), ..Series::line("edits it was made for", chosen) });
    let others = points(|error| error.held_out);
    plot.series.push(Series { colour: Some(OUTPUT), ..Series::line("other edits", others) });
    plot
}

/// The edit that turns the body farthest of those that were held out: linear, on the whole warp and on the reduced one.
fn bent(shot: &Shot, few: &Few) -> anyhow::Result<supple_render::Image> {
    let body = Arc::new(Body::load(shot)?);
    let size = 3 * few.motion.warp().vertices();
    let shown = |z: &[f64]| {
        let (mut edit, mut whole, mut reduced) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        few.motion.basis().displacement(z, &mut edit);
        let rest = few.motion.frame(0);
        few.motion.warp().apply(rest, &edit, &mut whole);
        few.reduced.displacement(rest, z, &mut reduced);
        edit.iter_mut().zip(rest.displacement()).for_each(|(edit, u)| *edit += u);
        [edit, whole, reduced]
    };
    let moved = |u: &[f64]| u.iter().map(|x| x * x).sum::<f64>();
    let farthest = few.held_out.iter().max_by(|a, b| {
        let [far, near] = [a, b].map(|pair| moved(&shown(&pair.z)[1]));
        far.total_cmp(&near)
    });
    let pair = farthest.context("an edit that was held out")?;
    let frames: Vec<Vec<[f64; 3]>> = shown(&pair.z)
        .iter()
        .map(|u| {
            let placed = body.positions().iter().zip(u.chunks_exact(3));
            placed.map(|(x, u)| [x.x + u[0], x.y + u[1], x.z + u[2]]).collect()
        })
        .collect();
    let pictures = frames.iter().map(|frame| Picture::of_frame(&*body, Moving::Body, Drawn::Body, frame));
    let mut pictures: Vec<Picture> = pictures.collect();
    let seen: Vec<Vec3> = pictures.iter().flat_map(Picture::framed_points).collect();
    let camera = VIEW.camera(&seen, HALF);
    if let Matter::Solid(solid) = &body.matter {
        let mesh = solid.mesh();
        let looked = few.reduced.cubature().elements(few.motion.warp());
        let middle = |frame: &[[f64; 3]], corners: &[supple_model::VertexId; 4]| -> Vec3 {
            corners.iter().map(|v| Vec3::from(frame[v.index()])).sum::<Vec3>() / 4.0
        };
        let points = looked.iter().map(|e| middle(&frames[2], &mesh.tets()[e.index()]));
        pictures[2].mark(points.collect::<Vec<_>>());
    }
    let names = ["linear", "the whole warp", "the reduced warp"];
    let tiles =
        pictures.iter().zip(names).map(|(picture, name)| Ok((draw(picture, camera, HALF)?, name.to_owned())));
    sheet(3, tiles.collect::<anyhow::Result<Vec<_>>>()?)
}
