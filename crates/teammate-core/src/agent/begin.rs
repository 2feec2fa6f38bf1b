//! How a loop begins: a new incarnation with an assignment, or an old one that a stop or a crash left somewhere.

use std::collections::HashSet;

use super::{
    AfterListening, Agent, AgentState, Effect, Memory, SpawnPrompt, Turn, TurnEnd, Unfinished,
    call_batch,
};
use crate::{
    tool::{CallId, EffectClass, Outcome, ToolCall},
    transcript::{Entry, ResumePoint, lapsed},
};

impl Agent {
    pub(super) fn begin(
        &mut self,
        assignment: Option<SpawnPrompt>,
        unfinished: &Unfinished,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let standing = self.conversation.resume_point();
        if let Some(SpawnPrompt { message, memory }) = assignment
            && !self.conversation.has_heard(&message.id)
        {
            if let ResumePoint::OpenCalls(calls) = standing {
                let cut = calls
                    .into_iter()
                    .map(|call| (call.id, interrupted_outcome()))
                    .collect();
                self.record_outcomes(cut, out);
            }
            if memory == Memory::Reset {
                self.record(Entry::MemoryReset, out);
            }
            self.record(Entry::Heard(vec![message]), out);
            return self.listen(AfterListening::CallModel(Turn::default()), out);
        }
        match standing {
            ResumePoint::Idle => self.listen(AfterListening::EndTurn, out),
            ResumePoint::Finished { turn, text } => {
                // Sent again, because a crash may have come before the first notice; a turn ends only once.
                out.push(Effect::EndTurn(TurnEnd::Done { turn, result: text }));
                self.listen(AfterListening::EndTurn, out)
            }
            ResumePoint::CallModel => self.listen(AfterListening::CallModel(Turn::default()), out),
            ResumePoint::OpenCalls(calls) => self.resume_from(calls, unfinished, out),
        }
    }

    /// Continues with calls that a crash or a stop left open. Only what can be repeated without harm runs again,
    /// and what had not begun.
    fn resume_from(
        &mut self,
        calls: Vec<ToolCall>,
        unfinished: &Unfinished,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        // What came before this process began rings no more, and calls may be all that there is of this turn.
        self.rang = true;
        let untouched = match unfinished {
            Unfinished::TakeUp { untouched } => untouched.iter().collect::<HashSet<&CallId>>(),
            Unfinished::Lapse => {
                self.record_outcomes(lapsed(calls), out);
                return self.run_calls(Turn::default(), Vec::new(), out);
            }
            Unfinished::Decline => {
                self.record_outcomes(call_batch::declined(calls), out);
                return self.run_calls(Turn::default(), Vec::new(), out);
            }
        };
        let (again, cut): (Vec<_>, Vec<_>) = calls.into_iter().partition(|call| {
            let tool = self.tool_classes.meant(&call.name).unwrap_or(&call.name);
            match self.tool_classes.get(tool) {
                Some(_) if untouched.contains(&call.id) => true,
                Some(EffectClass::Reads | EffectClass::Team) => true,
                Some(
                    EffectClass::Writes
                    | EffectClass::Executes
                    | EffectClass::Calls
                    | EffectClass::Delegates,
                )
                | None => false,
            }
        });
        self.record_outcomes(
            cut.into_iter()
                .map(|call| (call.id, interrupted_outcome()))
                .collect(),
            out,
        );
        self.run_calls(Turn::default(), again, out)
    }
}

fn interrupted_outcome() -> Outcome {
    Outcome::error(
        "Interrupted: the program stopped before this call had an outcome. It may have done all, part or none of its work; check before you repeat it.",
    )
}
