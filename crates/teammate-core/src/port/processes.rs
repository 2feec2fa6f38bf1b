//! The processes that members' commands leave running, as far as a member's end is concerned.

use crate::{MemberName, port::BoxFuture};

/// The processes that commands started, by member.
pub trait MemberProcesses: Send + Sync {
    /// Ends every process that this member's commands left running, and waits for their end.
    fn end_member<'a>(&'a self, member: &'a MemberName) -> BoxFuture<'a, ()>;
}
