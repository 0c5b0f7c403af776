//! Which answer of a person an import fails on.

use crate::import::{Import, ImportError, RestShape};
use crate::source::SourceError;
use std::path::Path;
use supple_formats::{FormatError, Problem};

/// What an import asks a person for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportField {
    /// The motion.
    Path,
    /// The mesh of a point cache.
    Topology,
    /// The object.
    Object,
    /// The rest shape.
    Rest,
    /// The table of groups.
    Groups,
}

/// What is wrong, and which field says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportWrong {
    /// The field.
    pub field: ImportField,
    /// In words that name the culprit and the way out.
    pub text: String,
}

impl ImportWrong {
    /// What an error of an import comes from.
    pub(super) fn of(error: &ImportError, import: &Import) -> Self {
        let text = match error {
            ImportError::Source(SourceError::Several { objects, .. }) => {
                format!("this file has {} objects; choose the one to edit", objects.len())
            }
            ImportError::Source(SourceError::NeedsTopology { file }) => {
                format!("{}: this file has points but no faces; choose the mesh for it", file.display())
            }
            ImportError::ForSurfaces { .. } => "a skeleton has no surface; leave this empty".to_owned(),
            error => error.to_string(),
        };
        Self { field: field(error, import), text }
    }
}

fn field(error: &ImportError, import: &Import) -> ImportField {
    let topology = import.file.topology.as_deref();
    let rest = match &import.rest {
        Some(RestShape::File(file)) => Some(file.as_path()),
        _ => None,
    };
    let of_file = |file: Option<&Path>| match file {
        None => ImportField::Path,
        Some(file) if Some(file) == import.groups.as_deref() => ImportField::Groups,
        Some(file) if Some(file) == rest => ImportField::Rest,
        Some(file) if Some(file) == topology => ImportField::Topology,
        Some(_) => ImportField::Path,
    };
    let of_format = |error: &FormatError| match &error.problem {
        // The mesh has another number of vertices than the points.
        Problem::OtherCount { .. } if topology.is_some() => ImportField::Topology,
        _ => of_file(error.path.as_deref()),
    };
    match error {
        ImportError::Source(SourceError::NeedsTopology { .. }) => ImportField::Topology,
        ImportError::Source(
            SourceError::Several { .. } | SourceError::NoObject { .. } | SourceError::Ambiguous { .. },
        ) => ImportField::Object,
        ImportError::OtherRest { .. } | ImportError::NoFrame { .. } => ImportField::Rest,
        ImportError::GroupMember { .. } => ImportField::Groups,
        ImportError::ForSurfaces { option, .. } => match *option {
            "--topology" => ImportField::Topology,
            "--object" => ImportField::Object,
            "--rest" => ImportField::Rest,
            "--groups" => ImportField::Groups,
            _ => ImportField::Path,
        },
        ImportError::Source(SourceError::NotASurface { file }) => of_file(Some(file)),
        ImportError::Format(error) => of_format(error),
        ImportError::Source(SourceError::Format(error)) => of_format(error),
        _ => ImportField::Path,
    }
}
