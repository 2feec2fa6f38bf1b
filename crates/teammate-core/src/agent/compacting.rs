//! Room in the model's context. Between two rounds, when the context is nearly full: first old outcomes of tools are
//! shortened, and if that frees too little, the model writes a summary that replaces the conversation. Before any call, old
//! pictures and documents leave if there are more than a request may have.
//!
//! Nothing changes before the summary is recorded, so an interrupt, a stop or a crash leaves everything as it was.

use super::{AfterListening, Agent, AgentState, Effect, Turn};
use crate::{
    estimate,
    model::{ModelFailure, Remedy, Reply, StopReason},
    transcript::{Compacted, EndReason, Entry, Shortening},
};

/// The turn ends after so many summaries in a row that free nothing, or answers in a row that are not a summary.
const FAILED_COMPACTIONS_MAX: u32 = 2;

/// How often what is summarized is halved because even that is too long.
const HALVINGS_MAX: u32 = 6;

const STILL_FULL: &str = "the conversation still fills the model's context after two summaries. If the model has a larger context, raise context_tokens; else split the work, or spawn the member again with `fresh`. /compact tries again";
const NO_SUMMARY: &str = "the context is nearly full, and the model returned no usable summary. Say 'continue' to try again, or choose another model";

/// How many tokens a model takes at once, and when that is nearly used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextWindow {
    /// The size of the model's context, in tokens.
    pub tokens: u64,
    /// From so many tokens on room is made.
    pub full_at: u64,
}

impl ContextWindow {
    /// The size of a context unless configured otherwise, in tokens.
    pub const TOKENS: u64 = 200_000;
    /// From so many tokens on room is made unless a context is configured, however much the model takes.
    pub const FULL_AT_MAX: u64 = 240_000;
    /// The part of it at which room is made unless configured otherwise.
    pub const COMPACT_AT: f64 = 0.8;

    /// A context of so many tokens in which room is made when a part `compact_at` of it is used.
    pub fn new(tokens: u64, compact_at: f64) -> Self {
        // Of a sensible share of a sensible number nothing is lost.
        let full_at = (tokens as f64 * compact_at.clamp(0.05, 1.0)) as u64;
        Self { tokens, full_at }
    }
}

impl Default for ContextWindow {
    /// [`TOKENS`](Self::TOKENS), and room at [`COMPACT_AT`](Self::COMPACT_AT).
    fn default() -> Self {
        Self::new(Self::TOKENS, Self::COMPACT_AT)
    }
}

/// Why room is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DueCompaction {
    /// Requested, with the focus of the summary.
    Wanted(Option<String>),
    /// The context is nearly full.
    Full,
    /// The server reported that the context is full.
    Overflow,
    /// The prompt cache is gone: what is shortened now costs nothing, what is not is paid for once more.
    Cold,
}

/// A summary that is being made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompactionRun {
    focus: Option<String>,
    after: AfterCompaction,
    /// Whether it is made for want of room.
    is_needed: bool,
    halvings: u32,
    failed: u32,
}

/// The step after a summary.
#[derive(Debug, Clone, PartialEq)]
enum AfterCompaction {
    /// The turn continues.
    Ask(Turn),
    /// There is no turn.
    Rest,
}

impl Agent {
    /// The server has forgotten what it had cached of the conversation: before the next model call it is shortened, if that is
    /// worth it.
    pub fn mark_cold(&mut self) {
        self.is_cold = true;
    }

    /// The model that is asked from now on takes this much.
    pub fn set_context(&mut self, context: ContextWindow) {
        self.limits.context = context;
    }

    /// The compaction that is due before the model may be asked.
    pub(super) fn compaction_due(&mut self, turn: &mut Turn) -> Option<DueCompaction> {
        let wish = self.wish.take();
        if std::mem::take(&mut turn.is_overflowing) {
            return Some(DueCompaction::Overflow);
        }
        let full =
            (self.conversation.has_answers() && self.is_full()).then_some(DueCompaction::Full);
        let cold = std::mem::take(&mut self.is_cold).then_some(DueCompaction::Cold);
        wish.map(DueCompaction::Wanted).or(full).or(cold)
    }

