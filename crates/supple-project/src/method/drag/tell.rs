//! What an edit came to, as the seam tells it: quantities with their units, and what people read of them.

use super::{DragMethod, EditReport, ForcePeak, Inverted, Penetration, StartPoint, StartReport};
use crate::method::report::{Curve, Finding, Findings, Quantity, Report, Value};
use supple_model::text::{count, counted, number};

impl DragMethod {
    /// A report in the words of the seam.
    pub(in crate::method) fn told(&self, report: EditReport) -> Report {
        let findings = vec![
            self.modes_found(&report),
            starts(&report.starts),
            force(report.force.as_ref()),
            volume(&report),
            inverted(report.inverted),
            plants(&report),
            contacts(&report),
            penetration(report.penetration, self.figure.size),
        ];
        let title = "Force over time";
        let curve = Curve { key: "force_over_time", title, unit: "N/√kg", values: report.force_over_time };
        Report {
            status: report.status,
            iterations: report.iterations,
            stationarity: report.stationarity,
            energy: report.energy,
            penalty: report.penalty,
            held: report.held,
            handles: report.handles,
            findings,
            curves: vec![curve],
            warnings: Vec::new(),
        }
    }

    /// The modes, and how freely they take part.
    fn modes_found(&self, report: &EditReport) -> Finding {
        let modes = match &self.made {
            Some(made) if !made.metric.is_empty() => {
                let shapes = counted(self.modes(), "shape", "shapes");
                format!("{shapes} made of {}", counted(made.metric.len(), "mode", "modes"))
            }
            _ => format!("{} modes", count(self.modes())),
        };
        let (text, found) = match report.smoothness {
            Some(smooth) => (
                format!(
                    "{modes}, smooth; {:.0} % of the body follows at least half of an edit, nothing moves \
                     more than {:.2} times as far",
                    100.0 * smooth.spread,
                    smooth.amplification
                ),
                Findings::One(vec![
                    Quantity::number("cutoff", "1/s²", smooth.cutoff),
                    Quantity::number("spread", "", smooth.spread),
                    Quantity::number("amplification", "", smooth.amplification),
                ]),
            ),
            None => {
                (format!("{modes}, {} s of physical time per frame", number(self.time.dt)), Findings::None)
            }
        };
        Finding { key: "smoothness", title: "modes", text: Some(text), is_detail: true, found }
    }
}

fn starts(tried: &[StartReport]) -> Finding {
    let start = |tried: &StartReport| {
        let word = match tried.start {
            StartPoint::Zero => "zero",
            StartPoint::Linear => "linear",
            StartPoint::OneByOne => "one_by_one",
            StartPoint::Restored => "restored",
            StartPoint::Before => "before",
        };
        vec![
            Quantity::maybe("start", "", Some(Value::Word(word))),
            Quantity::number("energy", "", tried.energy),
            Quantity::maybe("status", "", Some(Value::Word(tried.status.name()))),
            Quantity::maybe("kept", "", Some(Value::Truth(tried.kept))),
        ]
    };
    let found = Findings::Several(tried.iter().map(start).collect());
    Finding { key: "starts", title: "starts", text: None, is_detail: true, found }
}

fn force(peak: Option<&ForcePeak>) -> Finding {
    let text = peak.map(|force| {
        let place = force.largest.map_or_else(String::new, |(newtons, vertex)| {
            format!(", largest {} N on vertex {}", number(newtons), vertex.0)
        });
        format!("largest at frame {:.1}, {} N/√kg{place}", force.frame, number(force.norm))
    });
    let found = peak.map_or(Findings::None, |force| {
        Findings::One(vec![
            Quantity::number("frame", "frame", force.frame),
            Quantity::number("norm", "N/√kg", force.norm),
            Quantity::maybe("newtons", "N", force.largest.map(|(newtons, _)| Value::Number(newtons))),
            Quantity::maybe("vertex", "", force.largest.map(|(_, vertex)| Value::Count(vertex.index()))),
        ])
    });
    Finding { key: "force", title: "force", text, is_detail: true, found }
}

