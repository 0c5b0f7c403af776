//! The numbers that Gmsh gives to types of elements.

use crate::Problem;
use crate::mixed::Shape;

/// The shape of an element type, or why it is not supported.
pub(super) fn shape_of(kind: i64) -> Result<Shape, Problem> {
    let unsupported = |what: String| Err(Problem::Unsupported(format!("{what} (Gmsh element type {kind})")));
    let (order, name, nodes) = match kind {
        15 => return Ok(Shape::Point),
        1 => return Ok(Shape::Line),
        2 => return Ok(Shape::Triangle),
        3 => return Ok(Shape::Quad),
        4 => return Ok(Shape::Tet),
        5 => return Ok(Shape::Hex),
        6 => return unsupported("a prism".to_owned()),
        7 => return unsupported("a pyramid".to_owned()),
        8 => ("second", "line", 3),
        9 => ("second", "triangle", 6),
        10 => ("second", "quadrilateral", 9),
        11 => ("second", "tet", 10),
        12 => ("second", "hexahedron", 27),
        13 => ("second", "prism", 18),
        14 => ("second", "pyramid", 14),
        16 => ("second", "quadrilateral", 8),
        17 => ("second", "hexahedron", 20),
        18 => ("second", "prism", 15),
        19 => ("second", "pyramid", 13),
        21 => ("third", "triangle", 10),
        26 => ("third", "line", 4),
        29 => ("third", "tet", 20),
        92 => ("third", "hexahedron", 64),
        _ => return Err(Problem::Unsupported(format!("Gmsh element type {kind}"))),
    };
    let what = format!("a {order}-order {name} of {nodes} nodes");
    Err(Problem::Unsupported(format!("{what} (Gmsh element type {kind}; save the mesh at order 1)")))
}
