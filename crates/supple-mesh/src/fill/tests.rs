//! Fillings of sound and of damaged surfaces.

use super::damage::{ball, damaged, from_soup, harm, soup};
use super::*;
use crate::stuffing::tests::{assert_sound, dihedral_angles, volume};
use crate::{Aabb, Embedding, Surface, Vec3, components, shapes};
use proptest::prelude::*;
use supple_model::{Cancelled, ElementId, Progress, VertexId};

fn fill_tets(surface: &TriMesh, cells: usize) -> Result<TetMesh, FillError> {
    super::fill_tets(surface, cells, &Progress::silent())
}

fn fill_voxels(surface: &TriMesh, cells: usize, rule: VoxelRule) -> Result<VoxelMesh, FillError> {
    super::fill_voxels(surface, cells, rule, &Progress::silent())
}

#[test]
fn filling_ends_when_it_is_cancelled() {
    let (skin, progress) = (box_surface(Vec3::new(2.0, 1.0, 0.5)), Progress::silent());
    progress.cancel();
    assert_eq!(super::fill_tets(&skin, 8, &progress), Err(FillError::Cancelled(Cancelled)));
    let voxels = super::fill_voxels(&skin, 8, VoxelRule::Covering, &progress);
    assert_eq!(voxels, Err(FillError::Cancelled(Cancelled)));
}

fn box_surface(size: Vec3) -> TriMesh {
    let body = shapes::box_mesh(size, [3, 2, 2]).unwrap();
    Surface::of(&body).to_mesh(body.positions()).unwrap()
}

fn turned(mesh: &TriMesh) -> TriMesh {
    let triangles = mesh.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    TriMesh::new(mesh.positions().to_vec(), triangles).unwrap()
}

fn together(meshes: &[TriMesh]) -> TriMesh {
    from_soup(&meshes.iter().flat_map(soup).collect::<Vec<_>>())
}

fn parts(mesh: &TetMesh) -> usize {
    components(mesh.positions().len(), mesh.tets()).count
}

