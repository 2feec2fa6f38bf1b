//! Questions and answers about members: spawns, the roster, groups, subagents.

use std::collections::BTreeSet;

use crate::{
    GroupName, MemberName, member::MemberOptions, model::ModelRef, name::WorkerName,
    port::PreparedWorktree, team::Waiting, worker::Label,
};

/// The arguments of a spawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnArgs {
    /// The name, unparsed.
    pub name: String,
    pub role: Option<String>,
    /// Its assignment.
    pub prompt: String,
    /// The options of the member; its mode is never above the spawner's.
    pub options: MemberOptions,
    /// Whether its memory starts anew.
    pub fresh: bool,
}

impl SpawnArgs {
    /// The role of a new teammate: as given, else the name of its agent definition, else `teammate`.
    pub fn role_or_default(&self) -> &str {
        let role = self.role.as_deref().or(self.options.agent.as_deref());
        role.unwrap_or("teammate")
    }
}

/// A spawned teammate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnedTeammate {
    pub name: MemberName,
    pub role: String,
    /// Whether it was there before and has been woken with its transcript.
    pub woken: bool,
    /// The worktree it works in, if not in the shared workspace.
    pub worktree: Option<PreparedWorktree>,
    /// The reason to wait, if no worker can take it yet.
    pub waits_for: Option<Waiting>,
}

/// A worker that is there, of those that run the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSummary {
    pub name: WorkerName,
    /// The labels of the worker, which members may need.
    pub labels: BTreeSet<Label>,
    /// How many members it holds.
    pub members: usize,
    /// The most that it runs.
    pub places: u16,
}

/// One line of the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberSummary {
    pub name: MemberName,
    pub role: String,
    /// The status, in a few words.
    pub status: String,
    /// Which of the lead's teams it belongs to, if any.
    pub team: Option<GroupName>,
    /// Whether a turn is under way.
    pub is_busy: bool,
}

/// The purpose of a subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentArgs {
    /// Its kind: the name of an agent definition.
    pub kind: String,
    /// Its task in one line, for the user.
    pub title: String,
    /// Its task, with all it needs to know.
    pub prompt: String,
    /// Its model; the kind's or the caller's if not given.
    pub model: Option<ModelRef>,
}

/// How a team ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEnded {
    pub members: Vec<MemberName>,
    /// Where their files are, for the user.
    pub kept_in: String,
}
