//! `teammate trust --team`: shows a team's directory that nothing proves to be the user's, and adopts it after a yes.

use std::process::ExitCode;

use teammate::{
    Found, Member,
    board::Task,
    request::{Request, RequestState},
};

use crate::{
    commands::{CliContext, CliResult, ask_user, print_line},
    screen::{Style, clean, clean_line},
    settings::user_dirs,
};

/// How much of a text that came with the directory is shown.
const SHOWN_CHARS: usize = 400;

pub(super) async fn run(place: &CliContext, is_sure: bool) -> CliResult {
    let read_max = place.options.read_max()?;
    let Some(found) = Found::look(place.team(), &user_dirs(), read_max).await? else {
        print_line("The team here is already yours.");
        return Ok(ExitCode::SUCCESS);
    };
    show(&found);
    let question = "Adopt it? Its members' conversations become part of your team. [y/N] ";
    if !is_sure && !ask_user(question, "teammate trust --team --yes")? {
        print_line("Not adopted. Nothing was changed.");
        return Ok(ExitCode::SUCCESS);
    }
    found.adopt()?;
    print_line(
        "The team is yours now. The original files are kept beside the new ones, with the ending .found.",
    );
    print_line("Continue with `teammate resume`, or give it a job with `teammate run \"...\"`.");
    Ok(ExitCode::SUCCESS)
}

fn show(found: &Found) {
    let team = found.team();
    print_line(format!("This team is not opened: {}.", found.why()));
    list("Members", team.members().map(member));
    list(
        "Conversations",
        found
            .conversations()
            .map(|(name, entries)| format!("{name}: {entries} entries")),
    );
    list("Tasks", team.board().tasks().map(|task| self::task(task)));
    list("Damage (left out)", found.damaged().iter().cloned());
    print_line("\nKept: members, their conversations, unread mail (marked as unverified), tasks.");
    list(
        "Dropped: checks of tasks",
        team.board()
            .all_with_deleted()
            .filter_map(|task| check(task)),
    );
    list(
        "Dropped: open questions and unused permissions",
        team.requests()
            .unresolved_permissions()
            .map(|request| permission(request)),
    );
    list(
        "Dropped: other open requests",
        team.requests()
            .pending()
            .filter(|request| request.permission().is_none())
            .map(|request| {
                format!(
                    "{} from {}: {}",
                    request.id,
                    request.from,
                    request.summary()
                )
            }),
    );
    list(
        "Dropped: approvals of plans",
        team.members()
            .filter(|member| member.gate.has_grant())
            .map(|member| format!("{}: its plan must be approved again", member.name)),
    );
    list(
        "Dropped: background jobs",
        team.jobs()
            .running()
            .map(|job| format!("{} of {}: {}", job.id, job.owner, job.title)),
    );
    list(
        "Ended: unfinished turns",
        team.members()
            .filter(|member| member.phase.is_busy())
            .map(|member| format!("{}: tell it what to continue with", member.name)),
    );
    print_line("");
}

/// A list with a heading; nothing if it is empty.
fn list(heading: &str, lines: impl Iterator<Item = String>) {
    let mut is_first = true;
    for line in lines {
        if std::mem::take(&mut is_first) {
            print_line(format!("\n{}", Style::for_stdout().bold(heading)));
        }
        print_line(format!("  {}", clean(&line)));
    }
}

fn member(member: &Member) -> String {
    let instructions = member.options.instructions.trim();
    let told = if instructions.is_empty() {
        String::new()
    } else {
        format!(", instructions: {}", short(instructions))
    };
    let assigned = member
        .assignment
        .as_ref()
        .filter(|assignment| !assignment.prompt.is_empty())
        .map_or_else(String::new, |assignment| {
            format!(", last told: {}", short(&assignment.prompt))
        });
    let mode = member
        .options
        .mode
        .map_or_else(String::new, |mode| format!(", mode {mode}"));
    format!(
        "{} ({}){mode}{told}{assigned}",
        member.name,
        short(&member.role)
    )
}

fn task(task: &Task) -> String {
    format!("{} {}", task.id, short(&task.subject))
}

fn check(task: &Task) -> Option<String> {
    let check = task.check.as_ref()?;
    Some(format!(
        "{} {}: {}",
        task.id,
        short(&task.subject),
        short(check)
    ))
}

fn permission(request: &Request) -> String {
    let how = match request.state {
        RequestState::Approved(_) => "allowed, not used",
        RequestState::Pending
        | RequestState::Rejected { .. }
        | RequestState::Expired
        | RequestState::Cancelled { .. } => "not answered",
    };
    format!(
        "{} from {} ({how}): {}",
        request.id,
        request.from,
        short(&request.summary())
    )
}

/// The beginning on one line, with the length of what is left out.
fn short(text: &str) -> String {
    let line = clean_line(text);
    let count = line.chars().count();
    if count <= SHOWN_CHARS {
        return line;
    }
    let start: String = line.chars().take(SHOWN_CHARS).collect();
    format!("{start} [{} more characters]", count - SHOWN_CHARS)
}
