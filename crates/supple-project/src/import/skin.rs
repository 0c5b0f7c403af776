//! The surface of an object at rest, and the groups it gets on the way.

use super::error::ImportError;
use crate::source::Source;
use std::collections::BTreeMap;
use std::path::Path;
use supple_formats::{Group, SurfaceFile, load_groups};
use supple_mesh::{Aabb, Vec3, Weld};
use supple_model::Progress;

/// A vertex that moves less than this part of the size, from its first frame on, stands still.
const STILL: f64 = 1e-5;
/// So many vertices that stand still are held, or this part of all.
const HELD: usize = 3;
const HELD_PART: f64 = 0.005;
/// The group of vertices that stand still.
pub(super) const STILL_GROUP: &str = "still";

/// An object's surface inside, with these positions in the file's space. Normals belong to another shape.
pub(super) fn inside_surface(source: &Source, object: usize, positions: Vec<[f64; 3]>) -> SurfaceFile {
    SurfaceFile {
        positions: positions.into_iter().map(|p| source.space.inside(p)).collect(),
        normals: Vec::new(),
        triangle_normals: Vec::new(),
        ..source.scene.objects[object].surface.clone()
    }
}

/// What all frames say together.
pub(super) struct Survey {
    /// The vertices that never move while others do.
    pub still: Vec<u32>,
    /// Whether none moves at all.
    pub stands: bool,
    /// Which vertices coincide in every frame.
    pub weld: Weld,
}

impl Survey {
    /// Reads every frame once, so that a damaged one is found here.
    pub fn of(source: &mut Source, progress: &Progress) -> Result<Self, ImportError> {
        let vertices = source.vertices();
        let mut first = vec![[0.0; 3]; vertices];
        source.read(0, &mut first)?;
        let mut weld = Weld::of(&first);
        let mut now = first.clone();
        let mut farthest = vec![0.0_f64; vertices];
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let frames = source.scene.frames;
        for index in 0..frames {
            progress.report("reading frames", index as f64 / frames as f64)?;
            source.read(index, &mut now)?;
            weld.part(&now);
            for ((p, q), farthest) in now.iter().zip(&first).zip(&mut farthest) {
                for c in 0..3 {
                    *farthest = farthest.max((p[c] - q[c]).abs());
                    (low[c], high[c]) = (low[c].min(q[c]), high[c].max(q[c]));
                }
            }
        }
        let size = (0..3).map(|c| high[c] - low[c]).fold(0.0, f64::max);
        let is_still = |v: &usize| farthest[*v] <= STILL * size;
        let still: Vec<u32> = (0..vertices).filter(is_still).map(|v| v as u32).collect();
        // What stands still as a whole is free to be moved.
        let stands = still.len() == vertices;
        Ok(Self { still: if stands { Vec::new() } else { still }, stands, weld })
    }

    /// Whether what stands still is held: one or two of many vertices do so by chance. Copies of a vertex count once.
    pub fn holds_still(&self) -> bool {
        let is_leader = |v: &usize| self.weld.leaders()[*v].index() == *v;
        let still = self.still.iter().map(|v| *v as usize).filter(is_leader).count();
        let all = (0..self.weld.leaders().len()).filter(is_leader).count();
        still > 0 && (still >= HELD || still as f64 >= HELD_PART * all as f64)
    }

    /// What a person should know about what never moves.
    pub fn about_still(&self, source: &Source, is_held: bool) -> Option<String> {
        let still = self.still.len();
        let hold = format!("to anchor them, write `anchors = {{ group = \"{STILL_GROUP}\" }}` in [body]");
        match (self.stands, is_held || still == 0) {
            (true, _) => Some(about_standing(source)),
            (false, true) => None,
            (false, false) if self.holds_still() => Some(format!(
                "{still} vertices never move but are not anchored: the body is too coarse to anchor only them; \
                 make it finer with --cells"
            )),
            (false, false) if still == 1 => Some(
                format!(
                    "1 vertex never moves but is not anchored, because this may be a coincidence; {hold}"
                )
                .replace("them", "it"),
            ),
            (false, false) => Some(format!(
                "{still} vertices never move but are not anchored, because so few may be a coincidence; {hold}"
            )),
        }
    }

    /// How far a rest shape takes vertices apart that coincide in every frame, as a part of its size.
    pub fn apart(&self, rest: &[[f64; 3]]) -> f64 {
        let points: Vec<Vec3> = rest.iter().map(|p| Vec3::from(*p)).collect();
        let pairs = self.weld.leaders().iter().zip(&points);
        let far = pairs.map(|(leader, p)| (p - points[leader.index()]).norm()).fold(0.0, f64::max);
        far / Aabb::around(&points).size().norm().max(f64::MIN_POSITIVE)
    }
}

/// That an object never moves: a still mesh can be edited, but more often another object is meant, or its animation is not
/// in the file.
fn about_standing(source: &Source) -> String {
    let (object, frames) = (source.object(), source.scene.frames);
    let what = match frames {
        1 => format!("{} has 1 frame, so it never moves", object.name),
        _ => format!("no vertex of {} moves in any of its {frames} frames", object.name),
    };
    let others = source.scene.objects.iter().filter(|other| other.animated && other.name != object.name);
    let moving: Vec<&str> = others.map(|other| other.name.as_str()).collect();
    let way_out = if moving.is_empty() {
        "if it should move, export it with its animation".to_owned()
    } else {
        format!("what moves is chosen with --object: {}", moving.join(", "))
    };
    format!("{what}; nothing is anchored, so a handle pushes it as a whole; {way_out}")
}

/// Where texture coordinates lie on several tiles, each is a group: `udim:1001` and so on.
pub(super) fn add_tiles(surface: &mut SurfaceFile) {
    let mut tiles: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for (triangle, uvs) in surface.triangles.iter().zip(&surface.triangle_uvs) {
        let Some(uvs) = uvs else { continue };
        let corners = uvs.map(|uv| surface.uvs.get(uv as usize).copied().unwrap_or_default());
        let middle = [0, 1].map(|c| corners.iter().map(|uv| uv[c]).sum::<f64>() / 3.0);
        let [u, v] = middle.map(|x| x.floor() as i64);
        if (0..10).contains(&u) && (0..100).contains(&v) {
            tiles.entry(1001 + u + 10 * v).or_default().extend(triangle);
        }
    }
    if tiles.len() > 1 {
        for (tile, mut members) in tiles {
            members.sort_unstable();
            members.dedup();
            surface.vertex_groups.push(Group { name: format!("udim:{tile}"), members });
        }
    }
}

/// Adds the groups of a table, in place of those of the same names.
pub(super) fn add_groups(skin: &mut SurfaceFile, file: &Path) -> Result<(), ImportError> {
    let vertices = skin.positions.len();
    for group in load_groups(file)? {
        if let Some(index) = group.members.iter().copied().find(|v| *v as usize >= vertices) {
            return Err(ImportError::GroupMember {
                file: file.to_path_buf(),
                group: group.name,
                index,
                vertices,
            });
        }
        skin.vertex_groups.retain(|other| other.name != group.name);
        skin.vertex_groups.push(group);
    }
    Ok(())
}