    pub(super) fn is_full(&self) -> bool {
        self.conversation.tokens() >= self.limits.context.full_at
    }

    /// Stores a request for a summary until the next round ends.
    pub(super) fn request_compaction(&mut self, focus: Option<String>) {
        self.wish.get_or_insert(focus);
    }

    /// Compacts, then continues the turn.
    pub(super) fn compact(
        &mut self,
        due: DueCompaction,
        turn: Turn,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let halvings = match due {
            DueCompaction::Wanted(focus) => {
                return self.start_requested(focus, AfterCompaction::Ask(turn), out);
            }
            DueCompaction::Full | DueCompaction::Overflow if self.shorten(&due, out) => {
                return self.call_model(turn, out);
            }
            DueCompaction::Cold => {
                self.shorten(&due, out);
                return self.call_model(turn, out);
            }
            DueCompaction::Full => 0,
            // The whole has just proved too long.
            DueCompaction::Overflow => 1,
        };
        if self.failed_compactions >= FAILED_COMPACTIONS_MAX {
            let what = STILL_FULL.to_owned();
            return self.end_turn(EndReason::Limit { what }, out);
        }
        let compacting = CompactionRun {
            focus: None,
            after: AfterCompaction::Ask(turn),
            is_needed: true,
            halvings,
            failed: 0,
        };
        self.summarize(compacting, out)
    }

    /// Runs the compaction that was wanted in a turn, when that is over.
    pub(super) fn run_requested(&mut self, out: &mut Vec<Effect>) -> AgentState {
        match self.wish.take() {
            Some(focus) => self.start_requested(focus, AfterCompaction::Rest, out),
            None => AgentState::Idle,
        }
    }

    fn start_requested(
        &mut self,
        focus: Option<String>,
        after: AfterCompaction,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        if !self.conversation.has_answers() {
            out.push(Effect::Note("there is nothing to summarize yet".to_owned()));
            return match after {
                AfterCompaction::Ask(turn) => self.call_model(turn, out),
                AfterCompaction::Rest => AgentState::Idle,
            };
        }
        self.failed_compactions = 0;
        let compacting = CompactionRun {
            focus,
            after,
            is_needed: false,
            halvings: 0,
            failed: 0,
        };
        self.summarize(compacting, out)
    }

    /// Shortens old outcomes if that frees enough to be worth it.
    fn shorten(&mut self, due: &DueCompaction, out: &mut Vec<Effect>) -> bool {
        let Some(plan) = self.conversation.shortening() else {
            return false;
        };
        let (before, full_at) = (self.conversation.tokens(), self.limits.context.full_at);
        let is_enough = match due {
            // Freeing only a little would not last, and each compaction loses the prompt cache.
            DueCompaction::Full => {
                before.saturating_sub(estimate::tokens(plan.bytes)) <= full_at - full_at / 4
            }
            DueCompaction::Overflow | DueCompaction::Cold => {
                plan.bytes >= self.conversation.bytes() / 4
            }
            DueCompaction::Wanted(_) => false,
        };
        if is_enough {
            self.record_shortening(plan, out);
        }
        is_enough
    }

    /// Old pictures and documents leave, if there are more than a request may have.
    pub(super) fn drop_surplus_media(&mut self, out: &mut Vec<Effect>) {
        if let Some(plan) = self.conversation.surplus_media() {
            self.record_shortening(plan, out);
        }
    }

    fn record_shortening(&mut self, plan: Shortening, out: &mut Vec<Effect>) {
        let before = self.conversation.tokens();
        let Shortening { calls, mail, .. } = plan;
        let entry = Entry::Shortened {
            calls,
            mail,
            before,
        };
        self.record(entry, out);
        self.cached = 0;
    }

    fn summarize(&mut self, compacting: CompactionRun, out: &mut Vec<Effect>) -> AgentState {
        let bytes = self.conversation.bytes();
        out.push(Effect::Summarize {
            focus: compacting.focus.clone(),
            bytes_max: (compacting.halvings > 0).then_some(bytes >> compacting.halvings),
            in_turn: matches!(compacting.after, AfterCompaction::Ask(_)),
            is_needed: compacting.is_needed,
        });
        AgentState::Compacting(compacting)
    }

