//! The team that is here: what is damaged, what nobody reads, who cannot be opened, what git left behind.

use teammate::{Outside, TeamError};

use super::{Found, Place};

/// What is found of it.
pub(super) async fn checks(place: &Place) -> Vec<Found> {
    match place.look().await {
        Ok(outside) => of(&outside).await,
        Err(error) => vec![match error.downcast_ref::<TeamError>() {
            Some(TeamError::NoTeam(_)) => Found::Note("no team here yet".to_owned()),
            known => Found::Bad {
                what: format!("{error:#}"),
                hint: known
                    .and_then(crate::hint::hint)
                    .unwrap_or("correct that, and run `teammate doctor` again".into())
                    .into_owned(),
            },
        }],
    }
}

async fn of(outside: &Outside) -> Vec<Found> {
    let mut found = vec![journal(outside)];
    for mail in outside.mail_for_nobody() {
        found.push(Found::Note(mail));
    }
    for (member, why) in outside.who_cannot_be_opened().await {
        found.push(Found::Bad {
            what: format!("{member} cannot be opened: {why}"),
            hint: format!(
                "the others run without it; have the lead spawn '{member}' again, or stop it with `teammate stop {member}`"
            ),
        });
    }
    for lock in outside.git_locks() {
        let (path, worktree) = (lock.path.display(), &lock.worktree);
        found.push(Found::Bad {
            what: format!("git's lock {path} blocks the worktree '{worktree}'"),
            hint: lock.advice(),
        });
    }
    found
}

fn journal(outside: &Outside) -> Found {
    if !outside.damaged().is_empty() {
        return Found::Bad {
            what: format!(
                "the team's journal has damaged lines: {}",
                outside.damaged().join("; ")
            ),
            hint: "the rest is used; what was damaged is kept beside it".to_owned(),
        };
    }
    let members = outside.team().teammates().count();
    let runs = outside
        .runs_in()
        .map_or("not running".to_owned(), |by| format!("running in {by}"));
    Found::Good(format!(
        "team '{}': {members} teammates, {runs}",
        outside.team().name()
    ))
}
