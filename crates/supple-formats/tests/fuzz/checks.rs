//! What holds of everything a reader accepts: finite coordinates, indices that exist, no more of anything than the bytes
//! give reason for.

use std::collections::HashSet;
use supple_formats::{
    Elements, FormatError, Group, MeshFile, MotionReader, RigFile, Scene, SurfaceFile, VolumeFile,
};
use supple_formats::{read_bvh, rewrite_bvh, write_bvh};

pub fn accepted<T>(result: Result<T, FormatError>, check: impl FnOnce(T)) -> bool {
    match result {
        Ok(contents) => {
            check(contents);
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 500, "an error stays readable: {error}");
            false
        }
    }
}

pub fn check_positions(positions: &[[f64; 3]], bytes: usize) {
    assert!(positions.len() <= bytes);
    assert!(positions.iter().flatten().all(|x| x.is_finite()));
}

fn check_groups(groups: &[Group], of: usize, bytes: usize) {
    assert!(groups.len() <= bytes);
    // 16 groups named by `g`, one by `o`, one by `usemtl`: the most that one byte can stand for.
    assert!(groups.iter().map(|group| group.members.len()).sum::<usize>() <= 18 * bytes);
    assert!(groups.iter().flat_map(|group| &group.members).all(|&member| (member as usize) < of));
}

pub fn check_surface(file: &SurfaceFile, bytes: usize) {
    let exists = |count: usize| move |&index: &u32| (index as usize) < count;
    check_positions(&file.positions, bytes);
    assert!(file.triangles.len() <= bytes && file.uvs.len() <= bytes);
    assert!(file.triangles.iter().flatten().all(exists(file.positions.len())));
    assert!(file.uvs.iter().flatten().all(|x| x.is_finite()));
    assert!(file.triangle_uvs.is_empty() || file.triangle_uvs.len() == file.triangles.len());
    assert!(file.triangle_uvs.iter().flatten().flatten().all(exists(file.uvs.len())));
    assert!(file.normals.iter().flatten().all(|x| x.is_finite()));
    assert!(file.triangle_normals.is_empty() || file.triangle_normals.len() == file.triangles.len());
    assert!(file.triangle_normals.iter().flatten().flatten().all(exists(file.normals.len())));
    assert!(file.triangle_materials.is_empty() || file.triangle_materials.len() == file.triangles.len());
    assert!(file.triangle_materials.iter().flatten().all(exists(file.materials.len())));
    assert!(file.colours.is_empty() || file.colours.len() == file.positions.len());
    assert!(file.colours.iter().flatten().all(|x| x.is_finite()));
    assert!(file.faces() <= file.triangles.len() && file.polygons.iter().all(|corners| *corners >= 3));
    check_groups(&file.vertex_groups, file.positions.len(), bytes);
}

/// Reads every frame, and says whether all are good.
pub fn check_motion(motion: &mut dyn MotionReader, bytes: usize) -> bool {
    let (vertices, frames) = (motion.vertices(), motion.frames());
    assert!(vertices > 0 && frames > 0 && 12 * vertices * frames < bytes);
    let info = motion.info();
    assert!(info.step > 0.0 && info.start.is_none_or(f64::is_finite) && info.fps.is_none_or(|fps| fps > 0.0));
    assert!(info.times.is_empty() || info.times.len() == frames);
    let mut positions = vec![[f64::NAN; 3]; vertices];
    (0..frames).all(|frame| match motion.read(frame, &mut positions) {
        Ok(()) => {
            check_positions(&positions, bytes);
            true
        }
        Err(error) => {
            assert!(error.to_string().contains("vertex"), "{error}");
            false
        }
    })
}

