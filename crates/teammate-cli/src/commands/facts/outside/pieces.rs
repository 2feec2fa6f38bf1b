//! Pieces of answers from the wire of servers, in their place between the events of the log: both come by their own way, and a piece
//! may be there before its answer has begun, or after it has ended.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use teammate::{Event, EventKind, MemberName, Timestamp};

/// So many pieces wait for the beginning of their answer; the whole answer comes with its end in any case.
const WAITING_MAX: usize = 1_000;

/// Where each member's answer stands, as far as the log has told.
#[derive(Default)]
pub(super) struct PieceOrder(BTreeMap<MemberName, Answer>);

#[derive(Default)]
struct Answer {
    /// Since when it comes in; nothing between two of them.
    asked: Option<Timestamp>,
    /// When the last one had ended.
    ended: Option<Timestamp>,
    waiting: VecDeque<Arc<Event>>,
}

impl PieceOrder {
    /// Takes an event of the log; returns the pieces that come after it.
    pub(super) fn take(&mut self, event: &Event) -> Vec<Arc<Event>> {
        match &event.what {
            EventKind::ModelAsked { .. } => {
                let answer = self.0.entry(event.member.clone()).or_default();
                answer.asked = Some(event.at);
                let waiting = std::mem::take(&mut answer.waiting).into_iter();
                waiting.filter(|piece| piece.at >= event.at).collect()
            }
            EventKind::ModelAnswered { .. }
            | EventKind::TurnEnded { .. }
            | EventKind::Terminated { .. } => {
                let answer = self.0.entry(event.member.clone()).or_default();
                answer.asked = None;
                answer.ended = Some(event.at);
                answer.waiting.retain(|piece| piece.at > event.at);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Takes a piece; returns it if this is its place. One whose answer has ended is dropped.
    pub(super) fn piece(&mut self, piece: Arc<Event>) -> Option<Arc<Event>> {
        if let EventKind::ToolProgress { .. } = piece.what {
            return Some(piece);
        }
        let answer = self.0.entry(piece.member.clone()).or_default();
        match (answer.asked, answer.ended) {
            (Some(asked), _) if piece.at >= asked => return Some(piece),
            (Some(_), _) => return None,
            (None, Some(ended)) if piece.at <= ended => return None,
            (None, Some(_) | None) => {}
        }
        answer.waiting.push_back(piece);
        if answer.waiting.len() > WAITING_MAX {
            answer.waiting.pop_front();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn event(at: u64, mut what: Value) -> Event {
        what["at"] = at.into();
        what["member"] = "alice".into();
        serde_json::from_value(what).unwrap()
    }

    fn asked(at: u64) -> Event {
        event(
            at,
            json!({ "event": "asked", "round": 1, "model": "openai:m" }),
        )
    }

    fn answered(at: u64) -> Event {
        event(
            at,
            json!({ "event": "answered", "text": "hello", "stop": "end_turn",
                "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0 } }),
        )
    }

    fn piece(at: u64) -> Arc<Event> {
        Arc::new(event(at, json!({ "event": "text", "delta": "hel" })))
    }

    #[test]
    fn pieces_come_between_the_beginning_and_the_end_of_their_answer() {
        let mut order = PieceOrder::default();
        // It is faster than the log.
        assert_eq!(order.piece(piece(11)), None);
        assert_eq!(order.take(&asked(10)), [piece(11)]);
        assert_eq!(order.piece(piece(12)), Some(piece(12)));
        assert!(order.take(&answered(13)).is_empty());
        // It is slower.
        assert_eq!(order.piece(piece(13)), None);
        assert!(order.take(&asked(20)).is_empty());
        assert_eq!(order.piece(piece(12)), None);
        assert_eq!(order.piece(piece(20)), Some(piece(20)));
    }

    #[test]
    fn who_is_not_heard_for_long_costs_bounded_memory() {
        let mut order = PieceOrder::default();
        for at in 0..WAITING_MAX as u64 + 5 {
            assert_eq!(order.piece(piece(at)), None);
        }
        assert_eq!(order.take(&asked(0)).len(), WAITING_MAX);
    }
}
