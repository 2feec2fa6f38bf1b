//! Requests as tools see them: what a member may ask of others, and answer.

use std::time::Duration;

use crate::{
    MemberName,
    permission::Mode,
    port::{BoxFuture, Caller, Refusal},
    request::{Answer, RequestId},
    team::Job,
};

/// What can be asked about requests on behalf of a member.
pub trait Requests: Send + Sync {
    /// Asks a teammate to shut down. Waits a moment for one that rests.
    fn shut_down<'a>(
        &'a self,
        caller: &'a Caller,
        ask: ShutdownAsk,
    ) -> BoxFuture<'a, Result<Shutdown, Refusal>>;

    /// The caller answers the shutdown that it is asked for.
    fn respond_shutdown<'a>(
        &'a self,
        caller: &'a Caller,
        request: RequestId,
        answer: Answer,
    ) -> BoxFuture<'a, Result<(), Refusal>>;

    /// A teammate must have a plan approved before it does more than read; it is told what about. What it has running in
    /// the background is ended.
    fn request_plan<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        about: String,
    ) -> BoxFuture<'a, Result<PlanRequired, Refusal>>;

    /// A teammate needs no approved plan any more, unless the user requires it. Returns who.
    fn lift_plan<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>>;

    /// The caller submits its plan. From then on it only reads until there is an answer.
    fn submit_plan<'a>(
        &'a self,
        caller: &'a Caller,
        plan: String,
    ) -> BoxFuture<'a, Result<Submitted, Refusal>>;

    /// The caller answers a plan. Returns whose it is.
    fn review_plan<'a>(
        &'a self,
        caller: &'a Caller,
        request: RequestId,
        review: Review,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>>;

    /// The caller answers a permission question within the ceiling that the user set. Returns whose it is.
    fn answer_permission<'a>(
        &'a self,
        caller: &'a Caller,
        request: RequestId,
        answer: Answer,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>>;
}

/// A shutdown that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShutdownAsk {
    /// Who, unparsed.
    pub name: String,
    /// Why; may be empty.
    pub reason: String,
    /// Whether it shall end at once, without being asked.
    pub now: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shutdown {
    /// It is stopped.
    Stopped {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// How it came to that.
        how: String,
        /// What it leaves behind, in sentences with a blank before each; empty if nothing is known.
        left: String,
    },
    /// It is in a turn and was asked; whoever asked is told what comes of it.
    Asked {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// After how long it is stopped in any case.
        within: Duration,
    },
    /// It goes on.
    Refused {
        /// Who.
        member: MemberName,
        /// By which request.
        request: RequestId,
        /// Why.
        because: String,
    },
}

/// A plan that is required of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanRequired {
    /// Of whom.
    pub member: MemberName,
    /// What it had running in the background, all of it ended.
    pub ended: Vec<Job>,
}

/// A submitted plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// Its request.
    pub request: RequestId,
    /// Who answers, in words.
    pub to: String,
}

/// An answer to a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Whether it may be done.
    pub approve: bool,
    /// What the author reads with it; a no needs one.
    pub feedback: String,
    /// The author's permission mode from now on; never above the reviewer's.
    pub mode: Option<Mode>,
}
