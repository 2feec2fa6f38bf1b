//! Shutdowns as those see them who ask for one and wait for its end.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    cause::Cause,
    port::BoxFuture,
    request::{Principal, Request, RequestCommand},
    team::TeamState,
};

use super::OpenRequests;
use crate::ledger::LedgerError;

impl OpenRequests {
    /// Asks a member to shut down; the same call asks once.
    pub(crate) async fn open_shutdown(
        &self,
        from: Principal,
        call: &Cause,
        member: &MemberName,
        within: Duration,
        reason: &str,
    ) -> Result<Arc<Request>, LedgerError> {
        let ask = RequestCommand::Shutdown {
            member: member.clone(),
            from,
            call: call.to_owned(),
            reason: reason.to_owned(),
            within,
            at: self.base.ports.clock.now(),
        };
        self.make(ask, call).await
    }

    /// Shuts one teammate down; returns when it has stopped.
    pub(crate) fn shut_down_member<'a>(
        &'a self,
        from: Principal,
        call: &'a Cause,
        name: &'a MemberName,
        within: Duration,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            match self.open_shutdown(from, call, name, within, "").await {
                Ok(_) => self.wait_until_stopped(name).await,
                // Stopped already, most likely.
                Err(error) => {
                    let text = format!("not asked to shut down: {error}");
                    self.base.feed.note(name, text);
                }
            }
        })
    }

    /// Resolves when no shutdown of this member is under way.
    pub(crate) async fn until_left(&self, name: &MemberName) {
        self.wait_until(|team| {
            let member = team.member(name);
            !member.is_some_and(|member| team.requests().is_shutting_down(name, member.incarnation))
        })
        .await;
    }

    /// Resolves when a member is stopped and everything that follows is done, or when it continues.
    pub(crate) async fn wait_until_stopped(&self, name: &MemberName) {
        self.wait_until(|team| !team.requests().asks_to_stop(name))
            .await;
    }

    /// Resolves when it holds, or when the journal cannot be written.
    async fn wait_until(&self, is_so: impl Fn(&TeamState) -> bool) {
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
