//! The dragon on the stairs: its head pulled down with its contacts kept, and with them left out.
//!
//! Penetration is measured where the input touches: how deep inside the stairs such a vertex is at the frame of its
//! contact. Edits are not watched for new contacts (nor were they in the paper), so that any vertex is told as well.

use crate::gallery::measure::{farthest_of, handle_error, input_at, input_frame, output_frame};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, HANDLE, OUTPUT, WIDE, Workshop, draw, handle, sheet};
use anyhow::Context;
use rayon::prelude::*;
use supple_mesh::{Aabb, Obstacle, ObstacleMesh, ObstacleShape, TriMesh, Vec3};
use supple_model::{Progress, VertexId};
use supple_project::method::Side;
use supple_project::picture::{Drawn, Picture};
use supple_project::shot::{Contacts, Goal, Shot, Site};
use supple_project::{ContactOutcome, ContactPoint, DragMethod, scenery};
use supple_render::{Colour, Image};

const MODES: usize = 200;
/// Frames around that of the handle at which penetration is measured.
const AROUND: usize = 60;
/// Of the penetration of any vertex, only every so many of them.
const STEP: usize = 6;
/// How far the head is pulled down, as a part of the size.
const PULL: f64 = 0.07;
const TOUCH: Colour = Colour::rgb(0, 128, 92);
const VIEW: From = From(58.0, 24.0);

/// What came of one edit.
struct Outcome {
    penetration: Penetration,
    handle: f64,
    contacts: ContactOutcome,
    picture: Image,
}

/// How deep vertices are in the stairs: those that touch in the input, and any.
struct Penetration {
    touching: f64,
    any: f64,
}

/// Where and when it happens.
struct Tumble {
    obstacle: Obstacle,
    frame: usize,
    nose: VertexId,
    /// The contacts of the input around that frame.
    contacts: Vec<ContactPoint>,
}

/// Figure 6: contacts on, contacts off.
pub fn stairs(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut shot = workshop.shot("dragon")?;
    shot.edit.modes = MODES;
    let mut editor = workshop.open("dragon", &shot, &progress.part(0.0, 0.6))?;
    let tumble = Tumble::of(&shot, &editor)?;
    let input = tumble.penetration(&editor, input_frame);
    let kept = tumble.pulled(&mut editor, &shot, &progress.part(0.6, 0.75))?;
    drop(editor);
    shot.contacts = Some(Contacts { off: true, ..Contacts::recorded() });
    let mut editor = workshop.open("dragon", &shot, &progress.part(0.75, 0.85))?;
    let loose = tumble.pulled(&mut editor, &shot, &progress.part(0.85, 1.0))?;

    let size = editor.size();
    let mut section = Section::default();
    section.text(format!(
        "A dragon tumbles down the stairs: {} contacts, held as {} clusters. At frame {} its head is moved \
         down by {PULL} of its size. With contacts kept it bends over the steps; with contacts switched off \
         it sinks into them. Penetration is measured within {AROUND} frames of the edit.",
        kept.contacts.all, kept.contacts.clusters, tumble.frame
    ));
    let tiles =
        vec![(kept.picture, "contacts kept".to_owned()), (loose.picture, "contacts left out".to_owned())];
    let words = "Output red, contacts of the input with their normals green, the moved vertex blue; parts \
                 inside the stairs are hidden";
    workshop.show(&mut section, "dragon", &sheet(1, tiles)?, words)?;
    let percent = |depth: f64| 100.0 * depth / size;
    for (name, penetration) in
        [("input", &input), ("contacts kept", &kept.penetration), ("contacts left out", &loose.penetration)]
    {
        section.number(
            format!("penetration where the input touches, {name}"),
            percent(penetration.touching),
            "% of the size",
        );
        section.number(
            format!("penetration of any vertex, {name}"),
            percent(penetration.any),
            "% of the size",
        );
    }
    section.published("contacts of the input", kept.contacts.all as f64, "", "92,742");
    section.published("clusters", kept.contacts.clusters as f64, "", "410");
    section.number(
        "a cluster's contact leaves its plane in the linear edit by",
        kept.contacts.linear_drift,
        "of the size",
    );
    section.number("any contact leaves its plane as shown by", kept.contacts.drift, "of the size");
    section.number("error of the handle, contacts kept", kept.handle, "of the size");
    section.number("error of the handle, contacts left out", loose.handle, "of the size");
    Ok(section)
}

