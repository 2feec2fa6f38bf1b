//! What it costs that a record of the steward keeps the questions that it decides, and that each reader looks at whether it counts: on
//! the journal of claims that workers with keys of their own have asked for.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_core::{
    port::{AskedQuestion, FleetQuestion, Record, RecordWriter, Seal},
    team::TeamState,
};
use teammate_wire::{
    chain::{LineDigest, Log},
    record,
};

use super::{Failure, KEYED, PERSON, Servers, Site, place};
use crate::bench::suite::{Measured, row::Target};

/// How often each is timed, in turns, so that all meet the same machine.
const TIMES: u32 = 5;

pub(super) async fn measure(servers: &Servers) -> Measured {
    let site = &servers.site;
    let records = site.store(KEYED).await?.journal.read(0).await?.records;
    let seal = seal(site)?;
    let unchecked: Vec<Record> = records.iter().map(by_user).collect();
    let (mut reading, mut proving) = (Duration::ZERO, Duration::ZERO);
    let (mut checked, mut folded) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..TIMES {
        // Another process: it knows nothing yet.
        let reader = site.store(KEYED).await?.journal;
        let begun = Instant::now();
        reader.read(0).await?;
        reading += begun.elapsed();
        proving += prove(&records, &*seal)?;
        checked += fold(&records, &records)?;
        folded += fold(&unchecked, &records)?;
    }
    let asked: Vec<&Record> = records
        .iter()
        .filter(|one| !one.questions.is_empty())
        .collect();
    let commands: usize = asked.iter().map(|one| one.commands.len()).sum();
    let questions: usize = asked.iter().map(|one| one.questions.len()).sum();
    let kept = bytes(&seal, asked.iter().map(|one| (*one).clone()));
    let plain = bytes(&seal, asked.iter().map(|one| without_questions(one)));
    let each =
        |time: Duration, count: usize| time.as_secs_f64() * 1e6 / f64::from(TIMES) / count as f64;
    let row = |what: &str, measured| servers.row(what, "", Target::Nothing, measured);
    Ok(vec![
        row(
            "bytes of what is decided for others, with its questions / without",
            kept / plain,
        )
        .note(format!(
            "{:.0} / {:.0} bytes a command; {commands} commands, {questions} questions, {} records",
            kept / commands as f64,
            plain / commands as f64,
            asked.len()
        )),
        row(
            "proving questions, of the time of reading the journal",
            proving.as_secs_f64() / reading.as_secs_f64(),
        )
        .note(format!(
            "{:.0} us a question, {:.1} us a command",
            each(proving, questions),
            each(proving, commands)
        )),
        row(
            "folding it, looking at what counts / not",
            checked.as_secs_f64() / folded.as_secs_f64(),
        )
        .note(format!(
            "{:.1} / {:.1} us a command",
            each(checked, commands),
            each(folded, commands)
        )),
    ])
}

fn seal(site: &Site) -> Result<Arc<dyn Seal>, Failure> {
    let seal = site.creds(PERSON)?.seal(place(KEYED)?.team, Arc::default());
    Ok(Arc::new(seal.ok_or("keys that do not fit")?))
}

/// The same record as nobody looks at whether it counts.
fn by_user(record: &Record) -> Record {
    Record {
        writer: RecordWriter::User,
        ..record.clone()
    }
}

fn without_questions(record: &Record) -> Record {
    Record {
        questions: Vec::new(),
        ..record.clone()
    }
}

fn bytes(seal: &Arc<dyn Seal>, records: impl Iterator<Item = Record>) -> f64 {
    let log = Log::journal(seal.clone());
    let lines = records.map(|one| log.line(&record::write(&one), LineDigest::NONE).len());
    lines.sum::<usize>() as f64
}

/// How long it takes to prove all questions and to read what they ask.
fn prove(records: &[Record], seal: &dyn Seal) -> Result<Duration, Failure> {
    let place = place(KEYED)?;
    let begun = Instant::now();
    for record in records {
        let RecordWriter::Worker(writer) = &record.writer else {
            continue;
        };
        for AskedQuestion { by, proof, .. } in record.questions.iter().map(|one| &**one) {
            let proof = proof.as_ref().ok_or("a question without a proof")?;
            let subject = place.question(writer, by);
            if !seal.verifies(&subject, proof.text.as_bytes(), &proof.seal) {
                return Err("a question that proves nothing".into());
            }
            serde_json::from_str::<FleetQuestion>(&proof.text)?;
        }
    }
    Ok(begun.elapsed())
}

/// How long it takes to make the team of these records, which must be the one of all.
fn fold(records: &[Record], all: &[Record]) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let team = TeamState::of(records);
    let took = begun.elapsed();
    match team.board().progress() == TeamState::of(all).board().progress() {
        true => Ok(took),
        false => Err("not all of it counts".into()),
    }
}
