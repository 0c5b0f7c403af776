//! The questions of an import, each with what is wrong with its answer.

use super::super::Browse;
use super::ImportDialog;
use crate::widgets::{field_error, id};
use eframe::egui::{ComboBox, DragValue, TextEdit, Ui};
use supple_project::shot::Axis;
use supple_project::{ImportField, ImportKind, UNITS};

const WIDTH: f32 = 300.0;

pub fn show(ui: &mut Ui, dialog: &mut ImportDialog, browse: &mut Browse) {
    let hint = ".usda .usdc .usdz .gltf .glb .fbx .abc .pc2 .mdd, name.####.obj, .bvh";
    path(ui, dialog, browse, PathQuestion { field: ImportField::Path, name: "Path", hint });
    if dialog.was_refused && dialog.path.trim().is_empty() {
        field_error(ui, "Enter a path");
    }
    let (name, hint) = ("Mesh for point cache", "Mesh with the faces, for .pc2 and .mdd");
    path(ui, dialog, browse, PathQuestion { field: ImportField::Topology, name, hint });
    object(ui, dialog);
    let hint = "From the file; or a frame number, or a mesh file";
    path(ui, dialog, browse, PathQuestion { field: ImportField::Rest, name: "Rest shape", hint });
    let hint = "Extra vertex groups (CSV: name,index)";
    path(ui, dialog, browse, PathQuestion { field: ImportField::Groups, name: "Groups", hint });
    space(ui, dialog);
    body(ui, dialog);
}

/// What is asked for a file.
struct PathQuestion {
    field: ImportField,
    name: &'static str,
    hint: &'static str,
}

/// The name of its own of the field of a question.
fn called(field: ImportField) -> &'static str {
    match field {
        ImportField::Path => "import-path",
        ImportField::Topology => "import-topology",
        ImportField::Object => "import-object",
        ImportField::Rest => "import-rest",
        ImportField::Groups => "import-groups",
    }
}

/// A file that is typed or looked for, and what is wrong with it.
fn path(ui: &mut Ui, dialog: &mut ImportDialog, browse: &mut Browse, question: PathQuestion) {
    let PathQuestion { field, name, hint } = question;
    let text = match field {
        ImportField::Path | ImportField::Object => &mut dialog.path,
        ImportField::Topology => &mut dialog.topology,
        ImportField::Rest => &mut dialog.rest,
        ImportField::Groups => &mut dialog.groups,
    };
    let label = ui.label(name);
    ui.horizontal(|ui| {
        let edit = TextEdit::singleline(text).desired_width(WIDTH + 40.0).hint_text(hint);
        let edit = id(ui.add(edit).on_hover_text(hint).labelled_by(label.id), called(field));
        // The path is the first that is asked.
        if std::mem::take(&mut dialog.is_new) {
            edit.request_focus();
        }
        if ui.small_button("…").on_hover_text("Browse").accessible_name(format!("Browse {name}")).clicked()
        {
            dialog.browses = field;
            let ctx = ui.ctx().clone();
            let from = std::path::PathBuf::from(text.trim());
            browse.ask(false, &from, move || ctx.request_repaint());
        }
    });
    dialog.say_wrong(ui, field);
}

fn object(ui: &mut Ui, dialog: &mut ImportDialog) {
    let label = ui.label("Object");
    let objects: Vec<(String, String)> = dialog.seen.scene.as_ref().map_or(Vec::new(), |scene| {
        let about = |object: &supple_project::PreviewObject| {
            let moves = if object.animated { "animated" } else { "static" };
            format!("{} · {} vertices, {moves}", object.name, object.vertices)
        };
        scene.objects.iter().map(|object| (object.name.clone(), about(object))).collect()
    });
    let by_itself = "Automatic (the only object, or the animated one)";
    if objects.is_empty() {
        let edit = TextEdit::singleline(&mut dialog.object).desired_width(WIDTH + 40.0).hint_text(by_itself);
        id(ui.add(edit).labelled_by(label.id), called(ImportField::Object));
    } else {
        let chosen = dialog.checked().and_then(|checked| objects.get(checked.object));
        let name = match (dialog.object.is_empty(), chosen) {
            (true, Some((name, _))) => name.clone(),
            (true, None) => by_itself.to_owned(),
            _ => dialog.object.clone(),
        };
        let combo = ComboBox::from_id_salt("object").selected_text(name).width(WIDTH).show_ui(ui, |ui| {
            ui.selectable_value(&mut dialog.object, String::new(), by_itself);
            for (object, about) in objects {
                let name = format!("object-{object}");
                id(ui.selectable_value(&mut dialog.object, object, about), &name);
            }
        });
        let field = combo.response.on_hover_text("The object to edit; the others become scenery");
        id(field.labelled_by(label.id), called(ImportField::Object));
    }
    dialog.say_wrong(ui, ImportField::Object);
}

