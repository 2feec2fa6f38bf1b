//! Tools that touch the team only. Each asks the team and puts its answer into a short sentence.

mod broadcast;
mod compact;
mod create_team;
mod delete_team;
mod idle;
mod list_teammates;
mod load_skill;
mod member_terms;
mod memory;
mod read_inbox;
mod schedule;
mod send_message;
mod spawn_on_worker;
mod spawn_teammate;
mod task;
mod todo_write;
mod wait_for_team;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{GroupName, port::Tool};

pub(crate) use load_skill::LoadSkill;
pub use load_skill::{Skill, Skills};
pub(crate) use memory::KeepNotes;
pub(crate) use schedule::ScheduleWork;

use crate::typed_tool::typed;

/// Those of every member.
pub(crate) fn shared() -> Vec<Arc<dyn Tool>> {
    vec![
        typed(send_message::SendMessage),
        typed(read_inbox::ReadInbox),
        typed(list_teammates::ListTeammates),
        typed(task::TaskTool),
        typed(todo_write::TodoWrite),
        typed(compact::Compact),
    ]
}

/// Those of the lead.
pub(crate) fn lead() -> Vec<Arc<dyn Tool>> {
    vec![
        typed(spawn_teammate::SpawnTeammate),
        typed(create_team::CreateTeam),
        typed(delete_team::DeleteTeam),
        typed(broadcast::Broadcast),
        typed(wait_for_team::WaitForTeam),
    ]
}

/// The tool that spawns teammates where workers run the team.
pub(crate) fn spawning_on_workers() -> Arc<dyn Tool> {
    typed(spawn_on_worker::SpawnOnWorker)
}

/// Those of teammates.
pub(crate) fn teammate() -> Vec<Arc<dyn Tool>> {
    vec![typed(idle::Idle)]
}

/// Why a message without words is refused.
const EMPTY: &str = "Error: the content is empty; nothing was sent.";

/// The group that a call is about, if that is all it says.
#[derive(Deserialize, JsonSchema)]
struct GroupInput {
    #[serde(alias = "team_name", alias = "team")]
    #[schemars(with = "String")]
    name: GroupName,
}
