//! The studio as a person uses it: keys and mouse go in, the document and pictures come out. No display is needed; what
//! draws pictures needs a driver, and a software one will do.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

mod bodies;
mod cameras;
mod characters;
mod dialogs;
mod edits;
#[expect(dead_code, reason = "it serves other tests too")]
#[path = "../../../supple-session/tests/fake.rs"]
mod fake;
mod files;
mod flow;
mod goals;
mod keyed;
mod mended;
mod names;
mod parts;
mod pictures;
mod posing;
mod pulls;
mod puppet;
mod recovery;
mod segments;
mod stage;
mod themes;
mod times;
mod views;
mod way;
