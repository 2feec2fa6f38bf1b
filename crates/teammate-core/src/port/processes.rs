//! The processes that members' commands leave running, as far as a member's end is concerned.

use crate::{MemberName, port::BoxFuture};

/// What commands started, by whose they are.
pub trait MemberProcesses: Send + Sync {
    /// Ends all that this member's commands left running, and waits until it is gone.
    fn end_member<'a>(&'a self, member: &'a MemberName) -> BoxFuture<'a, ()>;
}
