//! Entries on the left, what they are mended to on the right, each in a word.

use super::*;
use crate::{
    model::{StopReason, Usage},
    tool::{ToolCall, ToolInput},
    transcript::{
        Compacted, Conversation, EndReason, Gap, ResumePoint,
        tests::{self, said},
    },
};

fn mail(id: &str) -> Entry {
    tests::mail(id, id)
}

/// One entry from a word: `m1` mail, `a:text` an answer, `p:text` one that is paused, `c1+c2` calls, `d1+d2` their outcomes,
/// `R` rested, `F` fresh, `C` compacted, `S` shortened.
fn entry(word: &str) -> Entry {
    let call = |id: &str| {
        Block::tool_use(&ToolCall {
            id: CallId::new(id.into()),
            name: "bash".into(),
            input: ToolInput::from_json("{}".into()),
        })
    };
    match word.split_at(1) {
        ("m", _) => mail(word),
        ("a", text) => said(vec![Block::text(text)], StopReason::EndTurn),
        ("p", text) => said(vec![Block::text(text)], StopReason::Pause),
        ("c", _) => said(word.split('+').map(call).collect(), StopReason::ToolUse),
        ("d", _) => {
            let ids = word.split('+').map(|word| word.replace('d', "c"));
            Entry::ToolOutcomes(ids.map(|id| (CallId::new(id), Outcome::ok("ok"))).collect())
        }
        ("R", _) => Entry::TurnEnded(EndReason::Interrupted),
        ("F", _) => Entry::MemoryReset,
        ("C", _) => Entry::Compacted(Compacted {
            summary: "gist".into(),
            recap: "state".into(),
            mail_bytes_max: 100,
            before: 1,
            model: "m".into(),
            usage: Usage::default(),
        }),
        ("S", _) => Entry::Shortened {
            calls: vec![CallId::new("c1".into())],
            mail: vec![],
            before: 1,
        },
        _ => panic!("{word}"),
    }
}

fn entries(words: &str) -> Vec<Entry> {
    words.split_whitespace().map(entry).collect()
}

fn healed(entries: Vec<Entry>) -> (Vec<Entry>, Mended) {
    let mut healing = Healing::default();
    let mut out: Vec<Entry> = entries
        .into_iter()
        .flat_map(|entry| healing.take(entry))
        .collect();
    let (rest, mended) = healing.finish();
    out.extend(rest);
    (out, mended)
}

