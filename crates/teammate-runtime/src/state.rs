//! What the harness knows of a member's own affairs, told afresh when a summary takes the place of its conversation: nothing
//! in it depends on what a model remembered.

use teammate_core::team::{Member, Team};

/// The most bytes of an assignment that are told again.
const ASSIGNMENT_BYTES_MAX: usize = 8_000;

/// Who the member is, what it was given to do, and who else is there.
pub(crate) fn state(team: &Team, member: &Member) -> String {
    format!(
        "This is how things stand now, as the program knows it; it is no message from anybody.\n\n{}\n\nThe team:\n{}\n\n\
         Go on from where your summary ends. What follows below, if anything, has not been answered yet.",
        who(team, member),
        roster(team)
    )
}

fn who(team: &Team, member: &Member) -> String {
    let mut who = format!(
        "You are '{}' (role: {}) in team '{}'.",
        member.name,
        one_line(&member.role),
        team.name()
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
            &prompt[..end]
        ));
    }
    who
}

fn roster(team: &Team) -> String {
    let lines = team.members().map(|member| {
        format!(
            "- {} ({}): {}",
            member.name,
            one_line(&member.role),
            one_line(&member.phase.describe())
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
