//! The tools that there are, in the order in which clients see them.

use rmcp::model::{JsonObject, Tool};

use super::{
    tool::{Answer, Call, Entry, entry},
    tools::{
        answer_request::AnswerRequest, create_task::CreateTask, list_requests::ListRequests,
        list_tasks::ListTasks, read_events::ReadEvents, read_result::ReadResult,
        send_mail::SendMail, start_team::StartTeam, stop_team::StopTeam, team_status::TeamStatus,
        update_task::UpdateTask, wait_for_team::WaitForTeam,
    },
};
use crate::mcp::ServedTeam;

/// The tools of a server.
pub(super) struct Catalogue(Vec<Entry>);

impl Catalogue {
    /// The tools that clients of this team may call.
    pub(super) fn of(team: &ServedTeam) -> Self {
        let mut entries = vec![
            entry::<StartTeam>(),
            entry::<WaitForTeam>(),
            entry::<ReadResult>(),
            entry::<TeamStatus>(),
            entry::<SendMail>(),
            entry::<ListTasks>(),
            entry::<CreateTask>(),
            entry::<UpdateTask>(),
            entry::<ListRequests>(),
            entry::<ReadEvents>(),
            entry::<StopTeam>(),
        ];
        if team.clients_answer {
            entries.push(entry::<AnswerRequest>());
        }
        Self(entries)
    }

    pub(super) fn tools(&self) -> Vec<Tool> {
        self.0.iter().map(|entry| entry.tool.clone()).collect()
    }

    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        self.entry(name).map(|entry| entry.tool.clone())
    }

    /// The function that runs a tool.
    pub(super) fn run(&self, name: &str) -> Option<fn(Call, JsonObject) -> Answer> {
        self.entry(name).map(|entry| entry.run)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.tool.name == name)
    }
}
