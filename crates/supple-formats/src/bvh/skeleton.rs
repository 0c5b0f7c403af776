//! The tree of joints, from `HIERARCHY` to `MOTION`, without recursion.

use super::names;
use super::words::{Words, lossy};
use crate::error::quoted;
use crate::{Channel, FormatError, Problem, RigFile, RigJoint};

/// The most joints a file may have, ends of limbs among them.
pub const MOST_JOINTS: usize = 65_536;

/// The most joints inside of each other.
pub const DEEPEST: usize = 1_000;

/// The longest name, in bytes. Ends repeat the names of joints, so without a bound many short ends of a joint with a long
/// name would take more memory than the file gives reason for.
pub const LONGEST_NAME: usize = 256;

/// A joint whose brace is open.
struct Open {
    joint: usize,
    has_offset: bool,
    has_channels: bool,
}

/// Reads the joints and the word `MOTION` after them.
pub fn read_skeleton(words: &mut Words<'_>) -> Result<RigFile, FormatError> {
    match words.next() {
        Some(word) if is(word, "HIERARCHY") => {}
        other => return Err(words.unexpected("HIERARCHY", other)),
    }
    match words.next() {
        Some(word) if is(word, "ROOT") => {}
        other => return Err(words.unexpected("ROOT", other)),
    }
    let mut reader = Reader { file: RigFile::default(), open: Vec::new() };
    reader.begin_joint(words)?;
    while let Some(open) = reader.open.last() {
        let is_end = reader.file.joints[open.joint].end;
        match words.next() {
            Some(b"}") => reader.end_joint(words)?,
            Some(word) if is(word, "OFFSET") => reader.read_offset(words)?,
            Some(word) if is(word, "CHANNELS") && !is_end => reader.read_channels(words)?,
            Some(word) if is(word, "JOINT") && !is_end => {
                reader.check_complete(words, word)?;
                reader.begin_joint(words)?;
            }
            Some(word) if is_end_site(word, words) && !is_end => {
                reader.check_complete(words, word)?;
                reader.begin_end(words)?;
            }
            other => return Err(reader.misplaced(words, other)),
        }
    }
    finish(reader.file, words)
}

/// What follows the joints.
fn finish(mut file: RigFile, words: &mut Words<'_>) -> Result<RigFile, FormatError> {
    match words.next() {
        Some(word) if is(word, "MOTION") => {}
        Some(word) if is(word, "ROOT") => {
            let what = "a second ROOT (save each skeleton in a separate file)".to_owned();
            return Err(words.error(Problem::Unsupported(what)));
        }
        other => return Err(words.unexpected("MOTION", other)),
    }
    if file.channel_count() == 0 {
        return Err(FormatError::whole_file(Problem::Empty("channels")));
    }
    file.notes.extend(names::make_unique(&mut file.joints));
    Ok(file)
}

struct Reader {
    file: RigFile,
    /// From the root to the joint that is read.
    open: Vec<Open>,
}

impl Reader {
    /// Takes the name and the brace after ROOT or JOINT.
    fn begin_joint(&mut self, words: &mut Words<'_>) -> Result<(), FormatError> {
        let name = lossy(words.rest_of_line());
        if name.is_empty() {
            return Err(words.error(Problem::ends_before("the name of a joint")));
        }
        if name.len() > LONGEST_NAME {
            let expected = format!("a name of at most {LONGEST_NAME} bytes");
            return Err(words.error(Problem::expected(expected, &name)));
        }
        self.begin(words, name.into_owned(), false)
    }

    /// Takes the brace after End Site, and whatever some programs write before it.
    fn begin_end(&mut self, words: &mut Words<'_>) -> Result<(), FormatError> {
        words.rest_of_line();
        self.begin(words, String::new(), true)
    }

    fn begin(&mut self, words: &mut Words<'_>, name: String, end: bool) -> Result<(), FormatError> {
        if self.file.joints.len() == MOST_JOINTS {
            return Err(
                words.error(Problem::Unsupported(format!("a file of more than {MOST_JOINTS} joints")))
            );
        }
        if self.open.len() == DEEPEST {
            let what = format!("a file with more than {DEEPEST} joints inside of each other");
            return Err(words.error(Problem::Unsupported(what)));
        }
        match words.next() {
            Some(b"{") => {}
            other => return Err(words.unexpected("{", other)),
        }
        let parent = self.open.last().map(|open| open.joint);
        self.open.push(Open { joint: self.file.joints.len(), has_offset: false, has_channels: end });
        self.file.joints.push(RigJoint {
            name,
            parent,
            offset: [0.0; 3],
            rest_rotation: RigJoint::NO_TURN,
            channels: Vec::new(),
            end,
        });
        Ok(())
    }

