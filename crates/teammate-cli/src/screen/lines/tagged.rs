//! Lines that begin with who speaks. What members and models wrote is cleaned here.

use super::{
    super::{Style, clean::clean_line, wrap::fit},
    EventRenderer, Rendered,
};

impl EventRenderer {
    /// Text of the lead with its tag, where other members' lines are around it.
    pub(crate) fn by_lead(&self, text: &str) -> String {
        format!("{} {text}", self.tag("lead"))
    }

    pub(super) fn tag(&self, name: &str) -> String {
        format!("[{}]", self.style.name(name))
    }

    /// One line that is cut where the terminal ends.
    pub(super) fn line(&self, name: &str, text: &str) -> Vec<Rendered> {
        let room = self.width.map(|width| width.saturating_sub(name.len() + 3));
        let text = fit(&clean_keeping_style(text), room);
        vec![Rendered::Line(format!("{} {text}", self.tag(name)))]
    }

    /// The same, whole: for what the user must be able to read to the end.
    pub(super) fn uncut(&self, name: &str, text: &str) -> Vec<Rendered> {
        vec![Rendered::Line(format!(
            "{} {}",
            self.tag(name),
            clean_keeping_style(text)
        ))]
    }

    pub(super) fn plain(&self, text: &str) -> Vec<Rendered> {
        vec![Rendered::Line(self.style.dim(&clean_line(text)))]
    }
}

/// A member's name, or MEMBER/TYPE for its subagent.
pub(super) fn speaker(name: &str, subagent: Option<&str>) -> String {
    match subagent {
        Some(kind) => format!("{name}/{}", clean_line(kind)),
        None => name.to_owned(),
    }
}

/// Cleans a line that may begin with our own colours.
pub(super) fn clean_keeping_style(text: &str) -> String {
    let colour = Style::length_of_colour(text).map(|length| text.split_at(length));
    match colour.and_then(|(colour, rest)| Some((colour, rest.split_once("\u{1b}[0m")?))) {
        Some((colour, (styled, rest))) => {
            format!(
                "{colour}{}\u{1b}[0m{}",
                clean_line(styled),
                clean_line(rest)
            )
        }
        None => clean_line(text),
    }
}
