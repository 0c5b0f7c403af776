//! What handles and contacts cost: time and memory against their number and that of the modes.
//!
//! *Incremental* is what the editor does: the rows of one more handle are added to the factor there is. *Direct*
//! is the same edit from nothing: all handles are taken up anew. Both end with the solved edit. The linear edit is
//! timed, warped afterwards as in the paper.

use crate::bench::drag::contacts::spread;
use crate::gallery::measure::resident;
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{Workshop, handle};
use std::time::Instant;
use supple_model::Progress;
use supple_project::shot::{Clustering, Contacts, Goal, Handle, Input, Shot, Site};
use supple_project::{Body, DragMethod};
use supple_render::{Look, Plot, Rule, Scale, Series};

/// Modes for which twenty handles are timed, and those with which handles are counted.
const MODES: [usize; 4] = [50, 100, 200, 400];
const COUNTED: usize = 200;
/// Handles when modes are counted, and at most.
const HANDLES: usize = 20;
const MOST: usize = 60;
/// Contacts that are tried, on the dragon with so many modes and frames.
const CONTACTS: [usize; 6] = [100, 200, 400, 800, 1600, 3200];
const DRAGON: (usize, usize) = (200, 600);
/// Each time is the middle one of so many.
const REPEATS: usize = 5;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The k-th of some vertices spread over the body, pulled a little.
fn pull(editor: &DragMethod, k: usize) -> anyhow::Result<Handle> {
    let vertices = editor.body().free.vertices();
    let vertex = vertices[((0.37 + 0.618_034 * k as f64).fract() * vertices.len() as f64) as usize];
    let frame = 10 + (k * 37) % (editor.clock().frames - 20);
    let by = [0.0, 0.01 * editor.size(), 0.0];
    handle(editor, frame, Site::BodyVertex(vertex), Goal::By(by))
}

/// Seconds to add one handle to those there are, and to take up all of them anew.
fn timed(editor: &mut DragMethod, progress: &Progress) -> anyhow::Result<[f64; 2]> {
    let there = editor.handles().count();
    let mut adding = Vec::new();
    for repeat in 0..REPEATS {
        let next = pull(editor, there + repeat)?;
        let start = Instant::now();
        let key = editor.add(next)?;
        editor.settle(progress)?;
        adding.push(start.elapsed().as_secs_f64());
        editor.remove(key)?;
    }
    let all: Vec<(supple_project::HandleKey, Handle)> =
        editor.handles().map(|(key, handle)| (key, handle.clone())).collect();
    let mut anew = Vec::new();
    let mut keys: Vec<_> = all.iter().map(|(key, _)| *key).collect();
    for _ in 0..REPEATS.min(3) {
        for key in keys.drain(..) {
            editor.remove(key)?;
        }
        let start = Instant::now();
        for (_, handle) in &all {
            keys.push(editor.add(handle.clone())?);
        }
        editor.settle(progress)?;
        anew.push(start.elapsed().as_secs_f64());
    }
    Ok([median(adding), median(anew)])
}

/// Figure 5: the bridge.
pub fn handles(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.still("bridge", 240)?;
    shot.edit.exact = false;
    let mut section = Section::default();
    let (mut by_modes, mut memory, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut one_more, mut anew) = (Vec::new(), Vec::new());
    for (k, modes) in MODES.into_iter().enumerate() {
        shot.edit.modes = modes;
        let part = |k: usize| k as f64 / MODES.len() as f64;
        let before = resident();
        let mut editor = workshop.open("bridge", &shot, &progress.part(part(k), part(k + 1)))?;
        for k in 0..HANDLES {
            editor.add(pull(&editor, k)?)?;
        }
        let [more, all] = timed(&mut editor, progress)?;
        let held = before.zip(resident()).map(|(before, now)| now - before);
        by_modes.push([modes as f64, 1e3 * more]);
        memory.extend(held.map(|held| [modes as f64, held]));
        let held = held.map_or_else(|| "–".into(), |held| format!("{held:.0} MiB"));
        rows.push(vec![
            modes.to_string(),
            format!("{:.2} ms", 1e3 * more),
            format!("{:.1} ms", 1e3 * all),
            held,
        ]);
        section.tabled(format!("one more handle with {HANDLES} there, {modes} modes"), 1e3 * more, "ms");
        if modes == COUNTED {
            count_handles(&mut editor, &mut one_more, &mut anew, progress)?;
        }
    }
    section.text(
        "The bridge, 240 frames. A handle on one vertex is added to the existing ones and the edit is solved \
         (incremental), or all handles are added again (direct). Published, on other hardware: 410 ms for a \
         handle with 1,000 modes. Memory is the growth of the process when the editor opens, modes included.",
    );
    let mut plot = Plot::new(format!("The bridge, {COUNTED} modes: the edit of so many handles"));
    (plot.x.label, plot.y.label) = ("handles".into(), "time (ms)".into());
    plot.y.scale = Scale::Log10;
    plot.series = vec![
        Series { look: Look::Both, ..Series::line("incremental: one more", one_more) },
        Series { look: Look::Both, ..Series::line("direct: all of them", anew) },
    ];
    workshop.plot(
        &mut section,
        "costs-handles",
        &plot,
        "One more handle, compared with adding all of them \
         again",
    )?;
    let mut plot = Plot::new(format!("The bridge, {HANDLES} handles there: one more"));
    (plot.x.label, plot.y.label) = ("modes".into(), "time (ms)".into());
    let slowest = by_modes.iter().map(|point| point[1]).fold(0.0, f64::max);
    plot.y.range = Some([0.0, 1.2 * slowest]);
    plot.series.push(Series { look: Look::Both, ..Series::line("", by_modes) });
    workshop.plot(
        &mut section,
        "costs-modes",
        &plot,
        "Time of one more handle against the number of modes",
    )?;
    section.table(&["modes", "one more handle", "all 20 anew", "memory of the editor"], rows);
    Ok(section)
}