/// Whether a scene is accepted, and so are all its frames.
pub fn accepted_scene(scene: Result<Scene, FormatError>, bytes: usize) -> bool {
    let mut scene = match scene {
        Ok(scene) => scene,
        Err(error) => return accepted(Err(error), |()| {}),
    };
    assert!(!scene.objects.is_empty() && scene.frames > 0 && scene.fps.is_none_or(|fps| fps > 0.0));
    assert!(scene.metres_per_unit.is_none_or(|unit| unit > 0.0));
    // Instances and packed arrays give more than there are bytes, but not endlessly.
    let most = 1000 * bytes;
    scene.objects.iter_mut().all(|object| {
        let vertices = object.surface.positions.len();
        assert!(!object.name.is_empty());
        check_surface(&object.surface, most);
        assert!(object.rest.as_ref().is_none_or(|rest| rest.len() == vertices));
        assert_eq!((object.frames.frames(), object.frames.vertices()), (scene.frames, vertices));
        let mut positions = vec![[f64::NAN; 3]; vertices];
        (0..scene.frames.min(5)).all(|frame| match object.frames.read(frame, &mut positions) {
            Ok(()) => {
                check_positions(&positions, most);
                true
            }
            Err(error) => {
                assert!(error.to_string().len() < 500, "{error}");
                false
            }
        })
    })
}

pub fn check_mesh(file: &MeshFile, bytes: usize) {
    match file {
        MeshFile::Surface(file) => check_surface(file, bytes),
        MeshFile::Volume(file) => check_volume(file, bytes),
    }
}

pub fn check_volume(file: &VolumeFile, bytes: usize) {
    let exists = |index: &u32| (*index as usize) < file.positions.len();
    check_positions(&file.positions, bytes);
    assert!(file.elements.len() <= bytes);
    match &file.elements {
        Elements::Tets(tets) => assert!(tets.iter().flatten().all(exists)),
        Elements::Hexes(hexes) => assert!(hexes.iter().flatten().all(exists)),
    }
    check_groups(&file.vertex_groups, file.positions.len(), bytes);
    check_groups(&file.element_groups, file.elements.len(), bytes);
    assert!(file.materials.len() <= bytes && file.regions.len() <= bytes);
    assert_eq!(file.element_materials().len(), file.elements.len());
}

/// A skeleton is a tree with a name for each joint, and what is read can be written: as it was, or anew.
pub fn check_rig(file: &RigFile, bytes: &[u8]) {
    let joints = &file.joints;
    assert!(joints.len() <= bytes.len() && file.clips.len() == 1);
    let names: HashSet<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert!(names.len() == joints.len() && !names.contains(""));
    for (index, joint) in joints.iter().enumerate() {
        assert_eq!(joint.parent.is_none(), index == 0);
        assert!(joint.parent.is_none_or(|parent| parent < index && !joints[parent].end));
        assert!(joint.channels.len() <= if joint.end { 0 } else { 6 });
        assert!(joint.offset.iter().all(|x| x.is_finite()));
    }
    let clip = &file.clips[0];
    assert!(
        clip.frames > 0 && clip.fps() > 0.0 && clip.fps().is_finite() && clip.values.len() <= bytes.len()
    );
    assert_eq!(clip.values.len(), clip.frames * file.channel_count());
    assert!(clip.values.iter().all(|x| x.is_finite()));
    let mut same = Vec::new();
    rewrite_bvh(bytes, &mut |_, _| None, &mut same).expect("what is read is passed through");
    assert!(same == bytes, "no change, no difference");
    let mut anew = Vec::new();
    match write_bvh(file, clip, &mut anew) {
        Ok(()) => {
            let again = read_bvh(&anew).expect("what is written is read");
            let shape = |file: &RigFile| -> Vec<_> {
                file.joints.iter().map(|j| (j.parent, j.offset, j.channels.clone(), j.end)).collect()
            };
            assert_eq!(shape(&again), shape(file));
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 5.1e-7 + 1e-15 * a.abs();
            assert!(again.clips[0].values.iter().zip(&clip.values).all(near));
        }
        // Numbers are added to names that may be as long as is read.
        Err(error) => assert!(error.to_string().contains("a name of more than"), "{error}"),
    }
}
