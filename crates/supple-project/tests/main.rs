//! Tests of shots, bodies, motions, and edits by their public names.

mod body;
mod cache;
mod character;
mod commands;
mod conformance;
mod contacts;
mod edit;
mod figures;
mod given;
mod import;
mod key_poses;
mod levels;
mod live;
mod modes;
mod picture;
mod pose;
mod shot_file;
mod shot_layout;
mod shot_methods;
mod shot_mutations;
mod shot_save;
mod shot_sections;
mod simulate;
mod sparse;
mod subject;
