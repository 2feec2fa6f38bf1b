//! Starts members: the one task that makes drivers. Other parts ask it through [`Members`].
//!
//! [`Members`]: crate::members::Members

use std::sync::Arc;

use teammate_core::{
    Incarnation, MemberName,
    team::{Member, MemberPhase},
};
use tokio::sync::mpsc;

use crate::{
    driver::Driver,
    members::{MemberError, MemberHandle, MemberStart, Members, StartKind},
    supervisor::Supervisor,
};

/// Starts the members that other parts ask for, until the team closes.
pub(super) async fn serve(
    supervisor: Arc<Supervisor>,
    members: Arc<Members>,
    mut starts: mpsc::Receiver<MemberStart>,
) {
    while let Some(start) = starts.recv().await {
        begin(&supervisor, &members, start);
    }
}

/// Puts the member's loop in its place. All that takes time happens in the loop's own task.
fn begin(supervisor: &Arc<Supervisor>, members: &Arc<Members>, start: MemberStart) {
    let MemberStart { name, kind, reply } = start;
    let base = &supervisor.base;
    let member = base.ledger.team().member(&name).cloned();
    let incarnation = member.map_or(Incarnation::FIRST, |member| member.incarnation);
    // A member that is spawned while the team closes begins when it is opened again.
    if kind == StartKind::Anew && base.closing.has_begun() {
        let _ = reply.send(Ok(()));
        return;
    }
    let mut reply = Some(reply);
    let is_placed = members.place((&name, incarnation), kind, |earlier, sender, orders| {
        let (supervisor, members) = (supervisor.clone(), members.clone());
        let (name, reply) = (name.clone(), reply.take());
        tokio::spawn(async move {
            let _present = supervisor.base.activity.enter(&name);
            let opened = open(&supervisor, &name, earlier).await;
            let (result, running) = match opened {
                Ok(Some(running)) => (Ok(()), Some(running)),
                Ok(None) => (Ok(()), None),
                Err(error) => (Err(error), None),
            };
            if running.is_none() {
                members.forget(&name, &sender);
            }
            drop(sender);
            if let Some(reply) = reply {
                // The caller may have stopped waiting.
                let _ = reply.send(result);
            }
            if let Some((driver, member)) = running {
                supervisor.run(driver, &member, orders).await;
            }
        })
    });
    if let Some(reply) = reply.filter(|_| !is_placed) {
        let _ = reply.send(Ok(()));
    }
}

/// Opens the member's driver, once its earlier loop has ended. Nothing, if the member may not run.
async fn open(
    supervisor: &Supervisor,
    name: &MemberName,
    earlier: Option<MemberHandle>,
) -> Result<Option<(Driver, Member)>, MemberError> {
    if let Some(earlier) = earlier {
        earlier.stop().await;
        // The earlier one has left; this one is there.
        supervisor.base.activity.set_busy(name, true);
    }
    let member = supervisor.base.ledger.team().member(name).cloned();
    // It may have been stopped before it could begin.
    let Some(member) = member.filter(|member| member.phase != MemberPhase::Stopped) else {
        return Ok(None);
    };
    let driver = supervisor.open(&member).await?;
    if member.phase == MemberPhase::Starting && !name.is_lead() {
        supervisor.base.feed.emit(name, driver.spawned(&member));
    }
    Ok(Some((driver, member)))
}
