//! Pure readers and writers of mesh files.
