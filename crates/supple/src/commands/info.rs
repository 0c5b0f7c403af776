//! `supple info`: what is in a file.

use crate::session::Session;
use crate::text::{Rows, bytes};
use std::path::PathBuf;
use supple_model::text::{count, counted, number, triple};
use supple_project::info::{
    BodyInfo, BoundsInfo, CharacterInfo, EmbeddingInfo, FileInfo, FixedVerticesInfo, GroupInfo, InfoAnswer,
    MotionInfo, SceneInfo, SegmentInfo, ShotInfo, SkeletonInfo, SurfaceInfo, TableInfo, TetInfo, VolumeInfo,
    info,
};

/// How many groups are shown.
const SHOWN: usize = 12;

/// Options of `supple info`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  supple info bridge/bridge.toml\n\nJSON: file, kind, and by kind\n  \
    shot: about, body_kind, mesh, modes, method, frames, segments [segment, flight, start, frames, anchors, anchor_groups, \
    handles, poses, problem], material, regions, body, character [joints, end_sites, degrees_of_freedom, fps, height [m], \
    hinges, handles, layers [name, handles, muted]], skin, cache, problem\n  \
    volume: vertices, elements, element_kind, bounds, volume, parts, surface_triangles, tets, vertex_groups, \
    element_groups, materials, problem\n  \
    surface: vertices, triangles, bounds, area, volume, parts, open_edges, branching_edges, turned_edges, unused_vertices, \
    texture_coordinates, vertex_groups, problem\n  \
    motion: format, vertices, frames, start, step, fps, triangles, bounds, largest_step, largest_step_to\n  \
    scene: format, frames, start, fps, unit [m], up, objects [name, vertices, triangles, animated, bounds, largest_step, \
    attributes, vertex_groups], notes\n  \
    skeleton: joints, end_sites, degrees_of_freedom, frames, fps, height [m], unit [m], unit_from [file, height], hinges, \
    notes\n  \
    contacts, track: columns, rows, frames, sticking\n  \
    fixed-vertices: vertices, first, last\n  \
    embedding: skin_vertices, corners, last_body_vertex, smallest_weight, sum_error\n\
    problem says why no body can be made of it, or is null.")]
pub struct InfoArgs {
    /// A shot (.toml), a mesh (.obj, .ply, .stl, .veg, .abq, .inp, .msh, .mesh, .node, .ele), a scene (.usda,
    /// .usdc, .usd, .usdz, .gltf, .glb, .fbx, .abc), a motion (.pc2, .mdd, name.####.obj or .ply), a skeleton (.bvh), contacts or a track (.csv), a list of fixed
    /// vertices (.bou) or an embedding (.interp)
    file: PathBuf,
}

pub fn run(args: &InfoArgs, session: &Session) -> anyhow::Result<()> {
    session.answer(&info(&args.file, session.progress())?, text)
}

fn text(answer: &InfoAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("file", answer.file.display());
    match &answer.info {
        FileInfo::Shot(info) => shot(&mut rows, info),
        FileInfo::Volume(info) => volume(&mut rows, info),
        FileInfo::Surface(info) => surface(&mut rows, info),
        FileInfo::Motion(info) => motion(&mut rows, info),
        FileInfo::Scene(info) => scene(&mut rows, info),
        FileInfo::Skeleton(info) => skeleton(&mut rows, info),
        FileInfo::Contacts(info) => table(&mut rows, info, "contacts"),
        FileInfo::Track(info) => table(&mut rows, info, "track"),
        FileInfo::FixedVertices(info) => fixed_vertices(&mut rows, info),
        FileInfo::Embedding(info) => embedding(&mut rows, info),
    }
    rows.to_string()
}

fn shot(rows: &mut Rows, info: &ShotInfo) {
    let kind = match info.is_of_character() {
        true => "shot of a character".to_owned(),
        false => format!("shot of a {} body", info.body_kind),
    };
    rows.add("kind", kind).add_some("about", info.about.as_ref());
    if info.is_of_character() {
        rows.add("skeleton", info.mesh.display());
        if let Some(character) = &info.character {
            character_rows(rows, character);
        }
        rows.add("method", method(info));
        problem(rows, info.problem.as_ref(), "");
        return;
    }
    rows.add("mesh", info.mesh.display());
    if let Some(body) = &info.body {
        body_rows(rows, body);
    }
    match &info.material {
        Some(m) => rows.add(
            "material",
            format!(
                "{}, young {}, poisson {}, density {}",
                m.law,
                number(m.young),
                number(m.poisson),
                number(m.density)
            ),
        ),
        None => rows.add("material", "from the mesh file, or the default"),
    };
    if !info.regions.is_empty() {
        rows.add("regions", info.regions.join(", "));
    }
    if let Some(skin) = &info.skin {
        let placed = skin.embedding.as_ref().map_or("computed".into(), |file| file.display().to_string());
        rows.add(
            "skin",
            format!(
                "{}, {} vertices, {} triangles, embedding {placed}",
                skin.file.display(),
                count(skin.vertices),
                count(skin.triangles)
            ),
        );
    }
    rows.add("modes", count(info.modes)).add("method", method(info));
    for segment in &info.segments {
        rows.add("segment", of_segment(segment));
    }
    let entries = counted(info.cache.entries, "entry", "entries");
    match info.cache.entries {
        0 => rows.add("cache", "empty; run `supple prepare` to fill it"),
        _ => rows.add("cache", format!("{entries}, {}", bytes(info.cache.bytes))),
    };
    problem(rows, info.problem.as_ref(), "");
}

