//! Sections `[simulate]`, `[[load]]` and `[[pin]]`.

use super::{full, parse, refused};
use supple_model::VertexId;
use supple_project::shot::{
    Damping, Floor, Initial, Integrator, Load, Obstacle, ObstacleShape, Pin, Push, Simulate, Site, Substeps,
};

#[test]
fn simulation_loads_and_pins_are_read() {
    let shot = full();
    let mesh = |file: &str| ObstacleShape::Mesh(file.into());
    let sphere = ObstacleShape::Sphere { center: [0.0, 1.0, 0.0], radius: 0.5 };
    let simulate = Simulate {
        integrator: Integrator::Euler,
        seconds_per_frame: Some(0.05),
        substeps: Substeps::Count(2),
        gravity: [0.0, 0.0, -9.81],
        damping: Damping { mass: 0.2, stiffness: 0.001 },
        floor: Some(Floor { height: -0.5, friction: 0.4 }),
        obstacles: vec![
            Obstacle { shape: mesh("stairs.obj"), object: None, friction: None },
            Obstacle { shape: mesh("wall.obj"), object: None, friction: Some(0.3) },
            Obstacle { shape: sphere, object: None, friction: None },
            Obstacle {
                shape: ObstacleShape::Box { min: [0.0; 3], max: [1.0; 3] },
                object: None,
                friction: Some(1.0),
            },
        ],
        anchors_motion: Some("deck.csv".into()),
        initial: Initial {
            pose: Some("bent.obj".into()),
            settle: true,
            velocity: Some([0.0, 1.0, 0.0]),
            spin: Some([0.0, 0.0, 2.0]),
        },
        cage: Some(24),
    };
    assert_eq!(shot.simulate, simulate);
    let load = |group: &str, force, frames, stage| Load {
        site: Site::Group(group.into()),
        push: Push::Force(force),
        frames,
        stage,
    };
    let loads = [
        load("mast", [0.0, 0.0, 50.0], Some(1..=20), None),
        load("deck", [0.0, -1.0, 0.0], None, Some(2)),
        Load {
            site: Site::Vertex(VertexId(3)),
            push: Push::Track("wind.csv".into()),
            frames: None,
            stage: None,
        },
    ];
    assert_eq!(shot.loads, loads);
    let pins = [
        Pin { site: Site::Vertices(vec![VertexId(4), VertexId(5)]), stage: None },
        Pin { site: Site::Near([0.0, 1.0, 0.0]), stage: Some(2) },
    ];
    assert_eq!(shot.pins, pins);
    let floor = parse("[simulate]\nfloor = {}").unwrap().simulate.floor;
    assert_eq!(floor, Some(Floor { height: 0.0, friction: 0.0 }));
}

#[test]
fn mistakes_in_simulation_loads_and_pins_are_named() {
    refused(&[
        ("[simulat]", "4:2: unknown key `simulat` in the shot; did you mean `simulate`?"),
        ("[simulate]\nsubstep = 1", "5:1: unknown key `substep` in [simulate]; did you mean `substeps`?"),
        ("[simulate]\nsubsteps = 0", "5:12: `simulate.substeps` must be at least 1, got 0"),
        (
            "[simulate]\ngravity = -9.81",
            "5:11: `simulate.gravity` takes three numbers [x, y, z], found a number",
        ),
        (
            "[simulate]\nfloor = { friction = -1 }",
            "5:22: `simulate.floor.friction` must not be negative, got -1",
        ),
        (
            "[simulate]\nfloor = { heigth = 1 }",
            "5:11: unknown key `heigth` in [simulate.floor]; did you mean `height`?",
        ),
        (
            "[simulate]\nobstacles = [{}]",
            "5:14: `simulate.obstacles[0]` takes one of mesh, sphere or box, found none",
        ),
        (
            "[simulate]\nobstacles = [{ sphere = { center = [0, 0, 0], radius = 0 } }]",
            "5:25: `simulate.obstacles[0].sphere` needs a radius greater than 0",
        ),
        (
            "[simulate]\nobstacles = [{ mesh = 'a.obj', friction = -1 }]",
            "5:43: `simulate.obstacles[0].friction` must not be negative, got -1",
        ),
        (
            "[simulate]\ninitial = { settle = 1 }",
            "5:22: `simulate.initial.settle` takes true or false, found a whole number",
        ),
        (
            "[simulate]\nintegrator = 'verlet'",
            "5:14: `simulate.integrator` cannot be \"verlet\"; known: `newmark`, `euler`",
        ),
        ("[simulate]\ncage = 0", "5:8: `simulate.cage` must be at least 1, got 0"),
        ("[load]\ngroup = 'a'", "4:1: `load` takes a list of tables, found a table"),
        ("[[load]]\ngroup = 'a'", "4:1: `load[0]` takes one of force or track, found none"),
        (
            "[[load]]\nforce = [0, 0, 1]",
            "4:1: `load[0]` takes one of vertex, body_vertex, vertices, group, near, joint or center_of_mass, found none",
        ),
        ("[[pin]]\ngroup = 'a'\nstage = 0", "6:9: `pin[0].stage` must be at least 1, got 0"),
        (
            "[[load]]\ngroup = 'a'\nforce = [0, 0, 1]\nframes = [3, 1]",
            "7:10: `load[0].frames` ends at 1, before it begins at 3",
        ),
    ]);
}
