//! `[contacts]`: what touches the body in the input motion, and has to stay so.

use crate::shot::describe::*;
use std::path::PathBuf;
use supple_model::ContactKind;

/// `[contacts]`: what touches the body in the input motion, and has to stay so.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// Where they are known from.
    pub source: ContactSource,
    /// What has to stay so.
    pub kind: ContactKind,
}

table!([Contacts] { source: part, kind: optional });

/// Where contacts are known from.
#[derive(Clone, Debug, PartialEq)]
pub enum ContactSource {
    /// `file`: a file that lists them.
    File(PathBuf),
    /// `detect`: the frames of the input motion.
    Detect {
        /// The height of the floor that vertices touch.
        floor: f64,
    },
}

one_of!(ContactSource {
    file: File;
    tables:
    detect: Detect { floor },
});

// `kind`: what has to stay so at a contact.
plain!(
    ContactKind,
    |field| field.choice(&[ContactKind::Slide, ContactKind::Stick], ContactKind::name),
    |kind| kind.name()
);
