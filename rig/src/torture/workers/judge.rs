//! What is there in the end, against what was acknowledged.

mod calls;
mod tasks;

use std::{collections::BTreeMap, fmt};

use teammate_core::transcript::{Entry, check_terms};

use self::calls::Calls;
use super::{
    load::{Ack, Acts},
    play,
    stock::Stock,
};

/// How many of what is wrong are named.
const SHOWN: usize = 12;

/// How many of the verbs are shown that did not end well.
const REFUSED_SHOWN: usize = 3;

/// What was found, and how much was looked at.
#[derive(Debug, Default)]
pub(super) struct Found {
    teams: u64,
    words: u64,
    messages: u64,
    tasks: u64,
    completed: u64,
    calls: u64,
    takeovers: u64,
    records: u64,
    entries: u64,
    /// What verbs said that did not end well.
    refused: Vec<String>,
    pub(super) wrong: Vec<String>,
}

/// Looks at one team.
pub(super) fn judge(acts: &Acts, stock: &Stock) -> Found {
    let mut found = Found {
        teams: 1,
        refused: acts.refused.clone(),
        records: stock.records.len() as u64,
        wrong: stock.forked.clone(),
        ..Found::default()
    };
    let heard = heard(stock);
    found.words(acts, &heard);
    found.terms(stock);
    let calls = Calls::of(stock);
    found.messages(&calls, &heard);
    found.wrong.extend(calls.wrong(&stock.lines));
    found.calls = calls.commands.len() as u64;
    let tasks = tasks::look(acts, &stock.records);
    found.tasks = tasks.acknowledged;
    found.completed = tasks.completed;
    found.wrong.extend(tasks.wrong);
    found
}

/// Words that were acknowledged and are in no transcript.
pub(super) fn unheard(acts: &Acts, stock: &Stock) -> Vec<String> {
    let heard = heard(stock);
    let given = acts.words.iter().filter(|word| word.ack == Ack::Given);
    given
        .filter(|word| !heard.contains_key(&(word.to.clone(), word.text.clone())))
        .map(|word| format!("{} to {}", word.text, word.to))
        .collect()
}

/// How often each member heard each text.
fn heard(stock: &Stock) -> BTreeMap<(String, String), u64> {
    let mut heard = BTreeMap::new();
    for (member, entries) in &stock.transcripts {
        for entry in entries {
            let Entry::Heard(mail) = entry else { continue };
            for mail in mail {
                let key = (member.clone(), mail.content.clone());
                *heard.entry(key).or_default() += 1;
            }
        }
    }
    heard
}

impl Found {
    fn words(&mut self, acts: &Acts, heard: &BTreeMap<(String, String), u64>) {
        for word in &acts.words {
            let key = (word.to.clone(), word.text.clone());
            let times = heard.get(&key).copied().unwrap_or_default();
            self.words += u64::from(word.ack == Ack::Given);
            self.count(word.ack, times, &format!("{} to {}", word.text, word.to));
        }
    }

    fn messages(&mut self, calls: &Calls, heard: &BTreeMap<(String, String), u64>) {
        for message in &calls.messages {
            let key = (message.to.clone(), message.text.clone());
            let times = heard.get(&key).copied().unwrap_or_default();
            self.messages += u64::from(message.ack == Ack::Given);
            let what = format!("'{}' to {}", message.text, message.to);
            self.count(message.ack, times, &what);
        }
    }

    /// What was acknowledged is there once, anything else once at most.
    fn count(&mut self, ack: Ack, times: u64, what: &str) {
        match (ack, times) {
            (_, 1) | (Ack::Unknown, 0) => {}
            (Ack::Given, 0) => self.wrong.push(format!("lost: {what}")),
            (_, times) => self.wrong.push(format!("heard {times} times: {what}")),
        }
    }

    fn terms(&mut self, stock: &Stock) {
        for (member, entries) in &stock.transcripts {
            self.entries += entries.len() as u64;
            let taken = |entry: &&Entry| matches!(entry, Entry::Taken { .. });
            self.takeovers += entries.iter().filter(taken).count() as u64;
            if let Err(error) = check_terms(entries) {
                self.wrong.push(format!("{member}: {error}"));
            }
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.teams += other.teams;
        self.words += other.words;
        self.messages += other.messages;
        self.tasks += other.tasks;
        self.completed += other.completed;
        self.calls += other.calls;
        self.takeovers += other.takeovers;
        self.records += other.records;
        self.entries += other.entries;
        self.refused.extend(other.refused);
        self.wrong.extend(other.wrong);
    }

    /// The first of what is wrong, and of what verbs refused, a line each.
    pub(super) fn details(&self) -> String {
        let wrong = self.wrong.iter().take(SHOWN);
        let refused = self.refused.iter().take(REFUSED_SHOWN);
        let refused = refused.map(|why| format!("  not well: {why}\n"));
        wrong
            .map(|wrong| format!("  wrong: {wrong}\n"))
            .chain(refused)
            .collect()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} teams of {}: {} words and {} messages acknowledged, {} tasks, {} completed, {} commands, {} take-overs, {} records, {} \
             entries; {} verbs did not end well; {} wrong",
            self.teams,
            play::members().len(),
            self.words,
            self.messages,
            self.tasks,
            self.completed,
            self.calls,
            self.takeovers,
            self.records,
            self.entries,
            self.refused.len(),
            self.wrong.len()
        )
    }
}

#[cfg(test)]
mod tests;
