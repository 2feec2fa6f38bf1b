//! Transcripts: every word that can stand within an entry. One entry of each form is in `transcript_story`.

use teammate_core::{
    Message,
    model::{Reply, StopReason, Usage, Wire},
    transcript::Entry,
};
use teammate_store::wire::entry;

use super::{
    every,
    journal::{rest_reasons, usage},
    mail::{kinds, messages, senders},
    same_bytes,
};
use crate::common::{name, sealed_transcript};

pub(crate) fn stops() -> Vec<StopReason> {
    every! { StopReason:
        StopReason::EndTurn => [StopReason::EndTurn],
        StopReason::ToolUse => [StopReason::ToolUse],
        StopReason::MaxTokens => [StopReason::MaxTokens],
        StopReason::Pause => [StopReason::Pause],
        StopReason::Refusal => [StopReason::Refusal],
        StopReason::ContextFull => [StopReason::ContextFull],
        StopReason::Other(_) => [StopReason::Other("tired".into())],
    }
}

fn entries() -> Vec<Entry> {
    let wires = every! { Wire:
        Wire::Anthropic => [Wire::Anthropic],
        Wire::OpenAi => [Wire::OpenAi],
        Wire::Plain => [Wire::Plain],
        Wire::Responses => [Wire::Responses],
    };
    let older = wires.into_iter().take(3);
    let newer = Entry::Answered(Reply {
        blocks: Vec::new(),
        stop: StopReason::EndTurn,
        usage: Usage {
            cache_write_long: 1,
            reasoning: 2,
            cache_lost: 3,
            ..usage()
        },
        model: "m".into(),
        wire: Wire::Responses,
    });
    let heard = kinds().into_iter().zip(messages());
    let heard = heard.zip(senders().into_iter().cycle());
    let heard = heard.map(|((kind, message), from)| {
        Entry::Heard(vec![Message {
            kind,
            from,
            ..message
        }])
    });
    let answered = stops().into_iter().zip(older.cycle());
    let answered = answered.map(|(stop, wire)| {
        Entry::Answered(Reply {
            blocks: Vec::new(),
            stop,
            usage: usage(),
            model: "m".into(),
            wire,
        })
    });
    let rested = rest_reasons().into_iter().map(Entry::TurnEnded);
    heard.chain(answered).chain(rested).chain([newer]).collect()
}

#[test]
fn every_word_within_an_entry_is_written_and_read_as_ever() {
    let mut written = entry::header(&name("bob")) + "\n";
    for entry in entries() {
        written += &(entry::to_json(&entry) + "\n");
    }
    same_bytes("transcript-words-1.jsonl", written.as_bytes());
    let file = entry::read_all(written.as_bytes());
    assert_eq!((file.entries, file.damaged), (entries(), Vec::new()));
}

/// The first of them as they are written today: sealed, each naming the one before.
#[test]
fn sealed_lines_are_written_and_read_as_ever() {
    let first = &entries()[..3];
    same_bytes("transcript-lines-2.jsonl", &sealed_transcript(first));
    let file = entry::read_all(include_bytes!("../../golden/transcript-lines-2.jsonl"));
    assert_eq!((&file.entries[..], file.damaged), (first, Vec::new()));
}

/// The golden file that `transcript_story` compares has an entry of every variant.
#[test]
fn the_golden_transcript_has_every_entry() {
    let file = entry::read_all(include_bytes!("../../golden/transcript-1.jsonl"));
    assert_eq!(file.damaged, Vec::new());
    let of = |is: fn(&Entry) -> bool| -> Vec<Entry> {
        file.entries
            .iter()
            .filter(|entry| is(entry))
            .cloned()
            .collect()
    };
    let all = every! { Entry:
        Entry::Conversation(_) => of(|entry| matches!(entry, Entry::Conversation(_))),
        Entry::MemoryReset => of(|entry| matches!(entry, Entry::MemoryReset)),
        Entry::Heard(_) => of(|entry| matches!(entry, Entry::Heard(_))),
        Entry::Answered(_) => of(|entry| matches!(entry, Entry::Answered(_))),
        Entry::ToolOutcomes(_) => of(|entry| matches!(entry, Entry::ToolOutcomes(_))),
        Entry::Prompted(_) => of(|entry| matches!(entry, Entry::Prompted(_))),
        Entry::TurnEnded(_) => of(|entry| matches!(entry, Entry::TurnEnded(_))),
        Entry::HandedOver(_) => of(|entry| matches!(entry, Entry::HandedOver(_))),
        Entry::Shortened { .. } => of(|entry| matches!(entry, Entry::Shortened { .. })),
        Entry::Compacted(_) => of(|entry| matches!(entry, Entry::Compacted(_))),
        Entry::Taken { .. } => of(|entry| matches!(entry, Entry::Taken { .. })),
        Entry::SummaryFailed { .. } => of(|entry| matches!(entry, Entry::SummaryFailed { .. })),
    };
    assert_eq!(all.len(), file.entries.len());
}
