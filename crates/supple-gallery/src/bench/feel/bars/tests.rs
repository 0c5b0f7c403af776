//! Every bar can be missed, and is missed by nothing else.

use super::*;

fn good(percent: u32) -> Outcome {
    let seen = Seen {
        held: Some(3.0),
        here: 1.1,
        largest: 1.2,
        beyond_reach: Some(0.04),
        beyond_more: Some(0.001),
        moved: 0,
        parted: 0,
        gap: Some(0.01),
        edges: 0.1,
        follows: 0.3,
        at_handle: 0.1,
        step: 0.07,
        off: 0.0,
    };
    Outcome {
        percent,
        vertex: 0,
        frame: 1,
        status: Some("settled"),
        refused: None,
        warned: false,
        turned: Some(0),
        iterations: 4,
        seconds: 0.1,
        seen: Some(seen),
    }
}

fn missed(all: &[Outcome]) -> Vec<&'static str> {
    lines(all, true).iter().filter(|line| !line.ok).map(|line| line.measured).collect()
}

fn with(percent: u32, change: impl Fn(&mut Outcome, &mut Seen)) -> Vec<Outcome> {
    let mut all = [vec![good(5); 60], vec![good(12); 60], vec![good(25); 60]].concat();
    let mut bad = good(percent);
    let mut seen = bad.seen.take().unwrap();
    change(&mut bad, &mut seen);
    bad.seen = Some(seen);
    all.extend(vec![bad; 12]);
    all
}

#[test]
fn every_bar_can_be_missed() {
    assert_eq!(missed(&with(12, |_, _| ())), [""; 0]);
    type Change = fn(&mut Outcome, &mut Seen);
    let wrong: &[(u32, Change, &[&str])] = &[
        (5, |_, s| s.here = 1.4, &["largest / pull, 95 %"]),
        (5, |_, s| s.here = 1.6, &["largest / pull, 95 %", "largest / pull"]),
        (25, |_, s| s.largest = 1.7, &["largest of all frames / pull, 95 %"]),
        (25, |_, s| s.largest = 2.1, &["largest of all frames / pull, 95 %", "largest of all frames / pull"]),
        (5, |_, s| s.beyond_reach = Some(0.06), &["beyond reach / largest"]),
        (5, |_, s| s.beyond_more = Some(0.02), &["beyond 1.5 reach / pull"]),
        (25, |_, s| s.moved = 1, &["still vertices that moved"]),
        (25, |_, s| s.parted = 1, &["coinciding vertices that parted"]),
        (25, |_, s| s.gap = Some(0.03), &["gaps opened / pull"]),
        (12, |_, s| s.edges = 0.4, &["edges, 95 %"]),
        (12, |_, s| s.follows = 0.01, &["share that follows by half"]),
        (25, |_, s| s.step = 0.2, &["step / pull"]),
        (5, |o, _| o.status = Some("compromise"), &["settled, of those farther than a pull"]),
        (
            5,
            |o, s| (o.status, s.held) = (Some("compromise"), Some(0.9)),
            &["nearer, compromised without a warning"],
        ),
        (5, |o, s| (o.status, s.held) = (Some("unfinished"), Some(0.9)), &["unfinished or stalled"]),
        (12, |o, _| o.turned = Some(2), &["elements turned at 5 and 12 %"]),
    ];
    for (percent, change, names) in wrong {
        assert_eq!(missed(&with(*percent, change)), *names);
    }
    let refused = Outcome { refused: Some("no".into()), status: None, seen: None, ..good(5) };
    assert_eq!(missed(&[good(5), refused]), ["pulls that were refused"]);
    let stiff = |o: &mut Outcome| o.seen.iter_mut().for_each(|s| (s.edges, s.at_handle) = (0.2, 0.3));
    let mut all = vec![good(12); 24];
    all.iter_mut().skip(11).for_each(stiff);
    assert_eq!(missed(&all), ["edges, median", "edges at the handle, median"]);
    assert_eq!(missed(&all[11..]), [""; 0], "of 13 pulls a median is chance");
}

#[test]
fn a_share_of_few_pulls_is_no_bar() {
    let mut all = [vec![good(12); 59], vec![good(5); 40]].concat();
    for outcome in &mut all[..8] {
        outcome.status = Some("compromise");
        outcome.seen.as_mut().unwrap().edges = 0.4;
    }
    assert_eq!(missed(&all), [""; 0], "of 59 and of 99");
    all.push(good(12));
    assert_eq!(missed(&all), ["edges, 95 %", "settled, of those farther than a pull"]);
}

#[test]
fn what_is_near_to_held_vertices_or_of_another_size_is_left_out() {
    assert_eq!(missed(&with(25, |_, s| (s.here, s.largest, s.held) = (9.0, 9.0, Some(0.8)))), [""; 0]);
    assert_eq!(missed(&with(12, |_, s| (s.edges, s.held) = (9.0, Some(1.9)))), [""; 0]);
    assert_eq!(missed(&with(25, |o, s| (o.turned, s.edges, s.follows) = (Some(9), 9.0, 0.0))), [""; 0]);
    let warned = with(5, |o, s| (o.status, o.warned, s.held) = (Some("compromise"), true, Some(0.5)));
    assert_eq!(missed(&warned), [""; 0]);
}

#[test]
fn without_bars_nothing_is_missed() {
    let lines = lines(&with(5, |_, s| s.here = 40.0), false);
    assert!(lines.iter().all(|line| line.ok && line.bar.is_none()));
    assert_eq!(lines[1].value, Some(40.0));
}
