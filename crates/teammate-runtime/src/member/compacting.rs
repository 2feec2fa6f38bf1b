//! Summaries: asked of the member's own model, and wanted by a person or by the member itself.

use teammate_core::{
    MemberName,
    agent::Input,
    event::{Compaction, What},
    model::{Request, Usage},
    port::Refusal,
    transcript::Entry,
};

use super::{Driver, jobs::Job};
use crate::{ask::Ask, host::Shared, members::Order, state::state};

const QUESTION: &str = include_str!("../../prompts/summary.md");

impl Driver {
    /// Asks for a summary of the conversation, unless a budget is spent. It is a request like any other, but for one more block at its end: so most
    /// of it is in the prompt cache.
    pub(super) fn summarize(
        &mut self,
        focus: Option<&str>,
        bytes_max: Option<usize>,
        in_turn: bool,
    ) -> Option<Input> {
        if let Err(what) = self.shared.may_spend(&self.name) {
            return Some(Input::Limited(what));
        }
        if in_turn {
            self.working();
        }
        let model = match &self.model {
            Ok(model) => model.clone(),
            Err(failure) => {
                let failure = failure.clone();
                self.start(Job::Model, async { Input::ModelFailed(failure) });
                return None;
            }
        };
        let conversation = self.agent.conversation();
        let cached = bytes_max.map_or(self.agent.cached(), |_| 0);
        let request = Request {
            messages: conversation.asking(&question(focus), bytes_max),
            cached,
            ..self.request()
        };
        let ask = Ask {
            shared: self.shared.clone(),
            member: self.name.clone(),
            incarnation: self.incarnation,
            model,
            model_name: self.model_name.clone(),
            request,
            is_quiet: true,
        };
        let (shared, name) = (self.shared.clone(), self.name.clone());
        self.start(Job::Model, async move {
            match ask.run().await {
                Ok(reply) => Input::Summarized(reply, shared.state(&name)),
                Err(failure) => Input::ModelFailed(failure),
            }
        });
        None
    }

    /// Tells that the conversation was made shorter by this entry, which is in it already.
    pub(super) fn tell_compaction(&self, entry: Entry) {
        let after = self.agent.conversation().tokens();
        let what = match entry {
            Entry::Shortened { before, .. } => What::Compacted {
                how: Compaction::Shortened,
                before,
                after,
                usage: Usage::default(),
                summary: String::new(),
            },
            Entry::Compacted(compacted) => What::Compacted {
                how: Compaction::Summarized,
                before: compacted.before,
                after,
                usage: compacted.usage,
                summary: compacted.summary,
            },
            Entry::Wasted { usage, .. } => What::Compacted {
                how: Compaction::Useless,
                before: after,
                after,
                usage,
                summary: String::new(),
            },
            Entry::Fresh
            | Entry::Conversation(_)
            | Entry::Heard(_)
            | Entry::Answered(_)
            | Entry::Done(_)
            | Entry::Prompted(_)
            | Entry::Rested(_) => return,
        };
        self.shared.feed.tell(&self.name, what);
    }
}

fn question(focus: Option<&str>) -> String {
    match focus {
        Some(focus) => format!("{}\n\nKeep above all: {focus}", QUESTION.trim_end()),
        None => QUESTION.trim_end().to_owned(),
    }
}

impl Shared {
    /// Has a member's conversation summed up as soon as there is a moment for it; returns when the member knows.
    pub(crate) async fn compact(
        &self,
        name: &MemberName,
        focus: Option<String>,
    ) -> Result<(), Refusal> {
        self.members
            .order_and_wait(name, |known| Order::Compact { focus, known })
            .await
    }

    fn state(&self, name: &MemberName) -> String {
        let team = self.ledger.team();
        team.member(name)
            .map_or_else(String::new, |member| state(&team, member, &self.tool_names))
    }
}
