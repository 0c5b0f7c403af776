//! An `over` layer: the original, and new points for one of its objects.

use super::UsdWriter;
use super::writer::{Frame, metadata};
use crate::{FormatError, MotionSettings, MotionWriter, Problem, Scene, SceneFormat};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Begins a `.usda` layer over the USD file `original`, which `scene` was read from: all of it as it was, but
/// with new points for one of its objects, given in world space and taken back to the object's own.
///
/// # Errors
/// A scene that is not USD, an object that it does not have, a file that cannot be written; all name the file.
pub fn create_over(
    path: impl AsRef<Path>,
    original: impl AsRef<Path>,
    scene: &Scene,
    object: usize,
) -> Result<Box<dyn MotionWriter>, FormatError> {
    let (path, original) = (path.as_ref(), original.as_ref());
    let create = || {
        let Some(target) = scene.objects.get(object).filter(|_| scene.format == SceneFormat::Usd) else {
            let what = "a layer over something that is not an object of a USD file".to_owned();
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        };
        if same_file(path, original) {
            let what = "a layer over itself: choose another name than that of the original".to_owned();
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        let settings = MotionSettings::of_scene(scene, target);
        settings.check()?;
        let asset = asset(&sublayer(path, original))?;
        let default = format!("    subLayers = [\n        {asset}\n    ]\n");
        let default = match target.name.split('/').find(|name| !name.is_empty()) {
            Some(root) => format!("    defaultPrim = \"{root}\"\n{default}"),
            None => default,
        };
        let head = metadata(&settings, scene.codes_per_frame, &default);
        let (middle, tail, indent) = nested(&target.name, &target.instances, &target.derived);
        let frame = Frame { head, middle: middle.into_bytes(), tail, indent };
        let writer = UsdWriter::new(path, settings, scene.codes_per_frame, target.placement.clone(), frame)?;
        Ok(Box::new(writer) as Box<dyn MotionWriter>)
    };
    create().map_err(|error| error.in_file(path))
}

/// `over`s within `over`s down to the object, with what follows from the old points blocked.
fn nested(name: &str, instances: &[String], derived: &[String]) -> (String, String, String) {
    let (mut middle, mut tail, mut indent) = ("\n)\n".to_owned(), String::new(), String::new());
    let mut path = String::new();
    for part in name.split('/').filter(|part| !part.is_empty()) {
        path = format!("{path}/{part}");
        let parted = if instances.contains(&path) { " (\n    instanceable = false\n)" } else { "" };
        // A string takes any text.
        let _ = write!(middle, "\n{indent}over \"{part}\"{parted}\n{indent}{{");
        tail = format!("{indent}}}\n{tail}");
        indent.push_str("    ");
    }
    middle.push('\n');
    for attribute in derived {
        let kind = if attribute.ends_with("normals") { "normal3f" } else { "vector3f" };
        let _ = writeln!(middle, "{indent}{kind}[] {attribute} = None");
    }
    (middle, tail, indent)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// How the new file names the original: from its own folder where both are in one or it is below, else in full.
fn sublayer(path: &Path, original: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let (Ok(folder), Ok(original)) = (folder.canonicalize(), original.canonicalize()) else {
        return original.to_path_buf();
    };
    match original.strip_prefix(&folder) {
        Ok(relative) => Path::new(".").join(relative),
        Err(_) => original,
    }
}

fn asset(path: &Path) -> Result<String, FormatError> {
    let text = path.to_string_lossy().replace('\\', "/");
    if text.contains("@@@") || text.contains('\n') {
        let what = format!("the name {} in a sublayer", crate::error::quoted(&text));
        return Err(FormatError::whole_file(Problem::Unsupported(what)));
    }
    Ok(if text.contains('@') { format!("@@@{text}@@@") } else { format!("@{text}@") })
}
