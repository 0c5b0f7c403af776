//! The panel of the body: how it is filled, what it is made of, what stays in place.

mod anchors;
mod material;

pub use anchors::words as anchor_words;

use super::fields;
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::field_error;
use eframe::egui::{ComboBox, DragValue, Ui};
use supple_project::shot::{BodyKind, Fill, FillMethod, Shape, Shot};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let body = studio.snapshot.stage.as_ref().and_then(|stage| stage.body.clone());
    if let Some(failure) = &studio.snapshot.failure {
        field_error(ui, &failure.to_string());
    }
    if let Some(body) = &body {
        let (elements, name) = (body.matter.elements(), body.matter.element_name());
        ui.label(format!("{} vertices, {elements} {name}", body.positions().len()));
        if let Some(skin) = &body.skin {
            let (points, triangles) = (skin.mesh.positions().len(), skin.mesh.triangles().len());
            ui.label(format!("Skin: {points} vertices, {triangles} triangles"));
        }
        ui.label(format!("{} anchored vertices", body.anchors.len()));
        ui.separator();
    }
    let picked = studio.picked.len();
    let groups: Vec<String> =
        body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    fields(studio, ui, |ui, shot, draft| {
        fill(ui, shot, draft);
        if shot.body.kind == BodyKind::Character {
            return;
        }
        material::material(ui, shot, draft);
        material::regions(ui, shot, draft, &groups);
        anchors::anchors(ui, shot, draft, &groups);
    });
    if picked > 0 && ui.button(format!("Anchor {picked} selected vertices")).clicked() {
        studio.anchor_picked();
    }
    ui.weak("Drag on the background to box-select vertices.");
}

fn fill(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    ui.strong(match shot.body.kind {
        BodyKind::Solid => "Solid",
        BodyKind::Voxels => "Voxels",
        BodyKind::Cloth => "Cloth",
        BodyKind::Springs => "Springs",
        BodyKind::Character => "Character",
    });
    let is_volume = matches!(shot.body.kind, BodyKind::Solid | BodyKind::Voxels);
    let fill = match &mut shot.body.shape {
        Shape::Surface { fill, .. } => fill,
        Shape::Mesh(_) => {
            ui.weak("Mesh is read from a file");
            return;
        }
        Shape::Skeleton(skeleton) => {
            ui.weak(format!("Skeleton is read from {}", skeleton.file.display()));
            return;
        }
    };
    if !is_volume {
        return;
    }
    let kinds = [
        (BodyKind::Solid, "tets", "Follow the surface closely; it must be closed"),
        (BodyKind::Voxels, "voxels", "Cubes around the surface; works for any surface"),
    ];
    ui.horizontal(|ui| {
        let label = ui.label("Fill");
        let before = shot.body.kind;
        let name = kinds.iter().find(|kind| kind.0 == before).map_or("", |kind| kind.1);
        let combo = ComboBox::from_id_salt("fill").selected_text(name).show_ui(ui, |ui| {
            for (kind, name, hint) in kinds {
                ui.selectable_value(&mut shot.body.kind, kind, name).on_hover_text(hint);
            }
        });
        let response = combo.response.on_hover_text("Elements that fill the surface");
        let mut response = response.labelled_by(label.id);
        if shot.body.kind != before {
            // What it is filled with and what it is made of are the same thing.
            if let Some(fill) = fill {
                fill.method =
                    if shot.body.kind == BodyKind::Solid { FillMethod::Tets } else { FillMethod::Voxels };
            }
            response.mark_changed();
        }
        draft.field(&response, "Set fill");
    });
    cells(ui, fill, shot.body.kind, draft);
}

/// How finely it is filled.
fn cells(ui: &mut Ui, fill: &mut Option<Fill>, kind: BodyKind, draft: &mut Draft) {
    let mut own = fill.is_some();
    let field = ui.checkbox(&mut own, "Custom resolution");
    if field.changed() {
        let method = if kind == BodyKind::Solid { FillMethod::Tets } else { FillMethod::Voxels };
        *fill = own.then_some(Fill { method, cells: 24 });
    }
    draft.field(&field.on_hover_text("Off: automatic"), "Set cells");
    let Some(fill) = fill else { return };
    ui.horizontal(|ui| {
        let label = ui.label("Cells");
        let field = ui.add(DragValue::new(&mut fill.cells)).labelled_by(label.id);
        let hint = "Cells along the longest side; twice as many give eight times the elements";
        draft.field(&field.on_hover_text(hint), "Set cells");
    });
    if !(1..=400).contains(&fill.cells) {
        draft.refuse(ui, &format!("Cells must be 1 to 400, got {}", fill.cells));
    }
}
