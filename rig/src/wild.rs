//! `cargo xtask wild`: other people's programs with ours, from the list `rig/wild.toml`: servers of tools that a team calls, clients
//! of `teammate mcp serve`, editors' libraries that drive `teammate acp`, and agents as members of a team. Each is of one version,
//! with the hash that its registry gives it. Nothing is installed unless it is asked for, and then below `target/doors`, by the
//! ordinary clients of the registries; what is not there is skipped, and said. `--write` notes what was seen in
//! `docs/project/doors.md`.

mod agents;
mod clients;
mod servers;
mod table;

use std::process::ExitCode;

use crate::{
    doors::{Came, place::teammate, summary},
    listed::{Fetching, Kind, List},
};

/// How it is called.
pub(crate) const USAGE: &str =
    "wild [--fetch] [--write] [servers | clients | editors | agents | NAME ...]";

/// One row that was tried.
struct Tried {
    kind: Kind,
    name: String,
    /// Its cells in the table, if it was there.
    cells: Vec<String>,
    came: Came,
}

/// What a person asked for.
struct Wanted<'a> {
    fetching: Fetching,
    is_written: bool,
    names: Vec<&'a str>,
}

impl<'a> Wanted<'a> {
    fn of(words: &[&'a str]) -> Self {
        let flags = ["--fetch", "--write"];
        Self {
            fetching: match words.contains(&flags[0]) {
                true => Fetching::Allowed,
                false => Fetching::Not,
            },
            is_written: words.contains(&flags[1]),
            names: words
                .iter()
                .filter(|word| !flags.contains(word))
                .copied()
                .collect(),
        }
    }

    fn has(&self, kind: Kind, name: &str) -> bool {
        self.names.is_empty()
            || self
                .names
                .iter()
                .any(|wanted| *wanted == kind.name() || *wanted == name)
    }

    /// The first word that names nothing.
    fn unknown(&self, list: &List) -> Option<&'a str> {
        let known = |word: &&&str| {
            Kind::ALL.iter().any(|kind| kind.name() == **word)
                || list.names().any(|name| name == **word)
        };
        self.names.iter().find(|word| !known(word)).copied()
    }
}

/// Tries what is wanted. Skipped ones are no failure; one that did not come through as the list says is.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    match tried(&Wanted::of(words)) {
        Ok(tried) => {
            let come: Vec<(String, Came)> =
                tried.into_iter().map(|row| (row.name, row.came)).collect();
            summary(&come)
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn tried(wanted: &Wanted<'_>) -> Result<Vec<Tried>, String> {
    let list = List::read()?;
    if let Some(unknown) = wanted.unknown(&list) {
        let names: Vec<&str> = list.names().collect();
        return Err(format!(
            "there is no '{unknown}' in the list: {}",
            names.join(", ")
        ));
    }
    let teammate = teammate()?;
    let mut all = Vec::new();
    for row in list
        .server
        .iter()
        .filter(|row| wanted.has(Kind::Servers, &row.name))
    {
        all.push(servers::tried(row, &teammate, wanted.fetching));
    }
    for (kind, rows) in [(Kind::Clients, &list.client), (Kind::Editors, &list.editor)] {
        for row in rows.iter().filter(|row| wanted.has(kind, &row.name)) {
            all.push(clients::tried(kind, row, &teammate, wanted.fetching));
        }
    }
    for row in list
        .agent
        .iter()
        .filter(|row| wanted.has(Kind::Agents, &row.name))
    {
        all.push(agents::tried(row, &teammate, wanted.fetching));
    }
    if wanted.is_written {
        table::write(&list, &all)?;
    }
    Ok(all)
}
