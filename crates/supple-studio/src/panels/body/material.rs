//! What a body is made of, and where it is made of something else.

use super::super::number::{Number, Rule};
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{ComboBox, Ui};
use supple_project::shot::{BodyKind, Law, Material, Region, Shot};

/// Materials to begin with: Young's modulus, Poisson's ratio, density.
const PRESETS: [(&str, f64, f64, f64); 9] = [
    ("jelly", 1e4, 0.45, 1000.0),
    ("flesh", 5e4, 0.47, 1060.0),
    ("foam", 1e5, 0.3, 50.0),
    ("soft rubber", 1e6, 0.45, 1000.0),
    ("hard rubber", 2e7, 0.48, 1100.0),
    ("leather", 5e7, 0.4, 900.0),
    ("cotton", 1e8, 0.3, 500.0),
    ("wood", 1e10, 0.3, 600.0),
    ("steel", 2e11, 0.3, 7850.0),
];

const YOUNG: Rule = Rule::Positive;
const POISSON: Rule = Rule::Between(-1.0, 0.5);
const POISSON_HINT: &str = "0: keeps its width when stretched; close to 0.5: keeps its volume";

pub fn material(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    ui.separator();
    ui.strong("Material");
    let is_thin = matches!(shot.body.kind, BodyKind::Cloth | BodyKind::Springs);
    let Some(material) = &mut shot.body.material else {
        ui.weak("From the mesh file, or soft rubber");
        if id(ui.button("Custom material"), "own-material").clicked() {
            shot.body.material = Some(Material::default());
            draft.change("Set material");
        }
        return;
    };
    let menu = ui.menu_button("Material preset", |ui| {
        for (name, young, poisson, density) in PRESETS {
            let hint = format!("Stiffness {young:e} Pa, Poisson's ratio {poisson}, density {density} kg/m³");
            let entry = ui.button(name).on_hover_text(hint);
            if id(entry, &format!("material-{}", name.replace(' ', "-"))).clicked() {
                (material.young, material.poisson, material.density) = (young, poisson, density);
                draft.change("Set material");
                ui.close();
            }
        }
    });
    id(menu.response, "material-preset");
    let hint = "Young's modulus: jelly 1e4 Pa, rubber 1e6 Pa, wood 1e10 Pa";
    let young = Number { name: "Stiffness", unit: "Pa", hint, step: "Set stiffness", rule: YOUNG };
    id(young.show(ui, draft, &mut material.young), "stiffness");
    let (name, step) = ("Poisson's ratio", "Set Poisson's ratio");
    let poisson = Number { name, unit: "", hint: POISSON_HINT, step, rule: POISSON };
    id(poisson.show(ui, draft, &mut material.poisson), "poisson");
    let (hint, rule) = ("Water: 1000 kg/m³", Rule::Positive);
    let density = Number { name: "Density", unit: "kg/m³", hint, step: "Set density", rule };
    id(density.show(ui, draft, &mut material.density), "density");
    if is_thin {
        thickness(ui, material, draft);
    }
    law(ui, material, draft);
}

fn thickness(ui: &mut Ui, material: &mut Material, draft: &mut Draft) {
    let mut own = material.thickness.is_some();
    let field = ui.checkbox(&mut own, "Custom thickness");
    if field.changed() {
        material.thickness = own.then_some(1e-3);
    }
    draft.field(&field.on_hover_text("Off: one thousandth of the body's size"), "Set thickness");
    if let Some(thickness) = &mut material.thickness {
        let hint = "Thickness of the cloth or springs";
        let step = "Set thickness";
        Number { name: "Thickness", unit: "m", hint, step, rule: Rule::Positive }.show(ui, draft, thickness);
    }
}

fn law(ui: &mut Ui, material: &mut Material, draft: &mut Draft) {
    let laws = [
        (Law::Linear, "linear", "For small deformations; swells when it rotates"),
        (Law::StVenantKirchhoff, "St. Venant–Kirchhoff", "Rotates correctly; too soft when squashed"),
        (Law::NeoHookean, "neo-Hookean", "Rotates correctly and recovers from inverted elements"),
    ];
    ui.horizontal(|ui| {
        let label = ui.label("Law").on_hover_text("Material model used for simulation");
        let before = material.law;
        let name = laws.iter().find(|law| law.0 == material.law).map_or("", |law| law.1);
        let combo = ComboBox::from_id_salt("law").selected_text(name).show_ui(ui, |ui| {
            for (law, name, hint) in laws {
                ui.selectable_value(&mut material.law, law, name).on_hover_text(hint);
            }
        });
        let hint = "Material model used for simulation";
        let mut response = combo.response.on_hover_text(hint).labelled_by(label.id);
        if material.law != before {
            response.mark_changed();
        }
        draft.field(&response, "Set law");
    });
}

pub fn regions(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.separator();
    ui.strong("Regions").on_hover_text("Vertex groups with a different material");
    let usual = shot.body.material.unwrap_or_default();
    let mut gone = None;
    for (index, region) in shot.body.regions.iter_mut().enumerate() {
        ui.push_id(("region", index), |ui| {
            ui.horizontal(|ui| {
                ui.label(&region.group);
                let remove = ui.small_button("×").on_hover_text("Remove");
                let remove = remove.accessible_name(format!("Remove region {}", region.group));
                if id(remove, &format!("remove-region-{}", region.group)).clicked() {
                    gone = Some(index);
                }
            });
            ui.indent("numbers", |ui| numbers(ui, region, &usual, draft));
        });
    }
    if let Some(index) = gone {
        shot.body.regions.remove(index);
        draft.change("Remove region");
    }
    ui.menu_button("Add region", |ui| {
        if groups.is_empty() {
            ui.weak("The mesh has no groups");
        }
        for group in groups {
            if ui.button(group).clicked() {
                let young = Some(10.0 * usual.young);
                shot.body.regions.push(Region { group: group.clone(), young, poisson: None, density: None });
                draft.change("Add region");
                ui.close();
            }
        }
    });
}

/// What differs in a region: each number only where it is switched on, one of them at least.
fn numbers(ui: &mut Ui, region: &mut Region, usual: &Material, draft: &mut Draft) {
    let group = region.group.clone();
    let rows = [
        ("stiffness", &mut region.young, "Stiffness", "Pa", "Young's modulus of this region", YOUNG),
        ("poisson", &mut region.poisson, "Poisson's ratio", "", POISSON_HINT, POISSON),
        ("density", &mut region.density, "Density", "kg/m³", "Density of this region", Rule::Positive),
    ];
    let usual = [usual.young, usual.poisson, usual.density];
    for ((called, value, name, unit, hint, rule), otherwise) in rows.into_iter().zip(usual) {
        let mut own = value.is_some();
        let field = id(ui.checkbox(&mut own, format!("{name} override")), &format!("own-{called}-{group}"));
        if field.changed() {
            *value = own.then_some(otherwise);
        }
        draft.field(&field.on_hover_text(hint), "Set region");
        if let Some(value) = value {
            let name = format!("{name} of {group}");
            let number = Number { name: &name, unit, hint, step: "Set region", rule };
            id(number.show(ui, draft, value), &format!("{called}-{group}"));
        }
    }
    if (region.young, region.poisson, region.density) == (None, None, None) {
        draft.refuse(ui, &format!("Region {group} changes nothing: override a value, or remove the region"));
    }
}
