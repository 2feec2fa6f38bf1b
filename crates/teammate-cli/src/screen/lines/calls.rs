//! How calls and subagents end, and calls that were refused.

use teammate::{Event, EventKind};

use super::{
    super::{clean::clean_line, printed::Printed},
    EventRenderer, Rendered,
    tagged::speaker,
};

impl EventRenderer {
    /// How a call ended: what it printed, and that it failed. A call that succeeded and printed nothing shows
    /// nothing.
    pub(super) fn finished(&mut self, event: &Event) -> Vec<Rendered> {
        let EventKind::ToolFinished {
            tool,
            ok,
            summary,
            lines,
            file,
            output,
            subagent,
            ..
        } = &event.what
        else {
            return Vec::new();
        };
        let who = speaker(event.member.as_str(), subagent.as_deref());
        let mut shown = match ok {
            false => self.line(
                &who,
                &format!("{} {tool}: {summary}", self.style.bad("failed")),
            ),
            true => Vec::new(),
        };
        let Some(output) = output else { return shown };
        let printed = Printed {
            tool,
            ok: *ok,
            output,
            lines: *lines,
            file: file.as_deref(),
        };
        // Below the member's tag; a failure line already has it.
        let indent = who.len() + 5;
        let room = self.width.map(|width| width.saturating_sub(indent));
        let tag = format!("{}   ", self.tag(&who));
        for (at, line) in printed.shown(self.style, room).into_iter().enumerate() {
            let before = match (at, ok) {
                (0, true) => tag.clone(),
                _ => " ".repeat(indent),
            };
            shown.push(Rendered::Line(before + &line));
        }
        shown
    }

    pub(super) fn refused_call(
        &self,
        name: &str,
        tool: &str,
        shows: &str,
        hint: &str,
    ) -> Vec<Rendered> {
        let refused = self.style.bad("refused");
        self.uncut(
            name,
            &format!("{refused} {tool}: {}. {hint}", clean_line(shows)),
        )
    }

    pub(super) fn subagent_ended(&self, who: &str, ok: bool, summary: &str) -> Vec<Rendered> {
        let word = match ok {
            true => self.style.good("done:"),
            false => self.style.bad("failed:"),
        };
        self.line(who, &format!("{word} {summary}"))
    }
}
