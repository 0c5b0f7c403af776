//! The panels there are, by name.

/// Which panel is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Handles,
    Body,
    Method,
    Look,
    Report,
}

/// Each with what it is called and what is in it.
pub const TABS: [(Tab, &str, &str); 5] = [
    (Tab::Handles, "Handles", "Handles and their goals"),
    (Tab::Body, "Body", "Mesh, material and anchors"),
    (Tab::Method, "Method", "How the motion responds"),
    (Tab::Look, "Look", "What the views show"),
    (Tab::Report, "Report", "Result of the edit: errors, forces, times"),
];

impl Tab {
    /// What it is called in a file.
    pub fn name(self) -> &'static str {
        TABS.iter().find(|tab| tab.0 == self).map_or("", |tab| tab.1)
    }

    /// The one that is called so in a file.
    pub fn named(name: &str) -> Option<Self> {
        TABS.iter().find(|tab| tab.1 == name).map(|tab| tab.0)
    }
}
