//! What is asked and answered about the connections of commands.

use crate::permission::Destination;

/// A connection that a command of the caller wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectArgs {
    /// Where to.
    pub to: Destination,
    /// The command, as the user is shown it.
    pub command: String,
    /// Whether somebody is asked about what rules leave open; else it is refused.
    pub may_ask: bool,
}

/// Whether the command may connect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectVerdict {
    /// It may, so far.
    Allowed(Reach),
    /// It may not, with the reason as a sentence without its full stop.
    Refused(String),
    /// Nobody has answered yet, and the connection cannot wait longer. The question stays open: a yes counts for the next try of
    /// the same command.
    Unanswered,
}

/// Which addresses a host may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those of servers on the Internet.
    Public,
    /// Those of this machine and its network, too: the user named this host.
    Anywhere,
}