fn count_handles(
    editor: &mut DragMethod,
    one_more: &mut Vec<[f64; 2]>,
    anew: &mut Vec<[f64; 2]>,
    progress: &Progress,
) -> anyhow::Result<()> {
    for key in editor.handles().map(|(key, _)| key).collect::<Vec<_>>() {
        editor.remove(key)?;
    }
    for count in 1..=MOST {
        editor.add(pull(editor, count)?)?;
        if count == 1 || count.is_multiple_of(10) {
            let [more, all] = timed(editor, progress)?;
            one_more.push([count as f64, 1e3 * more]);
            anew.push([count as f64, 1e3 * all]);
        }
    }
    Ok(())
}

/// Figure 7: the dragon, with contacts that are not taken together.
pub fn contacts(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let (modes, frames) = DRAGON;
    let mut shot = workshop.still("dragon", frames)?;
    shot.motion.input = Input::Rest;
    shot.edit.modes = modes;
    shot.edit.exact = false;
    let body = Body::load(&shot)?;
    let (bare, _) = opened(workshop, &shot, &progress.part(0.0, 0.3))?;
    let (mut launch, mut add, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut section = Section::default();
    for (k, count) in CONTACTS.into_iter().enumerate() {
        let part = |k: usize| 0.3 + 0.7 * k as f64 / CONTACTS.len() as f64;
        let progress = progress.part(part(k), part(k + 1));
        let file = workshop.file("dragon", &format!("contacts-{count}.csv"));
        let mut bytes = Vec::new();
        supple_formats::write_contacts(&spread(&body, count, frames), &mut bytes)?;
        std::fs::write(&file, bytes)?;
        shot.contacts = Some(Contacts { cluster: Clustering::Apart, ..Contacts::of_file(file) });
        let (seconds, mut editor) = opened(workshop, &shot, &progress)?;
        editor.add(pull(&editor, 0)?)?;
        let [more, _] = timed(&mut editor, &progress)?;
        let report = editor.release(&progress)?;
        launch.push([count as f64, seconds]);
        add.push([count as f64, more]);
        let drift = report.contacts.linear_drift;
        rows.push(vec![
            count.to_string(),
            format!("{seconds:.2} s"),
            format!("{:.2} ms", 1e3 * more),
            short(drift),
        ]);
        section.tabled(format!("one more handle with {count} contacts"), 1e3 * more, "ms");
    }
    section.text(format!(
        "A dragon at rest with contacts all over its surface and all {frames} frames, none of them merged, \
         {modes} modes. The rows of contacts are factored when the shot is opened; the time of one more \
         handle is measured with them in place. The published solver ran out of memory at about 15,000 \
         contacts; `supple bench drag` measures that many."
    ));
    let mut plot = Plot::new("The dragon: contacts");
    (plot.x.label, plot.y.label) = ("contacts".into(), "time (s)".into());
    (plot.x.scale, plot.y.scale) = (Scale::Log10, Scale::Log10);
    plot.series = vec![
        Series { look: Look::Both, ..Series::line("opening the shot with them", launch) },
        Series { look: Look::Both, ..Series::line("one more handle", add) },
    ];
    plot.horizontals.push(Rule::new(0.82, "published: one handle, 410 contacts"));
    plot.horizontals.push(Rule::new(bare, "opening without contacts"));
    workshop.plot(&mut section, "costs-contacts", &plot, "Time against the number of contacts")?;
    section.table(
        &["contacts", "opening the shot", "one more handle", "contacts leave their planes / size"],
        rows,
    );
    Ok(section)
}

/// Opens a shot with a warm cache, and says how long that took.
fn opened(workshop: &Workshop, shot: &Shot, progress: &Progress) -> anyhow::Result<(f64, DragMethod)> {
    drop(workshop.open("dragon", shot, progress)?);
    let start = Instant::now();
    let editor = workshop.open("dragon", shot, progress)?;
    Ok((start.elapsed().as_secs_f64(), editor))
}
