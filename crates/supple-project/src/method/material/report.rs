//! What came of a material: the report of its motion, and what the material is.

use super::find::{Chosen, largest_force};
use super::ground::Ground;
use super::matter::periods;
use super::pose::PoseAsk;
use super::reduced::Reduced;
use crate::method::drag::DragMethod;
use crate::method::report::{COST_BY_ITERATION, Curve, Finding, Findings, Quantity, Report, Value};
use crate::shot::Hold;
use supple_mesh::Vec3;
use supple_model::text::{count, counted, number};
use supple_spacetime::MaterialStep;

/// How far a motion is from a pose.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    /// Root of the mean square, weighed as the vertices are.
    error: f64,
    /// The vertex that is off farthest.
    farthest: f64,
}

impl Chosen {
    /// Adds what the material is to the report of the motion under it.
    pub fn add_to(&self, report: &mut Report, ground: &Ground, editor: &DragMethod) {
        report.findings.insert(1.min(report.findings.len()), self.told_material(ground, editor));
        let mut positions = vec![[0.0; 3]; editor.rest().len()];
        let off: Vec<Off> = (ground.poses.iter())
            .map(|pose| {
                editor.frame(pose.frame, &mut positions);
                apart(ground, pose, &positions)
            })
            .collect();
        if !off.is_empty() {
            report.findings.push(poses(ground, &off));
        }
        if let Some(optimised) = &self.optimised {
            let values = optimised.steps.iter().map(|step| step.energy).collect();
            let title = "Energy by step";
            report.curves.push(Curve { key: COST_BY_ITERATION, title, unit: "", values });
            report.warnings.extend(optimised.note.clone());
            report.curves.extend(optimised.reduced.iter().map(Reduced::curve));
        }
        report.warnings.extend(self.note.clone());
        report.warnings.extend(warnings(ground));
    }

    fn told_material(&self, ground: &Ground, editor: &DragMethod) -> Finding {
        let shapes = self.material.modes().len();
        let periods = periods(ground.dt, &self.material);
        let after = largest_force(editor);
        let mut text =
            format!("{} of {}", counted(shapes, "shape", "shapes"), counted(ground.modes(), "mode", "modes"));
        if let (Some(before), true) = (&self.before, after > 0.0) {
            text += &format!("; largest force {} times smaller than before", number(before.force / after));
        }
        if let Some(now) = swings(&periods) {
            text += &format!("; swings in {now} frames");
            if let Some(before) = self.before.as_ref().and_then(|before| swings(&before.periods)) {
                text += &format!(" ({before} before)");
            }
        }
        let step = |step: &MaterialStep| {
            vec![
                Quantity::maybe("kind", "", Some(Value::Word(step.stage.name()))),
                Quantity::number("energy", "", step.energy),
            ]
        };
        let (optimised, before) = (self.optimised.as_ref(), self.before.as_ref());
        let reduced = optimised.and_then(|found| found.reduced.as_ref());
        let cubature = reduced.map(|reduced| reduced.warp.cubature());
        let frames = |period: &Option<f64>| period.map_or(Value::Missing, Value::Number);
        let damping = self.material.modes().iter().map(|o| Value::Number(2.0 * o.delta));
        let found = vec![
            Quantity::count("shapes", shapes),
            Quantity::count("modes", ground.modes()),
            Quantity::maybe("elements", "", reduced.map(|reduced| Value::Count(reduced.elements))),
            Quantity::maybe("cubature_error", "", cubature.map(|cubature| Value::Number(cubature.error()))),
            Quantity::maybe(
                "cubature_held_out",
                "",
                cubature.map(|cubature| Value::Number(cubature.held_out())),
            ),
            Quantity::count("rounds", optimised.map_or(0, |found| found.rounds)),
            Quantity::maybe("search", "", optimised.map(|found| Value::Word(found.status.name()))),
            Quantity::list(
                "steps",
                "",
                Value::Several(optimised.map_or(Vec::new(), |found| found.steps.iter().map(step).collect())),
            ),
            Quantity::list("periods", "frame", Value::List(periods.iter().map(frames).collect())),
            Quantity::list(
                "periods_before",
                "frame",
                before.map_or(Value::Missing, |before| {
                    Value::List(before.periods.iter().map(frames).collect())
                }),
            ),
            Quantity::list("damping", "1/s", Value::List(damping.collect())),
            Quantity::maybe("energy_before", "", before.map(|before| Value::Number(before.energy))),
            Quantity::maybe("force_before", "N/√kg", before.map(|before| Value::Number(before.force))),
            Quantity::number("force_after", "N/√kg", after),
        ];
        Finding {
            key: "material",
            title: "material",
            text: Some(text),
            is_detail: false,
            found: Findings::One(found),
        }
    }
}