/// The entries in words; what was put in is in capitals.
fn words(entries: &[Entry]) -> String {
    let word = |entry: &Entry| match entry {
        Entry::Heard(mail) => mail[0].content.clone(),
        Entry::HandedOver(handover) => handover.session.clone(),
        Entry::Answered(reply) => match reply.calls() {
            calls if calls.is_empty() => format!("a{}", reply.text()),
            calls => {
                let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
                ids.join("+")
            }
        },
        Entry::ToolOutcomes(outcomes) => {
            let words = outcomes.iter().map(|(id, outcome)| {
                let id = id.as_str().replace('c', "d");
                match outcome.is_error {
                    true => id.to_uppercase(),
                    false => id,
                }
            });
            words.collect::<Vec<_>>().join("+")
        }
        Entry::Prompted(text) if text == LOST_CALL => "CALL".into(),
        Entry::Prompted(text) if text == LOST_WORDS => "WORDS".into(),
        Entry::Prompted(text) if text == LOST_BEGINNING => "BEGINNING".into(),
        Entry::Prompted(text) => panic!("{text}"),
        Entry::TurnEnded(_) => "R".into(),
        Entry::MemoryReset => "F".into(),
        Entry::Taken { term } => format!("T{term}"),
        Entry::Conversation(id) => format!("={id}"),
        Entry::Compacted(_) => "C".into(),
        Entry::Shortened { .. } => "S".into(),
        Entry::SummaryFailed { .. } => "W".into(),
    };
    entries.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn sound_transcripts_stay_as_they_are() {
    for sound in [
        "",
        "m1 a:yes m2 a:yes",
        "m1 c1+c2 d1+d2 a:yes",
        "m1 c1+c2 d1 d2 c3 d3 a:yes m2",
        "m1 c1+c2",
        "m1 c1+c2 d1",
        "m1 p:hm p:hm a:yes",
        "m1 p:hm c1 d1 a:yes",
        "m1 c1 d1 R m2 c2 d2 S a:yes",
        "m1 c1 d1 C c1 d1 a:yes C m2 a:no",
        "m1 c1 d1 F m2 c1 d1",
    ] {
        let before = entries(sound);
        let (after, mended) = healed(before.clone());
        assert_eq!(after, before, "{sound}");
        assert!(mended.is_nothing(), "{sound}: {mended}");
    }
}

#[test]
fn lost_entries_are_replaced_by_a_note() {
    for (damaged, expected) in [
        // An outcome is lost.
        ("m1 c1 a:yes", "m1 c1 D1 a:yes"),
        ("m1 c1+c2 d1 a:yes", "m1 c1+c2 d1 D2 a:yes"),
        ("m1 c1+c2 m2", "m1 c1+c2 D1+D2 m2"),
        ("m1 c1 R m2", "m1 c1 D1 R m2"),
        ("m1 c1 C a:yes", "m1 c1 D1 C a:yes"),
        ("m1 c1 c2 d2", "m1 c1 D1 c2 d2"),
        // A call is lost.
        ("m1 d1 a:yes", "m1 CALL a:yes"),
        ("m1 d1", "m1 CALL"),
        ("m1 c1 d1 d2+d3 a:yes", "m1 c1 d1 CALL a:yes"),
        // In a turn that has ended the note would begin another.
        ("m1 a:yes d2", "m1 a:yes"),
        // What was said is lost.
        ("m1 a:yes a:no", "m1 a:yes WORDS a:no"),
        ("m1 a:yes c1 d1", "m1 a:yes WORDS c1 d1"),
        ("a:yes m1", "BEGINNING a:yes m1"),
        ("c1 d1", "BEGINNING c1 d1"),
        ("F a:yes", "F BEGINNING a:yes"),
        // The line that ended what was sent before is lost.
        (
            "m1 c1 d1 a:x m2 c1+c2 d1+d2",
            "m1 c1 d1 a:x m2 F BEGINNING c1+c2 d1+d2",
        ),
        // Lines are there twice.
        ("m1 m1 a:yes a:yes", "m1 a:yes"),
        ("m1 c1+c2 c1+c2 d1+d2 d1+d2 a:yes", "m1 c1+c2 d1+d2 a:yes"),
        ("m1 c1 d1 c1 d1 m1 a:yes", "m1 c1 d1 a:yes"),
        // Lines changed places. What came too early is not taken for what is missing.
        ("m1 d1 c1 a:yes", "m1 CALL c1 D1 a:yes"),
        ("m1 c1 a:yes d1", "m1 c1 D1 a:yes"),
        ("m1 c1+c2 d9 d1+d2 a:yes", "m1 c1+c2 d1+d2 CALL a:yes"),
        ("m1 c1 d9", "m1 c1 D1 CALL"),
        ("c1 m1 d1 a:yes", "BEGINNING c1 D1 m1 a:yes"),
    ] {
        let (after, mended) = healed(entries(damaged));
        assert_eq!(words(&after), expected, "{damaged}");
        assert!(!mended.is_nothing(), "{damaged}");
        let (again, nothing) = healed(after.clone());
        assert_eq!(again, after, "{damaged}: mended twice");
        assert!(nothing.is_nothing(), "{damaged}: {nothing}");
    }
}

#[test]
fn an_answer_whose_calls_have_one_id_is_left_out() {
    let (after, mended) = healed(entries("m1 c1+c1 d1 m2"));
    assert_eq!(words(&after), "m1 CALL m2");
    assert_eq!((mended.ambiguous, mended.lost_calls), (1, 1));
}

/// What was mended at one opening stays as it is at the next, when more was written behind it.
#[test]
fn what_is_appended_changes_nothing_that_was_mended() {
    let all = entries("m1 c1+c2 d9 d1 a:x a:y d3 m4 c5 d5 a:z R m6 a:z");
    for end in 0..all.len() {
        let (mut before, _) = healed(all[..end].to_vec());
        let open = Conversation::of(all[..end].to_vec()).open_calls();
        // As the loop does before it continues.
        let close = (!open.is_empty()).then(|| {
            Entry::ToolOutcomes(open.into_iter().map(|id| (id, Outcome::ok("ok"))).collect())
        });
        let live: Vec<Entry> = close.into_iter().chain(entries("m8 a:live m9")).collect();
        before.extend(live.clone());
        let (after, _) = healed([all[..end].to_vec(), live].concat());
        assert_eq!(words(&after), words(&before), "after {end}");
    }
}

#[test]
fn numbers_count_what_is_lost_and_not_what_is_put_in() {
    let gaps = [(0, 2), (2, 3), (3, 1)].map(|(before, lines)| Gap { before, lines });
    let (conversation, mended) = Conversation::found(entries("m1 c1 a:yes"), &gaps);
    assert_eq!(mended.lost_outcomes, 1);
    assert_eq!(conversation.length(), 9);
    assert_eq!(conversation.last_answer(), Some(7));
    let turn = ResumePoint::Finished {
        turn: 7,
        text: ":yes".into(),
    };
    assert_eq!(conversation.resume_point(), turn);
    assert_eq!(Conversation::of(entries("m1 c1 a:yes")).length(), 3);
}
