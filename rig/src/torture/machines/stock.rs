//! What is there in the end, against what processes said of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Write as _},
};

use teammate_core::{
    MemberName,
    port::Record,
    team::{TeamEvent, Term},
    transcript::{Entry, check_terms},
};
use teammate_nats::NatsStore;

use super::{
    crew::{Account, WORKERS},
    holder::{Ended, Until, hold_under},
    site::{Site, held},
};
use crate::torture::{
    verdict::Verdict,
    worker::{heard, run},
};

/// What was found wrong, and how much was looked at.
#[derive(Debug, Default)]
pub(super) struct Found {
    mail: Verdict,
    records: Verdict,
    entries: Verdict,
    /// Logs that are not one history.
    pub(super) forked: Vec<String>,
    /// Entries of an older term behind a newer one.
    pub(super) old_terms: Vec<String>,
    /// Holders that gave up though nobody had taken over.
    pub(super) stopped: Vec<String>,
    terms: u64,
    fenced: u64,
}

/// Looks at all logs of a round. No process may be alive.
pub(super) fn take(site: &Site, account: &Account) -> Result<Found, String> {
    run(async {
        let store = site.store().await?;
        let mut found = Found {
            stopped: account.stopped.clone(),
            terms: account.term,
            fenced: account.fenced,
            ..Found::default()
        };
        found.journal(&store, account).await;
        found.transcripts(&store, account).await;
        found.held(&store, account).await?;
        Ok(found)
    })?
}

fn of_kind(account: &Account, kind: &str) -> BTreeMap<String, u64> {
    let of = account
        .acknowledged
        .iter()
        .filter(|((_, of), _)| of == kind);
    of.map(|((name, _), count)| (name.clone(), *count))
        .collect()
}

impl Found {
    async fn journal(&mut self, store: &NatsStore, account: &Account) {
        match store.journal.read(0).await {
            Ok(read) => {
                let ids: Vec<String> = read.records.iter().filter_map(id).collect();
                let numbers = read.records.iter().map(|record| record.number);
                if numbers.zip(0..).any(|(number, at)| number != at) {
                    self.forked.push("the journal has other numbers".to_owned());
                }
                self.records.add(&of_kind(account, "record"), &ids);
            }
            Err(error) => self.forked.push(error.to_string()),
        }
    }

    async fn transcripts(&mut self, store: &NatsStore, account: &Account) {
        let acknowledged = of_kind(account, "entry");
        for name in WORKERS {
            let member = MemberName::teammate(name).expect("it is a name");
            match store.transcripts.peek(&member).await {
                Ok(entries) => {
                    let ids = entries.iter().filter_map(|entry| match entry {
                        Entry::Prompted(number) => Some(format!("{name}-{number}")),
                        _ => None,
                    });
                    let own = acknowledged.get_key_value(name);
                    let own = own.map(|(name, count)| (name.clone(), *count));
                    self.entries
                        .add(&own.into_iter().collect(), &ids.collect::<Vec<_>>());
                }
                Err(error) => self.forked.push(error.to_string()),
            }
        }
    }

    /// The member that was taken over again and again: it hears the rest of its mail first.
    async fn held(&mut self, store: &NatsStore, account: &Account) -> Result<(), String> {
        // A log that is not one history stays so: nobody waits for it.
        if let Err(error) = store.transcripts.peek(&held()).await {
            self.forked.push(error.to_string());
            return Ok(());
        }
        let last = Term(account.term).next();
        match hold_under(store, last, Until::Drained).await {
            Ok(Ended::Drained) => {}
            Ok(Ended::Fenced | Ended::StoppedForNothing) => {
                self.stopped.push(format!("term {}", last.0));
            }
            Err(error) => {
                self.forked.push(error);
                return Ok(());
            }
        }
        let entries = store.transcripts.peek(&held()).await;
        let entries = entries.map_err(|error| error.to_string())?;
        let ids: Vec<String> = heard(&entries).map(|mail| mail.id.to_string()).collect();
        self.mail.add(&of_kind(account, "mail"), &ids);
        self.old_terms.extend(old_terms(&entries));
        Ok(())
    }

    pub(super) fn is_clean(&self) -> bool {
        let logs = [&self.mail, &self.records, &self.entries];
        logs.into_iter().all(Verdict::is_clean)
            && [&self.forked, &self.old_terms, &self.stopped]
                .into_iter()
                .all(Vec::is_empty)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.mail.join(other.mail);
        self.records.join(other.records);
        self.entries.join(other.entries);
        self.forked.extend(other.forked);
        self.old_terms.extend(other.old_terms);
        self.stopped.extend(other.stopped);
        self.terms += other.terms;
        self.fenced += other.fenced;
    }

    /// Whether anything that was acknowledged is gone.
    pub(super) fn has_lost(&self) -> bool {
        let logs = [&self.mail, &self.records, &self.entries];
        logs.into_iter().any(|log| !log.lost.is_empty())
    }

    /// The first of what is wrong.
    pub(super) fn details(&self) -> String {
        let mut text = String::new();
        for verdict in [&self.mail, &self.records, &self.entries] {
            text.push_str(&verdict.details());
        }
        for (what, all) in [
            ("forked", &self.forked),
            ("old terms", &self.old_terms),
            ("stopped for nothing", &self.stopped),
        ] {
            if let Some(first) = all.first() {
                let _ = writeln!(text, "{what}: {} of them, such as {first}", all.len());
            }
        }
        text
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, verdict) in [
            ("mail", &self.mail),
            ("records", &self.records),
            ("entries", &self.entries),
        ] {
            write!(
                f,
                "{what}: {} acknowledged, {} lost, {} doubled, {} out of order; ",
                verdict.acknowledged,
                verdict.lost.len(),
                verdict.doubled.len(),
                verdict.out_of_order.len()
            )?;
        }
        write!(
            f,
            "{} terms, {} holders fenced, {} stopped for nothing, {} entries of older terms, {} logs forked",
            self.terms,
            self.fenced,
            self.stopped.len(),
            self.old_terms.len(),
            self.forked.len()
        )
    }
}

/// Whose record it is, as `w1-7`.
fn id(record: &Record) -> Option<String> {
    match record.events.first()? {
        TeamEvent::Working {
            member,
            incarnation,
        } => Some(format!("{member}-{}", incarnation.0)),
        _ => None,
    }
}

/// Entries of an older term behind a newer `Taken`. Each holder says its term before it hears.
fn old_terms(entries: &[Entry]) -> Vec<String> {
    let mut now = Term::NONE;
    let mut seen = BTreeSet::new();
    if let Err(error) = check_terms(entries) {
        seen.insert(error.to_string());
    }
    for (at, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Taken { term } => now = *term,
            Entry::Prompted(term) if *term != now.0.to_string() => {
                seen.insert(format!("entry {at} of term {term} under term {}", now.0));
            }
            _ => {}
        }
    }
    seen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_an_older_term_is_seen() {
        let (taken, said) = (
            |term| Entry::Taken { term: Term(term) },
            |term: u64| Entry::Prompted(term.to_string()),
        );
        assert!(old_terms(&[taken(1), said(1), taken(3), said(3)]).is_empty());
        assert_eq!(old_terms(&[taken(1), taken(2), said(1)]).len(), 1);
        assert_eq!(old_terms(&[taken(2), taken(1)]).len(), 1);
    }
}
