//! A material from a file: what `supple recover` writes, read for an edit.

use super::{Motion, own, solve, tip, try_solve};
use crate::edit::bodies::{Kind, START, Scene, apart};
use std::fs;
use supple_formats::{Mixture, Mixtures, write_mixtures};
use supple_model::Progress;
use supple_project::prepare_modes;
use supple_project::shot::{
    Damping, Goal, Handle, Material, MaterialEdit, Method, Optimise, SecondsPerFrame, Site, When,
};

const SHAPES: usize = 8;
const MODES: usize = 24;
/// Physical seconds per frame, and the damping that all shapes have.
const SECONDS: f64 = 0.004;
const STIFFNESS: f64 = 0.001;

fn pulled(kind: Kind) -> Scene {
    let scene = Scene::new(kind);
    let (tip, half) = (tip(&scene), Damping { mass: 0.0, stiffness: STIFFNESS });
    scene.with(|shot| {
        shot.edit.choose(Method::Material);
        shot.edit.modes = MODES;
        shot.edit.damping = Some(half);
        shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(SECONDS);
        let handle = Handle::new(When::Frame(START + 17), Site::Vertex(tip), Goal::By([-0.1, 0.3, 0.2]));
        shot.edit.handles = vec![handle];
    })
}

/// The first modes of the body as they are, as a table.
fn table(scene: &Scene) -> Mixtures {
    let body = scene.body();
    let rigid = if body.anchors.is_empty() { 6 } else { 0 };
    let modes = prepare_modes(&body, MODES + rigid, &scene.cache(), &Progress::silent()).unwrap().modes;
    let mode = |k: usize| {
        let eigenvalue = modes.eigenvalues()[rigid + k];
        let mut parts = vec![0.0; MODES];
        parts[k] = 1.0;
        Mixture { eigenvalue, damping: STIFFNESS * eigenvalue, parts }
    };
    let first = modes.eigenvalues()[rigid];
    Mixtures {
        vertices: Some(body.positions().len()),
        uniform: modes.eigenvalues()[rigid..].iter().map(|lambda| lambda / first).collect(),
        modes: (0..SHAPES).map(mode).collect(),
    }
}

fn with(scene: Scene, table: &Mixtures, optimise: Optimise) -> Scene {
    let mut bytes = Vec::new();
    write_mixtures(table, &mut bytes).unwrap();
    fs::write(scene.folder.path().join("found.csv"), bytes).unwrap();
    scene.with(|shot| {
        let file = Some("found.csv".into());
        own(shot, MaterialEdit { file, optimise, ..MaterialEdit::default() });
    })
}

/// The modes of a body as a table are the body as it is: held ones, and ones that float.
#[test]
fn a_table_of_the_own_modes_changes_nothing() {
    for kind in [Kind::Solid, Kind::Flying] {
        let plain = pulled(kind).with(|shot| {
            let settings = MaterialEdit {
                shapes: Some(SHAPES),
                optimise: Optimise::None,
                space: 0.0,
                ..MaterialEdit::default()
            };
            own(shot, settings);
            if kind == Kind::Flying {
                shot.edit.modes = MODES + 6;
            }
        });
        let table = table(&plain);
        let Motion { frames, size, .. } = solve(&plain);
        let read = solve(&with(pulled(kind), &table, Optimise::None));
        let off = apart(&frames, &read.frames);
        assert!(off < 1e-6 * size, "{kind:?}: {off:e}");
        let periods = |motion: &Motion| motion.report.number("material", "shapes");
        assert_eq!(periods(&read), Some((SHAPES + if kind == Kind::Flying { 6 } else { 0 }) as f64));
    }
}

/// A material that was found is where the search for a better one begins; how stiff the shot has the body does not count.
#[test]
fn the_search_goes_on_from_a_table() {
    let scene = pulled(Kind::Solid);
    let table = table(&scene);
    let scene = with(scene, &table, Optimise::All);
    let found = solve(&scene);
    let before = found.report.number("material", "energy_before").unwrap();
    assert!(found.report.energy < before, "{} of {before}", found.report.energy);
    let softer = scene.with(|shot| {
        let material = shot.body.material.unwrap_or_default();
        shot.body.material = Some(Material { young: 0.1 * material.young, ..material });
    });
    let again = solve(&softer).report.number("material", "energy_before").unwrap();
    assert!((again / before - 1.0).abs() < 1e-6, "{again} {before}");
}

#[test]
fn a_table_of_another_body_is_refused_by_name() {
    type Spoil<'a> = &'a dyn Fn(&mut Mixtures);
    let own = table(&pulled(Kind::Solid));
    let spoilt = |spoil: &dyn Fn(&mut Mixtures)| {
        let mut table = own.clone();
        spoil(&mut table);
        try_solve(&with(pulled(Kind::Solid), &table, Optimise::All)).err().unwrap()
    };
    let cases: [(Spoil<'_>, &str); 5] = [
        (&|table| table.vertices = Some(7), "it is of a body of 7 vertices"),
        (&|table| table.modes[2].parts[2] = 0.5, "must be orthonormal"),
        (&|table| table.modes[1].eigenvalue = 0.0, "an eigenvalue above 0"),
        (&|table| table.uniform[2] *= 1.001, "mode 3 of its body is "),
        (
            &|table| {
                table.uniform.clear();
                table.modes.iter_mut().for_each(|mode| mode.parts.resize(5000, 0.0));
            },
            "mixtures of 5000, and this body has",
        ),
    ];
    for (spoil, expected) in cases {
        let said = spoilt(spoil);
        assert!(said.starts_with("`file` of [edit.material]: "), "{said}");
        assert!(said.contains("found.csv") && said.contains(expected), "{said}");
    }
    let scene = with(pulled(Kind::Solid), &own, Optimise::None);
    fs::write(scene.folder.path().join("found.csv"), "group,young\nwing,3\n").unwrap();
    let said = try_solve(&scene).err().unwrap();
    assert!(said.contains("found.csv") && said.contains("mode,eigenvalue,damping"), "{said}");
    fs::remove_file(scene.folder.path().join("found.csv")).unwrap();
    assert!(try_solve(&scene).err().unwrap().contains("found.csv"));
}
