//! The panel of the body: how it is filled, what it is made of, what stays in place.

use super::{Draft, fields};
use crate::Studio;
use eframe::egui::{ComboBox, DragValue, Response, Ui};
use supple_project::shot::{Anchor, Axis, BodyKind, FillMethod, Law, Material, Region, Shape, Shot};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    if let Some(body) = studio.answer.stage.as_ref().and_then(|stage| stage.body.clone()) {
        let (elements, name) = (body.matter.elements(), body.matter.element_name());
        ui.label(format!("{} vertices, {elements} {name}", body.positions().len()));
        if let Some(skin) = &body.skin {
            let (points, triangles) = (skin.mesh.positions().len(), skin.mesh.triangles().len());
            ui.label(format!("skin of {points} vertices, {triangles} triangles"));
        }
        ui.label(format!("{} vertices are anchored", body.anchors.len()));
        ui.separator();
    }
    let picked = studio.picked.len();
    let groups: Vec<String> = studio
        .answer
        .stage
        .as_ref()
        .and_then(|stage| stage.body.as_ref())
        .map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    fields(studio, ui, |ui, shot, draft| {
        fill(ui, shot, draft);
        material(ui, shot, draft);
        regions(ui, shot, draft, &groups);
        anchors(ui, shot, draft, &groups);
    });
    if picked > 0 && ui.button(format!("Anchor the {picked} picked vertices")).clicked() {
        studio.anchor_picked();
    }
    ui.weak("Drag a box beside the body to pick vertices.");
}

fn number(ui: &mut Ui, value: &mut f64, name: &str, unit: &str, hint: &str) -> Response {
    ui.horizontal(|ui| {
        let label = ui.label(name);
        let speed = value.abs().max(1e-6) * 0.01;
        let field = DragValue::new(value).speed(speed).suffix(format!(" {unit}")).range(1e-12..=1e15);
        ui.add(field).on_hover_text(hint).labelled_by(label.id)
    })
    .inner
}

fn fill(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    ui.strong(match shot.body.kind {
        BodyKind::Solid => "Solid",
        BodyKind::Voxels => "Voxels",
        BodyKind::Cloth => "Cloth",
        BodyKind::Springs => "Springs",
        BodyKind::Character => "Character",
    });
    let Shape::Surface { fill: Some(fill), .. } = &mut shot.body.shape else { return };
    ui.horizontal(|ui| {
        ui.label("Filled with");
        let before = fill.method;
        let name = if fill.method == FillMethod::Tets { "tets" } else { "voxels" };
        let combo = ComboBox::from_id_salt("fill").selected_text(name).show_ui(ui, |ui| {
            ui.selectable_value(&mut fill.method, FillMethod::Tets, "tets")
                .on_hover_text("They follow the surface");
            ui.selectable_value(&mut fill.method, FillMethod::Voxels, "voxels")
                .on_hover_text("Cubes that cover it");
        });
        let mut response = combo.response.accessible_name("Filled with");
        if fill.method != before {
            response.mark_changed();
        }
        draft.field(&response, "Set fill");
    });
    ui.horizontal(|ui| {
        let label = ui.label("Cells");
        let field = ui.add(DragValue::new(&mut fill.cells).range(2..=400)).labelled_by(label.id);
        draft.field(&field.on_hover_text("Cells along the longest side"), "Set cells");
    });
}

