//! Beginning and end of a text that may be long: what the event stream carries of what a call printed.

use serde::{Deserialize, Serialize};

/// The most bytes of a call's arguments in an event.
pub const INPUT_BYTES_MAX: usize = 4 << 10;

/// The most bytes of what a call printed in an event.
pub const OUTPUT_BYTES_MAX: usize = 4 << 10;

/// Beginning and end of what a call printed, as events carry it: the middle may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The beginning: all of it, if there is no tail.
    pub head: String,
    /// The end, if something between is missing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

impl Excerpt {
    /// Keeps at most [`OUTPUT_BYTES_MAX`] of the text, cut between lines where there are any.
    pub fn of(text: &str) -> Self {
        if text.len() <= OUTPUT_BYTES_MAX {
            return Self {
                head: text.to_owned(),
                tail: String::new(),
            };
        }
        let head = &text[..text.floor_char_boundary(OUTPUT_BYTES_MAX / 2)];
        let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
        let tail = &text[text.ceil_char_boundary(text.len() - OUTPUT_BYTES_MAX / 2)..];
        let tail = match tail.find('\n') {
            Some(end) if end + 1 < tail.len() => &tail[end + 1..],
            Some(_) | None => tail,
        };
        Self {
            head: head.to_owned(),
            tail: tail.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_whole_and_a_long_one_keeps_whole_lines_of_both_ends() {
        let whole = Excerpt::of("a\nb\n");
        assert_eq!((whole.head.as_str(), whole.tail.as_str()), ("a\nb\n", ""));
        let text: String = (0..1_000).map(|n| format!("line {n}\n")).collect();
        let Excerpt { head, tail } = Excerpt::of(&text);
        assert!(head.starts_with("line 0\n") && head.ends_with('\n'));
        assert!(tail.starts_with("line ") && tail.ends_with("line 999\n"));
        assert!(head.len() + tail.len() <= OUTPUT_BYTES_MAX);
        // One endless line of wide characters is cut between characters.
        let Excerpt { head, tail } = Excerpt::of(&"中".repeat(5_000));
        assert!(head.len() + tail.len() <= OUTPUT_BYTES_MAX && !tail.is_empty());
    }
}
