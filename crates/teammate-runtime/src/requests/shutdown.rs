//! How a member goes: who rests agrees in code, who works is asked between two calls of its model, and at the deadline its
//! tools are cancelled and then its task is dropped, whatever its model does. The lead's shutdown is the whole team's.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation, MemberName, MessageId, MessageKind, Sender, Timestamp,
    event::What,
    mail::Metadata,
    port::{BoxFuture, Removal, WorktreeName},
    request::{AskShutdown, Kind, Party, Request, RequestCommand, RequestId, State},
    team::{Command, Phase},
};
use tokio::task::JoinSet;

use crate::{host::Shared, ledger::Verdict, member::Order, post::Letter, supervise::Seat};

/// How long a member may take to end its loop once it shall, before its task is dropped.
const PATIENCE: Duration = Duration::from_secs(3);

/// A shutdown under way: the team does not rest before it is over.
pub(super) struct Lasts(Arc<Shared>);

impl Lasts {
    pub(super) fn begin(shared: &Arc<Shared>) -> Self {
        shared.activity.spawns();
        Self(shared.clone())
    }
}

impl Drop for Lasts {
    fn drop(&mut self) {
        self.0.activity.has_spawned();
    }
}

impl Shared {
    /// Asks a member to shut down; the same call asks once.
    pub(crate) async fn ask_shutdown(
        &self,
        from: Party,
        call: &str,
        member: &MemberName,
        within: Duration,
        reason: &str,
    ) -> Verdict {
        let incarnation = self
            .ledger
            .team()
            .member(member)
            .map_or(Incarnation::FIRST, |member| member.incarnation);
        let ask = AskShutdown {
            member: member.clone(),
            incarnation,
            reason: reason.trim().to_owned(),
            now: within.is_zero(),
        };
        let millis = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
        let open = RequestCommand::Open {
            kind: Kind::Shutdown(ask),
            from,
            call: call.to_owned(),
            deadline: Some(Timestamp(self.world.clock.now().0.saturating_add(millis))),
        };
        self.ledger.decide(Command::Request(open)).await
    }

    /// Sees a member off: waits for its answer, ends its loop, and tells who cares.
    pub(super) async fn see_off(self: Arc<Self>, lasts: Lasts, id: RequestId) {
        let Some(request) = self.request(id) else {
            return;
        };
        let Kind::Shutdown(ask) = &request.kind else {
            return;
        };
        if ask.member.is_lead() {
            return self.end_all(&request).await;
        }
        // Whoever rests looks up and agrees.
        self.order(&ask.member, Order::Look).await;
        let deadline = request.deadline.unwrap_or(request.opened);
        let Some(settled) = self.settled_within(id, deadline).await else {
            return;
        };
        let how = match &settled.state {
            State::Approved(approval) if approval.note.is_empty() => "agreed to shut down".into(),
            State::Approved(approval) => format!("agreed to shut down: {}", approval.note),
            State::Expired if ask.now => "was stopped at once, without being asked".to_owned(),
            State::Expired => "did not agree in time and was stopped".to_owned(),
            State::Pending | State::Rejected { .. } | State::Cancelled { .. } => {
                self.send_frame(&settled, settled.settled_frame()).await;
                self.told(id).await;
                return drop(lasts);
            }
        };
        let has_agreed = matches!(settled.state, State::Approved(_));
        self.end_life(ask, has_agreed, deadline).await;
        self.send_frame(&settled, settled.settled_frame()).await;
        let wakes = request.from.name().is_some() && !self.open.awaited().contains(&id);
        self.has_ended(&ask.member, ask.incarnation, &how, wakes)
            .await;
        self.told(id).await;
        drop(lasts);
    }

    /// The request once it is settled, at the latest by its deadline.
    async fn settled_within(&self, id: RequestId, deadline: Timestamp) -> Option<Arc<Request>> {
        tokio::select! {
            biased;
            settled = self.settled(id) => return settled,
            () = self.sleep_until(deadline) => self.expire(id, deadline).await,
        }
        self.request(id)
    }

    /// Ends a member's loop, this life's and no other, and all that it left running.
    async fn end_life(self: &Arc<Self>, ask: &AskShutdown, has_agreed: bool, deadline: Timestamp) {
        let (name, life) = (&ask.member, ask.incarnation);
        if let Some(seat) = self.take_seat(name, life).await {
            let left = deadline.millis_since(self.world.clock.now());
            let grace = Duration::from_millis(left).max(PATIENCE);
            if has_agreed {
                seat.leave(grace, PATIENCE).await;
            } else {
                seat.stop(PATIENCE).await;
            }
        }
        let stop = Command::Stop {
            member: name.clone(),
            incarnation: life,
        };
        // Refused if it lives again already.
        if let Err(error) = self.ledger.decide(stop).await {
            let text = format!("its end was not noted: {error}");
            return self.feed.notice(name, text);
        }
        self.jobs.end_of(self, name).await;
        self.end_processes(name).await;
        self.tell_status(name);
    }

    /// The seat of this life, off its place; `None` if another sits there.
    async fn take_seat(&self, name: &MemberName, life: Incarnation) -> Option<Seat> {
        let mut seats = self.seats.lock().await;
        let seats = seats.as_mut()?;
        let is_current = {
            let team = self.ledger.team();
            let member = team.member(name);
            member.is_some_and(|member| member.incarnation == life)
        };
        if is_current { seats.remove(name) } else { None }
    }

