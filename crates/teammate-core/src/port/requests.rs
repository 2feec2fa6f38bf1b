//! Requests as tools see them: what a member may ask of others, and answer.

use std::time::Duration;

use crate::{
    MemberName,
    permission::Mode,
    port::{BoxFuture, Caller, Refusal},
    request::{Answer, RequestId},
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

    /// A teammate shall have a plan approved before it does more than read; it is told what about.
    fn request_plan<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        about: String,
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
