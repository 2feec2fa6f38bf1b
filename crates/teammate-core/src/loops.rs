//! Loops of several members, and how they are noticed: mail that only leads to mail ([`Hops`], which the harness counts; no sender
//! can choose the number), and spawns without end ([`Pace`]). A loop of one member, the same call repeatedly, is the
//! [`agent`](crate::agent)'s own affair.

use std::collections::{BTreeSet, VecDeque};

use crate::{Message, MessageKind, Sender, Timestamp, cause::Cause};

/// A member's place in a chain of messages: what has led to its turn, and whether it did anything in it but talk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hops {
    /// Of the mail that was heard in this turn, the highest number; 0 once something was done.
    heard: u32,
    /// Calls of tools that may be work.
    called: BTreeSet<Cause>,
}

impl Hops {
    /// Mail was heard. Mail from the user and assignments begin a new chain.
    pub fn hear(&mut self, mail: &[Message]) {
        for message in mail.iter().filter(|message| message.wakes()) {
            match (&message.from, message.kind) {
                (Sender::User, _) | (_, MessageKind::TaskAssignment) => self.heard = 0,
                (Sender::Member(_), _) => {
                    self.heard = self.heard.max(message.metadata.hops.unwrap_or(0));
                }
                (Sender::System | Sender::Unverified(_), _) => {}
            }
        }
    }

    /// A tool was called.
    pub fn call(&mut self, call: &Cause) {
        self.called.insert(call.clone());
    }

    /// That call was none but talk: sending mail, waiting for some, looking who is there.
    pub fn talk(&mut self, call: &Cause) {
        self.called.remove(call);
    }

    /// The number of a message that is sent now.
    pub fn send(&mut self) -> u32 {
        if !self.called.is_empty() {
            self.called.clear();
            self.heard = 0;
        }
        self.heard.saturating_add(1)
    }

    /// The turn is over.
    pub fn turn_ended(&mut self) {
        *self = Self::default();
    }
}

const MINUTE_MS: u64 = 60_000;

/// When the last ones were.
#[derive(Debug, Default)]
pub struct Pace(VecDeque<Timestamp>);

impl Pace {
    /// One more at `now`, if there are fewer than `most` in the minute before; 0 is without limit. False if it is too many,
    /// which then does not count. A clock that was set back begins anew.
    pub fn take(&mut self, now: Timestamp, most: u32) -> bool {
        let is_recent = |at: Timestamp| at <= now && now.0 - at.0 < MINUTE_MS;
        while self.0.front().is_some_and(|at| !is_recent(*at)) {
            self.0.pop_front();
        }
        let is_free = most == 0 || (self.0.len() as u64) < u64::from(most);
        if is_free && most > 0 {
            self.0.push_back(now);
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemberName, MessageId, Timestamp, mail::Metadata};

    fn mail(from: Sender, kind: MessageKind, hops: u32) -> Message {
        Message {
            id: MessageId::parse("m").unwrap(),
            kind,
            from,
            from_incarnation: None,
            to: MemberName::lead(),
            to_incarnation: None,
            content: "Thank you!".into(),
            sent_at: Timestamp(0),
            wakes: None,
            request_id: None,
            metadata: Metadata {
                hops: Some(hops),
                ..Metadata::default()
            },
        }
    }

    fn bob() -> Sender {
        Sender::Member(MemberName::teammate("bob").unwrap())
    }

    /// A turn that hears one message, makes these calls (`w` works, `t` talks) and sends mail; its number.
    fn turn(hears: Message, calls: &str) -> u32 {
        let mut hops = Hops::default();
        hops.hear(&[hears]);
        for (at, call) in calls.char_indices() {
            hops.call(&at.to_string().into());
            if call == 't' {
                hops.talk(&at.to_string().into());
            }
        }
        hops.send()
    }

    #[test]
    fn members_that_only_talk_count_on_and_work_begins_anew() {
        let (mut thanks, mut work) = (0, 0);
        for _ in 0..100 {
            thanks = turn(mail(bob(), MessageKind::Message, thanks), "tt");
            work = turn(mail(bob(), MessageKind::Message, work), "twt");
        }
        assert_eq!((thanks, work), (100, 1));
    }

    #[test]
    fn user_mail_and_assignments_restart_the_hops_and_unverified_mail_does_not_count() {
        let claimed = Sender::Unverified(crate::mail::ClaimedSender::new("bob"));
        for (from, kind, expected) in [
            (bob(), MessageKind::Message, 41),
            (bob(), MessageKind::IdleNotification, 41),
            (bob(), MessageKind::TaskAssignment, 1),
            (Sender::User, MessageKind::Message, 1),
            (Sender::System, MessageKind::TaskNotification, 1),
            (claimed, MessageKind::Message, 1),
        ] {
            let told = format!("{from} {kind}");
            assert_eq!(turn(mail(from, kind, 40), "t"), expected, "{told}");
        }
    }

    #[test]
    fn each_turn_counts_what_led_to_it() {
        let mut hops = Hops::default();
        hops.hear(&[
            mail(bob(), MessageKind::Message, 7),
            mail(bob(), MessageKind::Message, 3),
        ]);
        assert_eq!((hops.send(), hops.send()), (8, 8));
        hops.turn_ended();
        hops.hear(&[mail(bob(), MessageKind::Message, 2)]);
        assert_eq!(hops.send(), 3);
        hops.hear(&[mail(Sender::User, MessageKind::Message, 0)]);
        assert_eq!(hops.send(), 1);
    }

    #[test]
    fn more_than_so_many_in_a_minute_are_refused() {
        let mut pace = Pace::default();
        let mut take =
            |second: u64, most: u32| pace.take(Timestamp(1_000_000 + second * 1_000), most);
        assert!((0..3).all(|second| take(second, 3)));
        assert!(!take(30, 3) && !take(59, 3));
        assert!(take(60, 3) && !take(60, 3));
        assert!(take(61, 3) && take(500, 3));
        assert!((0..1_000).all(|_| take(500, 0)));
        // The clock was set back.
        assert!((0..3).all(|_| take(7, 3)) && !take(8, 3));
    }
}
