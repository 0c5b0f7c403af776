//! Named groups of vertices:
//! ```text
//! name,index
//! hem,12
//! hem,13
//! cuff,0
//! ```
//! Vertices count from 0. A group has the rows of its name, wherever they are; a header alone is no groups.

use super::{Fields, rows};
use crate::group::Groups;
use crate::load::load;
use crate::scan::text;
use crate::{FormatError, Group, Problem};
use std::path::Path;

const COLUMNS: [&str; 2] = ["name", "index"];

/// Reads a table of groups of vertices, in the order in which their names first appear, each sorted.
///
/// # Errors
/// Another header, a row with more or fewer values, a name without letters, an index that is none.
pub fn read_groups(bytes: &[u8]) -> Result<Vec<Group>, FormatError> {
    let text = text(bytes);
    let mut groups = Groups::new(str::to_owned);
    for line in rows(&text, &COLUMNS)? {
        let mut fields = Fields::new(line, COLUMNS.len())?;
        let (name, index) = (fields.text(), fields.text());
        if name.is_empty() {
            return Err(line.error(Problem::expected("the name of a group", name)));
        }
        let index = index
            .parse()
            .map_err(|_| line.error(Problem::expected("a vertex, a whole number from 0", index)))?;
        let group = groups.named(name);
        groups.members_mut(group).push(index);
    }
    Ok(groups.finish())
}

/// Reads a table of groups: see [`read_groups`].
///
/// # Errors
/// Those of [`read_groups`], and a file that cannot be read; all name the file.
pub fn load_groups(path: impl AsRef<Path>) -> Result<Vec<Group>, FormatError> {
    load(path.as_ref(), read_groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_name_are_a_group() {
        let text = "# by hand\nName, index\n\nleft hem,13\ncuff,0 # both\nleft hem, 12\nleft hem,13\n";
        let group = |name: &str, members: &[u32]| Group { name: name.into(), members: members.to_vec() };
        assert_eq!(
            read_groups(text.as_bytes()).unwrap(),
            [group("left hem", &[12, 13]), group("cuff", &[0])]
        );
        assert_eq!(read_groups(b"name,index\n").unwrap(), []);
    }
}
