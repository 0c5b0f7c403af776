//! From labels, which may be any numbers, to indices; and sets of them.

use crate::error::quoted;
use crate::group::Groups;
use crate::scan::{Line, Row};
use crate::{FormatError, Group, Problem};
use std::collections::HashMap;

/// The labels of the nodes, or of the elements, and the sets of them.
pub(super) struct Labels {
    what: &'static str,
    index_of: HashMap<u32, u32>,
    sets: Groups,
    /// How many members ranges and names of sets may still stand for. A short row can stand for
    /// every node there is, so without a limit memory would grow with the square of the file.
    allowance: usize,
    limit: usize,
}

impl Labels {
    /// Of a file of this many bytes. The limit lets some 80 sets hold everything, as the row of a
    /// node takes 20 bytes or more.
    pub fn new(what: &'static str, bytes: usize) -> Self {
        let limit = bytes.saturating_mul(4);
        let sets = Groups::new(str::to_ascii_uppercase);
        Self { what, index_of: HashMap::new(), sets, allowance: limit, limit }
    }

    /// Gives the next index to a label, and puts it into a set.
    pub fn define(&mut self, line: &Line<'_>, label: u32, set: Option<usize>) -> Result<(), FormatError> {
        let index = self.index_of.len() as u32;
        if self.index_of.insert(label, index).is_some() {
            let (what, name) = (self.what, label.to_string());
            return Err(line.error(Problem::DefinedTwice { what, name }));
        }
        if let Some(set) = set {
            self.sets.members_mut(set).push(index);
        }
        Ok(())
    }

    /// The index of a label.
    fn index_of(&self, line: &Line<'_>, label: u32) -> Result<u32, FormatError> {
        self.index_of
            .get(&label)
            .copied()
            .ok_or_else(|| line.error(Problem::Undefined { what: self.what, name: label.to_string() }))
    }

    /// The indices of labels.
    pub fn indices_of<const N: usize>(
        &self,
        line: &Line<'_>,
        mut labels: [u32; N],
    ) -> Result<[u32; N], FormatError> {
        for label in &mut labels {
            *label = self.index_of(line, *label)?;
        }
        Ok(labels)
    }

    /// The set of this name, made when it is new.
    pub fn set(&mut self, name: &str) -> usize {
        self.sets.named(name)
    }

    /// Reads a row of labels and names of sets into a set.
    pub fn read_members(&mut self, line: &Line<'_>, set: usize) -> Result<(), FormatError> {
        for word in line.text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            if let Ok(label) = word.parse() {
                let index = self.index_of(line, label)?;
                self.sets.members_mut(set).push(index);
                continue;
            }
            let name = word.trim_matches('"');
            let other = self
                .sets
                .find(name)
                .ok_or_else(|| line.error(Problem::Undefined { what: "set", name: quoted(name) }))?;
            if other != set {
                self.spend(line, self.sets.members(other).len())?;
                let members = self.sets.members(other).to_vec();
                self.sets.members_mut(set).extend(members);
            }
        }
        Ok(())
    }

    /// Reads a row of first label, last label and step into a set: those of the labels that exist.
    pub fn read_range(&mut self, line: &Line<'_>, set: usize) -> Result<(), FormatError> {
        let mut row = Row::new(line, "first label, last label and step");
        let [first, last] = row.indices()?;
        let step = if row.is_at_end() { 1 } else { row.index()? };
        row.end()?;
        if step == 0 || last < first {
            return Err(line.error(Problem::expected("a range that ascends", line.text)));
        }
        let steps = ((last - first) / step) as usize;
        self.spend(line, steps.min(self.index_of.len()))?;
        let members = self.sets.members_mut(set);
        // Whichever is shorter: the labels in the range, or the labels there are.
        if steps < self.index_of.len() {
            let range = (first..=last).step_by(step as usize);
            members.extend(range.filter_map(|label| self.index_of.get(&label)));
        } else {
            let in_range =
                |label: u32| (first..=last).contains(&label) && (label - first).is_multiple_of(step);
            members
                .extend(self.index_of.iter().filter(|(label, _)| in_range(**label)).map(|(_, index)| index));
        }
        Ok(())
    }

    fn spend(&mut self, line: &Line<'_>, members: usize) -> Result<(), FormatError> {
        let left = self.allowance.checked_sub(members);
        self.allowance = left.ok_or_else(|| line.error(Problem::TooManyMembers { limit: self.limit }))?;
        Ok(())
    }

    /// The sets that have members, each sorted and without repetition.
    pub fn into_groups(self) -> Vec<Group> {
        self.sets.finish()
    }
}