/// The unit and the axis up.
fn space(ui: &mut Ui, dialog: &mut ImportDialog) {
    let (unit, up) = dialog.seen.scene.as_ref().map_or((None, None), |scene| (scene.unit, scene.up));
    ui.horizontal(|ui| {
        let label = ui.label("Unit").on_hover_text("mm, cm, dm, m, km, in, ft, or a length in metres");
        let hint = unit.map_or("Not set (metres)".to_owned(), |unit| format!("From the file ({unit} m)"));
        let edit = TextEdit::singleline(&mut dialog.unit).desired_width(150.0).hint_text(hint);
        id(ui.add(edit).labelled_by(label.id), "import-unit");
        for (name, _) in UNITS.iter().filter(|(name, _)| ["mm", "cm", "m", "in", "ft"].contains(name)) {
            let is_it = dialog.unit == *name;
            if id(ui.selectable_label(is_it, *name), &format!("unit-{name}")).clicked() {
                dialog.unit = if is_it { String::new() } else { (*name).to_owned() };
            }
        }
    });
    if let Some(wrong) = dialog.wrong_unit() {
        field_error(ui, &wrong);
    }
    ui.horizontal(|ui| {
        ui.label("Up");
        let own = up.map_or("Not set (y)".to_owned(), |up| format!("From the file ({})", up.name()));
        ui.selectable_value(&mut dialog.up, None, own);
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let choice = ui.selectable_value(&mut dialog.up, Some(axis), axis.name());
            id(choice, &format!("up-{}", axis.name()));
        }
    });
}

/// What is made of the surface.
fn body(ui: &mut Ui, dialog: &mut ImportDialog) {
    ui.horizontal(|ui| {
        let label = ui.label("Body");
        let own = match dialog.checked().map(|checked| checked.kind) {
            Some(ImportKind::Solid) => "Automatic: tets (closed surface)",
            Some(ImportKind::Cloth) => "Automatic: cloth (open sheet)",
            Some(ImportKind::Voxels) => "Automatic: voxels",
            Some(ImportKind::Character) => "Automatic: character (skeleton)",
            Some(ImportKind::Auto) | None => "Automatic",
        };
        let kinds = [
            (ImportKind::Auto, own),
            (ImportKind::Solid, "Solid (tets)"),
            (ImportKind::Voxels, "Voxels"),
            (ImportKind::Cloth, "Cloth"),
        ];
        let name = kinds.iter().find(|kind| kind.0 == dialog.kind).map_or("", |kind| kind.1);
        let combo = ComboBox::from_id_salt("kind").selected_text(name).width(230.0).show_ui(ui, |ui| {
            for (kind, name) in kinds {
                ui.selectable_value(&mut dialog.kind, kind, name);
            }
        });
        combo.response.on_hover_text("How to build the body from the surface").labelled_by(label.id);
        let label = ui.label("Cells");
        let cells = DragValue::new(&mut dialog.cells).range(0..=400);
        let cells = cells.custom_formatter(|n, _| if n == 0.0 { "auto".to_owned() } else { n.to_string() });
        let hint = "Cells along the longest side; 0: automatic";
        ui.add_enabled(dialog.kind != ImportKind::Cloth, cells).on_hover_text(hint).labelled_by(label.id);
    });
}
