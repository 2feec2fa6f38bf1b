//! Calls that a member comes back to: those that only waited for permission when the program ended were not begun, and are
//! asked about again.

use teammate_core::{
    cause::Cause,
    permission::NET,
    request::{PermissionRequest, Principal, Request},
    tool::{CallId, EffectClass, ToolCall},
    transcript::ResumePoint,
};

use super::Driver;

impl Driver {
    /// Calls whose permission was never granted or used, so they did not begin. Other open questions end.
    pub(super) async fn unstarted_calls(&self) -> Vec<CallId> {
        let by = Principal::member(&self.name, self.incarnation);
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        let calls = self.untouched_calls(&by, at);
        let readers = self.open_readers();
        let is_asked_again = |request: &Request| {
            let mut calls = calls.iter();
            let mut readers = readers.iter();
            calls.any(|call| is_for_call(request, &self.cause(at, call)))
                || readers.any(|call| request.call.is_part_of(&self.cause(at, call).part(NET)))
        };
        self.parts
            .requests
            .withdraw_orphans(&by, is_asked_again)
            .await;
        calls
    }

    /// Calls that only look and have no outcome. They run again, and ask again where they connect.
    fn open_readers(&self) -> Vec<CallId> {
        let ResumePoint::OpenCalls(calls) = self.agent.conversation().resume_point() else {
            return Vec::new();
        };
        let classes = &self.toolset.classes;
        let is_reader = |call: &ToolCall| classes.get(&call.name) == Some(EffectClass::Reads);
        let readers = calls.into_iter().filter(is_reader);
        readers.map(|call| call.id).collect()
    }

    fn untouched_calls(&self, by: &Principal, at: u64) -> Vec<CallId> {
        let team = self.base.ledger.team();
        let calls = self.agent.conversation().open_calls();
        let is_untouched = |call: &CallId| {
            let call = self.cause(at, call);
            let mut unused = team.requests().unresolved_permissions();
            unused.any(|request| request.from == *by && is_for_call(request, &call))
        };
        calls.into_iter().filter(is_untouched).collect()
    }

    /// The cause of what this call does.
    pub(super) fn cause(&self, at: u64, call: &CallId) -> Cause {
        Cause::call(&self.name, self.incarnation, at, call)
    }
}

/// Whether a permission request is for this call itself; a subagent's requests are below its call, which has begun.
fn is_for_call(request: &Request, call: &Cause) -> bool {
    request
        .permission()
        .is_some_and(|ask| request.call == PermissionRequest::cause(call, &ask.digest))
}
