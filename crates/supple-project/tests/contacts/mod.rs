//! The contacts of shots: `recorded` by whoever made the motion, or `found` in its frames.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod found;
mod recorded;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use supple_formats::{SurfaceFile, write_obj};
use supple_mesh::{TriMesh, Vec3};
use supple_model::{Clock, Contact, Frame, Progress, VertexId};
use supple_project::shot::{Body as BodyShot, BodyKind, Contacts as Section, Detect, Input, Shot};
use supple_project::{Body, Cache, ContactPoint, Contacts, ContactsError, InputMotion, MotionOutput, Moving};

/// How near a touch is, as a part of the size.
const WITHIN: f64 = 0.01;

fn write_mesh(folder: &Path, name: &str, mesh: &TriMesh) {
    let file = SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        ..SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    write_obj(&file, &mut bytes).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}

/// A shot of a network of springs along a surface, which moves as told: frames begin at 5.
fn moving(folder: &Path, mesh: &TriMesh, frames: &[Vec<Vec3>], contacts: &[Contact]) -> Shot {
    write_mesh(folder, "body.obj", mesh);
    let mut shot = Shot::new(folder, BodyShot::new(BodyKind::Springs, "body.obj")).unwrap();
    let body = Body::load(&shot).unwrap();
    // A series of text files keeps every bit.
    let file = folder.join("motion.####.obj");
    let output = MotionOutput::create(
        &file,
        &body,
        Moving::Body,
        Clock { start: Frame(5), frames: frames.len(), fps: 24.0 },
    )
    .unwrap();
    let mut output = output.with_contacts();
    for (index, frame) in frames.iter().enumerate() {
        let positions: Vec<[f64; 3]> = frame.iter().map(|p| (*p).into()).collect();
        let of_frame: Vec<Contact> =
            contacts.iter().filter(|c| c.frame.0 == 5 + index as i32).copied().collect();
        output.write(&positions, &of_frame).unwrap();
    }
    output.finish().unwrap();
    shot.motion.input = Input::File("motion.0005.obj".into());
    shot
}

fn gather(shot: &Shot) -> Result<Contacts, ContactsError> {
    let body = Body::load(shot).unwrap();
    let cache = Cache::in_folders([shot.folder().join("test.cache")]);
    let mut input = InputMotion::open(shot, &body, &cache, &Progress::silent()).unwrap();
    Contacts::gather(shot, &body, &mut input, &Progress::silent())
}

fn detecting(what: Detect) -> Option<Section> {
    detecting_within(WITHIN, what)
}

fn detecting_within(within: f64, what: Detect) -> Option<Section> {
    Some(Section::detected(Detect { within, ..what }))
}

fn vertices(contacts: &[ContactPoint]) -> BTreeSet<usize> {
    contacts.iter().map(|c| c.vertex().index()).collect()
}

/// A strip of ten squares along x, and the same folded over its middle square, the layers `gap` apart.
fn fold(gap: f64) -> (TriMesh, Vec<Vec3>) {
    let rest: Vec<Vec3> =
        (0..=11).flat_map(|i| [0.0, 0.1].map(|z| Vec3::new(0.1 * f64::from(i), 0.0, z))).collect();
    let squares = (0..11).map(|i| [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2].map(VertexId::new));
    let triangles = squares.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let bend = |p: &Vec3| if p.x < 0.55 { *p } else { Vec3::new(1.1 - p.x, gap, p.z) };
    let folded = rest.iter().map(bend).collect();
    (TriMesh::new(rest, triangles).unwrap(), folded)
}