fn volume(report: &EditReport) -> Finding {
    let text = report
        .volume
        .map(|change| format!("largest change {:+.2} % at frame {}", 100.0 * change.largest, change.frame));
    let found = report.volume.map_or(Findings::None, |change| {
        Findings::One(vec![
            Quantity::number("largest", "", change.largest),
            Quantity::frame("frame", change.frame),
        ])
    });
    Finding { key: "volume", title: "volume", text, is_detail: false, found }
}

fn inverted(worst: Option<Inverted>) -> Finding {
    let text = worst.map(|Inverted { count: turned, frame, input }| match turned {
        0 => "the edit inverts no element".to_owned(),
        turned => format!(
            "the edit inverts {} at frame {frame}, the worst frame, where the input has {}",
            counted(turned, "element", "elements"),
            count(input)
        ),
    });
    let found = worst.map_or(Findings::None, |worst| {
        Findings::One(vec![
            Quantity::count("count", worst.count),
            Quantity::frame("frame", worst.frame),
            Quantity::count("input", worst.input),
        ])
    });
    Finding { key: "inverted", title: "elements", text, is_detail: false, found }
}

/// Only said: their number is among the contacts.
fn plants(report: &EditReport) -> Finding {
    let parts = report.contacts.plants;
    let text =
        (parts > 0).then(|| format!("{} kept planted while standing still", counted(parts, "part", "parts")));
    Finding { key: "", title: "plants", text, is_detail: false, found: Findings::None }
}

fn contacts(report: &EditReport) -> Finding {
    let contacts = &report.contacts;
    let text = (contacts.all > 0).then(|| {
        format!(
            "{} in {}, off their planes by at most {:.1e} of the size ({:.1e} before the warp)",
            count(contacts.all),
            counted(contacts.clusters, "cluster", "clusters"),
            contacts.drift,
            contacts.linear_drift
        )
    });
    let found = Findings::One(vec![
        Quantity::count("all", contacts.all),
        Quantity::count("clusters", contacts.clusters),
        Quantity::count("plants", contacts.plants),
        Quantity::number("linear_drift", "", contacts.linear_drift),
        Quantity::number("drift", "", contacts.drift),
    ]);
    Finding { key: "contacts", title: "contacts", text, is_detail: false, found }
}

/// What is less deep than this part of the size nobody sees: it is told, but not called out.
const UNSEEN: f64 = 1e-4;

fn penetration(through: Option<Penetration>, size: f64) -> Finding {
    let text = through.map(|Penetration { deepest, held }| {
        let held = match held {
            0 => String::new(),
            held => format!("; {} held on the surface", counted(held, "vertex", "vertices")),
        };
        match deepest {
            Some(deepest) if deepest.depth < UNSEEN * size => format!(
                "nothing goes deeper than in the input by more than {} m, vertex {} at frame {}{held}",
                number(deepest.depth),
                deepest.vertex.0,
                deepest.frame
            ),
            Some(deepest) => format!(
                "GOES THROUGH: vertex {} at frame {} is {} m deeper than in the input{held}",
                deepest.vertex.0,
                deepest.frame,
                number(deepest.depth)
            ),
            None => format!("nothing goes deeper than in the input{held}"),
        }
    });
    let found = through.map_or(Findings::None, |Penetration { deepest, held }| {
        let depth = deepest.map_or(0.0, |deepest| deepest.depth);
        Findings::One(vec![
            Quantity::number("depth", "m", depth),
            Quantity::number("relative_depth", "", depth / size),
            Quantity::maybe("vertex", "", deepest.map(|deepest| Value::Count(deepest.vertex.index()))),
            Quantity::maybe("frame", "frame", deepest.map(|deepest| Value::Frame(deepest.frame))),
            Quantity::count("held", held),
        ])
    });
    Finding { key: "penetration", title: "obstacles", text, is_detail: false, found }
}
