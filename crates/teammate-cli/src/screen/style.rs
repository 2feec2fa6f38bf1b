//! Colours, where they are wanted: a terminal, no `NO_COLOR`, and a `TERM` that is not dumb.

use std::{env, io::IsTerminal};

use teammate_view::text::{TextLine, TextRole};

/// Colours or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    is_coloured: bool,
}

/// Colours that members' names take in turn.
const NAMES: [u8; 6] = [36, 33, 35, 32, 34, 31];

impl Style {
    pub(crate) fn for_stdout() -> Self {
        Self::of(std::io::stdout().is_terminal())
    }

    pub(crate) fn for_stderr() -> Self {
        Self::of(std::io::stderr().is_terminal())
    }

    fn of(is_terminal: bool) -> Self {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            is_coloured: is_terminal && !unwanted && !dumb,
        }
    }

    /// No colours.
    pub(crate) const PLAIN: Self = Self { is_coloured: false };

    #[cfg(test)]
    pub(crate) const COLOURED: Self = Self { is_coloured: true };

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint(31, text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint(32, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(2, text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(1, text)
    }

    /// A line of meaning in our colours.
    pub(crate) fn line(self, line: &TextLine) -> String {
        let spans = line.spans.iter();
        spans
            .map(|span| match span.role {
                TextRole::Good | TextRole::Added => self.good(&span.text),
                TextRole::Bad | TextRole::Removed => self.bad(&span.text),
                TextRole::Dim | TextRole::Place => self.dim(&span.text),
                TextRole::Strong | TextRole::Heading => self.bold(&span.text),
                TextRole::Name => self.name(&span.text),
                TextRole::Plain
                | TextRole::Emphasis
                | TextRole::Code
                | TextRole::Link
                | TextRole::Quote
                | TextRole::Struck => span.text.clone(),
            })
            .collect()
    }

    /// A member's name, always in the same colour.
    pub(crate) fn name(self, name: &str) -> String {
        let sum: usize = name.bytes().map(usize::from).sum();
        self.paint(NAMES[sum % NAMES.len()], name)
    }

    /// How long one of our own colours is that `text` begins with.
    pub(super) fn length_of_colour(text: &str) -> Option<usize> {
        let rest = text.strip_prefix("\u{1b}[")?;
        let (code, _) = rest.split_once('m').filter(|(code, _)| code.len() <= 2)?;
        let is_ours = code
            .parse()
            .is_ok_and(|code: u8| matches!(code, 0..=2) || NAMES.contains(&code));
        is_ours.then_some(code.len() + 3)
    }

    fn paint(self, code: u8, text: &str) -> String {
        if self.is_coloured {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
