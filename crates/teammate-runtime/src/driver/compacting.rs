//! Summaries: asked of the member's own model, and wanted by the user or by the member itself.

use teammate_core::{
    MemberName,
    agent::Input,
    event::{Compaction, EventKind},
    model::{ModelRequest, Usage},
    transcript::Entry,
};

use super::{Driver, in_flight::DriverJob};
use crate::{base::Base, model_calls::Purpose, recap::recap};

const SUMMARY_PROMPT: &str = include_str!("../../prompts/summary.md");

impl Driver {
    /// Asks for a summary of the conversation, unless a budget is spent. It is a request like any other, but for one more block at its end: so most
    /// of it is in the prompt cache.
    pub(super) fn summarize(
        &mut self,
        focus: Option<&str>,
        bytes_max: Option<usize>,
        (in_turn, is_needed): (bool, bool),
    ) -> Option<Input> {
        if let Err(what) = self.parts.meter.require_budget(&self.name) {
            return Some(Input::OutOfBudget(what));
        }
        if in_turn {
            self.mark_working();
        }
        let conversation = self.agent.conversation();
        let cached = bytes_max.map_or(self.agent.cached(), |_| 0);
        let request = ModelRequest {
            messages: conversation.with_question(&summary_prompt(focus), bytes_max),
            cached,
            ..self.request()
        };
        let ask = self.model_call(request, Purpose::Summary);
        let (base, name) = (self.base.clone(), self.name.clone());
        let wanted = self.wanted_summary(focus, is_needed);
        self.start(DriverJob::Model, async move {
            if let Err(refused) = wanted.ask_hooks().await {
                return Input::ModelFailed(refused);
            }
            let summarized = |reply| Input::Summarized(reply, state_of(&base, &name));
            ask.with_retries()
                .await
                .map_or_else(Input::ModelFailed, summarized)
        });
        None
    }

    /// Tells that the conversation was made shorter by this entry, which is in it already.
    pub(super) fn emit_compaction(&self, entry: Entry) {
        let after = self.agent.conversation().tokens();
        let what = match entry {
            Entry::Shortened { before, .. } => EventKind::Compacted {
                how: Compaction::Shortened,
                before,
                after,
                usage: Usage::default(),
                summary: String::new(),
            },
            Entry::Compacted(compacted) => EventKind::Compacted {
                how: Compaction::Summarized,
                before: compacted.before,
                after,
                usage: compacted.usage,
                summary: compacted.summary,
            },
            Entry::SummaryFailed { usage, .. } => EventKind::Compacted {
                how: Compaction::Failed,
                before: after,
                after,
                usage,
                summary: String::new(),
            },
            Entry::MemoryReset
            | Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::HandedOver(_)
            | Entry::Heard(_)
            | Entry::Answered(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::TurnEnded(_) => return,
        };
        self.base.feed.emit(&self.name, what);
    }
}

fn summary_prompt(focus: Option<&str>) -> String {
    match focus {
        Some(focus) => format!("{}\n\nKeep above all: {focus}", SUMMARY_PROMPT.trim_end()),
        None => SUMMARY_PROMPT.trim_end().to_owned(),
    }
}

fn state_of(base: &Base, name: &MemberName) -> String {
    let team = base.ledger.team();
    team.member(name)
        .map_or_else(String::new, |member| recap(&team, member, &base.tool_names))
}
