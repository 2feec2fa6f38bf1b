//! How a loop begins: a new life with an assignment, or an old one that a stop or a crash left somewhere.

use std::collections::HashSet;

use super::{Agent, Effect, Phase, Resting, Then, Turn, Unfinished, acting};
use crate::{
    Message,
    tool::{CallId, EffectClass, Outcome, ToolCall},
    transcript::{Entry, Standing, lapsed},
};

impl Agent {
    pub(super) fn begin(
        &mut self,
        assignment: Option<(Message, bool)>,
        unfinished: &Unfinished,
        out: &mut Vec<Effect>,
    ) -> Phase {
        let standing = self.conversation.standing();
        if let Some((message, fresh)) = assignment
            && !self.conversation.has_heard(&message.id)
        {
            if let Standing::Calls(calls) = standing {
                let cut = calls
                    .into_iter()
                    .map(|call| (call.id, interrupted()))
                    .collect();
                self.close(cut, out);
            }
            if fresh {
                self.record(Entry::Fresh, out);
            }
            self.record(Entry::Heard(vec![message]), out);
            return self.listen(Then::Ask(Turn::default()), out);
        }
        match standing {
            Standing::Rest => self.listen(Then::Rest, out),
            Standing::Finished { turn, text } => {
                // Said again in case a crash came before anybody heard; the same turn ends only once.
                out.push(Effect::Rest(Resting::Done { turn, result: text }));
                self.listen(Then::Rest, out)
            }
            Standing::Ask => self.listen(Then::Ask(Turn::default()), out),
            Standing::Calls(calls) => self.take_up(calls, unfinished, out),
        }
    }

    /// Goes on with calls that a crash or a stop left open. Only what can be repeated without harm runs again, and what
    /// had not begun.
    fn take_up(
        &mut self,
        calls: Vec<ToolCall>,
        unfinished: &Unfinished,
        out: &mut Vec<Effect>,
    ) -> Phase {
        let untouched = match unfinished {
            Unfinished::TakeUp { untouched } => untouched.iter().collect::<HashSet<&CallId>>(),
            Unfinished::Lapse => {
                self.close(lapsed(calls), out);
                return self.run_calls(Turn::default(), Vec::new(), out);
            }
            Unfinished::Decline => {
                self.close(acting::declined(calls), out);
                return self.run_calls(Turn::default(), Vec::new(), out);
            }
        };
        let (again, cut): (Vec<_>, Vec<_>) =
            calls
                .into_iter()
                .partition(|call| match self.classes.get(&call.name) {
                    Some(_) if untouched.contains(&call.id) => true,
                    Some(EffectClass::Reads | EffectClass::Team) => true,
                    Some(
                        EffectClass::Writes
                        | EffectClass::Executes
                        | EffectClass::Calls
                        | EffectClass::Delegates,
                    )
                    | None => false,
                });
        self.close(
            cut.into_iter()
                .map(|call| (call.id, interrupted()))
                .collect(),
            out,
        );
        self.run_calls(Turn::default(), again, out)
    }
}

fn interrupted() -> Outcome {
    Outcome::error(
        "Interrupted: the program stopped before this call had an outcome. It may have done all, part or none of \
         its work; look before you do it again.",
    )
}
