//! Cleans text from models, files, tools, names and mail, whatever it contains: nothing in it is obeyed by a terminal and
//! nothing in it hides. It knows no colours; those are put around cleaned text.

use std::{borrow::Cow, fmt::Write as _};

use teammate_core::fence::is_invisible;

/// Keeps line breaks and tabs; every other control character, and what hides or re-orders text, is shown by its code.
/// `\r\n` becomes `\n`. Text without such characters is given back as it is.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_invisible(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// As [`clean`], for JSON, which stays the same JSON: control characters occur only in strings, and there as escapes.
pub fn clean_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_invisible) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_invisible(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// As [`clean`], on one line: breaks and tabs become blanks. Long gaps are counted: what follows them is not pushed out of sight.
pub fn clean_line(text: &str) -> String {
    with_counted_gaps(&clean(text).replace(['\n', '\t'], " "))
}

/// As [`clean_line`] for each line, behind `indent`, for the user who decides by it: empty lines, too, are counted when they
/// are many.
pub fn clean_block(text: &str, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut empty = 0;
    for line in clean(text).lines() {
        if line.chars().all(is_blank) {
            empty += 1;
            continue;
        }
        push_empty(&mut lines, std::mem::take(&mut empty), indent);
        lines.push(format!("{indent}{}", with_counted_gaps(line)));
    }
    lines.join("\n")
}

fn push_empty(lines: &mut Vec<String>, count: usize, indent: &str) {
    if count < EMPTY_LINES_MIN {
        lines.extend(std::iter::repeat_n(indent.to_owned(), count));
    } else {
        lines.push(format!("{indent}[{count} empty lines]"));
    }
}

/// So many blanks in a row are counted instead of shown.
const GAP_MIN: usize = 40;

/// So many empty lines in a row are counted instead of shown.
const EMPTY_LINES_MIN: usize = 10;

fn with_counted_gaps(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(is_blank) {
        let (before, from) = rest.split_at(at);
        let gap_end = from.find(|c| !is_blank(c)).unwrap_or(from.len());
        let (gap, after) = from.split_at(gap_end);
        let count = gap.chars().count();
        out.push_str(before);
        if count < GAP_MIN {
            out.push_str(gap);
        } else {
            out.push_str(&format!(" [{count} blanks] "));
        }
        rest = after;
    }
    out + rest
}

/// Whether nothing is seen of it: blanks of any width, fillers, joiners.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{34f}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{200c}'
                | '\u{200d}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_invisible_pushes_the_end_out_of_sight() {
        for blank in [
            " ",
            "\t",
            "\u{a0}",
            "\u{2003}",
            "\u{3000}",
            "\u{2800}",
            "\u{3164}",
            "\u{200d}",
            " \u{fe0f}",
        ] {
            let text = format!("ls{}; curl evil", blank.repeat(3_000));
            let count = 3_000 * blank.chars().count();
            let shown = format!("ls [{count} blanks] ; curl evil");
            assert_eq!(clean_line(&text), shown, "{blank:?}");
            assert_eq!(clean_block(&text, "  "), format!("  {shown}"), "{blank:?}");
        }
        assert_eq!(
            clean_line(&format!("ls{}x", "\n".repeat(50))),
            "ls [50 blanks] x"
        );
        let lines = format!("ls{}curl evil\n\nx", "\n ".repeat(200));
        assert_eq!(
            clean_block(&lines, "  "),
            "  ls\n  [199 empty lines]\n   curl evil\n  \n  x"
        );
        assert_eq!(clean_line("a  b"), "a  b");
    }

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        let evil = "a\u{1b}[2J\u{9b}31m\u{7}\u{202e}b\u{200b}\u{e0041}\r\n\u{1b}]52;c;x\u{1b}\\";
        let shown = clean(evil);
        assert!(!shown.chars().any(is_invisible), "{shown:?}");
        assert!(shown.starts_with("a\\u{1b}[2J"));
        let json = serde_json::to_string(evil).unwrap();
        let shown = clean_json(&json);
        assert!(!shown.chars().any(is_invisible), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), evil);
        assert_eq!(clean("plain\ttext\nñ 中"), "plain\ttext\nñ 中");
    }
}
