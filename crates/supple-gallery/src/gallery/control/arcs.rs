//! What lies between two poses: the equilibria under loads between theirs, not a line.
//!
//! > R(q(α)) = (1 − α) f_k + α f_{k+1}, and the tangents K(q_k) T = f_{k+1} − f_k (Eq. 6)

use super::bar::{BAR, FORCE};
use super::posed::{alike, shape, swollen};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, INPUT, OUTPUT, Workshop, sheet};
use anyhow::{Context, ensure};
use supple_elastic::Poser;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::Body;
use supple_render::{Colour, Look, Plot, Series};

const TILE: [u32; 2] = [430, 330];
const VIEW: From = From(-12.0, 12.0);
/// Where along the first arc is looked.
const LOOKED: f64 = 0.4;
/// Equilibria along an arc, and how near to its ends tangents are taken.
const STEPS: usize = 8;
const NEAR: f64 = 1e-3;
/// How much of a tangent is drawn.
const DRAWN: f64 = 0.3;
/// The pose at the end of the line, pale.
const KEY: Colour = Colour::rgb(150, 170, 190);
/// The loads of four poses, newtons on the end: at rest, up, aside, down and ahead.
const LOADS: [[f64; 3]; 4] =
    [[0.0; 3], [0.0, FORCE, 0.0], [0.0, 0.0, FORCE], [0.0, -0.75 * FORCE, -0.25 * FORCE]];

/// The bar under loads on its end.
struct Bent {
    body: Body,
    poser: Poser,
}

impl Bent {
    fn new(workshop: &Workshop) -> anyhow::Result<Self> {
        let body = Body::load(&workshop.still(BAR, 1)?)?;
        let poser = Poser::new(body.elastic.clone(), body.free.clone())?;
        Ok(Self { body, poser })
    }

    /// In balance under a force on its end.
    fn under(&mut self, force: Vec3) -> anyhow::Result<Vec<Vec3>> {
        let members = self.body.groups.get("right")?;
        let mut forces = vec![0.0; 3 * self.body.positions().len()];
        for v in members {
            forces[3 * v.index()..][..3].copy_from_slice((force / members.len() as f64).as_slice());
        }
        self.poser.set_load(&forces)?;
        let report = self.poser.solve(&Progress::silent())?;
        ensure!(report.status.is_solved(), "the bar does not bear its load");
        let moved = self.poser.pose().chunks_exact(3).map(Vec3::from_column_slice);
        Ok(self.body.positions().iter().zip(moved).map(|(x, u)| x + u).collect())
    }

    /// The middle of its end.
    fn end(&self, places: &[Vec3]) -> anyhow::Result<Vec3> {
        let members = self.body.groups.get("right")?;
        Ok(members.iter().map(|v| places[v.index()]).sum::<Vec3>() / members.len() as f64)
    }
}

/// Figure 4.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(format!(
        "A pose is what a force F of {FORCE} N bends the bar to. Under 0.4 F it takes a natural shape; 0.4 of the way \
         along a line to the pose it is squashed. Three arcs of such shapes lead from rest through three poses; their \
         tangents, where they begin and end, are what the basis gets besides the poses."
    ));
    let mut bar = Bent::new(workshop)?;
    let rest = bar.body.positions().to_vec();
    let at = |k: usize, alpha: f64| Vec3::from(LOADS[k]).lerp(&LOADS[k + 1].into(), alpha);
    let natural = bar.under(at(0, LOOKED))?;
    let pose = bar.under(at(0, 1.0))?;
    let line: Vec<Vec3> = rest.iter().zip(&pose).map(|(x, y)| x.lerp(y, LOOKED)).collect();
    let mut pictures = Vec::new();
    for (places, colour, name) in
        [(&natural, OUTPUT, "the equilibrium under 0.4 F"), (&line, INPUT, "0.4 of a line to the pose")]
    {
        let change = 100.0 * swollen(&bar.body, places);
        section.number(format!("change of volume, {name}"), change, "%");
        let mut picture = shape(&bar.body, places, colour);
        picture.add_ghost(shape(&bar.body, &rest, KEY), 0.35);
        picture.add_ghost(shape(&bar.body, &pose, KEY), 0.35);
        pictures.push((picture, name.to_owned()));
    }
    let words = "Rest and pose pale; under a part of the force red, along a line yellow";
    workshop.show(&mut section, "control-arcs", &sheet(2, alike(pictures, VIEW, TILE)?)?, words)?;
    let plot = curve(&mut bar, at, &progress.part(0.3, 1.0))?;
    workshop.plot(
        &mut section,
        "control-arcs-curve",
        &plot,
        "The curve through four poses, seen along the bar",
    )?;
    Ok(section)
}

/// Three arcs of the end of the bar, the lines between their ends, and tangents.
fn curve(bar: &mut Bent, at: impl Fn(usize, f64) -> Vec3, progress: &Progress) -> anyhow::Result<Plot> {
    let (mut arcs, mut poses, mut tangents) = (Vec::new(), Vec::new(), Vec::new());
    let seen = |place: Vec3| [place.z, place.y];
    for k in 0..LOADS.len() - 1 {
        progress.report("posing", k as f64 / (LOADS.len() - 1) as f64)?;
        let mut arc = Vec::new();
        for step in 0..=STEPS {
            let places = bar.under(at(k, step as f64 / STEPS as f64))?;
            arc.push(bar.end(&places)?);
        }
        for (from, to, end) in [(0.0, NEAR, 0), (1.0, 1.0 - NEAR, STEPS)] {
            let [first, second] = [bar.under(at(k, from))?, bar.under(at(k, to))?];
            let tangent = (bar.end(&second)? - bar.end(&first)?) / NEAR * DRAWN;
            tangents.push(vec![seen(arc[end]), seen(arc[end] + tangent)]);
        }
        poses.push(seen(arc[0]));
        if k + 2 == LOADS.len() {
            poses.push(seen(*arc.last().context("an arc without points")?));
        }
        arcs.extend(arc.into_iter().map(seen));
    }
    let mut plot = Plot::new("The middle of the end of the bar");
    (plot.x.label, plot.y.label) = ("aside (m)".into(), "up (m)".into());
    plot.series = vec![
        Series { dashed: true, colour: Some(INPUT), ..Series::line("lines between poses", poses.clone()) },
        Series { colour: Some(OUTPUT), ..Series::line("equilibria between poses", arcs) },
        Series { look: Look::Points, colour: Some(KEY), ..Series::line("poses", poses) },
    ];
    for (k, tangent) in tangents.into_iter().enumerate() {
        let name = if k == 0 { "tangents" } else { "" };
        let colour = Some(crate::gallery::workshop::HANDLE);
        plot.series.push(Series { colour, ..Series::line(name, tangent) });
    }
    Ok(plot)
}
