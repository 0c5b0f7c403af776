//! Tests of the window, driven by mouse and keys as a person would; widgets are found by names that stay when words change.

mod studio;