fn voxel_volume(mesh: &VoxelMesh) -> f64 {
    (0..mesh.voxels().len()).map(|e| mesh.volume(ElementId::new(e))).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Up to one triangle in twelve is lost, turned, doubled or torn, and a second ball overlaps.
    #[test]
    fn damaged_surfaces_fill_nearly_as_sound_ones(
        harms in prop::collection::vec(harm(), 1..50), shift in 0.6..1.4, cells in 9..13_usize
    ) {
        let sound = [ball(Vec3::zeros(), 1.0, 12), ball(Vec3::new(shift, 0.1, 0.0), 0.7, 8)];
        let expected = volume(&fill_tets(&together(&sound), cells).unwrap());
        let filled = fill_tets(&damaged(sound.iter().flat_map(soup).collect(), &harms), cells).unwrap();
        let (low, high) = dihedral_angles(&filled);
        prop_assert!(low > 10.0 && high < 165.0, "dihedral angles from {} to {}", low, high);
        let ratio = volume(&filled) / expected;
        prop_assert!((ratio - 1.0).abs() < 0.06, "{} of the volume", ratio);
    }

    #[test]
    fn voxels_that_cover_a_damaged_surface_hold_every_vertex_of_it(
        harms in prop::collection::vec(harm(), 1..30), cells in 5..12_usize
    ) {
        let skin = damaged(soup(&ball(Vec3::zeros(), 1.0, 10)), &harms);
        let cage = fill_voxels(&skin, cells, VoxelRule::Covering).unwrap();
        let embedding = Embedding::in_voxels(&cage, skin.positions());
        prop_assert!(embedding.rows().all(|(_, weights)| weights.iter().all(|w| *w > -1e-9)));
        let ball = voxel_volume(&fill_voxels(&skin, 3 * cells, VoxelRule::Centres).unwrap());
        prop_assert!((ball / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 0.08, "{}", ball);
    }
}

/// Two overlapping bodies are one, where one surface ends inside the other.
#[test]
fn overlapping_bodies_are_filled_as_their_union() {
    let (apart, radius): (f64, f64) = (1.0, 1.0);
    let pair = [ball(Vec3::zeros(), radius, 24), ball(Vec3::x() * apart, radius, 24)];
    let filled = fill_tets(&together(&pair), 24).unwrap();
    assert_sound(&filled);
    assert_eq!(parts(&filled), 1);
    // Two balls less their lens, π (4r + d) (2r − d)²/12.
    let pi = std::f64::consts::PI;
    let union = 8.0 / 3.0 * pi - pi * (4.0 * radius + apart) * (2.0 * radius - apart).powi(2) / 12.0;
    assert!((volume(&filled) / union - 1.0).abs() < 0.03, "{} {union}", volume(&filled));
}

#[test]
fn surfaces_turned_inside_out_fill_alike() {
    let skin = ball(Vec3::zeros(), 1.0, 12);
    let two_sided = together(&[skin.clone(), turned(&skin)]);
    let [expected, inside_out, two_sided] =
        [&skin, &turned(&skin), &two_sided].map(|s| volume(&fill_tets(s, 11).unwrap()));
    assert!((inside_out / expected - 1.0).abs() < 1e-8 && (two_sided / expected - 1.0).abs() < 1e-8);
    // Two bodies side by side that disagree.
    let other = ball(Vec3::x() * 3.0, 0.9, 12);
    let both = fill_tets(&together(&[skin.clone(), turned(&other)]), 30).unwrap();
    let agreed = fill_tets(&together(&[skin, other]), 30).unwrap();
    assert_eq!(parts(&both), 2);
    assert!((volume(&both) / volume(&agreed) - 1.0).abs() < 1e-3);
}

#[test]
fn a_ball_turned_inside_out_within_another_is_a_cavity() {
    let shell = together(&[ball(Vec3::zeros(), 1.0, 24), turned(&ball(Vec3::zeros(), 0.5, 16))]);
    let filled = fill_tets(&shell, 24).unwrap();
    assert_sound(&filled);
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.875;
    assert!((volume(&filled) / expected - 1.0).abs() < 0.03, "{}", volume(&filled));
    assert!(!filled.positions().iter().any(|p| p.norm() < 0.45));
}

#[test]
fn the_surface_of_the_filling_is_the_surface_that_was_filled() {
    let skin = ball(Vec3::zeros(), 1.0, 20);
    let filled = fill_tets(&skin, 14).unwrap();
    assert_sound(&filled);
    let tree = crate::TriangleTree::of(&skin);
    for v in Surface::of(&filled).vertices() {
        assert!(tree.closest(&filled.positions()[v.index()]).unwrap().distance < 1e-8);
    }
}

/// A box whose faces lie exactly on lattice points, where inside and outside are matters of rounding.
#[test]
fn a_box_on_the_lattice_is_filled_whole() {
    for cells in [4, 8, 12] {
        let filled = fill_tets(&box_surface(Vec3::new(2.0, 1.0, 0.5)), cells).unwrap();
        assert_sound(&filled);
        let bounds = Aabb::around(filled.positions());
        assert!((bounds.size() - Vec3::new(2.0, 1.0, 0.5)).amax() < 1e-6, "{bounds:?}");
        let voxels = fill_voxels(&box_surface(Vec3::new(2.0, 1.0, 0.5)), cells, VoxelRule::Covering).unwrap();
        assert_eq!(voxels.voxels().len(), cells * cells / 2 * cells / 4);
        assert!((voxel_volume(&voxels) - 1.0).abs() < 1e-12);
    }
}

/// A large hole is closed by a smooth cap where the winding number is one half.
#[test]
fn a_ball_without_its_top_is_closed() {
    let skin = ball(Vec3::zeros(), 1.0, 16);
    let open: Vec<_> = soup(&skin).into_iter().filter(|t| t.iter().all(|p| p.z < 0.75)).collect();
    let filled = fill_tets(&from_soup(&open), 16).unwrap();
    assert_sound(&filled);
    // Without the cap beyond the brim: π h² (3 − h)/3.
    let brim = open.iter().flatten().map(|p| p.z).fold(0.0, f64::max);
    let height = 1.0 - brim;
    let pi = std::f64::consts::PI;
    let expected = 4.0 / 3.0 * pi - pi * height * height * (3.0 - height) / 3.0;
    assert!((volume(&filled) / expected - 1.0).abs() < 0.05, "{} {expected}", volume(&filled));
}

#[test]
fn far_parts_are_all_kept_and_what_only_touches_is_taken_apart() {
    let three =
        [ball(Vec3::zeros(), 1.0, 12), ball(Vec3::y() * 4.0, 0.6, 12), ball(Vec3::x() * -3.0, 0.4, 12)];
    let filled = fill_tets(&together(&three), 30).unwrap();
    assert_eq!(parts(&filled), 3);
    let cube = |x: f64, y: f64| {
        let mesh = box_surface(Vec3::repeat(1.0));
        from_soup(&soup(&mesh).iter().map(|t| t.map(|p| p + Vec3::new(x, y, 0.0))).collect::<Vec<_>>())
    };
    let diagonal = fill_voxels(&together(&[cube(0.0, 0.0), cube(1.0, 1.0)]), 4, VoxelRule::Centres).unwrap();
    assert_eq!(diagonal.voxels().len(), 2 * 8);
    assert_eq!(components(diagonal.positions().len(), diagonal.voxels()).count, 2);
}

#[test]
fn open_sheets_are_refused_by_name_or_become_a_sheet_of_voxels() {
    let wave = |x: f64, y: f64| Vec3::new(x, y, 0.1 * (4.0 * x).sin() * (3.0 * y).cos());
    let at = |i: usize| wave((i % 9) as f64 / 8.0, (i / 9) as f64 / 8.0);
    let squares = (0..64).map(|s| s / 8 * 9 + s % 8);
    let triangles =
        squares.flat_map(|i| [[i, i + 1, i + 10], [i, i + 10, i + 9]]).map(|t| t.map(VertexId::new));
    let sheet = TriMesh::new((0..81).map(at).collect(), triangles.collect()).unwrap();
    let error = fill_tets(&sheet, 10).unwrap_err();
    assert!(matches!(error, FillError::Open { winding } if winding < 0.75), "{error}");
    assert!(error.to_string().contains("open sheet"), "{error}");
    assert!(matches!(fill_voxels(&sheet, 10, VoxelRule::Centres), Err(FillError::Open { .. })));
    let covered = fill_voxels(&sheet, 10, VoxelRule::Covering).unwrap();
    assert!((100..300).contains(&covered.voxels().len()), "{}", covered.voxels().len());
    assert_eq!(components(covered.positions().len(), covered.voxels()).count, 1);
}

#[test]
fn what_cannot_be_filled_says_why() {
    let skin = ball(Vec3::zeros(), 1.0, 8);
    assert!(matches!(fill_tets(&skin, 0), Err(FillError::Settings { .. })));
    assert!(matches!(fill_voxels(&skin, 0, VoxelRule::Covering), Err(FillError::Settings { .. })));
    assert!(matches!(fill_tets(&skin, 100_000), Err(FillError::TooManyCells { .. })));
    assert!(matches!(fill_voxels(&skin, 100_000, VoxelRule::Covering), Err(FillError::TooManyCells { .. })));
    let plate = box_surface(Vec3::new(1.0, 1.0, 1e-3));
    assert_eq!(fill_voxels(&plate, 2, VoxelRule::Centres).unwrap().voxels().len(), 4);
    let point = TriMesh::skin(vec![Vec3::x()], vec![[VertexId(0); 3]]).unwrap();
    assert!(matches!(fill_tets(&point, 4), Err(FillError::NoSize)));
    assert!(fill_voxels(&point, 4, VoxelRule::Covering).is_err());
}

#[test]
fn the_filling_is_the_same_at_any_thread_count() {
    let skin = ball(Vec3::zeros(), 1.0, 12);
    let fill = || (fill_tets(&skin, 20).unwrap(), fill_voxels(&skin, 20, VoxelRule::Covering).unwrap());
    let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(fill);
    assert!(with(1) == with(3));
}
