//! Questions and answers about connections: of commands, and of the tools that look at the web.

use crate::permission::{Destination, NET};

/// A connection that a call of the caller wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectArgs {
    pub to: Destination,
    pub by: Connecting,
    /// The treatment of a host of which no rule speaks.
    pub unlisted: Unlisted,
}

/// The program or tool that connects, as the user is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connecting {
    /// A command. It cannot wait long for an answer.
    Command(String),
    /// The tool `web_fetch`, for the page at this address.
    Fetch(String),
    /// The tool `web_search`, with this query.
    Search(String),
}

impl Connecting {
    /// By what name rules know it.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Command(_) => NET,
            Self::Fetch(_) => "web_fetch",
            Self::Search(_) => "web_search",
        }
    }
}

/// The treatment of a host of which no rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// The user is asked, unless the mode frees it.
    Ask,
    /// It is refused in every mode.
    Refuse,
    /// It may have any address, because this setting of the user's says so.
    Connect(&'static str),
}

/// Whether it may connect.
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