    /// The model was not asked for a summary: a budget is spent.
    pub(super) fn summary_limited(
        &mut self,
        compacting: &CompactionRun,
        what: String,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match compacting.after {
            AfterCompaction::Ask(_) => self.on_out_of_budget(what, out),
            AfterCompaction::Rest => {
                self.give_up(AfterCompaction::Rest, EndReason::Limit { what }, out)
            }
        }
    }

    pub(super) fn summary_interrupted(
        &mut self,
        compacting: &CompactionRun,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        out.push(Effect::CancelModel);
        match compacting.after {
            AfterCompaction::Ask(_) => self.on_interrupt(out),
            AfterCompaction::Rest => self.after_turn(out),
        }
    }

    pub(super) fn summarized(
        &mut self,
        compacting: CompactionRun,
        reply: &Reply,
        state: String,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let summary = reply.text();
        let is_useless = match reply.stop {
            StopReason::ContextFull => {
                self.record(failed_summary_entry(reply), out);
                return self.summarize_excerpt(compacting, out);
            }
            StopReason::Refusal => true,
            StopReason::EndTurn
            | StopReason::ToolUse
            | StopReason::MaxTokens
            | StopReason::Pause
            | StopReason::Other(_) => summary.trim().is_empty(),
        };
        if is_useless {
            self.record(failed_summary_entry(reply), out);
            return self.summary_failed(compacting, out);
        }
        let compacted = Compacted {
            summary,
            recap: state,
            // A byte for each token: a quarter of the context.
            mail_bytes_max: self.limits.context.tokens,
            before: self.conversation.tokens(),
            model: reply.model.clone(),
            usage: reply.usage,
        };
        self.record(Entry::Compacted(compacted), out);
        self.cached = 0;
        self.failed_compactions += u32::from(compacting.is_needed);
        match compacting.after {
            AfterCompaction::Ask(turn) => self.listen(AfterListening::CallModel(turn), out),
            AfterCompaction::Rest => self.after_turn(out),
        }
    }

    /// Asks once more; then gives up.
    fn summary_failed(&mut self, compacting: CompactionRun, out: &mut Vec<Effect>) -> AgentState {
        let useless = compacting.failed + 1;
        if useless < FAILED_COMPACTIONS_MAX {
            let again = CompactionRun {
                failed: useless,
                ..compacting
            };
            return self.summarize(again, out);
        }
        let what = NO_SUMMARY.to_owned();
        self.give_up(compacting.after, EndReason::Limit { what }, out)
    }

    pub(super) fn not_summarized(
        &mut self,
        compacting: CompactionRun,
        failure: &ModelFailure,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match failure.remedy {
            Remedy::Shorten => self.summarize_excerpt(compacting, out),
            Remedy::Retry { .. } | Remedy::SlowDown { .. } | Remedy::Never => {
                let what = format!("the conversation could not be summarized: {}", failure.what);
                self.give_up(compacting.after, EndReason::Failed { what }, out)
            }
        }
    }

    /// Even what was to be summarized is too long: half of it.
    fn summarize_excerpt(
        &mut self,
        compacting: CompactionRun,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        if compacting.halvings >= HALVINGS_MAX {
            let what = STILL_FULL.to_owned();
            return self.give_up(compacting.after, EndReason::Limit { what }, out);
        }
        let less = CompactionRun {
            halvings: compacting.halvings + 1,
            ..compacting
        };
        self.summarize(less, out)
    }

    fn give_up(
        &mut self,
        after: AfterCompaction,
        why: EndReason,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match (after, why) {
            (AfterCompaction::Ask(_), why) => self.end_turn(why, out),
            (AfterCompaction::Rest, EndReason::Failed { what } | EndReason::Limit { what }) => {
                out.push(Effect::Note(what));
                self.after_turn(out)
            }
            (
                AfterCompaction::Rest,
                EndReason::Done | EndReason::Interrupted | EndReason::Waiting { .. },
            ) => self.after_turn(out),
        }
    }
}

/// An answer that is not a summary.
fn failed_summary_entry(reply: &Reply) -> Entry {
    Entry::SummaryFailed {
        model: reply.model.clone(),
        usage: reply.usage,
    }
}
