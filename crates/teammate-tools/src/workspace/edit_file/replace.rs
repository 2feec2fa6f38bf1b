//! Replaces a piece of a text; pure.

use std::borrow::Cow;

use super::near_miss::near_miss;

/// How many places an error lists.
const LISTED_MAX: usize = 10;

/// A text to replace, and its replacement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replace<'a> {
    pub(super) old: &'a str,
    pub(super) new: &'a str,
    /// Everywhere, not in the one place there must be.
    pub(super) all: bool,
}

/// Its result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReplacedText {
    pub(super) text: String,
    pub(super) count: usize,
}

/// Why nothing was replaced.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotReplaced {
    #[error("old_text and new_text are the same")]
    Same,
    #[error("old_text is empty, which is for new or empty files only; give the text to replace")]
    EmptyOld,
    #[error("old_text does not occur in it; read the file again and copy the text exactly{hint}")]
    Absent { hint: String },
    #[error(
        "old_text occurs {count} times, at lines {lines}; add lines around it to make it unique, or set all to true"
    )]
    Ambiguous { count: usize, lines: String },
}

impl Replace<'_> {
    /// The text with the replacement made. In a text with CRLF line ends, the pieces' plain line ends mean those.
    pub(super) fn within(self, text: &str) -> Result<ReplacedText, NotReplaced> {
        if self.old.is_empty() {
            return if text.is_empty() && !self.new.is_empty() {
                Ok(ReplacedText {
                    text: self.new.to_owned(),
                    count: 1,
                })
            } else {
                Err(if text.is_empty() {
                    NotReplaced::Same
                } else {
                    NotReplaced::EmptyOld
                })
            };
        }
        if self.old == self.new {
            return Err(NotReplaced::Same);
        }
        let is_crlf = text.contains("\r\n") && !text.contains(self.old);
        let old = line_ends(self.old, is_crlf);
        let new = line_ends(
            self.new,
            is_crlf || (text.contains("\r\n") && !has_bare_lf(text)),
        );
        let starts = starts_of(text, &old);
        match starts.len() {
            0 => Err(NotReplaced::Absent {
                hint: near_miss(text, self.old).unwrap_or_default(),
            }),
            1 => Ok(ReplacedText {
                text: text.replacen(&*old, &new, 1),
                count: 1,
            }),
            _ if self.all => Ok(ReplacedText {
                text: text.replace(&*old, &new),
                count: text.matches(&*old).count(),
            }),
            count => Err(NotReplaced::Ambiguous {
                count,
                lines: lines_of(text, &starts),
            }),
        }
    }
}

fn has_bare_lf(text: &str) -> bool {
    let all = text.matches('\n').count();
    all > text.matches("\r\n").count()
}

/// `piece` with the line ends of the text it is for.
fn line_ends(piece: &str, is_crlf: bool) -> Cow<'_, str> {
    if is_crlf && piece.contains('\n') {
        piece.replace("\r\n", "\n").replace('\n', "\r\n").into()
    } else {
        piece.into()
    }
}

/// Where `piece` begins, overlapping places included: two readings are ambiguous too.
fn starts_of(text: &str, piece: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(piece) {
        let start = from + at;
        starts.push(start);
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    starts
}

fn lines_of(text: &str, starts: &[usize]) -> String {
    let line = |start: &usize| (text[..*start].matches('\n').count() + 1).to_string();
    let mut lines: Vec<String> = starts.iter().take(LISTED_MAX).map(line).collect();
    if starts.len() > LISTED_MAX {
        lines.push("...".to_owned());
    }
    lines.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(text: &str, old: &str, new: &str, all: bool) -> Result<ReplacedText, NotReplaced> {
        Replace { old, new, all }.within(text)
    }

    #[test]
    fn the_one_place_is_replaced() {
        assert_eq!(
            replace("a b c", "b", "$1\\n", false).unwrap().text,
            "a $1\\n c"
        );
        assert_eq!(replace("", "", "new\n", false).unwrap().text, "new\n");
    }

    #[test]
    fn more_places_are_named_or_all_replaced() {
        let error = replace("x\ny\nx\n", "x", "z", false)
            .unwrap_err()
            .to_string();
        assert!(error.contains("2 times, at lines 1, 3"), "{error}");
        assert!(matches!(
            replace("aaa", "aa", "b", false),
            Err(NotReplaced::Ambiguous { count: 2, .. })
        ));
        let all = replace("x\ny\nx\n", "x", "xx", true).unwrap();
        assert_eq!((all.text.as_str(), all.count), ("xx\ny\nxx\n", 2));
    }

    #[test]
    fn crlf_stays_crlf() {
        let edited = replace("a\r\nb\r\nc\r\n", "a\nb", "a\nB\nB", false).unwrap();
        assert_eq!(edited.text, "a\r\nB\r\nB\r\nc\r\n");
        let edited = replace("a\r\nb\r\n", "b", "b\nc", false).unwrap();
        assert_eq!(edited.text, "a\r\nb\r\nc\r\n");
        let edited = replace("a\r\nb\nc\n", "b\nc", "d\ne", false).unwrap();
        assert_eq!(
            edited.text, "a\r\nd\ne\n",
            "mixed line ends are left as they are"
        );
    }

    #[test]
    fn what_is_not_there_is_looked_for() {
        let error = replace("fn a() {\n\tb();\n}\n", "    b();\n", "c", false).unwrap_err();
        assert!(error.to_string().contains("Nearest is line 2"), "{error}");
        assert_eq!(replace("a", "", "b", false), Err(NotReplaced::EmptyOld));
        assert_eq!(replace("a", "a", "a", false), Err(NotReplaced::Same));
    }
}
