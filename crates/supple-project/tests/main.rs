//! Tests of shots, bodies, motions, and edits by their public names.

mod body;
mod cache;
mod contacts;
mod edit;
mod figures;
mod import;
mod live;
mod modes;
mod picture;
mod pose;
mod shot_file;
mod shot_layout;
mod shot_mutations;
mod shot_save;
mod shot_sections;
mod simulate;
