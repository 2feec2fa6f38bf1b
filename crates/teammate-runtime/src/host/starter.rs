//! Starts members: the one task that makes drivers. Whoever wants a member to run asks it through [`Members`].
//!
//! [`Members`]: crate::members::Members

use std::sync::Arc;

use teammate_core::{
    Incarnation, MemberName,
    team::{Member, Phase},
};
use tokio::sync::mpsc;

use super::Shared;
use crate::{
    member::Driver,
    members::{MemberError, MemberHandle, Orders, Start, StartKind},
    supervise::supervise,
};

/// Starts whoever is asked for, as long as somebody can ask.
pub(super) async fn serve(shared: Arc<Shared>, mut starts: mpsc::Receiver<Start>) {
    while let Some(start) = starts.recv().await {
        begin(&shared, start);
    }
}

/// Puts the member's loop in its place. All that takes time happens in the loop's own task.
fn begin(shared: &Arc<Shared>, start: Start) {
    let Start { name, kind, reply } = start;
    let member = shared.ledger.team().member(&name).cloned();
    let incarnation = member.map_or(Incarnation::FIRST, |member| member.incarnation);
    // A member that is spawned while the team closes begins when it is opened again.
    if kind == StartKind::Anew && shared.closing.has_begun() {
        let _ = reply.send(Ok(()));
        return;
    }
    let mut reply = Some(reply);
    let is_placed = shared
        .members
        .place((&name, incarnation), kind, |earlier, sender, orders| {
            let (shared, name, reply) = (shared.clone(), name.clone(), reply.take());
            tokio::spawn(async move {
                let _present = shared.activity.enter(&name);
                let opened = open(&shared, &name, earlier).await;
                let (result, running) = match opened {
                    Ok(Some(running)) => (Ok(()), Some(running)),
                    Ok(None) => (Ok(()), None),
                    Err(error) => (Err(error), None),
                };
                if running.is_none() {
                    shared.members.forget(&name, &sender);
                }
                drop(sender);
                if let Some(reply) = reply {
                    // Whoever asked may have gone.
                    let _ = reply.send(result);
                }
                if let Some((driver, member)) = running {
                    run(&shared, driver, &member, orders).await;
                }
            })
        });
    if let Some(reply) = reply.filter(|_| !is_placed) {
        let _ = reply.send(Ok(()));
    }
}

/// Opens the member's driver, once its earlier loop has ended. Nothing, if the member may not run.
async fn open(
    shared: &Arc<Shared>,
    name: &MemberName,
    earlier: Option<MemberHandle>,
) -> Result<Option<(Driver, Member)>, MemberError> {
    if let Some(earlier) = earlier {
        earlier.stop().await;
        // The earlier one has left; this one is there.
        shared.activity.works(name, true);
    }
    let member = shared.ledger.team().member(name).cloned();
    // It may have been stopped before it could begin.
    let Some(member) = member.filter(|member| member.phase != Phase::Stopped) else {
        return Ok(None);
    };
    let driver = Driver::open(shared.clone(), &member).await?;
    if member.phase == Phase::Starting && !name.is_lead() {
        shared.feed.tell(name, driver.spawned(&member));
    }
    Ok(Some((driver, member)))
}

async fn run(shared: &Arc<Shared>, driver: Driver, member: &Member, mut orders: Orders) {
    supervise(shared, driver, member, &mut orders).await;
}
