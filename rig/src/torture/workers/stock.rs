//! What is there of one team: the logs as each server gives them, and the files in which commands said what they did.

use std::{collections::BTreeMap, fs, io};

use teammate_core::{MemberName, port::Record, team::TeamState, transcript::Entry};

use super::{names, play, site::Site};
use crate::torture::worker::run;

/// A line that a command wrote.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    /// In whose directory.
    pub(super) worker: String,
    pub(super) member: String,
    pub(super) word: String,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Stock {
    pub(super) records: Vec<Record>,
    pub(super) transcripts: BTreeMap<String, Vec<Entry>>,
    pub(super) lines: Vec<Line>,
    /// Logs that are not one history, or not the same one at each server.
    pub(super) forked: Vec<String>,
}

impl Stock {
    /// The team as its journal has it.
    pub(super) fn team(&self) -> TeamState {
        TeamState::of(&self.records)
    }
}

/// Reads a team by whichever server answers.
pub(super) fn look(site: &Site, team: &str) -> io::Result<Stock> {
    let read = run(async { read(site, &site.urls, team).await });
    let mut stock = read.and_then(|read| read).map_err(io::Error::other)?;
    stock.lines = lines(site, team)?;
    Ok(stock)
}

/// Reads a team by each server, and says where they differ.
pub(super) fn take(site: &Site, team: &str) -> io::Result<Stock> {
    let mut stock = look(site, team)?;
    for url in &site.urls {
        let by_one = run(async { read(site, std::slice::from_ref(url), team).await });
        match by_one.and_then(|read| read) {
            Ok(other) => {
                let is_same = other.records == stock.records
                    && other.transcripts == stock.transcripts
                    && other.team() == stock.team();
                if !is_same {
                    stock.forked.push(format!("{url} has another history"));
                }
            }
            Err(why) => stock.forked.push(format!("{url}: {why}")),
        }
    }
    Ok(stock)
}

async fn read(site: &Site, urls: &[String], team: &str) -> Result<Stock, String> {
    let store = site.store(urls, team).await?;
    let journal = store.journal.read(0).await;
    let journal = journal.map_err(|error| error.to_string())?;
    let mut stock = Stock {
        records: journal.records,
        ..Stock::default()
    };
    stock.forked.extend(
        journal
            .damaged
            .iter()
            .map(|damage| format!("the journal from {} on is damaged", damage.from)),
    );
    for name in play::members() {
        let member = MemberName::parse(name).map_err(|error| error.to_string())?;
        match store.transcripts.peek(&member).await {
            Ok(entries) => {
                stock.transcripts.insert(name.to_owned(), entries);
            }
            Err(error) => stock.forked.push(format!("{name}'s transcript: {error}")),
        }
    }
    Ok(stock)
}

/// What commands of this team wrote, wherever they ran.
fn lines(site: &Site, team: &str) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for worker in names::WORKERS {
        let text = match fs::read_to_string(site.dir_of(worker).join(play::CALLS)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [_, member, word] = words[..] else {
                return Err(io::Error::other(format!("a torn line: {line}")));
            };
            if play::is_of(word, team) {
                lines.push(Line {
                    worker: worker.to_owned(),
                    member: member.to_owned(),
                    word: word.to_owned(),
                });
            }
        }
    }
    Ok(lines)
}
