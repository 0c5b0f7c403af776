//! Writing Abaqus input.

use crate::{Elements, Group, VolumeFile};
use std::io::{self, Write};

/// Writes an Abaqus `.inp` file from which [`crate::read_abaqus`] reads the same mesh and groups again,
/// positions bit for bit.
///
/// Materials and regions are lost, groups without members too, and white space, commas, `*` and quotes
/// in names become `_`.
///
/// # Errors
/// Those of `out`.
pub fn write_abaqus(file: &VolumeFile, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "*NODE")?;
    for (v, [x, y, z]) in file.positions.iter().enumerate() {
        writeln!(out, "{}, {x:?}, {y:?}, {z:?}", v + 1)?;
    }
    match &file.elements {
        Elements::Tets(tets) => write_elements(&mut out, "C3D4", tets)?,
        Elements::Hexes(hexes) => write_elements(&mut out, "C3D8", hexes)?,
    }
    write_sets(&mut out, "NSET", &file.vertex_groups)?;
    write_sets(&mut out, "ELSET", &file.element_groups)?;
    out.flush()
}

fn write_elements<const N: usize>(out: &mut impl Write, kind: &str, elements: &[[u32; N]]) -> io::Result<()> {
    writeln!(out, "*ELEMENT, TYPE={kind}")?;
    for (e, corners) in elements.iter().enumerate() {
        write!(out, "{}", e + 1)?;
        for &corner in corners {
            write!(out, ", {}", u64::from(corner) + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_sets(out: &mut impl Write, keyword: &str, groups: &[Group]) -> io::Result<()> {
    for group in groups.iter().filter(|group| !group.members.is_empty()) {
        writeln!(out, "*{keyword}, {keyword}={}", plain_name(&group.name))?;
        // A data line of Abaqus holds 16 entries at most.
        for row in group.members.chunks(16) {
            let labels: Vec<String> = row.iter().map(|&i| (u64::from(i) + 1).to_string()).collect();
            writeln!(out, "{}", labels.join(", "))?;
        }
    }
    Ok(())
}

fn plain_name(name: &str) -> String {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || matches!(c, ',' | '*' | '"' | '\'' | '=');
    name.chars().map(|c| if breaks(c) { '_' } else { c }).collect()
}
