//! Tests of the window, driven by labels as a person would.

mod studio;
