//! The office: what team tools may ask of the harness on behalf of a member.

use crate::{
    Incarnation, MemberName, TeamName,
    port::{BoxFuture, MailError, Prepared},
    team::{Terms, TodoList},
};

/// Who asks, and by which call. Stamped by the harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The member.
    pub name: MemberName,
    /// Its life.
    pub incarnation: Incarnation,
    /// Identifies the call for ever: effects derive their ids from it, so that running a call again does nothing twice.
    pub call: String,
}

/// What can be asked.
pub trait Office: Send + Sync {
    /// Spawns a teammate or wakes one with its transcript.
    fn spawn<'a>(
        &'a self,
        caller: &'a Caller,
        ask: SpawnAsk,
    ) -> BoxFuture<'a, Result<Spawned, Refusal>>;

    /// Sends a message. Returns who will hear it.
    fn send<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        content: String,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>>;

    /// Sends to every other member; returns how many.
    fn broadcast<'a>(
        &'a self,
        caller: &'a Caller,
        content: String,
    ) -> BoxFuture<'a, Result<usize, Refusal>>;

    /// Writes the caller's todo list anew.
    fn write_todos<'a>(
        &'a self,
        caller: &'a Caller,
        items: TodoList,
    ) -> BoxFuture<'a, Result<(), Refusal>>;

    /// Has the caller's conversation summed up as soon as the outcomes of its present calls are recorded.
    fn compact<'a>(
        &'a self,
        caller: &'a Caller,
        focus: Option<String>,
    ) -> BoxFuture<'a, Result<(), Refusal>>;

    /// Ends the caller's turn as soon as the outcomes of its present calls are recorded, unless mail has come by then: its
    /// work goes on when something comes of what it waits for.
    fn pause<'a>(
        &'a self,
        caller: &'a Caller,
        waits_for: String,
    ) -> BoxFuture<'a, Result<(), Refusal>>;

    /// The roster, the lead first.
    fn roster(&self) -> BoxFuture<'_, Vec<RosterLine>>;

    /// How many messages wait for the caller. They are heard right after the tool's outcome.
    fn waiting_mail<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<usize, Refusal>>;

    /// Resolves when no teammate is working any more or mail has come for the caller.
    fn team_at_rest<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, ()>;
}

/// What is asked for when a teammate is spawned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnAsk {
    /// The name, unparsed.
    pub name: String,
    /// What it is for, if that was said.
    pub role: Option<String>,
    /// What it shall do now.
    pub prompt: String,
    /// What it is given; its mode is never above the spawner's.
    pub terms: Terms,
    /// Whether its memory starts anew.
    pub fresh: bool,
}

impl SpawnAsk {
    /// The role of somebody new: as said, or the name of its agent definition, or simply `teammate`.
    pub fn role_or_default(&self) -> &str {
        let role = self.role.as_deref().or(self.terms.agent.as_deref());
        role.unwrap_or("teammate")
    }
}

/// A spawned teammate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spawned {
    /// Its name.
    pub name: MemberName,
    /// Its role.
    pub role: String,
    /// Whether it was there before and has been woken with its transcript.
    pub woken: bool,
    /// The worktree it works in, if not in the shared workspace.
    pub worktree: Option<Prepared>,
}

/// One line of the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RosterLine {
    /// The member.
    pub name: MemberName,
    /// Its role.
    pub role: String,
    /// What it is doing, in a word or a few.
    pub status: String,
    /// Which of the lead's teams it belongs to, if any.
    pub team: Option<TeamName>,
    /// Whether a turn is under way.
    pub is_busy: bool,
}

/// Why something was refused: a sentence that says what would have worked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rules of the team say no.
    #[error("{0}")]
    Rule(String),
    /// Mail could not be sent.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The harness could not do it.
    #[error("it could not be done: {0}")]
    Broken(String),
}
