//! Named groups, and how readers gather them.

use std::collections::HashMap;

/// A named group of vertices or of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its name in the file.
    pub name: String,
    /// Its members, counted from 0.
    pub members: Vec<u32>,
}

/// Groups in the making, found by name and kept in the order in which they first appear.
pub(crate) struct Groups {
    groups: Vec<Group>,
    by_key: HashMap<String, usize>,
    key: fn(&str) -> String,
}

impl Groups {
    /// Two names with the same key are the same group.
    pub fn new(key: fn(&str) -> String) -> Self {
        Self { groups: Vec::new(), by_key: HashMap::new(), key }
    }

    /// The group of this name, made when it is new.
    pub fn named(&mut self, name: &str) -> usize {
        *self.by_key.entry((self.key)(name)).or_insert_with(|| {
            self.groups.push(Group { name: name.to_owned(), members: Vec::new() });
            self.groups.len() - 1
        })
    }

    /// The group of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_key.get(&(self.key)(name)).copied()
    }

    pub fn members(&self, group: usize) -> &[u32] {
        &self.groups[group].members
    }

    pub fn members_mut(&mut self, group: usize) -> &mut Vec<u32> {
        &mut self.groups[group].members
    }

    /// The groups that have members, each sorted and without repetition.
    pub fn finish(mut self) -> Vec<Group> {
        self.groups.retain_mut(|group| {
            group.members.sort_unstable();
            group.members.dedup();
            group.members.shrink_to_fit();
            !group.members.is_empty()
        });
        self.groups
    }
}
