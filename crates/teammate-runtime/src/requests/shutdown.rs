//! How a member is shut down: an idle one agrees automatically, a working one is asked between two calls of its model, and at
//! the deadline its tools are cancelled and then its task is dropped, whatever its model does.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation, MemberName, Message, MessageKind,
    event::EventKind,
    port::{RemovalReason, WorktreeName},
    request::{
        Answer, End, Principal, Request, RequestId, RequestKind, RequestState, ShutdownRequest,
    },
    team::{Command, MemberPhase},
};
use tokio::time::{Instant, sleep_until};

use super::RequestService;
use crate::members::{Order, STOP_GRACE};

/// Idle members agree automatically. One that has not answered within this time is working; it gets
/// the request as mail.
const IDLE_AGREES_WITHIN: Duration = Duration::from_millis(100);

impl RequestService {
    /// Drives one shutdown to its end: waits for the answer until the deadline, stops the loop, sends the
    /// notice. The team is not idle before that.
    pub(super) async fn drive_shutdown(self: Arc<Self>, id: RequestId) {
        let Some(request) = self.requests.request(id) else {
            return;
        };
        let Some(ask) = request.shutdown() else {
            return;
        };
        if ask.member.is_lead() {
            return match request.is_pending() {
                true => self.pause_team(&request, ask).await,
                false => self.mark_notified(id).await,
            };
        }
        let until = self.base.end_of(&request);
        // An idle member wakes and agrees.
        self.members.wake(&ask.member);
        self.agree_for_dead_loop(&request, ask).await;
        let answer = tokio::time::timeout(IDLE_AGREES_WITHIN, self.requests.wait_settled(id));
        if !ask.now && answer.await.is_err() {
            self.send_notice(&request, request.opened_notice(&self.base.setup.tool_names))
                .await;
        }
        let Some(settled) = self.wait_settled_by(id, until).await else {
            return;
        };
        let Some(end) = ask.end(&settled) else {
            let is_awaited = self.requests.awaited().contains_key(&request.call);
            let frame = settled.settled_notice(self.base.mode(), &self.base.setup.tool_names);
            self.send_notice(&settled, frame.filter(|_| !is_awaited))
                .await;
            return self.mark_notified(id).await;
        };
        let has_agreed = matches!(settled.state, RequestState::Approved(_));
        let is_stopped = self.stop_incarnation(ask, has_agreed, until).await;
        if !is_stopped && !self.base.is_duty_of_request(&request) {
            // Another worker has taken the member over, and goes on with this.
            return;
        }
        if is_stopped {
            self.send_shutdown_notice(&settled, ask, &end).await;
        }
        self.mark_notified(id).await;
    }

    /// An idle member whose task failed or never started cannot answer, nor can a member of a team that ends, which is not
    /// started again, nor one that waits for a worker: answer for it.
    async fn agree_for_dead_loop(&self, request: &Request, ask: &ShutdownRequest) {
        let team = self.base.ledger.team();
        let is_absent = team.member(&ask.member).is_some_and(|member| {
            let is_nowhere =
                self.base.deployment.moves_members() && !team.places().is_held(&ask.member);
            let is_idle = matches!(member.phase, MemberPhase::Idle { .. });
            is_idle || is_nowhere || team.is_in_ending_group(member)
        });
        if is_absent && !self.members.is_running(&ask.member) {
            let by = Principal::member(&ask.member, ask.incarnation);
            // Settled meanwhile, if not.
            let _ = self
                .requests
                .answer(
                    (request.id, None),
                    Some(RequestKind::Shutdown),
                    (by, None),
                    Answer::yes(),
                )
                .await;
        }
    }

    /// The request once it is settled, at the latest at the end of its time.
    async fn wait_settled_by(&self, id: RequestId, until: Instant) -> Option<Arc<Request>> {
        tokio::select! {
            biased;
            settled = self.requests.wait_settled(id) => return settled,
            () = sleep_until(until) => {}
        }
        let request = self.requests.request(id)?;
        if !self.base.is_duty_of_request(&request) {
            // Another worker has taken the member over, and goes on with this by its own clock.
            return None;
        }
        self.requests.expire(&request).await;
        self.requests.request(id)
    }

