//! Hostile repositories: what somebody else has prepared is cloned, and opened in every way there is. Nothing of it runs,
//! nothing outside of the workspace is written, nothing hangs, and memory stays bounded.
//!
//! Each row is a name, a function that makes the repository, and what is to be expected. `ways` opens every row in all ways.

mod conversations;
mod forged;
mod found;
mod git;
mod journals;
mod known;
mod links;
mod site;
mod starts;
mod trees;
mod ways;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use site::Site;

/// Ways at the same time: much of it is waiting.
const AT_ONCE: usize = 4;

/// One repository.
struct Row {
    name: String,
    make: Box<dyn Fn(&Site) + Send + Sync>,
    expects: Expects,
    /// Flags for every way that opens the team.
    flags: Vec<&'static str>,
    commands: Commands,
}

/// By which commands it is opened.
#[derive(Clone, Copy)]
enum Commands {
    /// Some of each kind.
    Some,
    All,
}

/// What becomes of it when it is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    /// It brings no team: the user's own work begins in it as anywhere.
    Opens,
    /// It has a team that is not proven the user's: it stays closed, untouched, until the user adopts it.
    Unknown,
    /// The same, but there is not enough of it to adopt.
    Ruined,
    /// Its `.team` is none, or leads elsewhere: refused, adopted or not.
    Refused,
}

/// A row without flags.
fn row(name: &str, expects: Expects, make: impl Fn(&Site) + Send + Sync + 'static) -> Row {
    Row {
        name: name.to_owned(),
        make: Box::new(make),
        expects,
        flags: Vec::new(),
        commands: Commands::Some,
    }
}

/// The same rows, opened by every command there is.
fn by_all_commands(rows: Vec<Row>) -> Vec<Row> {
    let rows = rows.into_iter();
    rows.map(|row| Row {
        commands: Commands::All,
        ..row
    })
    .collect()
}

/// Opens each row in all ways, and shows all that went wrong. `TEAMMATE_ROW=journal` opens those with this in their names.
fn hold(rows: &[Row]) {
    let only = std::env::var("TEAMMATE_ROW").unwrap_or_default();
    let rows = rows.iter().filter(|row| row.name.contains(&only));
    let all = rows.flat_map(|row| ways::of(row).into_iter().map(move |way| (row, way)));
    let (all, wrong) = (Mutex::new(all), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = all.lock().unwrap().next();
                    let Some((row, way)) = next else { break };
                    wrong.fetch_add(ways::go(row, &way), Ordering::Relaxed);
                }
            });
        }
    });
    let wrong = wrong.into_inner();
    assert_eq!(wrong, 0, "so many ways went wrong, above");
}

#[test]
fn every_command_leaves_a_team_closed_that_is_not_proven() {
    hold(&by_all_commands(vec![
        row("closed: forged", Expects::Unknown, |site| {
            forged::team(site, &[forged::checked_task(1, &site.trap("check"))]);
        }),
        row("closed: ruined", Expects::Ruined, |site| {
            site.put(".team/journal.jsonl", "no record\n");
        }),
        row("closed: a pipe", Expects::Refused, |site| {
            site.fifo(".team");
        }),
    ]));
}
