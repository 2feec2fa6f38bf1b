//! The harness's knowledge about a member, written again after a summary has replaced its conversation: nothing in it depends
//! on what a model remembered.

use std::sync::Arc;

use teammate_core::{
    fence::{escaped, escaped_line, visible},
    request::{PlanGate, PlannedWork, Request},
    team::{Member, TeamState},
    tool::ToolNames,
};

/// The most bytes of an assignment or a plan in a recap.
const RECAP_BYTES_MAX: usize = 8_000;

/// The member's identity, assignment, roster, and task in progress.
pub(crate) fn recap(team: &TeamState, member: &Member, names: &ToolNames) -> String {
    format!(
        "This is the current state, as the program knows it; it is not a message from anybody.\n\n{}\n\nThe team:\n{}{}\n\n\
         Continue where your summary ends. Anything below this has not been answered yet.",
        identity_line(team, member),
        roster(team),
        own_affairs(team, member, names)
    )
}

/// The member's own affairs: the task in its hand, its list of steps, its jobs; and how far the board is.
fn own_affairs(team: &TeamState, member: &Member, names: &ToolNames) -> String {
    let mut own = String::new();
    if team.board().progress().total() > 0 {
        own.push_str(&format!("\n\nThe board: {}.", team.board().summary_line()));
    }
    if let Some(task) = team.board().task_of(&member.name) {
        own.push_str(&format!(
            "\n\n{}",
            escaped(&team.task_assignment_text(task, names))
        ));
    }
    if member.todos.is_open() {
        let todos = escaped(&member.todos.to_string());
        own.push_str(&format!("\n\nYour todo list:\n{todos}"));
    }
    own.push_str(&open_requests(team, member));
    let jobs = team.jobs().running_of(&member.name);
    let jobs: Vec<String> = jobs
        .map(|job| format!("- {}: {}", job.id, escaped_line(&job.title)))
        .collect();
    if !jobs.is_empty() {
        own.push_str(&format!(
            "\n\nRunning in the background:\n{}",
            jobs.join("\n")
        ));
    }
    own
}

/// The member's open requests, those it must answer, and its plan gate.
fn open_requests(team: &TeamState, member: &Member) -> String {
    let gate = match &member.gate {
        PlanGate::Open => String::new(),
        PlanGate::Closed { .. } => {
            "\n\nUntil a plan of yours is approved you may only read.".to_owned()
        }
        PlanGate::Granted { request, work, .. } => {
            let until = match work {
                PlannedWork::Assignment => "until your turn ends".to_owned(),
                PlannedWork::Task(task) => format!("until {task} is done or your turn ends"),
            };
            format!("\n\nYour plan ({request}) is approved {until}: do exactly what it says.")
        }
    };
    let plan = match &member.gate {
        PlanGate::Granted { request, .. } => team.requests().get(*request).map(|plan| plan.shows()),
        PlanGate::Open | PlanGate::Closed { .. } => None,
    };
    let plan = plan.map_or_else(String::new, |plan| {
        format!("\n{}", escaped(&truncated(&plan)))
    });
    let concerns =
        |request: &&Arc<Request>| member.name.is_lead() || request.concerns() == Some(&member.name);
    let open: Vec<String> = team
        .requests()
        .pending()
        .filter(concerns)
        .map(|open| {
            let what = escaped_line(&open.summary());
            format!("- {} from {} to {}: {what}", open.id, open.from, open.to())
        })
        .collect();
    if open.is_empty() {
        format!("{gate}{plan}")
    } else {
        format!(
            "{gate}{plan}\n\nRequests without an answer:\n{}",
            open.join("\n")
        )
    }
}

fn identity_line(team: &TeamState, member: &Member) -> String {
    let mut who = format!(
        "You are '{}' (role: {}) in team '{}'.",
        member.name,
        escaped_line(&member.role),
        team.group_of(member)
    );
    let assignment = member.assignment.as_ref();
    if let Some(assignment) = assignment.filter(|assignment| !assignment.prompt.is_empty()) {
        let prompt = &assignment.prompt;
        who.push_str(&format!(
            "\n\nYour latest assignment, from {}:\n{}",
            assignment.by,
            visible(&truncated(prompt))
        ));
    }
    who
}

fn roster(team: &TeamState) -> String {
    let lines = team.members().map(|member| {
        format!(
            "- {} ({}): {}",
            member.name,
            escaped_line(&member.role),
            escaped_line(&member.phase.describe())
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text for the recap, truncated.
fn truncated(text: &str) -> String {
    let end = text.floor_char_boundary(RECAP_BYTES_MAX);
    let more = if end < text.len() { "\n[cut here]" } else { "" };
    format!("{}{more}", &text[..end])
}