    /// Ends what a member's commands left running.
    pub(crate) async fn end_processes(&self, name: &MemberName) {
        if let Some(processes) = &self.world.processes {
            processes.end_of(name).await;
        }
    }

    /// A member is gone: the lead is told, and its worktree is put away if nothing is in it.
    async fn has_ended(&self, name: &MemberName, life: Incarnation, how: &str, wakes: bool) {
        let told = What::Terminated {
            how: how.to_owned(),
        };
        self.feed.tell(name, told);
        let has_worktree = {
            let team = self.ledger.team();
            let member = team.member(name);
            member.is_some_and(|member| member.terms.worktree)
        };
        let kept = if has_worktree {
            self.clear_worktree(name).await
        } else {
            None
        };
        let kept = kept.map_or_else(String::new, |why| format!(" Its worktree stays: {why}."));
        let unheard = self
            .world
            .mailbox
            .peek(name)
            .await
            .map_or(0, |mail| mail.len());
        let unheard = match unheard {
            0 => String::new(),
            1 => " A message that it has not heard waits for it.".to_owned(),
            count => format!(" {count} messages that it has not heard wait for it."),
        };
        let content = format!(
            "{name} {how} and is stopped.{kept}{unheard} spawn_teammate(name: \"{name}\", ...) wakes it; it keeps its transcript."
        );
        self.tell_terminated(name, life, content, wakes).await;
    }

    /// Removes a member's worktree where nothing would be lost; otherwise says why it stays.
    async fn clear_worktree(&self, name: &MemberName) -> Option<String> {
        let worktrees = self.world.worktrees.as_ref()?;
        let worktree = WorktreeName::of_member(name).ok()?;
        let removed = worktrees.remove(&worktree, Removal::CleaningUp).await;
        removed.err().map(|error| error.to_string())
    }

    /// Tells the lead that a member is gone; the same end is told once.
    pub(crate) async fn tell_terminated(
        &self,
        name: &MemberName,
        life: Incarnation,
        content: String,
        wakes: bool,
    ) {
        let team = self.ledger.team().id();
        let letter = Letter {
            id: MessageId::derived(team, &format!("terminated/{name}/{life}")),
            kind: MessageKind::TeammateTerminated,
            from: Sender::System,
            from_incarnation: None,
            to: MemberName::lead(),
            to_incarnation: None,
            request: None,
            content,
            metadata: Metadata::from_iter([
                ("wakes".to_owned(), wakes.into()),
                ("member".to_owned(), name.as_str().into()),
            ]),
        };
        if let Err(error) = self.post(letter).await {
            let text = format!("the lead was not told that {name} is stopped: {error}");
            self.feed.notice(name, text);
        }
    }

    /// The whole team: every teammate is seen off, then the lead's turn ends, and whoever runs the team is told to close it.
    async fn end_all(self: &Arc<Self>, request: &Request) {
        let deadline = request.deadline.unwrap_or(request.opened);
        let within = Duration::from_millis(deadline.millis_since(self.world.clock.now()));
        self.stop_all(&request.from, &format!("all/{}", request.id), within)
            .await;
        self.expire(request.id, deadline).await;
        self.told(request.id).await;
        self.closing.send_replace(true);
    }

    /// Sees all teammates off; returns when they are gone.
    pub(crate) async fn stop_all(self: &Arc<Self>, from: &Party, call: &str, within: Duration) {
        let living: Vec<MemberName> = {
            let team = self.ledger.team();
            let living = team
                .teammates()
                .filter(|member| member.phase != Phase::Stopped);
            living.map(|member| member.name.clone()).collect()
        };
        let mut ends = JoinSet::new();
        for name in living {
            let (shared, from) = (self.clone(), from.clone());
            let call = format!("{call}/{name}");
            ends.spawn(async move { shared.stop_one(from, &call, &name, within).await });
        }
        // One that panicked ended nobody else.
        while ends.join_next().await.is_some() {}
    }

    /// Sees one teammate off; returns when it is gone.
    pub(crate) fn stop_one<'a>(
        self: &'a Arc<Self>,
        from: Party,
        call: &'a str,
        name: &'a MemberName,
        within: Duration,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Err(error) = self.ask_shutdown(from, call, name, within, "").await {
                // Stopped already, most likely.
                let text = format!("not asked to shut down: {error}");
                return self.feed.notice(name, text);
            }
            let request = self.ledger.team().requests().made_by(call).cloned();
            if let Some(request) = request {
                self.look_after(request.id).await;
                self.gone(name).await;
            }
        })
    }

    /// Resolves when a member is stopped and all that follows from it is done, or when it goes on.
    pub(crate) async fn gone(&self, name: &MemberName) {
        let mut changes = self.ledger.changes();
        loop {
            changes.borrow_and_update();
            let is_over = {
                let team = self.ledger.team();
                let is_open = |request: &&Arc<Request>| matches!(&request.kind, Kind::Shutdown(ask) if ask.member == *name);
                let requests = team.requests();
                !requests
                    .pending()
                    .chain(requests.untold())
                    .any(|open| is_open(&open))
            };
            if is_over || self.ledger.is_broken() || changes.changed().await.is_err() {
                return;
            }
        }
    }
}
