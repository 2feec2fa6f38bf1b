//! The members that run in this process: each by its name, with a bounded queue of orders. What a member's task does is not
//! known here: the host starts members, on orders from a channel.

#[cfg(feature = "fleet")]
mod moved;
mod orders;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    Incarnation, MemberName,
    lock::Hold,
    port::{Refusal, TranscriptError, WorktreeError},
    team::Command,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{base::Base, workdir::explained};

pub(crate) use self::orders::{Order, OrderSender, Orders, channel};

/// How long a member may take to end its loop before its task is dropped.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(3);

/// How many starts may wait for the host; who asks for more waits.
const STARTS_MAX: usize = 64;

/// Why a member's loop could not begin, or ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemberError {
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    #[error(transparent)]
    Home(#[from] WorktreeError),
}

/// Which start to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartKind {
    /// In its current incarnation; a loop of an earlier one ends first.
    Anew,
    /// Only if it has no loop in this process.
    IfAbsent,
}

/// A member that the host should start.
pub(crate) struct MemberStart {
    pub(crate) name: MemberName,
    pub(crate) kind: StartKind,
    /// Learns when it runs, or why it does not.
    pub(crate) reply: oneshot::Sender<Result<(), MemberError>>,
}

/// The running members.
pub(crate) struct Members {
    base: Arc<Base>,
    /// `None` once the team is closed: no member starts after that. Locked only for a moment: what a start or a
    /// stop takes of files and processes happens outside.
    running: Mutex<Option<BTreeMap<MemberName, MemberHandle>>>,
    starts: mpsc::Sender<MemberStart>,
}

impl Members {
    /// Nobody runs. The host serves the starts that the second value brings.
    pub(crate) fn new(base: Arc<Base>) -> (Self, mpsc::Receiver<MemberStart>) {
        let (starts, asked) = mpsc::channel(STARTS_MAX);
        let members = Self {
            base,
            running: Mutex::new(Some(BTreeMap::new())),
            starts,
        };
        (members, asked)
    }

    /// Has the host start a member; returns when it runs.
    pub(crate) async fn start(
        &self,
        name: &MemberName,
        kind: StartKind,
    ) -> Result<(), MemberError> {
        if !self.base.is_mine(name) {
            // Who holds it starts it.
            return Ok(());
        }
        let (reply, started) = oneshot::channel();
        let name = name.clone();
        // An error means that the team closes: the member begins when it is opened again.
        let _ = self.starts.send(MemberStart { name, kind, reply }).await;
        started.await.unwrap_or(Ok(()))
    }

    /// Records that a member could not be started; the others run without it.
    pub(crate) async fn note_failure(&self, name: &MemberName, error: &MemberError) {
        let member = self.base.ledger.team().member(name).cloned();
        let Some(member) = member else { return };
        match error {
            MemberError::Home(error) => self.base.feed.note(name, explained(&self.base, error)),
            MemberError::Transcript(_) => {}
        }
        let fail = self
            .base
            .record_failure(name, member.incarnation, error.to_string());
        fail.await;
    }

    /// A paused member that gets mail continues its task, and joins the current conversation.
    pub(crate) async fn join(&self, name: &MemberName) -> Result<(), Refusal> {
        if self.base.ledger.team().paused_for(name).is_none() {
            return Ok(());
        }
        let _under_way = self.base.activity.begin();
        let join = Command::Join(name.clone());
        self.base.ledger.decide(join).await?;
        self.start_joined(name).await;
        Ok(())
    }

    /// Starts a member that has joined the current job.
    pub(crate) async fn start_joined(&self, name: &MemberName) {
        if let Err(error) = self.start(name, StartKind::IfAbsent).await {
            self.note_failure(name, &error).await;
        }
    }

    /// Has a member's conversation summarized as soon as there is a moment for it; returns when the member knows.
    pub(crate) async fn compact(
        &self,
        name: &MemberName,
        mut focus: Option<String>,
    ) -> Result<(), Refusal> {
        let secrets = &self.base.setup.secrets;
        focus.iter_mut().for_each(|text| secrets.hide(text));
        self.order_and_wait(name, |known| Order::Compact { focus, known })
            .await
    }