    fn end_joint(&mut self, words: &Words<'_>) -> Result<(), FormatError> {
        self.check_complete(words, b"}")?;
        self.open.pop();
        Ok(())
    }

    /// The joint that is read; there is one as long as a brace is open.
    fn current(&mut self) -> Option<(&mut Open, &mut RigJoint)> {
        let open = self.open.last_mut()?;
        let joint = self.file.joints.get_mut(open.joint)?;
        Some((open, joint))
    }

    fn read_offset(&mut self, words: &mut Words<'_>) -> Result<(), FormatError> {
        let Some((open, joint)) = self.current() else { return Ok(()) };
        if open.has_offset {
            return Err(twice("OFFSET of joint", &joint.name, words));
        }
        open.has_offset = true;
        for x in &mut joint.offset {
            *x = words.number("3 numbers of an OFFSET")?;
        }
        Ok(())
    }

    fn read_channels(&mut self, words: &mut Words<'_>) -> Result<(), FormatError> {
        let Some((open, joint)) = self.current() else { return Ok(()) };
        if open.has_channels {
            return Err(twice("CHANNELS of joint", &joint.name, words));
        }
        open.has_channels = true;
        let expected = "how many channels there are, 0 to 6";
        let word = words.next_in_line().ok_or_else(|| words.error(Problem::ends_before(expected)))?;
        let count = lossy(word).parse::<usize>().ok().filter(|count| *count <= 6);
        let count = count.ok_or_else(|| words.unexpected(expected, Some(word)))?;
        for _ in 0..count {
            let expected = || format!("as many channels as announced ({count}), as Xposition or Zrotation");
            let word = words.next_in_line().ok_or_else(|| words.error(Problem::ends_before(expected())))?;
            let channel = channel(word).ok_or_else(|| words.unexpected(expected(), Some(word)))?;
            if joint.channels.contains(&channel) {
                return Err(twice("channel", &lossy(word), words));
            }
            joint.channels.push(channel);
        }
        Ok(())
    }

    /// Checks that a joint has all it needs before something else comes.
    fn check_complete(&self, words: &Words<'_>, found: &[u8]) -> Result<(), FormatError> {
        let Some(open) = self.open.last() else { return Ok(()) };
        let joint = &self.file.joints[open.joint];
        if !open.has_channels {
            let name = quoted(&joint.name);
            let expected = format!("CHANNELS of joint {name} first (CHANNELS 0 where nothing moves)");
            return Err(words.unexpected(expected, Some(found)));
        }
        if !open.has_offset && !joint.end {
            let expected = format!("OFFSET of joint {} first", quoted(&joint.name));
            return Err(words.unexpected(expected, Some(found)));
        }
        Ok(())
    }

    /// The error of a word that has no business inside of a joint.
    fn misplaced(&self, words: &Words<'_>, found: Option<&[u8]>) -> FormatError {
        let joint = self.open.last().map(|open| &self.file.joints[open.joint]);
        let expected = match joint {
            Some(joint) if !joint.end => {
                format!("OFFSET, CHANNELS, JOINT, End Site or the }} of joint {}", quoted(&joint.name))
            }
            _ => "OFFSET or the } of an End Site".to_owned(),
        };
        words.unexpected(expected, found)
    }
}

fn twice(what: &'static str, name: &str, words: &Words<'_>) -> FormatError {
    words.error(Problem::DefinedTwice { what, name: quoted(name) })
}

fn is(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// Whether this word begins `End Site`, in one word or two.
fn is_end_site(word: &[u8], words: &mut Words<'_>) -> bool {
    is(word, "EndSite") || is(word, "End") && words.next_in_line().is_some_and(|word| is(word, "Site"))
}

/// `Xposition`, `yrotation`.
fn channel(word: &[u8]) -> Option<Channel> {
    let (letter, kind) = word.split_first()?;
    let axis = b"xyz".iter().position(|axis| axis.eq_ignore_ascii_case(letter))?;
    if is(kind, "position") {
        Some(Channel::Move(axis))
    } else {
        is(kind, "rotation").then_some(Channel::Turn(axis))
    }
}
