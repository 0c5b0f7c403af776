//! Everything that can be wrong with a file, in plain words.

use super::quoted;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something else stands where a value was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the format asks for here.
        expected: String,
        /// What is here: the text in quotes, or "the end of the line".
        found: String,
    },
    /// NaN, an infinity, or a number too large to hold.
    #[error("{0} is not a finite number")]
    NotFinite(String),
    /// A reference by number to something that does not exist.
    #[error("there is no {what} {number}: there are {count}, numbered from {first}")]
    NoSuchNumber {
        /// What is referred to: "vertex", "element".
        what: &'static str,
        /// The number as the file writes it.
        number: i64,
        /// How many there are.
        count: usize,
        /// The number the file gives to the first of them.
        first: u32,
    },
    /// A reference by name or label to something not defined so far.
    #[error("{what} {name} is not defined before this point")]
    Undefined {
        /// What is referred to: "node", "set", "material".
        what: &'static str,
        /// Its name or label.
        name: String,
    },
    /// A name or label given twice, where each may be given once.
    #[error("{what} {name} is defined twice")]
    DefinedTwice {
        /// What it names.
        what: &'static str,
        /// The name or label.
        name: String,
    },
    /// A header that announces another number of rows than follow it.
    #[error("the file announces {announced} {what} here, but {found} follow")]
    WrongCount {
        /// What is counted.
        what: &'static str,
        /// How many the header announces.
        announced: usize,
        /// How many follow.
        found: usize,
    },
    /// A lawful feature of the format that has no place in Supple.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// More set members than a file of this size has reason to hold.
    #[error("the sets have more than {limit} members, too many for a file of this size")]
    TooManyMembers {
        /// The most that are accepted.
        limit: usize,
    },
    /// A file without a part that it needs.
    #[error("the file has no {0}")]
    Empty(&'static str),
    /// A file name whose ending names no known format.
    #[error("unknown mesh format: expected .obj, .stl, .ply, .msh, .mesh, .veg, .abq, .inp, .node or .ele")]
    UnknownExtension,
    /// A file name whose ending names no known format of skeletons.
    #[error("unknown skeleton format: expected .bvh")]
    UnknownRig,
    /// The file could not be read from disk.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// The file could not be written to disk.
    #[error("cannot be written: {0}")]
    Unwritable(#[source] std::io::Error),
    /// A file name whose ending names no known format of motion.
    #[error(
        "unknown motion format: expected .pc2, .mdd, or a numbered series name.####.obj or name.####.ply; \
         for writing also .usda, .glb or .gltf"
    )]
    UnknownMotion,
    /// A motion file that ends before its last frame.
    #[error(
        "the file announces {announced} frames, but {found} follow: it is incomplete, export or copy it again"
    )]
    MissingFrames {
        /// How many the header announces.
        announced: usize,
        /// How many are there whole.
        found: usize,
    },
    /// A motion file that goes on after its last frame.
    #[error(
        "{bytes} bytes follow the last frame: the header does not match the file, export or copy it again"
    )]
    TrailingBytes {
        /// How many there are too many.
        bytes: u64,
    },
    /// A coordinate that is NaN or an infinity.
    #[error("vertex {vertex} of frame {frame} is at {value}, which is not a finite number")]
    NotFiniteAt {
        /// The scene's number of the frame, or counted from 1 where the file gives none.
        frame: f64,
        /// The vertex, counted from 0.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// A coordinate too large for a format that has 32 bits for it.
    #[error(
        "vertex {vertex} of frame {frame} is at {value:?}, but this format only stores values up to 3.4e38: \
         write a series name.####.obj, or use a larger unit"
    )]
    BeyondSinglePrecision {
        /// The scene's number of the frame.
        frame: f64,
        /// The vertex, counted from 0.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// A frame, or a mesh that goes with a motion, with another number of vertices or triangles.
    #[error("{culprit} has {found} {what}, but {reference} has {expected}: they must have the same number")]
    OtherCount {
        /// What is counted.
        what: &'static str,
        /// Whose number is wrong.
        culprit: String,
        /// Its number.
        found: usize,
        /// Whose number it should be.
        reference: String,
        /// That number.
        expected: usize,
    },
    /// A frame whose triangles join other vertices than those of the first frame.
    #[error(
        "triangle {triangle} has vertices {found:?}, but {expected:?} in {first}: all frames of a series \
         must have the same faces"
    )]
    OtherTriangle {
        /// The first triangle that differs, counted from 0.
        triangle: usize,
        /// Its corners in this file, counted from 0.
        found: [u32; 3],
        /// Its corners in the first file.
        expected: [u32; 3],
        /// The name of the first file.
        first: String,
    },
    /// A series of files with a gap.
    #[error(
        "number {number} of the series is missing, between {before} and {after}: add it, or renumber the files"
    )]
    MissingMember {
        /// The first number that is missing.
        number: i32,
        /// The name of the file before it.
        before: String,
        /// The name of the file after it.
        after: String,
    },
    /// Two files of a series with the same number.
    #[error("{first} and {second} are the same frame of the series: move one of them away")]
    SameNumber {
        /// The name of one.
        first: String,
        /// The name of the other.
        second: String,
    },
    /// A mesh that is not part of a series, where a motion is asked for.
    #[error(
        "this is one mesh, not a motion: expected a file of a numbered series, as name.0001.obj and \
         name.0002.obj, or its pattern name.####.obj; .ply likewise"
    )]
    NotASeries,
    /// A pattern of names without a file.
    #[error("no file matches this pattern")]
    NoMembers,
    /// A pattern with `#`s in several places.
    #[error("expected one run of # for the frame number, found {0}")]
    ManyPatterns(usize),
    /// A folder where a file is asked for; what is in it that may be meant.
    #[error("this is a folder{}", said(.0))]
    Folder(Vec<String>),
    /// A series of files that would mix with another one of the same name.
    #[error("{name} already exists and is not a frame of this motion: move it away, or choose another name")]
    LeftOver {
        /// The name of one file that would stay.
        name: String,
    },
    /// A format that holds faces, asked for without any.
    #[error("this format also stores the faces: give the surface, or write .pc2 or .mdd")]
    NeedsTopology,
    /// A motion that is to be a scene, without faces.
    #[error("this motion has points but no faces: also give its mesh")]
    NeedsMesh,
    /// A motion that was finished before its first frame.
    #[error("no frame was written, so there is no file: a motion needs at least one frame")]
    NoFrames,
    /// A file name whose ending names no known format of scenes.
    #[error(
        "unknown scene format: expected .usda, .usdc, .usd, .usdz, .gltf, .glb, .fbx, .abc, .obj, .ply, \
         .stl, or a motion with its mesh"
    )]
    UnknownScene,
    /// A file whose contents would need more memory than its size explains.
    #[error(
        "the {what} would need more memory than a file of this size can justify: the file is damaged, \
         export or copy it again"
    )]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
    },
    /// Something that does not fit into this machine.
    #[error(transparent)]
    Memory(#[from] crate::TooMuchMemory),
    /// Something that contains or refers to itself.
    #[error("{what} is part of a cycle")]
    Cycle {
        /// What does.
        what: String,
    },
    /// What a library for a format says about a file.
    #[error("{reader} cannot read the file: {message}")]
    Rejected {
        /// The library.
        reader: &'static str,
        /// What it says, in quotes.
        message: String,
    },
    /// Something wrong with one object of a scene.
    #[error("{object}: {problem}")]
    OfObject {
        /// The object.
        object: String,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// An object whose faces or number of points change over time.
    #[error(
        "frame {frame} of {object} has {found} {what}, but earlier frames have {expected}: export the mesh \
         with the same topology in all frames"
    )]
    OtherTopology {
        /// The scene's number of the frame.
        frame: f64,
        /// The object.
        object: String,
        /// What is counted.
        what: &'static str,
        /// How many there are in this frame.
        found: usize,
        /// How many there were.
        expected: usize,
    },
    /// An object whose faces join other vertices at some time.
    #[error(
        "frame {frame} of {object} has different faces than earlier frames: export the mesh with the same \
         topology in all frames"
    )]
    OtherFaces {
        /// The scene's number of the frame.
        frame: f64,
        /// The object.
        object: String,
    },
    /// A scene without a mesh.
    #[error("the file has no meshes{why}")]
    NoMeshes {
        /// What was passed over, in brackets, or nothing.
        why: String,
    },
    /// An Alembic that cannot be converted here.
    #[error(
        "{reason}. By hand: in Blender File > Import > Alembic (.abc), choose {name}; then File > Export > \
         Universal Scene Description, switch on Animation, save as .usdc, and open that file instead"
    )]
    NeedsBlender {
        /// Why it is not converted.
        reason: String,
        /// The name of the file.
        name: String,
    },
    /// A transform that cannot be undone.
    #[error("the object's transform flattens it in frame {frame}, so points cannot be converted back")]
    Flat {
        /// The scene's number of the frame.
        frame: f64,
    },
    /// A row whose frame does not follow the one before.
    #[error("frame {frame} does not come after frame {before} of the previous row: sort the rows by frame")]
    NotAscending {
        /// The frame of this row.
        frame: f64,
        /// The frame of the row before.
        before: f64,
    },
}

impl Problem {
    /// Something else than `expected` stands here.
    pub(crate) fn expected(expected: impl Into<String>, found: &str) -> Self {
        Self::Expected { expected: expected.into(), found: quoted(found) }
    }

    /// A library says this of a file.
    pub(crate) fn rejected(reader: &'static str, message: &str) -> Self {
        Self::Rejected { reader, message: quoted(message) }
    }

    /// The line is over where `expected` should stand.
    pub(crate) fn ends_before(expected: impl Into<String>) -> Self {
        Self::Expected { expected: expected.into(), found: "the end of the line".to_owned() }
    }
}

/// What a folder holds, as a person is told.
fn said(names: &[String]) -> String {
    match names {
        [] => ": name a file in it".to_owned(),
        [one] => format!(": name the series in it, {one}"),
        several => format!(": name one of the series in it, {}", several.join(" or ")),
    }
}
