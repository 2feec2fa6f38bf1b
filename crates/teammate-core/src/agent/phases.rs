//! One function per phase: what each input means there. Every phase names every input, so that a new one must be
//! thought about everywhere.

use super::{Agent, Effect, Input, Phase, Then, acting::Acting};
use crate::tool::Outcome;

impl Agent {
    pub(super) fn idle(&mut self, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Begin {
                assignment,
                unfinished,
            } => self.begin(assignment, &unfinished, out),
            Input::Rang => self.listen(Then::Rest, out),
            Input::Stop => retire(out),
            Input::Interrupt => {
                // What an earlier one ended stays ended.
                self.is_interrupted = false;
                Phase::Idle
            }
            Input::TakeBack => self.take_back(out),
            Input::Compact { focus } => {
                self.want(focus);
                self.settle_down(out)
            }
            Input::Heard(_)
            | Input::Found(_)
            | Input::Answered(_)
            | Input::Summarized(..)
            | Input::ModelFailed(_)
            | Input::Limited(_)
            | Input::ToolDone(..)
            | Input::Pause(_) => {
                stray(&input, out);
                Phase::Idle
            }
        }
    }

    pub(super) fn seeking(&mut self, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Found(work) => self.found(work, out),
            Input::Rang => {
                self.rang = true;
                Phase::Seeking
            }
            Input::Compact { focus } => {
                self.want(focus);
                Phase::Seeking
            }
            // What is found after that is kept for the next time.
            Input::Interrupt => Phase::Idle,
            Input::TakeBack => Phase::Seeking,
            Input::Stop => retire(out),
            Input::Begin { .. }
            | Input::Heard(_)
            | Input::Answered(_)
            | Input::Summarized(..)
            | Input::ModelFailed(_)
            | Input::Limited(_)
            | Input::ToolDone(..)
            | Input::Pause(_) => {
                stray(&input, out);
                Phase::Seeking
            }
        }
    }

    pub(super) fn listening(&mut self, then: Then, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Heard(mail) => self.hear(then, mail, out),
            Input::Rang => {
                self.rang = true;
                Phase::Listening(then)
            }
            Input::Compact { focus } => {
                self.want(focus);
                Phase::Listening(then)
            }
            Input::Interrupt => Phase::Listening(Then::Yield),
            Input::TakeBack => Phase::Listening(then),
            Input::Stop => retire(out),
            Input::Begin { .. }
            | Input::Found(_)
            | Input::Answered(_)
            | Input::Summarized(..)
            | Input::ModelFailed(_)
            | Input::Limited(_)
            | Input::ToolDone(..)
            | Input::Pause(_) => {
                stray(&input, out);
                Phase::Listening(then)
            }
        }
    }

    pub(super) fn thinking(&mut self, input: Input, out: &mut Vec<Effect>) -> Phase {
        match input {
            Input::Answered(reply) => self.answered(reply, out),
            Input::ModelFailed(failure) => self.model_failed(&failure, out),
            Input::Limited(what) => self.limited(what, out),
            Input::Rang => {
                self.rang = true;
                Phase::Thinking
            }
            Input::Compact { focus } => {
                self.want(focus);
                Phase::Thinking
            }
            Input::Interrupt => {
                out.push(Effect::CancelModel);
                self.interrupted(out)
            }
            Input::TakeBack => Phase::Thinking,
            Input::Stop => {
                out.push(Effect::CancelModel);
                retire(out)
            }
            Input::Begin { .. }
            | Input::Heard(_)
            | Input::Found(_)
            | Input::Summarized(..)
            | Input::ToolDone(..)
            | Input::Pause(_) => {
                stray(&input, out);
                Phase::Thinking
            }
        }
    }

    pub(super) fn acting(
        &mut self,
        mut acting: Acting,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> Phase {
        match input {
            Input::ToolDone(id, outcome) => {
                if !acting.finish(&id, outcome) {
                    stray(&Input::ToolDone(id, Outcome::ok("")), out);
                }
                self.act(acting, out)
            }
            Input::Rang => {
                self.rang = true;
                Phase::Acting(acting)
            }
            Input::Compact { focus } => {
                self.want(focus);
                Phase::Acting(acting)
            }
            Input::Pause(what) => {
                self.pause = Some(what);
                Phase::Acting(acting)
            }
            Input::Interrupt => {
                out.push(Effect::CancelTools);
                self.close(
                    acting.abandon("interrupted by the user; it may have done part of its work"),
                    out,
                );
                self.interrupted(out)
            }
            Input::TakeBack => Phase::Acting(acting),
            Input::Stop => {
                // Calls without an outcome stay open: the next opening of the transcript tells the model.
                out.push(Effect::CancelTools);
                retire(out)
            }
            Input::Begin { .. }
            | Input::Heard(_)
            | Input::Found(_)
            | Input::Answered(_)
            | Input::Summarized(..)
            | Input::ModelFailed(_)
            | Input::Limited(_) => {
                stray(&input, out);
                Phase::Acting(acting)
            }
        }
    }
}

pub(super) fn retire(out: &mut Vec<Effect>) -> Phase {
    out.push(Effect::Retire);
    Phase::Retired
}

pub(super) fn stray(input: &Input, out: &mut Vec<Effect>) {
    out.push(Effect::Note(format!(
        "ignored, it came too late: {}",
        input.word()
    )));
}
