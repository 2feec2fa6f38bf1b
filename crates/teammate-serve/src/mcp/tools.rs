//! The tools, a file each.

pub(super) mod answer_request;
pub(super) mod create_task;
pub(super) mod list_requests;
pub(super) mod list_tasks;
pub(super) mod read_events;
pub(super) mod read_result;
pub(super) mod send_mail;
pub(super) mod start_team;
pub(super) mod stop_team;
pub(super) mod team_status;
pub(super) mod update_task;
pub(super) mod wait_for_team;
mod words;
