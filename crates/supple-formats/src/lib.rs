//! Pure readers and writers of meshes, motions and tables: bytes in, plain structs out, no opinions.
//!
//! | files | read by | gives |
//! |---|---|---|
//! | Wavefront `.obj` | [`read_obj`], [`write_obj`] | [`SurfaceFile`] |
//! | STL `.stl`, text or binary | [`read_stl`], [`write_stl`] | [`SurfaceFile`] |
//! | PLY `.ply`, text or binary | [`read_ply`], [`write_ply`] | [`SurfaceFile`] |
//! | Gmsh `.msh` 2 and 4.1, text or binary | [`read_gmsh`] | [`MeshFile`] |
//! | MEDIT `.mesh` | [`read_medit`] | [`MeshFile`] |
//! | VegaFEM `.veg` | [`read_veg`], [`write_veg`] | [`VolumeFile`] |
//! | Abaqus `.inp`, `.abq` | [`read_abaqus`], [`write_abaqus`] | [`VolumeFile`] |
//! | TetGen `.node` with `.ele` | [`read_node`], [`read_ele`] | [`VolumeFile`] |
//! | fixed vertices `.bou` | [`read_bou`] | vertices from 0 |
//! | a skin's embedding `.interp` | [`read_interp`] | [`InterpolationFile`] |
//! | USD `.usda`, `.usdc`, `.usd`, `.usdz` | [`open_scene`], [`read_usd`], [`create_over`] | [`Scene`] |
//! | glTF `.gltf`, `.glb` | [`open_scene`], [`read_gltf`], [`write_glb`] | [`Scene`] |
//! | FBX `.fbx` | [`open_scene`], [`read_fbx`] | [`Scene`] |
//! | Alembic `.abc` | [`open_scene`], with the help of Blender | [`Scene`] |
//! | BVH `.bvh` | [`load_rig`], [`read_bvh`], [`write_bvh`], [`rewrite_bvh`] | [`RigFile`] |
//! | PC2 `.pc2`, MDD `.mdd` | [`read_pc2`], [`read_mdd`] | [`PointCache`] |
//! | contacts `.csv` | [`read_contacts`], [`write_contacts`] | [`Contact`](supple_model::Contact)s |
//! | groups of vertices `.csv` | [`read_groups`] | [`Group`]s |
//! | modes as mixtures of others `.csv` | [`read_mixtures`], [`write_mixtures`] | [`Mixtures`] |
//! | numbers that change over time `.csv` | [`read_track`], [`write_track`] | [`Track`] |
//!
//! [`load_mesh`] chooses by the ending of a path. Motion is opened by [`open_motion`] and written by
//! [`create_motion`]: `.pc2`, `.mdd`, or a numbered series of `.obj` or `.ply` files, always one frame at a time;
//! it also writes `.usda`, `.glb` and `.gltf`. [`open_scene`] opens files that hold meshes by name, whatever moves
//! them, and anything else that is a surface.
//! What every reader promises, for any bytes at all:
//! - contents, or a [`FormatError`] that names the line, or the byte of a binary file; never a panic;
//! - memory in proportion to the file, or to a frame of it, whatever counts and ranges it announces; where a scene uses a
//!   mesh many times, in proportion to what it shows, if this machine has as much;
//! - regular files alone: no device, pipe or folder is read ([`open_file`]);
//! - finite coordinates, and indices that exist, counted from 0, in the order of the file.
//!
//! Whether a mesh is good for anything (no inverted tet, no vertex alone) is not judged here.

mod abaqus;
mod alembic;
mod asked;
mod blob;
mod bou;
mod bvh;
mod door;
mod error;
mod fbx;
mod files;
mod gltf;
mod gmsh;
mod group;
mod interp;
mod load;
mod medit;
mod memory;
mod mesh_file;
mod mixed;
mod motion;
mod normals;
mod obj;
mod open;
mod ply;
mod rig;
mod scan;
mod scene;
mod source;
mod stl;
mod surface;
mod table;
mod tetgen;
mod unfinished;
mod usd;
mod veg;
mod volume;

pub use abaqus::{read_abaqus, write_abaqus};
pub use bou::read_bou;
pub use bvh::{read_bvh, rewrite_bvh, write_bvh};
pub use door::{check_target, keep_inside, open_file, read_file};
pub use error::{FormatError, Place, Problem};
pub use fbx::read_fbx;
pub use files::files_of;
pub use gltf::{read_gltf, write_glb};
pub use gmsh::read_gmsh;
pub use group::Group;
pub use interp::{InterpolationFile, read_interp};
pub use load::{is_rig_path, load_bou, load_interp, load_mesh, load_rig};
pub use medit::read_medit;
pub use memory::{TooMuchMemory, check_memory};
pub use mesh_file::MeshFile;
pub use motion::{MotionFormat, MotionInfo, MotionReader, MotionSettings, MotionWriter, PointCache};
pub use motion::{read_mdd, read_pc2};
pub use obj::{read_obj, write_obj};
pub use open::{
    create_motion, is_motion_path, is_single_precision, motion_files, name_of, open_motion, open_scene,
    replaced_files,
};
pub use ply::{read_ply, write_ply};
pub use rig::{Channel, RigClip, RigFile, RigJoint};
pub use scene::{ObjectInfo, Placement, Scene, SceneFormat, SceneInfo, SceneObject, Transform, Up};
pub use stl::{read_stl, write_stl};
pub use surface::SurfaceFile;
pub use table::{ContactWriter, load_contacts, read_contacts, write_contacts};
pub use table::{Mixture, Mixtures, load_mixtures, read_mixtures, write_mixtures};
pub use table::{Track, load_track, read_track, write_track};
pub use table::{load_groups, read_groups};
pub use tetgen::{NodeFile, read_ele, read_node};
pub use unfinished::{UNFINISHED, sweep_unfinished, unfinished_prefix};
pub use usd::{create_over, read_usd};
pub use veg::{read_veg, write_veg};
pub use volume::{Elements, Material, Region, VolumeFile};
