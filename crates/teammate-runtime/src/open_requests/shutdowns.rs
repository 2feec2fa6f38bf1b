//! Shutdowns as those see them who ask for one and wait for its end.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation, MemberName,
    cause::Cause,
    port::BoxFuture,
    request::{AskShutdown, Kind, Party, Request},
    team::{Phase, Team},
};

use super::OpenRequests;
use crate::ledger::LedgerError;

/// The least time that an idle member is given.
const RESTING: Duration = Duration::from_secs(2);

impl OpenRequests {
    /// Asks a member to shut down; the same call asks once.
    pub(crate) async fn ask_shutdown(
        &self,
        from: Party,
        call: &Cause,
        member: &MemberName,
        within: Duration,
        reason: &str,
    ) -> Result<Arc<Request>, LedgerError> {
        let (incarnation, rests) = {
            let team = self.base.ledger.team();
            let member = team.member(member);
            let rests = member.is_some_and(|member| matches!(member.phase, Phase::Idle { .. }));
            let incarnation = member.map(|member| member.incarnation);
            (incarnation.unwrap_or(Incarnation::FIRST), rests)
        };
        // An idle member agrees sooner than it could be cut off.
        let within = if rests { within.max(RESTING) } else { within };
        let ask = AskShutdown {
            member: member.clone(),
            incarnation,
            reason: reason.trim().to_owned(),
            now: within.is_zero(),
        };
        let deadline = Some(self.base.deadline(within));
        self.open(Kind::Shutdown(ask), from, call, deadline).await
    }

    /// Sees one teammate off; returns when it is gone.
    pub(crate) fn stop_one<'a>(
        &'a self,
        from: Party,
        call: &'a Cause,
        name: &'a MemberName,
        within: Duration,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            match self.ask_shutdown(from, call, name, within, "").await {
                Ok(_) => self.gone(name).await,
                // Stopped already, most likely.
                Err(error) => {
                    let text = format!("not asked to shut down: {error}");
                    self.base.feed.notice(name, text);
                }
            }
        })
    }

    /// Resolves when nobody of this name is on the way out any more.
    pub(crate) async fn until_left(&self, name: &MemberName) {
        self.until(|team| {
            let member = team.member(name);
            !member.is_some_and(|member| team.requests().sees_off(name, member.incarnation))
        })
        .await;
    }

    /// Resolves when a member is stopped and all that follows from it is done, or when it goes on.
    pub(crate) async fn gone(&self, name: &MemberName) {
        self.until(|team| !team.requests().asks_to_stop(name)).await;
    }

    /// Resolves when it is so; or when the journal takes nothing, for which nobody waits.
    async fn until(&self, is_so: impl Fn(&Team) -> bool) {
        let mut changes = self.base.ledger.changes();
        loop {
            changes.borrow_and_update();
            let is_over = is_so(&self.base.ledger.team());
            if is_over || self.base.ledger.is_broken() || changes.changed().await.is_err() {
                return;
            }
        }
    }
}
