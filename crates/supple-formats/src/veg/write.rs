//! Writing `.veg`.

use crate::{Elements, VolumeFile};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes a VegaFEM `.veg` file from which [`crate::read_veg`] reads the same again, bit for bit.
///
/// Two things it has no room for: groups of vertices are lost, and white space, commas and `#` in
/// names become `_`.
///
/// # Errors
/// Those of `out`.
pub fn write_veg(file: &VolumeFile, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "*VERTICES\n{} 3 0 0", file.positions.len())?;
    for (v, [x, y, z]) in file.positions.iter().enumerate() {
        writeln!(out, "{} {x:?} {y:?} {z:?}", v + 1)?;
    }
    match &file.elements {
        Elements::Tets(tets) => write_elements(&mut out, "TET", tets)?,
        Elements::Hexes(hexes) => write_elements(&mut out, "CUBIC", hexes)?,
    }
    for material in &file.materials {
        let (density, young, poisson) = (material.density, material.young, material.poisson);
        writeln!(
            out,
            "\n*MATERIAL {}\nENU, {density:?}, {young:?}, {poisson:?}",
            plain_name(&material.name)
        )?;
    }
    for group in &file.element_groups {
        writeln!(out, "\n*SET {}", plain_name(&group.name))?;
        for row in group.members.chunks(8) {
            for &element in row {
                write!(out, "{},", u64::from(element) + 1)?;
            }
            writeln!(out)?;
        }
    }
    for region in &file.regions {
        writeln!(out, "\n*REGION\n{}, {}", plain_name(&region.group), plain_name(&region.material))?;
    }
    out.flush()
}

fn write_elements<const N: usize>(out: &mut impl Write, kind: &str, elements: &[[u32; N]]) -> io::Result<()> {
    writeln!(out, "\n*ELEMENTS\n{kind}\n{} {N} 0", elements.len())?;
    for (e, corners) in elements.iter().enumerate() {
        write!(out, "{}", e + 1)?;
        for &corner in corners {
            write!(out, " {}", u64::from(corner) + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name that survives as one word: VegaFEM itself drops white space from names.
fn plain_name(name: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || c == ',' || c == '#';
    match name {
        "" => "_".into(),
        _ if name.contains(breaks) => name.replace(breaks, "_").into(),
        _ => name.into(),
    }
}
