//! Journal lines: `{"n":7,"at":1732230000500,"sum":"9ae0daaf","events":[…],"prev":"…","seal":"…"}`.
//!
//! Where workers run the team a line has `"commands":[["WRITER",3,0,2],…]` besides: which commands it
//! decides, each with the place and number of its events. Older programs do not look at it. The
//! questions in which they were asked are in `"questions":[["WORKER","{…}","SEAL"],…]`, as they came
//! over the wire: who reads the line decides what they prove.
//!
//! The sum covers number, time and events and finds accidental damage. The seal
//! ([`chain`](super::chain)) proves who wrote the line; lines of earlier versions have neither `prev`
//! nor `seal`.

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{QuestionProof, Record, RecordWriter},
    team::{DecidedCommand, TeamEvent},
};

/// A question of a worker, as a line keeps it.
pub type KeptQuestion = (WorkerName, QuestionProof);

#[derive(Serialize)]
struct WrittenRecord<'a> {
    n: u64,
    at: Timestamp,
    sum: String,
    events: &'a RawValue,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    commands: &'a [DecidedCommand],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    questions: Vec<(&'a WorkerName, &'a str, &'a str)>,
}

#[derive(Deserialize)]
struct ReadRecord<'a> {
    n: u64,
    at: Timestamp,
    sum: String,
    #[serde(borrow)]
    events: &'a RawValue,
    #[serde(default)]
    commands: Vec<DecidedCommand>,
    #[serde(default)]
    questions: Vec<(WorkerName, String, String)>,
}

#[derive(Deserialize)]
struct RecordNumber {
    n: u64,
}

/// Writes a record as a JSON object on one line, without a line end and without a seal.
pub fn write(record: &Record) -> String {
    // Events are plain enums of strings and numbers: they always serialise.
    let events = to_raw_value(&record.events).expect("events are JSON");
    let questions = record.questions.iter().filter_map(|question| {
        let proof = question.proof.as_ref()?;
        Some((&question.by, &*proof.text, &*proof.seal))
    });
    let line = WrittenRecord {
        n: record.number,
        at: record.at,
        sum: sum(record.number, record.at, events.get()),
        events: &events,
        commands: &record.commands,
        questions: questions.collect(),
    };
    serde_json::to_string(&line).expect("a line of plain values is JSON")
}

/// The line of a record that lists no commands.
pub fn to_json(number: u64, at: Timestamp, events: &[TeamEvent]) -> String {
    write(&Record::of(number, at, events.to_vec()))
}

/// Reads one line, without checking its seal: who wrote it is the seal's to say. What its questions prove is left out.
///
/// Errors: what is wrong with it, in words for the user.
pub fn read(line: &[u8]) -> Result<Record, String> {
    read_kept(line).map(|(record, _)| record)
}

/// Reads a record with the questions that it keeps.
///
/// Errors: what is wrong with it, in words for the user.
pub fn read_kept(line: &[u8]) -> Result<(Record, Vec<KeptQuestion>), String> {
    let read: ReadRecord<'_> = serde_json::from_slice(super::without_leading_nuls(line))
        .map_err(|error| error.to_string())?;
    if read.sum != sum(read.n, read.at, read.events.get()) {
        return Err("its checksum is wrong".to_owned());
    }
    let record = Record {
        number: read.n,
        at: read.at,
        events: serde_json::from_str(read.events.get()).map_err(|error| newer(&error))?,
        writer: RecordWriter::User,
        commands: read.commands,
        questions: Vec::new(),
    };
    let kept = read.questions.into_iter();
    let kept = kept.map(|(by, text, seal)| (by, QuestionProof { text, seal }));
    Ok((record, kept.collect()))
}

/// The reason for a line that is whole and yet unknown: it comes of a newer program.
fn newer(error: &serde_json::Error) -> String {
    let error = error.to_string();
    // All words that this version knows follow.
    let unknown = error.split(", expected").next().unwrap_or_default();
    format!("a newer version of this program wrote it, install that ({unknown})")
}

/// The number of a line, also if this version does not know its events.
pub fn number(line: &[u8]) -> Option<u64> {
    serde_json::from_slice(line)
        .ok()
        .map(|RecordNumber { n }| n)
}

fn sum(number: u64, at: Timestamp, events: &str) -> String {
    let covered = format!("{number} {} {events}", at.0);
    format!("{:08x}", crc32fast::hash(covered.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_event_is_of_a_newer_version_and_a_changed_one_is_damage() {
        let events = r#"[{"event":"holographed","member":"bob"}]"#;
        let sum = sum(3, Timestamp(9), events);
        let line = format!(r#"{{"n":3,"at":9,"sum":"{sum}","events":{events}}}"#);
        assert_eq!(
            read(line.as_bytes()),
            Err(
                "a newer version of this program wrote it, install that (unknown variant `holographed`)"
                    .to_owned()
            )
        );
        let changed = line.replace("bob", "rob");
        assert_eq!(
            read(changed.as_bytes()),
            Err("its checksum is wrong".to_owned())
        );
        assert_eq!(number(line.as_bytes()), Some(3));
    }
}
