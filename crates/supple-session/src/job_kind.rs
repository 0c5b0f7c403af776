//! The kinds of jobs there are. What each of them comes to is an [`Outcome`](crate::Outcome).

/// What a job does.
///
/// | kind | when it is done |
/// |---|---|
/// | [`OpenSample`](Self::OpenSample) | [`Outcome::Opened`](crate::Outcome::Opened) |
/// | [`Import`](Self::Import) | [`Outcome::Imported`](crate::Outcome::Imported) |
/// | [`Export`](Self::Export) | [`Outcome::Exported`](crate::Outcome::Exported) |
/// | [`FindPlants`](Self::FindPlants) | [`Outcome::Plants`](crate::Outcome::Plants) |
/// | [`Bake`](Self::Bake) | [`Outcome::Baked`](crate::Outcome::Baked) |
/// | [`Recover`](Self::Recover) | [`Outcome::Recovered`](crate::Outcome::Recovered) |
/// | [`Save`](Self::Save) | [`Outcome::Copied`](crate::Outcome::Copied) |
/// | [`Autosave`](Self::Autosave) | [`Outcome::Autosaved`](crate::Outcome::Autosaved) |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Writes the files of a sample, by its name, and opens it.
    OpenSample(&'static str),
    /// Makes a document of an animated surface; the name of its file.
    Import(String),
    /// Writes the edited motion; the name of the file.
    Export(String),
    /// Finds where the feet of a character stand.
    FindPlants,
    /// Makes the edited motion the input.
    Bake,
    /// Finds what material the input motion is of.
    Recover,
    /// Puts the files of the shot beside the file it shall be saved to; the name of that.
    Save(String),
    /// Writes what a killed process would lose.
    Autosave,
}

impl std::fmt::Display for JobKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OpenSample(name) => write!(f, "Open {name}"),
            Self::Import(file) => write!(f, "Import {file}"),
            Self::Export(file) => write!(f, "Export {file}"),
            Self::FindPlants => f.write_str("Find plants"),
            Self::Bake => f.write_str("Bake"),
            Self::Recover => f.write_str("Recover material"),
            Self::Save(file) => write!(f, "Save {file}"),
            Self::Autosave => f.write_str("Autosave"),
        }
    }
}
