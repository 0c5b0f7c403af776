//! What stands in round brackets after the beginning of a file, a prim or an attribute.

use super::scanner::Scanner;
use super::values::{numbers, words};
use crate::FormatError;
use crate::blob::Blob;
use crate::usd::spec::{Metadata, PrimSpec, Raw, Reference, Retiming};

/// Calls `each` with every key, where it is not deleted, and its value.
pub(super) fn read_entries(
    scanner: &mut Scanner,
    each: &mut dyn FnMut(&str, &Raw) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    scanner.expect(b'(')?;
    loop {
        match scanner.skip_space()? {
            Some(b')') => {
                scanner.next()?;
                return Ok(());
            }
            Some(b'"' | b'\'') => drop(scanner.string()?),
            _ => {
                let mut key = scanner.word()?;
                let is_deleted = matches!(key.as_str(), "delete" | "reorder");
                if is_deleted || matches!(key.as_str(), "prepend" | "append" | "add") {
                    key = scanner.word()?;
                }
                if key.is_empty() {
                    return Err(scanner.unexpected("a word or the closing bracket"));
                }
                scanner.expect(b'=')?;
                let value = scanner.metadata_value()?;
                if !is_deleted {
                    each(&key, &value)?;
                }
            }
        }
    }
}

fn first_word(blob: &Blob, raw: &Raw) -> Result<Option<String>, FormatError> {
    match *raw {
        Raw::Text { at, length, line } => Ok(words(blob, at, length, line)?.into_iter().next()),
        _ => Ok(None),
    }
}

fn first_number(blob: &Blob, raw: &Raw) -> Result<Option<f64>, FormatError> {
    match *raw {
        Raw::Text { at, length, line } => Ok(numbers(blob, at, length, line)?.first().copied()),
        _ => Ok(None),
    }
}

pub(super) fn read_of_layer(scanner: &mut Scanner, blob: &Blob) -> Result<Metadata, FormatError> {
    let mut metadata = Metadata::default();
    read_entries(scanner, &mut |key, raw| {
        match key {
            "upAxis" => metadata.up_axis = first_word(blob, raw)?,
            "defaultPrim" => metadata.default_prim = first_word(blob, raw)?,
            "metersPerUnit" => metadata.metres_per_unit = first_number(blob, raw)?,
            "timeCodesPerSecond" => metadata.codes_per_second = first_number(blob, raw)?,
            "framesPerSecond" => metadata.frames_per_second = first_number(blob, raw)?,
            "startTimeCode" => metadata.start = first_number(blob, raw)?,
            "endTimeCode" => metadata.end = first_number(blob, raw)?,
            "subLayers" => {
                let arcs = read_arcs(blob, raw)?;
                metadata.sublayers.extend(arcs.into_iter().map(|arc| (arc.asset, arc.retiming)));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(metadata)
}

pub(super) fn read_of_prim(
    scanner: &mut Scanner,
    blob: &Blob,
    prim: &mut PrimSpec,
) -> Result<(), FormatError> {
    read_entries(scanner, &mut |key, raw| {
        match key {
            "references" => prim.references.extend(read_arcs(blob, raw)?),
            "payload" => prim.payloads.extend(read_arcs(blob, raw)?),
            "inherits" | "specializes" => {
                prim.inherits.extend(read_arcs(blob, raw)?.into_iter().map(|arc| arc.prim));
            }
            "variants" => {
                if let Raw::Text { at, length, line } = *raw {
                    // Type, set and name, again and again.
                    let list = words(blob, at, length, line)?;
                    let (triples, _) = list.as_chunks::<3>();
                    prim.selections.extend(triples.iter().map(|[_, set, name]| (set.clone(), name.clone())));
                }
            }
            "active" => prim.active = first_word(blob, raw)?.map(|word| is_true(&word)),
            "instanceable" => prim.instanceable = first_word(blob, raw)?.map(|word| is_true(&word)),
            "clips" => prim.has_clips = true,
            _ => {}
        }
        Ok(())
    })
}

fn is_true(word: &str) -> bool {
    word == "true" || word == "1"
}

pub(super) fn read_interpolation(scanner: &mut Scanner, blob: &Blob) -> Result<Option<String>, FormatError> {
    let mut interpolation = None;
    read_entries(scanner, &mut |key, raw| {
        if key == "interpolation" {
            interpolation = first_word(blob, raw)?;
        }
        Ok(())
    })?;
    Ok(interpolation)
}

/// Paths and assets, `@file@</prim> (offset = 1; scale = 2)`, alone or in a list.
pub(super) fn read_arcs(blob: &Blob, raw: &Raw) -> Result<Vec<Reference>, FormatError> {
    let mut arcs: Vec<Reference> = Vec::new();
    let &Raw::Text { at, length, line } = raw else {
        return Ok(arcs);
    };
    let Some(part) = blob.part(at, length) else {
        return Ok(arcs);
    };
    let mut scanner = Scanner::from_line(part.clone(), line);
    let mut asset = None;
    loop {
        let next = scanner.skip_space()?;
        if next != Some(b'<')
            && let Some(asset) = asset.take()
        {
            arcs.push(Reference { asset, prim: String::new(), retiming: Retiming::NONE });
        }
        match next {
            None => return Ok(arcs),
            Some(b'[' | b']') => drop(scanner.next()?),
            Some(b'@') => asset = Some(scanner.asset()?),
            Some(b'<') => {
                let (asset, prim) = (asset.take().unwrap_or_default(), scanner.path()?);
                arcs.push(Reference { asset, prim, retiming: Retiming::NONE });
            }
            Some(b'(') => {
                let retiming = read_retiming(&mut scanner, &part)?;
                if let Some(arc) = arcs.last_mut() {
                    arc.retiming = retiming;
                }
            }
            _ => return Err(scanner.unexpected("the path of a file or prim")),
        }
    }
}

fn read_retiming(scanner: &mut Scanner, part: &Blob) -> Result<Retiming, FormatError> {
    let mut retiming = Retiming::NONE;
    read_entries(scanner, &mut |key, raw| {
        match (key, first_number_or_none(part, raw)) {
            ("offset", Some(offset)) => retiming.offset = offset,
            ("scale", Some(scale)) => retiming.scale = scale,
            _ => {}
        }
        Ok(())
    })?;
    Ok(retiming)
}

/// Custom data stands beside the times, and may be anything.
fn first_number_or_none(blob: &Blob, raw: &Raw) -> Option<f64> {
    first_number(blob, raw).ok().flatten()
}