impl Tumble {
    /// The frame in the middle of the motion at which most vertices touch and the head has room to go down.
    fn of(shot: &Shot, editor: &DragMethod) -> anyhow::Result<Self> {
        let around = Aabb { min: Vec3::zeros(), max: Vec3::zeros() };
        let mesh: TriMesh = scenery(shot, &around)?.into_iter().next().context("the stairs are missing")?;
        let obstacle = Obstacle::new(ObstacleShape::Mesh(ObstacleMesh::new(&mesh)?), 0.0)?;
        let head = editor.body().groups.get("head")?;
        let nose = farthest_of(head.iter().copied(), editor, Vec3::x());
        let has_room = |frame: &usize| {
            let at = |v: &VertexId| input_at(editor, *frame, *v) - Vec3::y() * (1.2 * PULL * editor.size());
            head.iter().all(|v| obstacle.distance(&at(v)) > 0.0)
        };
        let touching = |frame: &usize| editor.contacts().at(*frame).len();
        let middle = AROUND.max(editor.clock().frames / 6)..editor.clock().frames.saturating_sub(AROUND + 1);
        let frame = middle.filter(has_room).max_by_key(touching).context("the head is never free")?;
        let contacts =
            (frame - AROUND..=frame + AROUND).flat_map(|i| editor.contacts().at(i).to_vec()).collect();
        Ok(Self { obstacle, frame, nose, contacts })
    }

    fn penetration(
        &self,
        editor: &DragMethod,
        positions: fn(&DragMethod, usize) -> Vec<Vec3>,
    ) -> Penetration {
        let mut surface: Vec<VertexId> = editor.body().surface.iter().flatten().copied().collect();
        surface.sort_unstable();
        surface.dedup();
        let mut worst = Penetration { touching: 0.0, any: 0.0 };
        for index in self.frame - AROUND..=self.frame + AROUND {
            let at = positions(editor, index);
            let depth = |v: VertexId| -self.obstacle.distance(&at[v.index()]);
            let touching = self.contacts.iter().filter(|contact| contact.frame == index);
            worst.touching = touching.map(|contact| depth(contact.vertex())).fold(worst.touching, f64::max);
            if index % STEP == self.frame % STEP {
                let deepest = surface.par_iter().map(|v| depth(*v)).reduce(|| 0.0, f64::max);
                worst.any = worst.any.max(deepest);
            }
        }
        worst
    }

    fn pulled(&self, editor: &mut DragMethod, shot: &Shot, progress: &Progress) -> anyhow::Result<Outcome> {
        let by = Goal::By([0.0, -PULL * editor.size(), 0.0]);
        editor.add(handle(editor, self.frame, Site::BodyVertex(self.nose), by)?)?;
        let report = editor.release(progress)?;
        Ok(Outcome {
            penetration: self.penetration(editor, output_frame),
            handle: handle_error(editor, &report),
            contacts: report.contacts,
            picture: self.picture(editor, shot)?,
        })
    }

    fn picture(&self, editor: &DragMethod, shot: &Shot) -> anyhow::Result<Image> {
        let mut picture = Picture::of_edit(editor, Side::Output, self.frame, Drawn::Skin);
        picture.colour = OUTPUT;
        picture.add_scenery(scenery(shot, &picture.bounds())?);
        picture.shine();
        picture.mark_in(vec![output_frame(editor, self.frame)[self.nose.index()]], HANDLE);
        let length = 0.06 * editor.size();
        let here = self.contacts.iter().filter(|contact| contact.frame == self.frame);
        let normal = |contact: &ContactPoint| {
            let at = input_at(editor, self.frame, contact.vertex());
            [at, at + contact.normal * length]
        };
        picture.add_arrows(here.map(normal).collect(), TOUCH);
        let mut seen = input_frame(editor, self.frame);
        seen.push(seen[self.nose.index()] - Vec3::y() * (2.0 * PULL * editor.size()));
        draw(&picture, VIEW.camera(&seen, WIDE), WIDE)
    }
}
