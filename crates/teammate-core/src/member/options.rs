//! Options that a member was given at its spawn, beside its name, its role and its work.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    mode::Mode,
    model::{Effort, ModelRef},
    name::{AgentName, GroupName},
    worker::Label,
};

/// Options chosen at a spawn. Defaults: the team's model, the spawner's mode, all tools of a teammate,
/// the shared workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemberOptions {
    /// Its model, if not the team's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
    /// The external agent that answers in its turns, in place of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<AgentName>,
    /// How much its model thinks, if not as much as the team's setting says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The models that it goes on with when its own fails, in this order; empty: those of the team.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<ModelRef>,
    /// How much it may do without asking, if less than whatever the lead may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The agent definition it was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The definition's content. Kept here, so that a member does not change when the file does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// The only tools it may call besides the team's; `None` means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Which of the lead's teams it belongs to, if one was made for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "team")]
    pub group: Option<GroupName>,
    /// Whether a plan of its must be approved before it does more than read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "plan")]
    pub require_plan: bool,
    /// Whether it works in its own git worktree.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub worktree: bool,
    /// The labels that a worker must have to run it.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<Label>,
}