/// The longest few periods, in words; none where nothing swings.
fn swings(periods: &[Option<f64>]) -> Option<String> {
    let mut frames: Vec<f64> = periods.iter().flatten().copied().collect();
    frames.sort_by(|a, b| b.total_cmp(a));
    let words: Vec<String> = frames.iter().take(3).map(|frames| format!("{frames:.1}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// How far the vertices of a frame are from those of its pose.
fn apart(ground: &Ground, pose: &PoseAsk, positions: &[[f64; 3]]) -> Off {
    let figure = &ground.prepared.moved.figure;
    let (mut sum, mut weight, mut farthest) = (0.0, 0.0, 0.0_f64);
    for (v, place) in positions.iter().enumerate() {
        let asked = figure.positions[v] + Vec3::from_column_slice(&pose.displacement[3 * v..][..3]);
        let square = (Vec3::from(*place) - asked).norm_squared();
        sum += figure.weights[v] * square;
        weight += figure.weights[v];
        farthest = farthest.max(square);
    }
    Off { error: if weight > 0.0 { (sum / weight).sqrt() } else { 0.0 }, farthest: farthest.sqrt() }
}

fn poses(ground: &Ground, off: &[Off]) -> Finding {
    let (size, clock) = (ground.prepared.moved.figure.size, ground.prepared.input.clock);
    let each = ground.poses.iter().zip(off).map(|(pose, off)| {
        vec![
            Quantity::count("pose", pose.number),
            Quantity::frame("frame", clock.number(pose.frame)),
            Quantity::number("error", "m", off.error),
            Quantity::number("farthest", "m", off.farthest),
            Quantity::number("relative_error", "", off.farthest / size),
            Quantity::number("beyond", "", pose.beyond),
            Quantity::number("asked", "m", pose.asked),
            Quantity { name: "soft", unit: "", value: Value::Truth(pose.hold != Hold::Hard) },
        ]
    });
    let lines = ground.poses.iter().zip(off).map(|(pose, off)| {
        let how = if pose.hold == Hold::Hard { "hard" } else { "soft" };
        format!(
            "{}: frame {}, {how}, off by {} % of the size; {} % of it is beyond the modes",
            pose.number,
            clock.number(pose.frame),
            number(100.0 * off.error / size),
            number(100.0 * pose.beyond)
        )
    });
    Finding {
        key: "poses",
        title: "poses",
        text: Some(lines.collect::<Vec<_>>().join("\n")),
        is_detail: false,
        found: Findings::Several(each.collect()),
    }
}

/// Poses that the modes cannot hold.
fn warnings(ground: &Ground) -> Vec<String> {
    let missed = ground.poses.iter().filter(|pose| pose.hold == Hold::Hard && pose.beyond > 0.1);
    missed
        .map(|pose| {
            format!(
                "pose {}: {:.0} % of it is beyond the {} modes of the edit; raise `modes`",
                pose.number,
                100.0 * pose.beyond,
                count(ground.modes())
            )
        })
        .collect()
}