fn material(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    ui.separator();
    ui.strong("Material");
    let Some(material) = &mut shot.body.material else {
        ui.weak("as the mesh file says");
        if ui.button("Set it here").clicked() {
            shot.body.material = Some(Material::default());
            (draft.is_dirty, draft.step) = (true, "Set material");
        }
        return;
    };
    let young = number(ui, &mut material.young, "Stiffness", "Pa", "Young's modulus: rubber 1e6, wood 1e10");
    draft.field(&young, "Set stiffness");
    ui.horizontal(|ui| {
        let label = ui.label("Poisson's ratio");
        let field = DragValue::new(&mut material.poisson).range(-0.9..=0.495).speed(0.002);
        let field = ui.add(field).labelled_by(label.id);
        let hint = "0 keeps its width when stretched, nearly 0.5 keeps its volume";
        draft.field(&field.on_hover_text(hint), "Set Poisson's ratio");
    });
    let density = number(ui, &mut material.density, "Density", "kg/m³", "Mass per volume: water 1000");
    draft.field(&density, "Set density");
    if let Some(thickness) = &mut material.thickness {
        let field = number(ui, thickness, "Thickness", "m", "How thick the cloth or the springs are");
        draft.field(&field, "Set thickness");
    }
    let laws = [
        (Law::Linear, "linear", "Small strain; swells under rotation"),
        (Law::StVenantKirchhoff, "St. Venant–Kirchhoff", "Right under rotation, weak when squashed"),
        (Law::NeoHookean, "neo-Hookean", "Right under rotation, and recovers from inverted elements"),
    ];
    let before = material.law;
    let name = laws.iter().find(|law| law.0 == material.law).map_or("", |law| law.1);
    let combo = ComboBox::from_label("law").selected_text(name).show_ui(ui, |ui| {
        for (law, name, hint) in laws {
            ui.selectable_value(&mut material.law, law, name).on_hover_text(hint);
        }
    });
    let mut response = combo.response.on_hover_text("How force follows from strain");
    if material.law != before {
        response.mark_changed();
    }
    draft.field(&response, "Set law");
}

fn regions(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.separator();
    ui.strong("Regions").on_hover_text("Groups of the mesh that are stiffer or softer");
    let mut gone = None;
    for (index, region) in shot.body.regions.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            ui.label(&region.group);
            if ui.small_button("×").accessible_name(format!("Remove region {}", region.group)).clicked() {
                gone = Some(index);
            }
        });
        if let Some(young) = &mut region.young {
            let field = number(ui, young, "  stiffness", "Pa", "Young's modulus of this region");
            draft.field(&field, "Set stiffness of region");
        }
    }
    if let Some(index) = gone {
        shot.body.regions.remove(index);
        (draft.is_dirty, draft.step) = (true, "Remove region");
    }
    let young = shot.body.material.map_or(1e6, |material| material.young);
    ui.menu_button("Add region", |ui| {
        if groups.is_empty() {
            ui.weak("the mesh has no groups");
        }
        for group in groups {
            if ui.button(group).clicked() {
                let region =
                    Region { group: group.clone(), young: Some(10.0 * young), poisson: None, density: None };
                shot.body.regions.push(region);
                (draft.is_dirty, draft.step) = (true, "Add region");
                ui.close();
            }
        }
    });
}

fn anchors(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.separator();
    ui.strong("Anchors").on_hover_text("What stays in place");
    let mut gone = None;
    for (index, anchor) in shot.body.anchors.iter_mut().enumerate() {
        let words = match anchor {
            Anchor::Vertices(list) => format!("{} vertices", list.len()),
            Anchor::Group(name) => format!("group {name}"),
            Anchor::Below { axis, at } => format!("below {} = {at}", letter(*axis)),
            Anchor::Above { axis, at } => format!("above {} = {at}", letter(*axis)),
            Anchor::Box { .. } => "a box".to_owned(),
            Anchor::File(path) => format!("file {}", path.display()),
        };
        ui.horizontal(|ui| {
            ui.label(&words);
            if ui.small_button("×").accessible_name(format!("Remove anchor {words}")).clicked() {
                gone = Some(index);
            }
        });
    }
    if let Some(index) = gone {
        shot.body.anchors.remove(index);
        (draft.is_dirty, draft.step) = (true, "Remove anchor");
    }
    if !groups.is_empty() {
        ui.menu_button("Anchor a group", |ui| {
            for group in groups {
                if ui.button(group).clicked() {
                    shot.body.anchors.push(Anchor::Group(group.clone()));
                    (draft.is_dirty, draft.step) = (true, "Anchor group");
                    ui.close();
                }
            }
        });
    }
}

fn letter(axis: Axis) -> &'static str {
    ["x", "y", "z"][axis.index()]
}
