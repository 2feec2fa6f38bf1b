//! The states of an agent, and what each input means in each of them.

use super::{AfterListening, Agent, AgentState, Effect, Input, Leave};
use crate::tool::Outcome;

impl Agent {
    /// The table: first what belongs to one phase, then what is alike in all others. Every input is named, so that a new one
    /// must be thought about.
    pub(super) fn next(
        &mut self,
        phase: AgentState,
        input: Input,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match (phase, input) {
            (AgentState::Exited, _) => AgentState::Exited,

            (
                AgentState::Idle,
                Input::Begin {
                    assignment,
                    unfinished,
                },
            ) => self.begin(assignment, &unfinished, out),
            (AgentState::Idle, Input::Rang) => self.listen(AfterListening::EndTurn, out),
            (AgentState::Idle, Input::Compact { focus }) => {
                self.request_compaction(focus);
                self.after_turn(out)
            }
            (AgentState::Idle, Input::TakeBack) => self.take_back(out),
            (AgentState::Idle, Input::Interrupt) => {
                // What an earlier one ended stays ended.
                self.is_interrupted = false;
                AgentState::Idle
            }

            (AgentState::Listening(then), Input::Heard(mail)) => self.hear(then, mail, out),
            (AgentState::Listening(_), Input::Interrupt) => {
                AgentState::Listening(AfterListening::StayIdle)
            }

            (AgentState::FindingTask, Input::TaskFound(work)) => self.on_task_found(work, out),
            // What is found after that is kept for the next time.
            (AgentState::FindingTask, Input::Interrupt) if !self.rang => AgentState::Idle,
            (AgentState::FindingTask, Input::Interrupt) => {
                self.listen(AfterListening::EndTurn, out)
            }

            (AgentState::CallingModel(turn), Input::Answered(reply)) => {
                self.on_reply(turn, reply, out)
            }
            (AgentState::CallingModel(turn), Input::ModelFailed(failure)) => {
                self.model_failed(turn, &failure, out)
            }
            (AgentState::CallingModel(_), Input::OutOfBudget(what)) => {
                self.on_out_of_budget(what, out)
            }
            (AgentState::CallingModel(_), Input::Interrupt) => {
                out.push(Effect::CancelModel);
                self.on_interrupt(out)
            }

            (AgentState::RunningTools(mut acting), Input::ToolDone(id, outcome)) => {
                if !acting.finish(&id, outcome) {
                    note_late_input(&Input::ToolDone(id, Outcome::ok("")), out);
                }
                self.run_tools(acting, out)
            }
            (AgentState::RunningTools(mut acting), Input::Pause(what)) => {
                acting.turn.pause = Some(what);
                AgentState::RunningTools(acting)
            }
            (AgentState::RunningTools(acting), Input::Interrupt) => {
                out.push(Effect::CancelTools);
                let why = "interrupted by the user; it may have done part of its work";
                self.record_outcomes(acting.abandon(why), out);
                self.on_interrupt(out)
            }

            (AgentState::Ending(ending), Input::MayEnd(held)) => self.on_may_end(ending, held, out),
            (AgentState::Ending(ending), Input::Interrupt) => {
                out.push(Effect::CancelAskToEnd);
                self.end_done(ending, AfterListening::StayIdle, out)
            }
            (AgentState::Ending(ending), Input::Stop) => {
                out.push(Effect::CancelAskToEnd);
                out.push(Effect::EndTurn(ending.done()));
                exit(out)
            }

            (AgentState::Compacting(compacting), Input::Summarized(reply, state)) => {
                self.summarized(compacting, &reply, state, out)
            }
            (AgentState::Compacting(compacting), Input::ModelFailed(failure)) => {
                self.not_summarized(compacting, &failure, out)
            }
            (AgentState::Compacting(compacting), Input::OutOfBudget(what)) => {
                self.summary_limited(&compacting, what, out)
            }
            (AgentState::Compacting(compacting), Input::Interrupt) => {
                self.summary_interrupted(&compacting, out)
            }
            // It is being done.
            (phase @ AgentState::Compacting(_), Input::Compact { .. }) => phase,

            (phase, Input::Rang) => {
                self.rang = true;
                phase
            }
            (phase, Input::Compact { focus }) => {
                self.request_compaction(focus);
                phase
            }
            (phase, Input::TakeBack) => self.leave(phase, Leave::Pause),
            (phase, Input::Leave(why)) => self.leave(phase, why),
            (phase, Input::Stop) => {
                out.extend(cancelled(&phase));
                exit(out)
            }
            (
                phase,
                late @ (Input::Begin { .. }
                | Input::Heard(_)
                | Input::TaskFound(_)
                | Input::Answered(_)
                | Input::Summarized(..)
                | Input::ModelFailed(_)
                | Input::OutOfBudget(_)
                | Input::ToolDone(..)
                | Input::MayEnd(_)
                | Input::Pause(_)),
            ) => {
                note_late_input(&late, out);
                phase
            }
        }
    }

    /// Ends the loop at the next moment for it, which for an idle member is now.
    pub(super) fn leave(&mut self, phase: AgentState, why: Leave) -> AgentState {
        self.leaving = self.leaving.max(Some(why));
        phase
    }
}

/// The effect that drops what runs in a phase. Calls without an outcome stay open: the next opening of the transcript adds
/// one.
fn cancelled(phase: &AgentState) -> Option<Effect> {
    match phase {
        AgentState::CallingModel(_) | AgentState::Compacting(_) => Some(Effect::CancelModel),
        AgentState::RunningTools(_) => Some(Effect::CancelTools),
        AgentState::Idle
        | AgentState::Listening(_)
        | AgentState::FindingTask
        // Its answer is there: it has ended before.
        | AgentState::Ending(_)
        | AgentState::Exited => None,
    }
}

pub(super) fn exit(out: &mut Vec<Effect>) -> AgentState {
    out.push(Effect::Exit);
    AgentState::Exited
}

fn note_late_input(input: &Input, out: &mut Vec<Effect>) {
    out.push(Effect::Note(format!(
        "ignored, it came too late: {}",
        input.name()
    )));
}
