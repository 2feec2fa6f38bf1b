//! Tools that touch the team only. Each asks the office and puts its answer into a short sentence.

mod broadcast;
mod compact;
mod create_team;
mod delete_team;
mod idle;
mod list_teammates;
mod load_skill;
mod read_inbox;
mod send_message;
mod spawn_teammate;
mod task;
mod todo_write;
mod wait_for_team;

pub use broadcast::Broadcast;
pub use compact::Compact;
pub use create_team::CreateTeam;
pub use delete_team::DeleteTeam;
pub use idle::Idle;
pub use list_teammates::ListTeammates;
pub use load_skill::{LoadSkill, Skill, Skills};
pub use read_inbox::ReadInbox;
pub use send_message::SendMessage;
pub use spawn_teammate::SpawnTeammate;
pub use task::Task;
pub use todo_write::TodoWrite;
pub use wait_for_team::WaitForTeam;

use serde::Deserialize;
use teammate_core::{
    TeamName,
    fence::quoted,
    permission::Mode,
    port::{Action, Refusal, Target},
    tool::{Outcome, ToolCall},
};

/// An action that touches nobody but the team.
pub(crate) fn action(shows: impl Into<String>, summary: impl Into<String>) -> Action {
    Action {
        target: Target::Team,
        shows: shows.into(),
        summary: summary.into(),
    }
}

/// A refusal as the model reads it.
pub(crate) fn refused(refusal: &Refusal) -> Outcome {
    Outcome::error(format!("Error: {refusal}"))
}

/// There is no such permission mode; `undone` says what was not done for that reason.
pub(crate) fn unknown_mode(word: &str, undone: &str) -> Outcome {
    let known = Mode::ALL.map(|(_, word)| word).join(", ");
    Outcome::error(format!(
        "Error: there is no permission mode '{}'; the modes are {known}. {undone}.",
        quoted(word)
    ))
}

/// A message's text, if there is any.
fn said(content: String) -> Result<String, Outcome> {
    if content.trim().is_empty() {
        Err(Outcome::error(
            "Error: the content is empty; nothing was sent.",
        ))
    } else {
        Ok(content)
    }
}

/// The team that a call is about, if that is all it says.
fn one_team(call: &ToolCall) -> Result<TeamName, Outcome> {
    #[derive(Deserialize)]
    struct Input {
        #[serde(alias = "team_name", alias = "team")]
        name: String,
    }
    let name = call.input.parse::<Input>()?.name;
    TeamName::parse(&name).map_err(|error| Outcome::error(format!("Error: {error}")))
}