fn character_rows(rows: &mut Rows, info: &CharacterInfo) {
    let ends = counted(info.end_sites, "end site", "end sites");
    rows.add("joints", format!("{}, and {ends}", count(info.joints)))
        .add("degrees of freedom", count(info.degrees_of_freedom))
        .add("height", format!("{} m", number(info.height)))
        .add_some("hinges", (!info.hinges.is_empty()).then(|| info.hinges.join(", ")))
        .add_some("fps", info.fps.map(number))
        .add("handles", count(info.handles));
    for layer in &info.layers {
        let muted = if layer.muted { ", muted" } else { "" };
        rows.add("layer", format!("{}, {}{muted}", layer.name, counted(layer.handles, "handle", "handles")));
    }
}

fn method(info: &ShotInfo) -> String {
    let frames = info.frames.map(|frames| counted(frames, "frame", "frames"));
    match (frames, info.segments.len()) {
        (None, _) => info.method.to_owned(),
        (Some(frames), 0) => format!("{}, {frames}", info.method),
        (Some(frames), segments) => {
            format!("{}, {}, about {frames}", info.method, counted(segments, "segment", "segments"))
        }
    }
}

/// A segment in a line. Flights are as long as the velocity before them says.
fn of_segment(info: &SegmentInfo) -> String {
    let (about, what) = match (info.flight, &info.problem) {
        (true, _) => ("about ", "flight".to_owned()),
        (false, Some(problem)) => ("", problem.clone()),
        (false, None) => ("", anchored(info)),
    };
    let mut text = format!(
        "{}: from frame {}, {about}{} frames, {what}, {}",
        info.segment,
        number(info.start),
        number(info.frames),
        counted(info.handles, "handle", "handles")
    );
    if info.poses > 0 {
        text += &format!(", {}", counted(info.poses, "pose", "poses"));
    }
    text
}

fn anchored(info: &SegmentInfo) -> String {
    let vertices = counted(info.anchors, "vertex", "vertices");
    match info.anchor_groups.join(" and ") {
        groups if groups.is_empty() => format!("{vertices} anchored"),
        groups => format!("{groups} anchored ({vertices})"),
    }
}

fn body_rows(rows: &mut Rows, body: &BodyInfo) {
    rows.add("vertices", count(body.vertices))
        .add("elements", format!("{} {}", count(body.elements), body.element_kind))
        .add("surface", format!("{} triangles", count(body.surface_triangles)))
        .add("parts", counted(body.parts, "piece", "pieces"))
        .add_some("size", body.bounds.as_ref().map(size))
        .add_some("volume", body.volume.map(number))
        .add("mass", number(body.mass))
        .add_some("tet angles", body.tets.as_ref().map(angles))
        .add(
            "anchors",
            format!(
                "{}; {} degrees of freedom",
                counted(body.anchors, "vertex", "vertices"),
                count(body.degrees_of_freedom)
            ),
        )
        .add_some("groups", groups(&body.vertex_groups));
}

fn volume(rows: &mut Rows, info: &VolumeInfo) {
    rows.add("kind", "volume mesh")
        .add("vertices", count(info.vertices))
        .add("elements", format!("{} {}", count(info.elements), info.element_kind))
        .add_some("surface", info.surface_triangles.map(|n| format!("{} triangles", count(n))))
        .add("parts", counted(info.parts, "piece", "pieces"))
        .add_some("size", info.bounds.as_ref().map(size))
        .add("volume", number(info.volume))
        .add_some("tet angles", info.tets.as_ref().map(angles))
        .add_some("groups", groups(&info.vertex_groups))
        .add_some("element groups", groups(&info.element_groups));
    if !info.materials.is_empty() {
        rows.add("materials", info.materials.join(", "));
    }
    problem(rows, info.problem.as_ref(), "");
}

fn surface(rows: &mut Rows, info: &SurfaceInfo) {
    let edges = |n| counted(n, "edge", "edges");
    let closed = match (info.open_edges, info.branching_edges, info.turned_edges) {
        (0, 0, 0) => "closed".into(),
        (0, 0, turned) => format!("closed, but faces are flipped at {}", edges(turned)),
        (open, 0, _) => format!("open, {} on the border", edges(open)),
        (_, branching, _) => format!("branching: more than two triangles meet at {}", edges(branching)),
    };
    rows.add("kind", format!("surface mesh, {closed}"))
        .add("vertices", count(info.vertices))
        .add("triangles", count(info.triangles))
        .add("parts", counted(info.parts, "piece", "pieces"))
        .add_some("size", info.bounds.as_ref().map(size))
        .add("area", number(info.area))
        .add_some("volume", info.volume.map(number));
    if info.unused_vertices > 0 {
        rows.add("unused", counted(info.unused_vertices, "vertex", "vertices"));
    }
    if info.texture_coordinates > 0 {
        rows.add("texture", format!("{} coordinates", count(info.texture_coordinates)));
    }
    rows.add_some("groups", groups(&info.vertex_groups));
    problem(rows, info.problem.as_ref(), "; usable as a skin");
}

