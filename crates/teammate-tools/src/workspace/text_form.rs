//! The form that a text file keeps when a model writes it anew: its line ends and its byte order mark, of which the model
//! sees and writes nothing.

use std::borrow::Cow;

/// The mark that some programs put before UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How a text is written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextForm {
    has_mark: bool,
    is_crlf: bool,
}

impl TextForm {
    /// That of a text: of two kinds of line ends, the one that most of its lines have.
    pub(super) fn of(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        Self {
            has_mark: text.starts_with(BYTE_ORDER_MARK),
            is_crlf: crlf > text.matches('\n').count() - crlf,
        }
    }

    /// A new text in this form. What it says of itself stays: its own mark, and `\r\n` that it has.
    pub(super) fn apply(self, text: &str) -> Cow<'_, str> {
        let mut text = Cow::from(text);
        if self.is_crlf && text.contains('\n') {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n").into();
        }
        self.with_mark(text)
    }

    /// A text whose line ends are right already.
    pub(super) fn with_mark(self, text: Cow<'_, str>) -> Cow<'_, str> {
        match self.has_mark && !text.starts_with(BYTE_ORDER_MARK) {
            true => format!("{BYTE_ORDER_MARK}{text}").into(),
            false => text,
        }
    }

    /// The words about what was kept, for a model.
    pub(super) fn kept(self) -> &'static str {
        match (self.is_crlf, self.has_mark) {
            (false, false) => "",
            (true, false) => "; its CRLF line ends were kept",
            (false, true) => "; its byte order mark was kept",
            (true, true) => "; its CRLF line ends and byte order mark were kept",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_mark_are_kept() {
        let rows = [
            ("a\nb\n", "1\n2\n", "1\n2\n"),
            ("a\nb\n", "1\r\n2\n", "1\r\n2\n"),
            ("a\r\nb\r\n", "1\n2", "1\r\n2"),
            ("a\r\nb\r\n", "1\r\n2\n", "1\r\n2\r\n"),
            ("\u{feff}a\r\n", "1\n", "\u{feff}1\r\n"),
            ("\u{feff}a", "\u{feff}1", "\u{feff}1"),
            ("a\nb\nc\r\n", "1\n", "1\n"),
            ("a\r\nb\r\nc\n", "1\n", "1\r\n"),
            ("", "1\n", "1\n"),
        ];
        for (old, new, written) in rows {
            assert_eq!(TextForm::of(old).apply(new), written, "{old:?} {new:?}");
        }
    }
}
