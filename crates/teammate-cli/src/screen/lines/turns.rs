//! How answers and turns end, what keeps one waiting, and what becomes of a long conversation.

use teammate::{Compaction, EndReason, Event};

use super::{super::clean::clean, EventRenderer, Rendered};

impl EventRenderer {
    pub(super) fn lead_writes(&mut self, delta: &str) -> Vec<Rendered> {
        self.has_streamed = true;
        let mut text = clean(delta).into_owned();
        if std::mem::take(&mut self.is_thinking) {
            text.insert_str(0, "\n\n");
        }
        vec![Rendered::Lead(text)]
    }

    pub(super) fn lead_thinks(&mut self, delta: &str) -> Vec<Rendered> {
        self.has_streamed = true;
        self.is_thinking = true;
        vec![Rendered::Lead(self.style.dim(&clean(delta)))]
    }

    pub(super) fn lead_answered(&mut self, text: &str) -> Vec<Rendered> {
        let streamed = std::mem::take(&mut self.has_streamed);
        self.is_thinking = false;
        match (streamed, text.is_empty()) {
            (true, _) => vec![Rendered::LeadEnd],
            (false, true) => Vec::new(),
            (false, false) => vec![Rendered::Lead(clean(text).into_owned()), Rendered::LeadEnd],
        }
    }

    pub(super) fn compacted(
        &self,
        name: &str,
        how: Compaction,
        before: u64,
        after: u64,
    ) -> Vec<Rendered> {
        let text = match how {
            Compaction::Shortened => {
                format!("context {before} -> about {after} tokens: old tool outputs shortened")
            }
            Compaction::Summarized => format!(
                "context {before} -> about {after} tokens: conversation summarized; all of it stays in .team/agents/{name}/transcript.jsonl"
            ),
            Compaction::Failed => {
                "compaction failed: the model returned no usable summary; nothing is lost"
                    .to_owned()
            }
        };
        self.uncut(name, &self.style.dim(&text))
    }

    pub(super) fn rested(&mut self, event: &Event, why: &EndReason, result: &str) -> Vec<Rendered> {
        let name = event.member.as_str();
        // A streamed answer that was cut has no end event.
        let is_cut = event.member.is_lead() && std::mem::take(&mut self.has_streamed);
        let cut = is_cut.then_some(Rendered::LeadEnd);
        let shown = match why {
            EndReason::Done if event.member.is_lead() => Vec::new(),
            EndReason::Done if self.is_log => {
                let done = self.style.good("done:");
                let text = format!("{} {done} {}", self.tag(name), clean(result.trim_end()));
                vec![Rendered::Line(text)]
            }
            EndReason::Done => self.line(name, &format!("{} {result}", self.style.good("done:"))),
            EndReason::Interrupted => self.line(name, "interrupted; send it a message to continue"),
            EndReason::Failed { what } => {
                self.uncut(name, &format!("{} {what}", self.style.bad("failed:")))
            }
            EndReason::Limit { what } => self.uncut(name, what),
            EndReason::Waiting { what } => self.line(name, &format!("waits for {what}")),
        };
        cut.into_iter().chain(shown).collect()
    }

    pub(super) fn retrying(
        &self,
        name: &str,
        why: &str,
        after_ms: u64,
        attempt: u32,
    ) -> Vec<Rendered> {
        let when = match after_ms {
            0 => "when others are through".to_owned(),
            pause => format!("in {:.1} s", (pause as f64 / 1000.0).max(0.1)),
        };
        self.uncut(name, &format!("{why}; try {attempt} {when}"))
    }
}

/// A member goes on with another model.
pub(super) fn model_changed(from: &str, to: &str, why: &str) -> String {
    format!("goes on with {to} instead of {from}: {why}")
}
