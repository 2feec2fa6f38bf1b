//! Room in the model's context. Between two rounds, when the context is nearly full: first old outcomes of tools are
//! shortened, and if that frees too little, the model is asked for a summary that takes the conversation's place.
//!
//! Nothing changes before the summary is recorded, so an interrupt, a stop or a crash leaves everything as it was.

use super::{Agent, Effect, Phase, Then, Turn};
use crate::{
    model::{ModelFailure, Remedy, Reply, Stop},
    transcript::{Compacted, Entry, RestReason},
};

/// Summaries in a row that free nothing, and answers in a row that are no summary, before the turn ends.
const FRUITLESS_MAX: u32 = 2;

/// How often what is summed up is halved because even that is too long.
const HALVINGS_MAX: u32 = 6;

const FRUITLESS: &str = "the conversation still fills the model's context after it was summed up twice. If the model takes more, raise \
     context_tokens; else give smaller pieces of work, or spawn the member anew with `fresh`. /compact tries once more";
const NO_SUMMARY: &str = "the context is nearly full, and the model gave no summary that could be used. Say 'continue' to try again, or choose \
     another model";

/// How much a model takes, and when that is nearly used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// What the model takes, in tokens.
    pub tokens: u64,
    /// From so many tokens on room is made.
    pub full_at: u64,
}

impl Context {
    /// A context of so many tokens in which room is made when a part `compact_at` of it is used.
    pub fn new(tokens: u64, compact_at: f64) -> Self {
        // Of a sensible share of a sensible number nothing is lost.
        let full_at = (tokens as f64 * compact_at.clamp(0.05, 1.0)) as u64;
        Self { tokens, full_at }
    }
}

impl Default for Context {
    /// 200,000 tokens, and room at four fifths.
    fn default() -> Self {
        Self::new(200_000, 0.8)
    }
}

/// Why room is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Due {
    /// Somebody wants it; what the summary shall look at most.
    Wanted(Option<String>),
    /// The context is nearly full.
    Full,
    /// The model has said that it is full.
    Overflow,
}

/// A summary that is being made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compacting {
    focus: Option<String>,
    after: After,
    /// Whether it is made for want of room.
    is_needed: bool,
    halvings: u32,
    useless: u32,
}

/// What comes after a summary.
#[derive(Debug, Clone, PartialEq)]
enum After {
    /// The turn goes on.
    Ask(Turn),
    /// There is no turn.
    Rest,
}

impl Agent {
    /// What is to be done before the model may be asked.
    pub(super) fn due(&mut self, turn: &mut Turn) -> Option<Due> {
        let wish = self.wish.take();
        if std::mem::take(&mut turn.is_overflowing) {
            return Some(Due::Overflow);
        }
        let full = (self.conversation.has_answers() && self.is_full()).then_some(Due::Full);
        wish.map(Due::Wanted).or(full)
    }

    pub(super) fn is_full(&self) -> bool {
        self.conversation.tokens() >= self.limits.context.full_at
    }

    /// Remembers that somebody wants a summary, until there is a moment for it.
    pub(super) fn want(&mut self, focus: Option<String>) {
        self.wish.get_or_insert(focus);
    }

    /// Makes room, then goes on with the turn.
    pub(super) fn make_room(&mut self, due: Due, turn: Turn, out: &mut Vec<Effect>) -> Phase {
        let halvings = match due {
            Due::Wanted(focus) => return self.wanted(focus, After::Ask(turn), out),
            Due::Full | Due::Overflow if self.shorten(&due, out) => return self.call(turn, out),
            Due::Full => 0,
            // The whole has just proved too long.
            Due::Overflow => 1,
        };
        if self.fruitless >= FRUITLESS_MAX {
            let what = FRUITLESS.to_owned();
            return self.rest(RestReason::Limit { what }, out);
        }
        let compacting = Compacting {
            focus: None,
            after: After::Ask(turn),
            is_needed: true,
            halvings,
            useless: 0,
        };
        self.sum_up(compacting, out)
    }

    /// What was wanted in a turn, when that is over.
    pub(super) fn settle_wish(&mut self, out: &mut Vec<Effect>) -> Phase {
        match self.wish.take() {
            Some(focus) => self.wanted(focus, After::Rest, out),
            None => Phase::Idle,
        }
    }

    fn wanted(&mut self, focus: Option<String>, after: After, out: &mut Vec<Effect>) -> Phase {
        if !self.conversation.has_answers() {
            out.push(Effect::Note("there is nothing to sum up yet".to_owned()));
            return match after {
                After::Ask(turn) => self.call(turn, out),
                After::Rest => Phase::Idle,
            };
        }
        self.fruitless = 0;
        let compacting = Compacting {
            focus,
            after,
            is_needed: false,
            halvings: 0,
            useless: 0,
        };
        self.sum_up(compacting, out)
    }

