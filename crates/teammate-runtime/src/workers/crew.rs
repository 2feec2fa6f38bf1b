//! A worker's steps when it takes a member over, and when another has taken it.

use std::sync::Arc;

use teammate_core::{MemberName, port::BoxFuture, team::Term};

use crate::{
    base::Base,
    idle_wait::own::OwnRest,
    jobs::JobRunner,
    members::{MemberError, Members, StartKind},
    open_requests::OpenRequests,
    user_orders::UserOrders,
    workers::held::{Tenures, is_to_run},
};

/// The duties of the lead's holder for the team as a whole.
pub(crate) trait TeamDuties: Send + Sync {
    /// Opens the team, before the lead begins. `is_first`: nobody has held the lead before.
    fn open(&self, is_first: bool) -> BoxFuture<'_, ()>;

    /// The lead has begun.
    fn begin(&self);

    /// Another worker holds the lead.
    fn leave_to_others(&self);
}

/// The parts of the host that a worker has members run by.
pub(crate) struct Crew {
    pub(crate) base: Arc<Base>,
    /// Whom this worker holds.
    pub(crate) placed: Arc<Tenures>,
    pub(crate) members: Arc<Members>,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) orders: Arc<UserOrders>,
    pub(crate) rest: Arc<OwnRest>,
    pub(crate) team: Arc<dyn TeamDuties>,
}

impl Crew {
    /// The member is held here: takes up what was left of it, and starts it.
    pub(super) async fn open(&self, member: &MemberName, term: Term) {
        if term != Term::FIRST {
            let worker = &self.placed.role.name;
            let text =
                format!("worker '{worker}' has taken it over, and goes on from its transcript");
            self.base.feed.note(member, text);
        }
        self.requests.inherit(member);
        self.jobs.mark_lost_of(member).await;
        if member.is_lead() {
            self.team.open(term == Term::FIRST).await;
        }
        self.start(member).await;
        self.placed.forget_taken(member);
        if member.is_lead() {
            self.team.begin();
        }
        self.requests.ask_to_take_up();
        self.orders.carry_out();
    }

    /// Goes on with a member whose commands were ended while the worker was alone.
    pub(super) async fn open_again(&self, member: &MemberName) {
        self.requests.inherit(member);
        self.jobs.mark_lost_of(member).await;
        self.start(member).await;
    }

    /// The member is held elsewhere, or by nobody: its loop and its jobs end as in a crash, without a notice.
    pub(super) async fn close(&self, member: &MemberName) {
        if member.is_lead() {
            self.team.leave_to_others();
        }
        self.end_commands(member).await;
        self.requests.leave_to_others(member);
    }

    /// Ends what the member runs.
    pub(super) async fn end_commands(&self, member: &MemberName) {
        self.jobs.drop_of(member);
        self.members.cut(member).await;
        if member.is_lead() {
            // The answer that it ran goes on elsewhere; whom it spawned may be here, now or later.
            self.base.spawn_hold.release();
        }
        let (base, member) = (self.base.clone(), member.clone());
        // Processes may take their time to end; beats go on meanwhile.
        drop(tokio::spawn(
            async move { base.end_processes(&member).await },
        ));
    }

    async fn start(&self, name: &MemberName) {
        let team = self.base.ledger.team();
        let runs = team
            .member(name)
            .is_some_and(|member| is_to_run(&team, member));
        if !runs || self.base.closing.has_begun() {
            return;
        }
        match self.members.start(name, StartKind::Anew).await {
            Ok(()) => {}
            Err(MemberError::Transcript(error)) if self.base.deployment.report_fence(&error) => {}
            Err(error) => self.members.note_failure(name, &error).await,
        }
    }
}
