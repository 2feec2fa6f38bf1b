//! The walls that servers hold, as the text of their configuration.
//!
//! A worker makes consumers by the subject with the filter in it, which the server compares with the body. It has no call on
//! streams: those know no subjects, so a worker that may purge or get a message for itself may for everybody.

use std::fmt::Write as _;

use teammate_core::name::WorkerName;

use super::{CircleRole, party::Party};
use crate::layout::card;

const HEAD: &str = "\
# Made for a circle: include it in each server's configuration, and reload
# the servers when it has changed (nats-server --signal reload). It has no secrets.
";

/// The accounts of a circle.
pub(super) fn accounts<'a>(
    system: &str,
    parties: impl Iterator<Item = (&'a WorkerName, &'a Party)>,
) -> String {
    let users: String = parties.map(|(name, party)| user(name, party)).collect();
    format!(
        "{HEAD}accounts {{\n  TEAMMATE {{\n    jetstream: enabled\n    users: [\n{users}    ]\n  }}\n  \
         SYS {{ users: [ {{ nkey: {system} }} ] }}\n}}\nsystem_account: SYS\n"
    )
}

fn user(name: &WorkerName, party: &Party) -> String {
    let mut text = format!("      # {name}\n      {{ nkey: {}", party.login);
    match party.role {
        // All of the account.
        CircleRole::Person => {}
        CircleRole::Worker => {
            let teams: Vec<String> = match party.teams.is_empty() {
                true => vec!["*".to_owned()],
                false => party.teams.iter().map(ToString::to_string).collect(),
            };
            let (publish, subscribe) = (publish(name, &teams), subscribe(name, &teams));
            // Writing to a text cannot fail.
            let _ = write!(
                text,
                ", permissions: {{\n        publish: {{ allow: [{}] }}\n        subscribe: {{ allow: [{}] }}\n        \
                 allow_responses: {{ max: 1, expires: \"1m\" }}\n      }}",
                quoted(&publish),
                quoted(&subscribe)
            );
        }
    }
    text.push_str(" }\n");
    text
}

fn publish(worker: &WorkerName, teams: &[String]) -> Vec<String> {
    let mut subjects = vec![
        format!("tm.beat.{worker}"),
        "tm.gov.*".to_owned(),
        "tm.probe.*".to_owned(),
        // Names of consumers cannot be guessed.
        "$JS.API.CONSUMER.DELETE.*.*".to_owned(),
        "$JS.FC.>".to_owned(),
    ];
    for team in teams {
        for end in ["j", "t.*", "x.*", "m.*", "s.*", "e.*", "o.>", "i", "text.*"] {
            subjects.push(format!("tm.*.{team}.{end}"));
        }
        subjects.push(format!("tm.*.{team}.cmd.*.{worker}"));
        subjects.push(format!("$JS.API.CONSUMER.CREATE.*.*.tm.*.{team}.>"));
        // The teams' cards.
        subjects.push(format!("$JS.API.CONSUMER.CREATE.*.*.{}", card(team)));
    }
    subjects
}

fn subscribe(worker: &WorkerName, teams: &[String]) -> Vec<String> {
    let mut subjects = vec![
        format!("{}.>", inbox(worker)),
        "tm.beat.*".to_owned(),
        "tm.gov.*".to_owned(),
    ];
    for team in teams {
        subjects.push(format!("tm.*.{team}.cmd.{worker}.*"));
        subjects.push(format!("tm.*.{team}.text.*"));
    }
    subjects
}

/// Where answers to one client come: its own, or each could hear what is delivered to others.
pub(super) fn inbox(name: &WorkerName) -> String {
    format!("_INBOX_{name}")
}

fn quoted(subjects: &[String]) -> String {
    let quoted: Vec<String> = subjects
        .iter()
        .map(|subject| format!("\"{subject}\""))
        .collect();
    quoted.join(", ")
}
