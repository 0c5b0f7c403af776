//! What balls and blocks have to be, as obstacles and as zones.

use crate::shot::describe::*;

/// A ball has an inside.
pub(super) fn check_ball(radius: f64, field: &Field<'_>) -> Result<(), ShotError> {
    if radius > 0.0 { Ok(()) } else { Err(field.bad("needs a radius greater than 0")) }
}

/// A block has one.
pub(super) fn check_block(min: &[f64; 3], max: &[f64; 3], field: &Field<'_>) -> Result<(), ShotError> {
    match (0..3).all(|c| min[c] < max[c]) {
        true => Ok(()),
        false => Err(field.bad("is empty: min must be below max along every axis")),
    }
}
