//! What each input means in each phase.

use super::{Agent, Effect, Input, Leave, Phase, Then};
use crate::tool::Outcome;

impl Agent {
    /// The table: first what belongs to one phase, then what is alike in all others. Every input is named, so that a new one
    /// must be thought about.
    pub(super) fn next(&mut self, phase: Phase, input: Input, out: &mut Vec<Effect>) -> Phase {
        match (phase, input) {
            (Phase::Retired, _) => Phase::Retired,

            (
                Phase::Idle,
                Input::Begin {
                    assignment,
                    unfinished,
                },
            ) => self.begin(assignment, &unfinished, out),
            (Phase::Idle, Input::Rang) => self.listen(Then::Rest, out),
            (Phase::Idle, Input::Compact { focus }) => {
                self.want(focus);
                self.settle_down(out)
            }
            (Phase::Idle, Input::TakeBack) => self.take_back(out),
            (Phase::Idle, Input::Interrupt) => {
                // What an earlier one ended stays ended.
                self.is_interrupted = false;
                Phase::Idle
            }

            (Phase::Listening(then), Input::Heard(mail)) => self.hear(then, mail, out),
            (Phase::Listening(_), Input::Interrupt) => Phase::Listening(Then::Yield),

            (Phase::Seeking, Input::Found(work)) => self.found(work, out),
            // What is found after that is kept for the next time.
            (Phase::Seeking, Input::Interrupt) => Phase::Idle,

            (Phase::Thinking(turn), Input::Answered(reply)) => self.answered(turn, reply, out),
            (Phase::Thinking(turn), Input::ModelFailed(failure)) => {
                self.model_failed(turn, &failure, out)
            }
            (Phase::Thinking(_), Input::Limited(what)) => self.limited(what, out),
            (Phase::Thinking(_), Input::Interrupt) => {
                out.push(Effect::CancelModel);
                self.interrupted(out)
            }

            (Phase::Acting(mut acting), Input::ToolDone(id, outcome)) => {
                if !acting.finish(&id, outcome) {
                    stray(&Input::ToolDone(id, Outcome::ok("")), out);
                }
                self.act(acting, out)
            }
            (Phase::Acting(mut acting), Input::Pause(what)) => {
                acting.turn.pause = Some(what);
                Phase::Acting(acting)
            }
            (Phase::Acting(acting), Input::Interrupt) => {
                out.push(Effect::CancelTools);
                let why = "interrupted by the user; it may have done part of its work";
                self.close(acting.abandon(why), out);
                self.interrupted(out)
            }

            (Phase::Compacting(compacting), Input::Summarized(reply, state)) => {
                self.summarized(compacting, &reply, state, out)
            }
            (Phase::Compacting(compacting), Input::ModelFailed(failure)) => {
                self.not_summarized(compacting, &failure, out)
            }
            (Phase::Compacting(compacting), Input::Limited(what)) => {
                self.summary_limited(&compacting, what, out)
            }
            (Phase::Compacting(compacting), Input::Interrupt) => {
                self.summary_interrupted(&compacting, out)
            }
            // It is being done.
            (phase @ Phase::Compacting(_), Input::Compact { .. }) => phase,

            (phase, Input::Rang) => {
                self.rang = true;
                phase
            }
            (phase, Input::Compact { focus }) => {
                self.want(focus);
                phase
            }
            (phase, Input::TakeBack) => self.leave(phase, Leave::Pause),
            (phase, Input::Leave(why)) => self.leave(phase, why),
            (phase, Input::Stop) => {
                out.extend(cancelled(&phase));
                retire(out)
            }
            (
                phase,
                late @ (Input::Begin { .. }
                | Input::Heard(_)
                | Input::Found(_)
                | Input::Answered(_)
                | Input::Summarized(..)
                | Input::ModelFailed(_)
                | Input::Limited(_)
                | Input::ToolDone(..)
                | Input::Pause(_)),
            ) => {
                stray(&late, out);
                phase
            }
        }
    }

    /// Ends the loop at the next moment for it, which for an idle member is now.
    pub(super) fn leave(&mut self, phase: Phase, why: Leave) -> Phase {
        self.leaving = self.leaving.max(Some(why));
        phase
    }
}

/// What runs in a phase is dropped. Calls without an outcome stay open: the next opening of the transcript tells the model.
fn cancelled(phase: &Phase) -> Option<Effect> {
    match phase {
        Phase::Thinking(_) | Phase::Compacting(_) => Some(Effect::CancelModel),
        Phase::Acting(_) => Some(Effect::CancelTools),
        Phase::Idle | Phase::Listening(_) | Phase::Seeking | Phase::Retired => None,
    }
}

pub(super) fn retire(out: &mut Vec<Effect>) -> Phase {
    out.push(Effect::Retire);
    Phase::Retired
}

fn stray(input: &Input, out: &mut Vec<Effect>) {
    out.push(Effect::Note(format!(
        "ignored, it came too late: {}",
        input.word()
    )));
}
