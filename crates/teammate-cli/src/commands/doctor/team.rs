//! The team that is here: damaged lines, records that do not count, unread files, members that cannot be opened, locks that git
//! left behind.

use teammate::{TeamClient, TeamError};
use teammate_view::t;

use super::{CliContext, Finding};

/// The findings about the team.
pub(super) async fn checks(place: &CliContext) -> Vec<Finding> {
    match place.look().await {
        Ok(client) => of(&client).await,
        Err(error) => vec![match error.downcast_ref::<TeamError>() {
            Some(TeamError::NoTeam(_)) => Finding::Note(t("no team here yet").to_owned()),
            known => Finding::Bad {
                what: format!("{error:#}"),
                hint: known
                    .and_then(crate::hint::hint)
                    .unwrap_or(t("fix that, and run `teammate doctor` again").into())
                    .into_owned(),
            },
        }],
    }
}

async fn of(client: &TeamClient) -> Vec<Finding> {
    let mut found = vec![journal(client)];
    found.extend(uncounted(client));
    for mail in client.unaddressed_mail() {
        found.push(Finding::Note(mail));
    }
    for (member, why) in client.who_cannot_be_opened().await {
        found.push(Finding::Bad {
            what: format!("{member} cannot be opened: {why}"),
            hint: format!(
                "the other members run without it; ask the lead to spawn '{member}' again, or stop it with `teammate stop {member}`"
            ),
        });
    }
    if let Some(held) = crate::commands::held::sentence(client) {
        found.push(Finding::Note(format!("{held}; see `teammate held`")));
    }
    for lock in client.git_locks() {
        let (path, worktree) = (lock.path.display(), &lock.worktree);
        found.push(Finding::Bad {
            what: format!("git's lock {path} blocks the worktree '{worktree}'"),
            hint: lock.advice(),
        });
    }
    found
}

fn uncounted(client: &TeamClient) -> Option<Finding> {
    let uncounted = client.uncounted();
    (!uncounted.is_empty()).then(|| Finding::Bad {
        what: format!("a worker wrote what it may not: {}", uncounted.join("; ")),
        hint: "nothing of it has happened; shut a worker out that you do not trust any more with `teammate keys remove NAME`"
            .to_owned(),
    })
}

fn journal(client: &TeamClient) -> Finding {
    if !client.damaged().is_empty() {
        return Finding::Bad {
            what: t!(
                "the team's journal has damaged lines: {lines}",
                lines = client.damaged().join("; ")
            ),
            hint: t("the rest is used; the damaged lines are kept in a file beside it").to_owned(),
        };
    }
    let members = client.team().teammates().count();
    let runs = client
        .host()
        .map_or(t("not running").to_owned(), |by| t!("running in {by}", by));
    Finding::Good(t!(
        "team '{name}': {members} teammates, {runs}",
        name = client.team().name(),
        members,
        runs
    ))
}
