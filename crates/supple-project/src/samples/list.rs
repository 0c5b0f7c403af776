//! All built-in shots: what each is made of, what holds it and what moves it.

use super::{Sample, quick, scenes};
use crate::shot;
use supple_mesh::shapes;

/// Every built-in shot, by name.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "bar",
        about: "a rubber bar of tets, held at its left end",
        shape: shapes::beam,
        anchors: Some("left"),
        material: rubber(1e6),
        modes: 60,
        scene: scenes::still,
        quick: None,
    },
    Sample {
        name: "beam",
        about: "a flat beam of 75 voxels, softer in the middle, pushed so that it swings",
        shape: shapes::voxel_beam,
        anchors: Some("left"),
        material: rubber(5e7),
        modes: 60,
        scene: scenes::uneven_beam,
        quick: None,
    },
    Sample {
        name: "bird",
        about: "a gull in keyframed flight, a non-manifold surface in a cage of voxels",
        shape: shapes::bird,
        anchors: Some("body"),
        material: rubber(1e5),
        modes: 60,
        scene: scenes::flying,
        quick: None,
    },
    Sample {
        name: "block",
        about: "an upright block to stretch, bend and twist",
        shape: shapes::block,
        anchors: Some("base"),
        material: rubber(1e6),
        modes: 60,
        scene: scenes::still,
        quick: None,
    },
    Sample {
        name: "bridge",
        about: "a suspension bridge with two masts, shaken by the ground",
        shape: shapes::bridge,
        anchors: Some("base"),
        material: rubber(2e6),
        modes: 100,
        scene: scenes::shaken,
        quick: Some(quick::BRIDGE),
    },
    Sample {
        name: "cloth",
        about: "a cloth that falls over a ball",
        shape: shapes::sheet,
        anchors: None,
        material: shot::Material { poisson: 0.3, density: 300.0, thickness: Some(0.0015), ..rubber(3e5) },
        modes: 60,
        scene: scenes::over_a_ball,
        quick: Some(quick::CLOTH),
    },
    Sample {
        name: "curtain",
        about: "a curtain in folds, swinging as its rod moves back and forth",
        shape: shapes::curtain,
        anchors: Some("top"),
        material: shot::Material { poisson: 0.3, density: 300.0, thickness: Some(0.002), ..rubber(1e6) },
        modes: 60,
        scene: scenes::drawn,
        quick: Some(quick::CURTAIN),
    },
    Sample {
        name: "dinosaur",
        about: "a sauropod of uneven stiffness, released from a bent pose",
        shape: shapes::dinosaur,
        anchors: Some("feet"),
        material: rubber(3e6),
        modes: 60,
        scene: scenes::uneven_dinosaur,
        quick: Some(quick::DINOSAUR),
    },
    Sample {
        name: "dragon",
        about: "a long dragon with antlers and whiskers, tumbling down the stairs",
        shape: shapes::dragon,
        anchors: None,
        material: rubber(1.5e7),
        modes: 100,
        scene: scenes::down_the_stairs,
        quick: Some(quick::DRAGON),
    },
    Sample {
        name: "flower",
        about: "a flower with two leaves and nine petals, in gusts of wind",
        shape: shapes::flower,
        anchors: Some("base"),
        material: rubber(6e7),
        modes: 60,
        scene: scenes::in_the_wind,
        quick: None,
    },
    Sample {
        name: "t-rex",
        about: "a T. rex that lifts its feet in turn",
        shape: shapes::t_rex,
        anchors: Some("feet"),
        material: rubber(4e7),
        modes: 60,
        scene: scenes::lifting_feet,
        quick: Some(quick::T_REX),
    },
];

/// Rubber of a given Young's modulus, pascals.
pub(super) const fn rubber(young: f64) -> shot::Material {
    shot::Material {
        law: shot::Law::StVenantKirchhoff,
        young,
        poisson: 0.45,
        density: 1000.0,
        thickness: None,
    }
}