    /// Gives a member a new loop, which `spawn` begins; it is handed the earlier loop, to be stopped first. False if there is
    /// to be none.
    pub(crate) fn place(
        &self,
        (name, incarnation): (&MemberName, Incarnation),
        kind: StartKind,
        spawn: impl FnOnce(Option<MemberHandle>, OrderSender, Orders) -> JoinHandle<()>,
    ) -> bool {
        let mut running = self.running.hold();
        let Some(running) = running.as_mut() else {
            return false;
        };
        if kind == StartKind::IfAbsent && running.contains_key(name) {
            return false;
        }
        let (sender, orders) = channel();
        let task = spawn(running.remove(name), sender.clone(), orders);
        let handle = MemberHandle {
            incarnation,
            orders: sender,
            task,
        };
        running.insert(name.clone(), handle);
        true
    }

    /// Forgets a loop that did not come to run.
    pub(crate) fn forget(&self, name: &MemberName, orders: &OrderSender) {
        let mut running = self.running.hold();
        if let Some(running) = running.as_mut()
            && running
                .get(name)
                .is_some_and(|handle| handle.orders.is_same(orders))
        {
            running.remove(name);
        }
    }

    /// Takes out the loop of this incarnation; nothing happens if another runs.
    pub(crate) fn take(&self, name: &MemberName, incarnation: Incarnation) -> Option<MemberHandle> {
        let mut running = self.running.hold();
        let running = running.as_mut()?;
        running
            .get(name)
            .filter(|handle| handle.incarnation == incarnation)?;
        running.remove(name)
    }

    /// Takes out all loops; no member starts after this.
    pub(crate) fn close(&self) -> Vec<MemberHandle> {
        let running = self.running.hold().take().unwrap_or_default();
        running.into_values().collect()
    }

    /// Gives a member an order; a member that does not run gets none. Waits where its queue is full.
    pub(crate) async fn send_order(&self, name: &MemberName, order: Order) {
        if let Some(orders) = self.orders(name) {
            orders.send(order).await;
        }
    }

    /// Has a member look whether there is something to do.
    pub(crate) fn wake(&self, name: &MemberName) {
        if let Some(orders) = self.orders(name) {
            orders.wake();
        }
    }

    /// Gives a member that runs an order. Returns when the member knows.
    pub(crate) async fn order_and_wait(
        &self,
        name: &MemberName,
        order: impl FnOnce(oneshot::Sender<()>) -> Order,
    ) -> Result<(), Refusal> {
        let (known, knows) = oneshot::channel();
        let orders = self.orders(name);
        let orders = orders.ok_or_else(|| Refusal::Rule(format!("'{name}' is not running")))?;
        // A task that has ended drops it, and `known` with it.
        orders.send(order(known)).await;
        // An error means that the member has just ended; nothing to do.
        let _ = knows.await;
        Ok(())
    }

    /// How a member is given orders, in this incarnation only.
    pub(crate) fn orders_of(
        &self,
        name: &MemberName,
        incarnation: Incarnation,
    ) -> Option<OrderSender> {
        let running = self.running.hold();
        let handle = running.as_ref()?.get(name)?;
        (handle.incarnation == incarnation).then(|| handle.orders.clone())
    }

    /// Whether a member's loop is there and has not ended.
    pub(crate) fn is_running(&self, name: &MemberName) -> bool {
        self.orders(name).is_some_and(|orders| !orders.is_closed())
    }

    /// Whether a member was started in this process and not taken out again.
    pub(crate) fn has(&self, name: &MemberName) -> bool {
        self.orders(name).is_some()
    }

    /// All members that were started.
    pub(crate) fn names(&self) -> Vec<MemberName> {
        let running = self.running.hold();
        running
            .iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn orders(&self, name: &MemberName) -> Option<OrderSender> {
        let running = self.running.hold();
        Some(running.as_ref()?.get(name)?.orders.clone())
    }
}

/// A running member. Dropped, it ends as in a crash.
pub(crate) struct MemberHandle {
    incarnation: Incarnation,
    orders: OrderSender,
    task: JoinHandle<()>,
}

impl MemberHandle {
    /// Stops the member and waits until its transcript is free; by force after [`STOP_GRACE`]. True if it came to that.
    pub(crate) async fn stop(mut self) -> bool {
        let stopped = async {
            self.orders.send(Order::Stop).await;
            // A task that panicked has ended as well.
            let _ = (&mut self.task).await;
        };
        let is_dropped = tokio::time::timeout(STOP_GRACE, stopped).await.is_err();
        if is_dropped {
            self.task.abort();
            let _ = (&mut self.task).await;
        }
        is_dropped
    }
}

impl Drop for MemberHandle {
    fn drop(&mut self) {
        self.task.abort();
    }
}
