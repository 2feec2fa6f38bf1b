//! Summaries: asked of the member's own model, and wanted by a person or by the member itself.

use teammate_core::{
    MemberName,
    agent::Input,
    event::{Compaction, What},
    model::{Request, Usage},
    transcript::Entry,
};

use super::{Driver, jobs::Job};
use crate::{ask::Ask, base::Base, state::state};

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
        if let Err(what) = self.parts.meter.may_spend(&self.name) {
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
            asker: self.parts.asker.clone(),
            member: self.name.clone(),
            incarnation: self.incarnation,
            model,
            model_name: self.model_name.clone(),
            request,
            is_quiet: true,
        };
        let (base, name) = (self.base.clone(), self.name.clone());
        self.start(Job::Model, async move {
            match ask.run().await {
                Ok(reply) => Input::Summarized(reply, state_of(&base, &name)),
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
        self.base.feed.tell(&self.name, what);
    }
}

fn question(focus: Option<&str>) -> String {
    match focus {
        Some(focus) => format!("{}\n\nKeep above all: {focus}", QUESTION.trim_end()),
        None => QUESTION.trim_end().to_owned(),
    }
}

fn state_of(base: &Base, name: &MemberName) -> String {
    let team = base.ledger.team();
    team.member(name)
        .map_or_else(String::new, |member| state(&team, member, &base.tool_names))
}
