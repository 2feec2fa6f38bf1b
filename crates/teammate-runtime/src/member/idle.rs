//! The end of a teammate that has had nothing to do for long, if the user set a time for it.

use std::time::Duration;

use teammate_core::{MemberName, MessageId, MessageKind, Sender, mail::Metadata, team::Command};
use tokio::time::Instant;

use super::Driver;
use crate::post::Letter;

impl Driver {
    /// Idleness begins with the end of a turn; a ring that brings nothing does not begin it anew.
    pub(super) fn watch_idleness(&mut self) {
        let Some(idle_max) = self.shared.setup.idle_max else {
            return;
        };
        if self.name.is_lead() || !self.agent.is_idle() {
            self.idle_until = None;
        } else {
            self.idle_until
                .get_or_insert_with(|| Instant::now() + idle_max);
        }
    }

    /// The time is over: stops the member for good, unless there is something to do after all. True if it is stopped.
    pub(super) async fn idled_out(&mut self) -> bool {
        self.idle_until = None;
        // Nobody rests before the lead could have heard of it.
        self.shared.activity.works(&self.name, true);
        if self.has_something_to_do().await {
            return false;
        }
        let stop = Command::Stop {
            member: self.name.clone(),
            incarnation: self.incarnation,
        };
        // Refused if it was just woken in a new life; if it cannot be noted, its time begins anew.
        if self.shared.ledger.decide(stop).await.is_err() {
            return false;
        }
        self.tell_end().await;
        self.shared.tell_status(&self.name);
        true
    }

    async fn has_something_to_do(&self) -> bool {
        let peeked = self.shared.world.mailbox.peek(&self.name).await;
        // A mailbox that cannot be read is looked into again, which says so.
        if peeked.is_ok_and(|mail| mail.is_empty()) {
            let team = self.shared.ledger.team();
            let next = team.member(&self.name).and_then(|me| team.next_for(me));
            next.is_some() || team.jobs().running_of(&self.name).next().is_some()
        } else {
            true
        }
    }

    async fn tell_end(&self) {
        let Self {
            name, incarnation, ..
        } = self;
        let idle = self.shared.setup.idle_max.unwrap_or_default();
        let team = self.shared.ledger.team().id();
        let letter = Letter {
            id: MessageId::derived(team, &format!("terminated/{name}/{incarnation}")),
            kind: MessageKind::TeammateTerminated,
            from: Sender::Member(name.clone()),
            from_incarnation: Some(*incarnation),
            to: MemberName::lead(),
            content: format!(
                "{name} was idle for {} and is stopped. spawn_teammate(name: \"{name}\", ...) wakes it; it keeps its transcript.",
                in_words(idle)
            ),
            request: None,
            to_incarnation: None,
            metadata: Metadata::from_iter([("wakes".to_owned(), false.into())]),
        };
        if let Err(error) = self.shared.post(letter).await {
            let text = format!("the lead was not told that {name} is stopped: {error}");
            self.shared.feed.notice(name, text);
        }
    }
}

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} seconds", time.as_secs_f64()),
        60..120 => "a minute".to_owned(),
        seconds => format!("{} minutes", seconds / 60),
    }
}
