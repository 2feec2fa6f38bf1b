//! Mail: taken before every model call, heard once, and only by the incarnation it is for. And what a member may
//! begin by itself when it has nothing left to do.

use std::collections::HashSet;

use super::{AfterListening, Agent, AgentState, Effect, Leave, Turn, round::in_parts};
use crate::{
    Message,
    transcript::{EndReason, Entry},
};

const GO_ON: &str = "The user interrupted you only to leave the program. Continue what you were doing; first check what interrupted calls have done.";

impl Agent {
    pub(super) fn listen(&mut self, then: AfterListening, out: &mut Vec<Effect>) -> AgentState {
        self.rang = false;
        out.push(Effect::TakeMail);
        AgentState::Listening(then)
    }

    /// The user ended the turn. Mail that came in it is heard, but begins no other.
    pub(super) fn on_interrupt(&mut self, out: &mut Vec<Effect>) -> AgentState {
        if self.rang {
            self.listen(AfterListening::StayIdle, out)
        } else {
            self.end_turn(EndReason::Interrupted, out)
        }
    }

    /// The turn that the user interrupted is unfinished again and continues.
    pub(super) fn take_back(&mut self, out: &mut Vec<Effect>) -> AgentState {
        let idle = self.leave(AgentState::Idle, Leave::Pause);
        if !self.is_interrupted {
            return idle;
        }
        self.record(Entry::Prompted(GO_ON.to_owned()), out);
        self.listen(AfterListening::CallModel(Turn::default()), out)
    }

    pub(super) fn hear(
        &mut self,
        then: AfterListening,
        mail: Vec<Message>,
        out: &mut Vec<Effect>,
    ) -> AgentState {
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
        let is_spoken_to = news.iter().any(Message::wakes);
        let bytes = |message: &Message| message.metadata.attachments.base64_bytes();
        for part in in_parts(news, bytes) {
            self.record(Entry::Heard(part), out);
        }
        out.push(Effect::AckMail);
        match then {
            AfterListening::CallModel(mut turn) if is_spoken_to => {
                turn.repeats.clear();
                // It may be what the member would wait for.
                turn.pause = None;
                self.next_round(turn, out)
            }
            AfterListening::CallModel(mut turn) => match turn.pause.take() {
                Some(what) => self.end_turn(EndReason::Waiting { what }, out),
                None => self.next_round(turn, out),
            },
            AfterListening::EndTurn if is_spoken_to => self.next_round(Turn::default(), out),
            // The member is stopping; it begins nothing new.
            AfterListening::EndTurn if self.leaving.is_some() => AgentState::Idle,
            AfterListening::EndTurn if self.rang => self.listen(AfterListening::EndTurn, out),
            AfterListening::EndTurn => {
                out.push(Effect::FindTask);
                AgentState::FindingTask
            }
            AfterListening::StayIdle => self.end_turn(EndReason::Interrupted, out),
        }
    }

    /// Something that the member may begin by itself, heard like mail; or nothing, and it is idle.
    pub(super) fn on_task_found(
        &mut self,
        work: Option<Message>,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match work {
            Some(work) if !self.conversation.has_heard(&work.id) => {
                self.record(Entry::Heard(vec![work]), out);
                self.listen(AfterListening::CallModel(Turn::default()), out)
            }
            Some(_) | None => self.after_turn(out),
        }
    }
}
