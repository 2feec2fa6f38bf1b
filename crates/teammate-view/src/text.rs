//! Text with meaning instead of colours: lines of spans, each with what it is. A terminal makes cells of them, a screen reader's
//! face plain lines, a page HTML. It is clean: what makes lines cleans what it puts in.

use serde::Serialize;

use crate::width::WidthPolicy;

/// The role of a piece of text. How that looks is decided by the face that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextRole {
    /// Nothing special.
    #[default]
    Plain,
    /// Important.
    Strong,
    /// Stressed.
    Emphasis,
    /// Code, a path, a command.
    Code,
    Heading,
    /// The text of a link.
    Link,
    /// Words of somebody else.
    Quote,
    /// No longer valid: struck out.
    Struck,
    /// Beside the point: marks, numbers, where a link leads.
    Dim,
    /// A line that a change adds.
    Added,
    /// A line that a change removes.
    Removed,
    /// Where in a file a change is.
    Place,
    /// Went well.
    Good,
    /// Went wrong.
    Bad,
    /// A member's name.
    Name,
}

/// Text of one role. It has no line break and no tab.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Span {
    pub text: String,
    pub role: TextRole,
}

/// One line of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TextLine {
    /// Its parts, from the left. Neighbours differ in their role.
    pub spans: Vec<Span>,
    /// Whether it continues the line before, which was too long for the screen.
    pub continues: bool,
}

impl Span {
    /// A piece of text with its role.
    pub fn new(text: impl Into<String>, role: TextRole) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}

impl TextLine {
    /// A line of one span. An empty text gives an empty line.
    pub fn of(text: impl Into<String>, role: TextRole) -> Self {
        let mut line = Self::default();
        line.push(&text.into(), role);
        line
    }

    /// Puts text at the end.
    pub fn push(&mut self, text: &str, role: TextRole) {
        match self.spans.last_mut() {
            Some(last) if last.role == role => last.text.push_str(text),
            Some(_) | None if text.is_empty() => {}
            Some(_) | None => self.spans.push(Span::new(text, role)),
        }
    }

    /// Puts the spans at the end.
    pub fn extend(&mut self, spans: &[Span]) {
        for span in spans {
            self.push(&span.text, span.role);
        }
    }

    /// The text alone.
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| &*span.text).collect()
    }

    /// The columns that it takes.
    pub fn width(&self, policy: WidthPolicy) -> usize {
        self.spans.iter().map(|span| policy.text(&span.text)).sum()
    }

    /// The line in at most `width` columns, with `…` if something is missing.
    pub fn fit(mut self, width: usize, policy: WidthPolicy) -> Self {
        if self.width(policy) <= width {
            return self;
        }
        let mut room = width;
        let mut kept = Self {
            continues: self.continues,
            ..Self::default()
        };
        for span in self.spans.drain(..) {
            let columns = policy.text(&span.text);
            // The last column is for the mark: something is missing, for the line is too wide.
            if columns >= room {
                let with_mark = format!("{}…", span.text);
                kept.push(&policy.fit(&with_mark, room), span.role);
                break;
            }
            room -= columns;
            kept.push(&span.text, span.role);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_role_are_one_span() {
        let mut line = TextLine::of("to ", TextRole::Plain);
        line.push("carol", TextRole::Name);
        line.push("", TextRole::Bad);
        line.push("!", TextRole::Name);
        assert_eq!(line.plain(), "to carol!");
        assert_eq!(line.spans.len(), 2);
        assert_eq!(TextLine::of("", TextRole::Good), TextLine::default());
    }

    #[test]
    fn a_line_is_cut_where_the_screen_ends() {
        let mut line = TextLine::of("done: ", TextRole::Good);
        line.push("中文中文", TextRole::Code);
        let fit = |width| line.clone().fit(width, WidthPolicy::Narrow).plain();
        assert_eq!(fit(14), "done: 中文中文");
        assert_eq!(fit(13), "done: 中文中…");
        assert_eq!(fit(7), "done: …");
        assert_eq!(fit(6), "done:…");
        assert_eq!(fit(0), "");
        for width in 0..20 {
            let cut = line.clone().fit(width, WidthPolicy::Wide);
            assert!(cut.width(WidthPolicy::Wide) <= width, "{cut:?}");
        }
    }
}