    /// Shortens old outcomes if that frees enough to be worth it.
    fn shorten(&mut self, due: &Due, out: &mut Vec<Effect>) -> bool {
        let Some(plan) = self.conversation.shortening() else {
            return false;
        };
        let (before, full_at) = (self.conversation.tokens(), self.limits.context.full_at);
        let is_enough = match due {
            // A little room would be gone in a few rounds, and each time the prompt cache with it.
            Due::Full => before.saturating_sub(plan.bytes as u64 / 4) <= full_at - full_at / 4,
            Due::Overflow => plan.bytes >= self.conversation.bytes() / 4,
            Due::Wanted(_) => false,
        };
        if is_enough {
            let calls = plan.calls;
            self.record(Entry::Shortened { calls, before }, out);
            self.cached = 0;
        }
        is_enough
    }

    fn sum_up(&mut self, compacting: Compacting, out: &mut Vec<Effect>) -> Phase {
        let bytes = self.conversation.bytes();
        out.push(Effect::Summarize {
            focus: compacting.focus.clone(),
            bytes_max: (compacting.halvings > 0).then_some(bytes >> compacting.halvings),
            in_turn: matches!(compacting.after, After::Ask(_)),
        });
        Phase::Compacting(compacting)
    }

    /// The model was not asked for a summary: a budget is spent.
    pub(super) fn summary_limited(
        &mut self,
        compacting: &Compacting,
        what: String,
        out: &mut Vec<Effect>,
    ) -> Phase {
        match compacting.after {
            After::Ask(_) => self.limited(what, out),
            After::Rest => self.give_up(After::Rest, RestReason::Limit { what }, out),
        }
    }

    pub(super) fn summary_interrupted(
        &mut self,
        compacting: &Compacting,
        out: &mut Vec<Effect>,
    ) -> Phase {
        out.push(Effect::CancelModel);
        match compacting.after {
            After::Ask(_) => self.interrupted(out),
            After::Rest => self.settle_down(out),
        }
    }

    pub(super) fn summarized(
        &mut self,
        compacting: Compacting,
        reply: &Reply,
        state: String,
        out: &mut Vec<Effect>,
    ) -> Phase {
        let summary = reply.text();
        let is_useless = match reply.stop {
            Stop::ContextFull => {
                self.record(wasted(reply), out);
                return self.sum_up_less(compacting, out);
            }
            Stop::Refusal => true,
            Stop::EndTurn | Stop::ToolUse | Stop::MaxTokens | Stop::Pause | Stop::Other(_) => {
                summary.trim().is_empty()
            }
        };
        if is_useless {
            self.record(wasted(reply), out);
            return self.useless(compacting, out);
        }
        let compacted = Compacted {
            summary,
            state,
            // A byte for each token: a quarter of the context.
            mail_bytes_max: self.limits.context.tokens,
            before: self.conversation.tokens(),
            model: reply.model.clone(),
            usage: reply.usage,
        };
        self.record(Entry::Compacted(compacted), out);
        self.cached = 0;
        self.fruitless += u32::from(compacting.is_needed);
        match compacting.after {
            After::Ask(turn) => self.listen(Then::Ask(turn), out),
            After::Rest => self.settle_down(out),
        }
    }

    /// Asks once more; then gives up.
    fn useless(&mut self, compacting: Compacting, out: &mut Vec<Effect>) -> Phase {
        let useless = compacting.useless + 1;
        if useless < FRUITLESS_MAX {
            let again = Compacting {
                useless,
                ..compacting
            };
            return self.sum_up(again, out);
        }
        let what = NO_SUMMARY.to_owned();
        self.give_up(compacting.after, RestReason::Limit { what }, out)
    }

    pub(super) fn not_summarized(
        &mut self,
        compacting: Compacting,
        failure: &ModelFailure,
        out: &mut Vec<Effect>,
    ) -> Phase {
        match failure.remedy {
            Remedy::Shorten => self.sum_up_less(compacting, out),
            Remedy::Retry { .. } | Remedy::Never => {
                let what = format!("the conversation could not be summed up: {}", failure.what);
                self.give_up(compacting.after, RestReason::Failed { what }, out)
            }
        }
    }

    /// Even what was to be summed up is too long: half of it.
    fn sum_up_less(&mut self, compacting: Compacting, out: &mut Vec<Effect>) -> Phase {
        if compacting.halvings >= HALVINGS_MAX {
            let what = FRUITLESS.to_owned();
            return self.give_up(compacting.after, RestReason::Limit { what }, out);
        }
        let less = Compacting {
            halvings: compacting.halvings + 1,
            ..compacting
        };
        self.sum_up(less, out)
    }

    fn give_up(&mut self, after: After, why: RestReason, out: &mut Vec<Effect>) -> Phase {
        match (after, why) {
            (After::Ask(_), why) => self.rest(why, out),
            (After::Rest, RestReason::Failed { what } | RestReason::Limit { what }) => {
                out.push(Effect::Note(what));
                self.settle_down(out)
            }
            (
                After::Rest,
                RestReason::Done | RestReason::Interrupted | RestReason::Waiting { .. },
            ) => self.settle_down(out),
        }
    }
}

/// An answer that is no summary.
fn wasted(reply: &Reply) -> Entry {
    Entry::Wasted {
        model: reply.model.clone(),
        usage: reply.usage,
    }
}
