//! Rust source cut into code, comments and literals: a brace in a string is no brace.

/// What a piece of source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Code,
    Comment,
    Character,
    /// A string, with its quotes.
    Text,
    /// The same without escapes, with all that stands around it.
    RawText,
}

/// The pieces of a source, which one after the other are the source again.
pub fn pieces(source: &str) -> Vec<(Kind, &str)> {
    let (mut found, mut rest) = (Vec::new(), source);
    while !rest.is_empty() {
        let (kind, length) = first(rest);
        found.push((kind, &rest[..length]));
        rest = &rest[length..];
    }
    found
}

/// The source with spaces in place of all that is not code; lines stay lines.
pub fn code(source: &str) -> String {
    let blank = |c: char| if c == '\n' { c } else { ' ' };
    let shown = |(kind, text): (Kind, &str)| match kind {
        Kind::Code => text.to_owned(),
        _ => text.chars().map(blank).collect(),
    };
    pieces(source).into_iter().map(shown).collect()
}

/// Kind and bytes of the first piece of a text that is not empty.
fn first(text: &str) -> (Kind, usize) {
    if text.starts_with("//") {
        return (Kind::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (Kind::Comment, block_length(text));
    }
    match text.chars().next() {
        Some('"') => (Kind::Text, string_length(text)),
        Some('\'') => match character_length(text) {
            Some(length) => (Kind::Character, length),
            None => (Kind::Code, 1),
        },
        // A word is taken whole: its last letter could be the r of a raw string.
        Some(c) if c.is_alphanumeric() || c == '_' => match raw_length(text) {
            Some(length) => (Kind::RawText, length),
            None => (Kind::Code, text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())),
        },
        other => (Kind::Code, other.map_or(0, char::len_utf8)),
    }
}

/// Comments in `/* */` hold others.
fn block_length(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text[at..];
        match rest.find("/*").into_iter().chain(rest.find("*/")).min() {
            Some(next) if rest[next..].starts_with("/*") => (depth, at) = (depth + 1, at + next + 2),
            Some(next) => (depth, at) = (depth - 1, at + next + 2),
            None => return text.len(),
        }
        if depth == 0 {
            return at;
        }
    }
}

/// Up to and with the quote that ends a string.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// A character in quotes; nothing where the quote begins a lifetime.
fn character_length(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let next = inner.chars().next().map_or(0, char::len_utf8);
    match inner.strip_prefix('\\') {
        Some(escape) => escape.get(1..).and_then(|rest| rest.find('\'')).map(|end| end + 4),
        None => inner[next..].starts_with('\'').then_some(next + 2),
    }
}

/// `r"…"`, `br#"…"#` and the like.
fn raw_length(text: &str) -> Option<usize> {
    let inner = ["br", "cr", "r"].into_iter().find_map(|prefix| text.strip_prefix(prefix))?;
    let quote = inner.trim_start_matches('#');
    let end = format!("\"{}", "#".repeat(inner.len() - quote.len()));
    let inside = quote.strip_prefix('"')?;
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + length)
}

#[test]
fn strings_characters_and_comments_are_no_code() {
    let source = "let a = '{'; let b: &'a str = \"{ \\\" {\"; // {\n/* { /* { */ { */ g(b'\\'', r#\"{\"}\"#, br\"{\", '\\u{7b}')";
    let all: String = pieces(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(all, source);
    let code = code(source);
    assert!(!code.contains(['{', '}', '"', '#']), "{code}");
    assert_eq!(code.split_whitespace().collect::<String>(), "leta=;letb:&'astr=;g(b,,,)");
    assert_eq!(code.matches('\n').count(), 1);
    let texts = pieces(source).into_iter().filter(|(kind, _)| *kind == Kind::RawText);
    assert_eq!(texts.map(|(_, text)| text).collect::<Vec<_>>(), ["r#\"{\"}\"#", "br\"{\""]);
}
