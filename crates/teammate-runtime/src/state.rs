//! What the harness knows of a member's own affairs, told afresh when a summary takes the place of its conversation: nothing
//! in it depends on what a model remembered.

use teammate_core::{
    fence::{escaped, escaped_line, visible},
    team::{Member, Team},
};

/// The most bytes of an assignment that are told again.
const ASSIGNMENT_BYTES_MAX: usize = 8_000;

/// Who the member is, what it was given to do, who else is there, and what it has in hand.
pub(crate) fn state(team: &Team, member: &Member) -> String {
    format!(
        "This is how things stand now, as the program knows it; it is no message from anybody.\n\n{}\n\nThe team:\n{}{}\n\n\
         Go on from where your summary ends. What follows below, if anything, has not been answered yet.",
        who(team, member),
        roster(team),
        own(team, member)
    )
}

/// What is the member's own: the task in its hand, its list of steps, what it has running; and how far the board is.
fn own(team: &Team, member: &Member) -> String {
    let mut own = String::new();
    if team.board().progress().total() > 0 {
        own.push_str(&format!("\n\nThe board: {}.", team.board().in_a_line()));
    }
    if let Some(task) = team.board().held_by(&member.name) {
        own.push_str(&format!("\n\n{}", escaped(&team.work_text(task))));
    }
    if member.todos.is_open() {
        let todos = escaped(&member.todos.to_string());
        own.push_str(&format!("\n\nYour todo list:\n{todos}"));
    }
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

fn who(team: &Team, member: &Member) -> String {
    let mut who = format!(
        "You are '{}' (role: {}) in team '{}'.",
        member.name,
        escaped_line(&member.role),
        team.name_for(member)
    );
    let assignment = member.assignment.as_ref();
    if let Some(assignment) = assignment.filter(|assignment| !assignment.prompt.is_empty()) {
        let prompt = &assignment.prompt;
        let end = prompt.floor_char_boundary(ASSIGNMENT_BYTES_MAX);
        let cut = if end < prompt.len() {
            "\n[cut here]"
        } else {
            ""
        };
        who.push_str(&format!(
            "\n\nYour latest assignment, from {}:\n{}{cut}",
            assignment.by,
            visible(&prompt[..end])
        ));
    }
    who
}

fn roster(team: &Team) -> String {
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