    /// Ends the loop of this incarnation of a member, and everything it left running. False if the member was
    /// already spawned again.
    async fn stop_incarnation(
        self: &Arc<Self>,
        ask: &ShutdownRequest,
        has_agreed: bool,
        until: Instant,
    ) -> bool {
        let (name, life) = (&ask.member, ask.incarnation);
        if has_agreed {
            let left = until.saturating_duration_since(Instant::now());
            let grace = left.max(STOP_GRACE);
            self.wait_for_leave(name, life, grace).await;
        }
        // Where several processes run the team, another may have run it, and was lost.
        if self.stop_loop(name, life).await || self.base.deployment.moves_members() {
            self.finish_for_dropped(name, life).await;
        }
        let stop = Command::Stop {
            member: name.clone(),
            incarnation: life,
        };
        if let Err(error) = self.requests.decide_until_written(stop).await {
            let text = format!("its end was not recorded: {error}");
            self.base.feed.note(name, text);
            return false;
        }
        // Who was just being started when it was stopped.
        self.stop_loop(name, life).await;
        self.jobs.end_of(name).await;
        self.base.end_processes(name).await;
        self.base.emit_status(name);
        true
    }

    /// Lets a member come to a point between two calls of its model, within `grace`. A caller with less
    /// patience ends it sooner, and so does the close of the team.
    async fn wait_for_leave(&self, name: &MemberName, life: Incarnation, grace: Duration) {
        if let Some(orders) = self.members.orders_of(name, life) {
            let left = async {
                orders.send(Order::Leave).await;
                orders.closed().await;
            };
            // Members that still run then are stopped.
            let _ = tokio::time::timeout(grace, left).await;
        }
    }

    /// Stops the loop of this incarnation; nothing happens if another runs. True if it had to be dropped.
    async fn stop_loop(&self, name: &MemberName, life: Incarnation) -> bool {
        match self.members.take(name, life) {
            Some(handle) => handle.stop().await,
            None => false,
        }
    }

    /// A member has stopped: removes its worktree if it is clean, and sends the lead a notice, unless the
    /// lead's call returns the result.
    async fn send_shutdown_notice(&self, request: &Request, ask: &ShutdownRequest, end: &End) {
        let left = self.left_behind(&ask.member).await;
        self.send_end_notice(request, ask, (end, left)).await;
    }

    /// Sends the notice of an end, where it is known what the member leaves behind.
    pub(super) async fn send_end_notice(
        &self,
        request: &Request,
        ask: &ShutdownRequest,
        (end, left): (&End, String),
    ) {
        let name = &ask.member;
        let told = EventKind::Terminated {
            how: end.how.clone(),
        };
        self.base.feed.emit(name, told);
        if let Some(awaited) = self.requests.awaited().get_mut(&request.call) {
            *awaited = left;
            return;
        }
        let spawn = self.base.setup.tool_names.of("spawn_teammate");
        let content = format!(
            "{name} {}.{left} {spawn}(name: \"{name}\", ...) wakes it; it keeps its transcript.",
            end.sentence
        );
        let wakes = request.from.name().is_some();
        let id = Some(request.id);
        self.mailer
            .send_terminated_notice(name, ask.incarnation, id, content, wakes)
            .await;
    }

    /// The work that a stopped member leaves behind, in sentences with a blank before each.
    async fn left_behind(&self, name: &MemberName) -> String {
        let team = self.base.ledger.team();
        let has_worktree = team.member(name).is_some_and(|m| m.options.worktree);
        let kept = if has_worktree {
            self.remove_worktree_if_clean(name).await
        } else {
            None
        };
        let kept = kept.map_or_else(String::new, |why| format!(" Its worktree is kept: {why}."));
        let mail = self.base.ports.mailbox.peek(name).await;
        // The shutdown request itself is no news.
        let is_news = |mail: &&Message| {
            mail.kind != MessageKind::ShutdownRequest && !team.orders().is_recalled(&mail.id)
        };
        let unheard = match mail.map_or(0, |mail| mail.iter().filter(is_news).count()) {
            0 => String::new(),
            1 => " It has 1 unread message.".to_owned(),
            count => format!(" It has {count} unread messages."),
        };
        kept + &unheard
    }

    /// Removes a member's worktree if no work would be lost; otherwise returns why it is kept.
    async fn remove_worktree_if_clean(&self, name: &MemberName) -> Option<String> {
        let worktrees = self.base.ports.worktrees.as_ref()?;
        let worktree = WorktreeName::of_member(name).ok()?;
        let removed = worktrees.remove(&worktree, RemovalReason::CleaningUp).await;
        removed.err().map(|error| error.to_string())
    }
}