fn motion(rows: &mut Rows, info: &MotionInfo) {
    rows.add("kind", format!("motion, {}", info.format))
        .add("vertices", count(info.vertices))
        .add_some("triangles", info.triangles.map(count))
        .add("frames", count(info.frames))
        .add_some("first frame", info.start.map(number))
        .add_some("fps", info.fps.map(number));
    if info.step != 1.0 {
        rows.add("step", format!("{} frames of the scene", number(info.step)));
    }
    rows.add_some("size", info.bounds.as_ref().map(size)).add(
        "fastest",
        format!("{} per frame, at frame {} of the file", number(info.largest_step), info.largest_step_to + 1),
    );
}

fn scene(rows: &mut Rows, info: &SceneInfo) {
    rows.add("kind", format!("scene, {}", info.format))
        .add("frames", count(info.frames))
        .add_some("first frame", info.start)
        .add_some("fps", info.fps.map(number))
        .add_some("unit", info.unit.map(|unit| format!("{} m", number(unit))))
        .add_some("up", info.up.as_ref());
    for object in &info.objects {
        let moves = if object.animated {
            format!("animated, at most {} per frame", number(object.largest_step))
        } else {
            "static".to_owned()
        };
        let (vertices, triangles) = (count(object.vertices), count(object.triangles));
        let mut lines = vec![format!("{}: {vertices} vertices, {triangles} triangles, {moves}", object.name)];
        lines.extend(object.bounds.as_ref().map(size));
        if !object.attributes.is_empty() {
            lines.push(format!("with {}", object.attributes.join(", ")));
        }
        lines.extend(groups(&object.vertex_groups).map(|groups| format!("groups {groups}")));
        rows.add("object", lines.join("\n"));
    }
    for note in &info.notes {
        rows.add("note", note);
    }
}

fn skeleton(rows: &mut Rows, info: &SkeletonInfo) {
    let ends = counted(info.end_sites, "end site", "end sites");
    rows.add("kind", "skeleton with motion")
        .add("joints", format!("{}, and {ends}", count(info.joints)))
        .add("degrees of freedom", count(info.degrees_of_freedom))
        .add("frames", count(info.frames))
        .add_some("fps", info.fps.map(number))
        .add(
            "height",
            format!("{} m, where 1 unit = {} m: {}", number(info.height), info.unit, info.unit_reason),
        )
        .add_some("hinges", (!info.hinges.is_empty()).then(|| info.hinges.join(", ")));
    for note in &info.notes {
        rows.add("note", note);
    }
}

fn table(rows: &mut Rows, info: &TableInfo, kind: &str) {
    rows.add("kind", kind)
        .add("rows", count(info.rows))
        .add("columns", format!("frame, {}", info.columns.join(", ")))
        .add_some("frames", info.frames.map(|[a, b]| format!("{} to {}", number(a), number(b))))
        .add_some("sticking", info.sticking.map(count));
}

fn fixed_vertices(rows: &mut Rows, info: &FixedVerticesInfo) {
    rows.add("kind", "list of fixed vertices").add("vertices", count(info.vertices));
    if let (Some(first), Some(last)) = (info.first, info.last) {
        rows.add("numbers", format!("{first} to {last}, counted from 0"));
    }
}

fn embedding(rows: &mut Rows, info: &EmbeddingInfo) {
    rows.add("kind", "embedding of a skin in a body")
        .add("skin", format!("{} vertices", count(info.skin_vertices)))
        .add("body", format!("at least {} vertices", count(info.last_body_vertex as usize + 1)))
        .add(
            "weights",
            format!(
                "{} per skin vertex, smallest {}; sums off by at most {:.0e}",
                info.corners,
                number(info.smallest_weight),
                info.sum_error
            ),
        );
}

fn size(bounds: &BoundsInfo) -> String {
    let corner = |x| triple(x, ", ");
    format!("{}, from ({}) to ({})", triple(bounds.size(), " × "), corner(bounds.min), corner(bounds.max))
}

fn angles(tets: &TetInfo) -> String {
    let (small, large) = (tets.smallest_dihedral, tets.largest_dihedral);
    format!(
        "{:.1}° to {:.1}° between faces ({} and {})",
        small.degrees, large.degrees, small.element, large.element
    )
}

fn groups(groups: &[GroupInfo]) -> Option<String> {
    let mut texts: Vec<String> =
        groups.iter().take(SHOWN).map(|group| format!("{} ({})", group.name, count(group.size))).collect();
    if groups.len() > SHOWN {
        texts.push(format!("and {} more", count(groups.len() - SHOWN)));
    }
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn problem(rows: &mut Rows, problem: Option<&String>, otherwise: &str) {
    rows.add_some("problem", problem.map(|problem| format!("not usable as a body: {problem}{otherwise}")));
}
