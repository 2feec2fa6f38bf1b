//! Files that are cut at any byte or have flipped bits: everything loads, and what was not hit is kept.

use crate::common::{inbox, mail, name, seal, sealed_file, sealed_lines};
use proptest::prelude::*;
use teammate_core::{
    Incarnation, Message, MessageId, MessageKind, Sender, Timestamp, mail::Metadata,
    request::RequestId, team::TeamEvent,
};
use teammate_store::wire::{self, chain::Log, record};

fn transcript() -> &'static [u8] {
    include_bytes!("../golden/transcript-1.jsonl")
}

fn mail_file() -> Vec<u8> {
    let object = |n| wire::mail::to_json(&mail(&format!("m{n}"), "bob", "hé \"x\"\n"));
    let objects: Vec<_> = (0..6).map(object).collect();
    sealed_file(&inbox(), &objects)
}

fn journal_objects() -> Vec<String> {
    let event = |n| TeamEvent::Working {
        member: name("bob"),
        incarnation: Incarnation(n),
    };
    (0..6)
        .map(|n| record::to_json(u64::from(n), Timestamp(7), &[event(n)]))
        .collect()
}

fn line_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[test]
fn every_prefix_keeps_its_whole_lines() {
    let whole = mail_file();
    for end in 0..=whole.len() {
        let file = wire::mail::read_all(&whole[..end], &name("bob"), "1", &inbox());
        // A line is whole also just before its line end.
        let least = line_count(&whole[..end]);
        assert!((least..=least + 1).contains(&file.messages.len()), "{end}");
    }
    let whole = transcript();
    for end in 0..=whole.len() {
        let file = wire::entry::read_all(&whole[..end]);
        let least = line_count(&whole[..end]).saturating_sub(1);
        assert!((least..=least + 1).contains(&file.entries.len()), "{end}");
    }
}

// slow: every bit of a file
#[test]
fn every_flipped_bit_costs_at_most_the_lines_it_touches() {
    let whole = mail_file();
    let untouched = wire::mail::read_all(&whole, &name("bob"), "1", &inbox()).messages;
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = wire::mail::read_all(&bytes, &name("bob"), "1", &inbox());
        let kept = untouched
            .iter()
            .filter(|message| file.messages.contains(message))
            .count();
        // A line end that is hit joins two lines.
        let joined = usize::from(whole[bit / 8] == b'\n');
        assert!(kept + 1 + joined >= untouched.len(), "bit {bit}");
    }
    let whole = transcript();
    let untouched = wire::entry::read_all(whole).entries;
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = wire::entry::read_all(&bytes);
        let joined = usize::from(whole[bit / 8] == b'\n');
        assert!(
            file.entries.len() + 1 + joined >= untouched.len(),
            "bit {bit}"
        );
    }
}

#[test]
fn every_flipped_bit_of_a_journal_line_is_noticed() {
    let log = Log::journal(seal());
    let objects = journal_objects();
    for (object, line) in objects.iter().zip(sealed_lines(&log, &objects)) {
        let record = record::read(object.as_bytes()).unwrap();
        assert_eq!(record::read(line.as_bytes()).as_ref(), Ok(&record));
        for (what, line) in [("a record", object), ("a sealed line", &line)] {
            for bit in 0..line.len() * 8 {
                let mut bytes = line.clone().into_bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(log.opened(&bytes), None, "{what}, bit {bit} of {record:?}");
                // The key of a field that may be missing does not exist; so without a seal only the same record reads, if any.
                let read = record::read(&bytes);
                assert!(
                    read.is_err_and(|why| !why.is_empty()) || bit / 8 + 1 >= object.len(),
                    "{what}, bit {bit} of {record:?}"
                );
            }
        }
    }
}

fn any_message() -> impl Strategy<Value = Message> {
    let value = prop_oneof![
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    let life = prop::option::of(any::<u32>().prop_map(Incarnation));
    (
        (
            any::<String>(),
            prop::option::of((1..u64::MAX).prop_map(RequestId::new)),
            prop::collection::vec((any::<String>(), value), 0..4),
        ),
        (0..MessageKind::ALL.len(), 0..3usize, 0u64..1 << 50),
        (life.clone(), life),
    )
        .prop_map(
            |((content, request_id, metadata), (kind, from, at), (from_life, to_life))| Message {
                id: MessageId::parse("m").unwrap(),
                kind: MessageKind::ALL[kind],
                from: [Sender::User, Sender::System, Sender::Member(name("alice"))][from].clone(),
                from_incarnation: from_life,
                to: name("bob"),
                to_incarnation: to_life,
                content,
                sent_at: Timestamp(at),
                wakes: None,
                request_id,
                metadata: Metadata::of_others(metadata),
            },
        )
}

proptest! {
    #[test]
    fn every_message_reads_back_as_it_was(message in any_message()) {
        let line = sealed_file(&inbox(), &[wire::mail::to_json(&message)]);
        prop_assert_eq!(line_count(&line), 1);
        let file = wire::mail::read_all(&line, &name("bob"), "1", &inbox());
        prop_assert_eq!(&file.messages[..], std::slice::from_ref(&message));
        prop_assert_eq!(wire::mail::read(&wire::mail::to_json(&message)), Ok(message));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in ".{0,200}") {
        for bytes in [&bytes[..], text.as_bytes()] {
            wire::mail::read_all(bytes, &name("bob"), "1", &inbox());
            wire::entry::read_all(bytes);
            let _ = record::read(bytes);
        }
    }
}
