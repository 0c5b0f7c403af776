//! An `over` layer: the original, and new points for one of its objects, with normals where it had some.

use super::UsdWriter;
use super::normals::{NormalSamples, name_of};
use super::writer::{Frame, metadata};
use crate::motion::unwritable;
use crate::normals::MovingNormals;
use crate::scene::CornerOrder;
use crate::{FormatError, MotionSettings, MotionWriter, Problem, Scene, SceneFormat, SceneObject};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Begins a `.usda` layer over the USD file `original`, which `scene` was read from: all of it as it was, but
/// with new points for one of its objects, given in world space and taken back to the object's own. Normals are
/// renewed with them; velocities and accelerations are blocked.
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
            let what = "a layer with the name of the file below it (choose another name)".to_owned();
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
        let normals = new_normals(target);
        let name = normals.as_ref().map(|normals| name_of(normals, &target.derived)).unwrap_or_default();
        let (middle, tail, indent) = nested(target, name);
        let normals = normals
            .map(|normals| NormalSamples::new(path, name, normals, target.corners, &indent))
            .transpose()
            .map_err(unwritable)?;
        let frame = Frame { head, middle: middle.into_bytes(), tail, indent };
        let space = (scene.codes_per_frame, target.placement.clone());
        let writer = UsdWriter::new(path, settings, space, frame, normals)?;
        Ok(Box::new(writer) as Box<dyn MotionWriter>)
    };
    create().map_err(|error| error.in_file(path))
}

/// The normals of the new points, where the old ones had some that can be told to the corners of the original.
fn new_normals(target: &SceneObject) -> Option<MovingNormals> {
    let has_normals = target.derived.iter().any(|name| name.ends_with("normals"));
    let normals = MovingNormals::of(&target.surface).filter(|_| has_normals)?;
    (normals.is_per_vertex() || target.corners != CornerOrder::Fewer).then_some(normals)
}

/// `over`s within `over`s down to the object, with what follows from the old points blocked, but what is `renewed`.
fn nested(target: &SceneObject, renewed: &str) -> (String, String, String) {
    let (mut middle, mut tail, mut indent) = ("\n)\n".to_owned(), String::new(), String::new());
    let mut path = String::new();
    for part in target.name.split('/').filter(|part| !part.is_empty()) {
        path = format!("{path}/{part}");
        let parted = if target.instances.contains(&path) { " (\n    instanceable = false\n)" } else { "" };
        // A string takes any text.
        let _ = write!(middle, "\n{indent}over \"{part}\"{parted}\n{indent}{{");
        tail = format!("{indent}}}\n{tail}");
        indent.push_str("    ");
    }
    middle.push('\n');
    for attribute in target.derived.iter().filter(|name| *name != renewed) {
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
