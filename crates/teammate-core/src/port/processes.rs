//! The processes that members' commands leave running, as far as a member's end is concerned.

use serde::Deserialize;

use crate::{MemberName, port::BoxFuture};

/// How surely all that a command starts can be ended with it: at most so, and as well as it can be had here. The best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContainmentLevel {
    /// Its own namespaces.
    #[default]
    Namespace,
    /// A process between the host and the command, which gets every orphan of it.
    Descendants,
    /// Marks in the environment by which it is found.
    Marks,
}

/// The processes that commands started, by member.
pub trait MemberProcesses: Send + Sync {
    /// Ends every process that this member's commands left running, and waits for their end.
    fn end_member<'a>(&'a self, member: &'a MemberName) -> BoxFuture<'a, ()>;
}
