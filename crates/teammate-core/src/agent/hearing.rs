//! Mail: asked for before every model call, heard once, and only in the life it was meant for. And what a member may begin by
//! itself when it has nothing left to do.

use std::collections::HashSet;

use super::{Agent, Effect, Leave, Phase, Then, Turn};
use crate::{
    Message,
    transcript::{Entry, RestReason},
};

const GO_ON: &str = "The user interrupted you only to leave the program. Go on with what you were doing; look first at what interrupted \
                     calls have done.";

impl Agent {
    pub(super) fn listen(&mut self, then: Then, out: &mut Vec<Effect>) -> Phase {
        self.rang = false;
        out.push(Effect::Listen);
        Phase::Listening(then)
    }

    /// The person ended the turn. Mail that came in it is heard, but begins no other.
    pub(super) fn interrupted(&mut self, out: &mut Vec<Effect>) -> Phase {
        if self.rang {
            self.listen(Then::Yield, out)
        } else {
            self.rest(RestReason::Interrupted, out)
        }
    }

    /// The turn that the person ended is unfinished again, and goes on.
    pub(super) fn take_back(&mut self, out: &mut Vec<Effect>) -> Phase {
        let idle = self.leave(Phase::Idle, Leave::Pause);
        if !self.is_interrupted {
            return idle;
        }
        self.record(Entry::Prompted(GO_ON.to_owned()), out);
        self.listen(Then::Ask(Turn::default()), out)
    }

    pub(super) fn hear(&mut self, then: Then, mail: Vec<Message>, out: &mut Vec<Effect>) -> Phase {
        let mut news: Vec<Message> = Vec::new();
        // A set: mail may come by the hundred thousand.
        let mut ids = HashSet::new();
        for message in mail {
            let is_known = self.conversation.has_heard(&message.id) || ids.contains(&message.id);
            match message.to_incarnation {
                _ if is_known => {}
                Some(life) if life != self.incarnation => out.push(Effect::Note(format!(
                    "mail {} from {} was meant for incarnation {life} and is dropped",
                    message.id, message.from
                ))),
                Some(_) | None => {
                    ids.insert(message.id.clone());
                    news.push(message);
                }
            }
        }
        let is_spoken_to = news.iter().any(Message::wants_answer);
        if !news.is_empty() {
            self.record(Entry::Heard(news), out);
        }
        out.push(Effect::Settle);
        match then {
            Then::Ask(mut turn) if is_spoken_to => {
                turn.repeats.clear();
                // It may be what the member would wait for.
                turn.pause = None;
                self.ask(turn, out)
            }
            Then::Ask(mut turn) => match turn.pause.take() {
                Some(what) => self.rest(RestReason::Waiting { what }, out),
                None => self.ask(turn, out),
            },
            Then::Rest if is_spoken_to => self.ask(Turn::default(), out),
            // Nothing is begun any more.
            Then::Rest if self.leaving.is_some() => Phase::Idle,
            Then::Rest if self.rang => self.listen(Then::Rest, out),
            Then::Rest => {
                out.push(Effect::Seek);
                Phase::Seeking
            }
            Then::Yield => self.rest(RestReason::Interrupted, out),
        }
    }

    /// Something that the member may begin by itself, heard like mail; or nothing, and it rests.
    pub(super) fn found(&mut self, work: Option<Message>, out: &mut Vec<Effect>) -> Phase {
        match work {
            Some(work) if !self.conversation.has_heard(&work.id) => {
                self.record(Entry::Heard(vec![work]), out);
                self.listen(Then::Ask(Turn::default()), out)
            }
            Some(_) | None => self.settle_down(out),
        }
    }
}
