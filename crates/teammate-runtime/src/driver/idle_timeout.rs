//! The end of a teammate that has had nothing to do for long, if the user set a time for it.

use std::time::Duration;

use teammate_core::{event::EventKind, team::Command};
use tokio::time::Instant;

use super::Driver;

impl Driver {
    /// Idleness begins with the end of a turn; a ring that brings nothing does not begin it anew.
    pub(super) fn arm_idle_timeout(&mut self) {
        let Some(idle_max) = self.base.setup.config.idle_max else {
            return;
        };
        if self.name.is_lead() || !self.agent.is_idle() {
            self.idle_deadline = None;
        } else {
            self.idle_deadline
                .get_or_insert_with(|| Instant::now() + idle_max);
        }
    }

    /// The time is over: stops the member for good, unless there is something to do after all. True if it is stopped.
    pub(super) async fn on_idle_timeout(&mut self) -> bool {
        self.idle_deadline = None;
        // No member counts as idle before the lead could have read the notice.
        self.base.activity.set_busy(&self.name, true);
        if self.has_something_to_do().await {
            return false;
        }
        let stop = Command::Stop {
            member: self.name.clone(),
            incarnation: self.incarnation,
        };
        // Refused if it was just woken in a new incarnation; if it cannot be noted, its time begins anew.
        if self.base.ledger.decide(stop).await.is_err() {
            return false;
        }
        self.send_terminated_notice().await;
        self.base.emit_status(&self.name);
        true
    }

    async fn has_something_to_do(&self) -> bool {
        let peeked = self.base.ports.mailbox.peek(&self.name).await;
        // A mailbox that cannot be read is read again, which reports the error.
        if peeked.is_ok_and(|mail| mail.is_empty()) {
            let team = self.base.ledger.team();
            let next = team.member(&self.name).and_then(|me| team.next_for(me));
            next.is_some() || team.jobs().running_of(&self.name).next().is_some()
        } else {
            true
        }
    }

    async fn send_terminated_notice(&self) {
        let name = &self.name;
        let idle = self.base.setup.config.idle_max.unwrap_or_default();
        let spawn = self.base.setup.tool_names.of("spawn_teammate");
        let content = format!(
            "{name} was idle for {} and was stopped. {spawn}(name: \"{name}\", ...) wakes it; it keeps its transcript.",
            duration_text(idle)
        );
        let how = format!("idle for {}", duration_text(idle));
        self.base.feed.emit(name, EventKind::Terminated { how });
        self.parts
            .mailer
            .send_terminated_notice(name, self.incarnation, None, content, false)
            .await;
    }
}

fn duration_text(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} seconds", time.as_secs_f64()),
        60..120 => "a minute".to_owned(),
        seconds => format!("{} minutes", seconds / 60),
    }
}
