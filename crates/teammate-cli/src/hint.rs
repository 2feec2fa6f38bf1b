//! Hints at what the user can do about an error, in the words of the command line.

use std::borrow::Cow;

use teammate::{
    HostError, LockHolder, OpenError, TeamError, Unproven, WorktreeError, policy::PolicyError,
};

/// A hint at what to do about an error, if its own text does not say so.
pub(crate) fn hint(error: &TeamError) -> Option<Cow<'static, str>> {
    match error {
        TeamError::Unresponsive {
            holder,
            is_suspended,
        } => Some(awakening(*holder, *is_suspended).into()),
        TeamError::SuspendedInWrite(holder) => Some(awakening(*holder, true).into()),
        TeamError::Unverified { task, .. } => {
            let number = task.number();
            Some(
                format!(
                    "let a member complete it, type `/tasks complete {number}` at the team's prompt, or remove the check with \
                     `teammate tasks edit {number} --check ''`"
                )
                .into(),
            )
        }
        error => fixed(error).map(Cow::Borrowed),
    }
}

fn fixed(error: &TeamError) -> Option<&'static str> {
    if error.is_of_disk() {
        return Some(
            "everything written before this is kept. Free some space, or repair the disk; then see `teammate conversations` for what is left to do, and run this again",
        );
    }
    match error {
        TeamError::Host(HostError::Running(_)) => Some(
            "send to the running team with `teammate send lead \"...\"`, watch it with `teammate log -f`",
        ),
        TeamError::NoTeam(_) => Some(
            "start one with `teammate` or `teammate run \"...\"`, or name its directory with --dir",
        ),
        TeamError::Open(OpenError::NoPrice(_)) => Some(
            "give the model a price per million tokens in your configuration: [prices.\"PROVIDER:NAME\"] input = ..., output = ...",
        ),
        TeamError::Open(OpenError::Job(_)) => {
            Some("let the members read their mail with `teammate resume`; then give the job again")
        }
        TeamError::JournalLost { .. } => Some(
            "`teammate recover` shows what a team can be put together from, and does so after a yes. To begin anew instead, move it \
             aside: mv .team .team.lost",
        ),
        TeamError::NotProven {
            why: Unproven::Damaged(_),
            ..
        } => Some(
            "nothing in it was run and nothing is lost. Move the damaged file away, then review and adopt the team with \
             `teammate trust --team`: members, conversations, mail and tasks are kept",
        ),
        TeamError::NotProven { .. } => Some(
            "nothing in it was run. Read it with `teammate log`, review and adopt it with `teammate trust --team` \
             (`--team NAME` for a team in .teams/NAME), or move it aside: mv .team .team.found",
        ),
        TeamError::Known(_) => Some(
            "it is in `teammate/teams` of your state directory (XDG_STATE_HOME, ~/.local/state)",
        ),
        TeamError::InsideMemberCommand => {
            Some("members use their own tools for mail, tasks and requests")
        }
        TeamError::NotRunning => {
            Some("`teammate resume` opens it; `teammate stop NAME` stops one member")
        }
        TeamError::StopTimedOut => {
            Some("see `teammate team` and `teammate requests`, and stop it again")
        }
        TeamError::Directory { .. } | TeamError::Storage(_) => {
            Some("run `teammate doctor` for details")
        }
        TeamError::Hooks(_) => Some(
            "hooks may be what keeps a team in bounds, so it is not opened without them. Mend the file, or move it aside; `teammate hooks list` tries it",
        ),
        TeamError::Sandbox(_) => Some(
            "`teammate doctor` says what is missing; less is enough with [sandbox] required = \"landlock\", or none with --sandbox off",
        ),
        TeamError::Policy(PolicyError::Forbidden { .. }) => Some(
            "the administrator of this machine decides that; `teammate doctor` lists what is limited",
        ),
        TeamError::Policy(PolicyError::Unusable { .. }) => Some(
            "nothing was opened. Ask the administrator of this machine: the file must belong to root, and nobody else may write it",
        ),
        TeamError::Worktree(WorktreeError::Untrusted(_)) => {
            Some("look at them with `teammate trust`; after a yes there, try it again")
        }
        TeamError::OtherProgram(_) => Some("choose another name with --team"),
        TeamError::Workspace { .. } => Some("name another directory with --dir"),
        // The other errors say what to do, or nothing can be done.
        _ => None,
    }
}

/// How to make an unresponsive host continue, or end it.
fn awakening(holder: LockHolder, is_suspended: bool) -> String {
    if let LockHolder::Workers { .. } = holder {
        return "`teammate workers` shows which of them answers".to_owned();
    }
    let pid = holder.pid().map_or("PID".to_owned(), |pid| pid.to_string());
    let goes_on = match is_suspended {
        true => format!("`kill -CONT {pid}` lets it continue; "),
        false => String::new(),
    };
    format!(
        "{goes_on}`kill -9 {pid}` ends it, and `teammate resume` continues with every member and task"
    )
}
