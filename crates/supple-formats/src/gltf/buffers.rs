//! The JSON and the buffers of a file.

use super::document::Document;
use crate::blob::Blob;
use crate::error::quoted;
use crate::{FormatError, Place, Problem};
use std::path::{Component, Path, PathBuf};

/// The longest JSON: names and numbers of arrays, not the arrays.
const LONGEST_JSON: u64 = 256 << 20;

/// What this reads though a file says it cannot be read without: what says nothing of shapes, and two that do.
fn is_known(extension: &str) -> bool {
    let pictures = [
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "EXT_texture_webp",
        "EXT_texture_avif",
        "KHR_lights_punctual",
        "EXT_lights_image_based",
        "KHR_xmp_json_ld",
    ];
    extension.starts_with("KHR_materials_")
        || pictures.contains(&extension)
        || ["KHR_mesh_quantization", "KHR_node_visibility"].contains(&extension)
}

/// The JSON, and the chunk of bytes that a `.glb` has behind it.
pub(super) fn split(blob: &Blob) -> Result<(Document, Option<Blob>), FormatError> {
    let mut magic = [0; 4];
    let is_binary =
        blob.len() >= 12 && blob.read(0, &mut magic, "the beginning").is_ok() && magic == *b"glTF";
    let (json_at, json_length, bytes) = if is_binary { split_chunks(blob)? } else { (0, blob.len(), None) };
    if json_length > LONGEST_JSON {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "JSON" }));
    }
    let json = blob.bytes(json_at, json_length, "JSON")?;
    let document: Document = serde_json::from_slice(&json).map_err(|error| {
        let message = error.to_string();
        let problem = Problem::Expected { expected: "the JSON of glTF".to_owned(), found: quoted(&message) };
        if is_binary {
            FormatError::whole_file(problem)
        } else {
            FormatError::at(error.line().max(1), problem)
        }
    })?;
    if let Some(extension) = document.extensions_required.iter().find(|name| !is_known(name)) {
        let what = format!("the required extension {}", quoted(extension));
        return Err(FormatError::whole_file(Problem::Unsupported(what)));
    }
    Ok((document, bytes))
}

/// Where the JSON is, and the bytes.
fn split_chunks(blob: &Blob) -> Result<(u64, u64, Option<Blob>), FormatError> {
    let mut header = [0; 12];
    blob.read(0, &mut header, "the header")?;
    let version = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    if version != 2 {
        let problem = Problem::Unsupported(format!("version {version} of glTF"));
        return Err(FormatError::at_place(Place::Byte(4), problem));
    }
    let mut at = 12;
    let (mut json, mut bytes) = (None, None);
    while at + 8 <= blob.len() {
        let mut chunk = [0; 8];
        blob.read(at, &mut chunk, "a chunk")?;
        let length = u64::from(u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
        let Some(part) = blob.part(at + 8, length) else {
            let expected = format!("a chunk of {length} bytes");
            let found = "the end of the file".to_owned();
            return Err(FormatError::at_place(
                Place::Byte(at as usize),
                Problem::Expected { expected, found },
            ));
        };
        match &chunk[4..] {
            b"JSON" if json.is_none() => json = Some((at + 8, length)),
            b"BIN\0" if bytes.is_none() => bytes = Some(part),
            _ => {}
        }
        at += 8 + length;
    }
    let (json_at, json_length) = json.ok_or(FormatError::whole_file(Problem::Empty("JSON")))?;
    Ok((json_at, json_length, bytes))
}

/// All buffers of a document: the chunk of a `.glb`, files beside it, or text in base 64.
pub(super) fn open(document: &Document, chunk: Option<Blob>, path: &Path) -> Result<Vec<Blob>, FormatError> {
    let mut buffers = Vec::new();
    for (i, buffer) in document.buffers.iter().enumerate() {
        let blob = match &buffer.uri {
            None if i == 0 => chunk.clone().unwrap_or_else(|| Blob::memory(Vec::new())),
            None => Blob::memory(Vec::new()),
            Some(uri) if uri.starts_with("data:") => {
                let text = uri.split_once(";base64,").map(|(_, text)| text);
                let bytes = text
                    .and_then(base64)
                    .ok_or_else(|| FormatError::whole_file(Problem::expected("bytes in base 64", uri)))?;
                Blob::memory(bytes)
            }
            Some(uri) => {
                // The name may be anything, so it is quoted and not taken for a path.
                let named = |error| FormatError { path: None, ..error }.of_object(uri);
                file_of(uri, path).and_then(|file| Blob::open(&file)).map_err(named)?
            }
        };
        if blob.len() < buffer.byte_length {
            let expected = format!("a buffer of {} bytes", buffer.byte_length);
            let found = format!("{}: the file is incomplete, export or copy it again", blob.len());
            return Err(FormatError::whole_file(Problem::Expected { expected, found }));
        }
        buffers.push(blob);
    }
    Ok(buffers)
}

/// The files of all buffers that are in some.
pub(super) fn files(document: &Document, path: &Path) -> Vec<PathBuf> {
    let uris = document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    uris.filter(|uri| !uri.starts_with("data:")).filter_map(|uri| file_of(uri, path).ok()).collect()
}

/// The file of a buffer: beside the scene, or below. A buffer from elsewhere would let a scene read any file there is.
fn file_of(uri: &str, path: &Path) -> Result<PathBuf, FormatError> {
    let name = PathBuf::from(percent(uri));
    let is_below = name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // As other systems write it.
    let is_foreign = || {
        let text = name.to_string_lossy();
        text.contains(':') || text.split('\\').any(|part| part == "..") || text.starts_with('\\')
    };
    if !is_below || is_foreign() {
        let what = "a buffer outside the folder of the scene".to_owned();
        return Err(FormatError::whole_file(Problem::Unsupported(what)));
    }
    Ok(path.parent().unwrap_or(Path::new("")).join(name))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        bits = bits << 6 | u32::from(digit(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// A name of a file, with `%20` for a space.
fn percent(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code =
            after.get(..2).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match code {
            Some(code) if first == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bytes_in_text() {
        assert_eq!(base64("aGVsbG8gd29ybGQ=").unwrap(), b"hello world");
        assert_eq!(base64("_-+/").unwrap(), [0xFF, 0xEF, 0xBF]);
        assert!(base64("a?b").is_none());
        assert_eq!(percent("my%20cape%2.bin%"), "my cape%2.bin%");
    }

    /// `"uri": "/etc/passwd"` was read as a buffer.
    #[test]
    fn buffers_are_beside_the_scene_or_below() {
        let file = |uri: &str| file_of(uri, Path::new("set/cape.gltf"));
        assert_eq!(file("cape%20a.bin").unwrap(), Path::new("set/cape a.bin"));
        assert_eq!(file("./data/cape.bin").unwrap(), Path::new("set/data/cape.bin"));
        for uri in ["/etc/passwd", "../cape.bin", "a/../../cape.bin", "%2e%2e/x", "%2Fetc/passwd"] {
            assert!(file(uri).is_err(), "{uri}");
        }
        for uri in ["file:///etc/passwd", "http://a/b.bin", "C:/x.bin", "..\\x.bin", "\\\\server\\x"] {
            assert!(file(uri).is_err(), "{uri}");
        }
    }
}
