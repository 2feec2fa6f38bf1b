//! Stories of keys and questions, and ten thousand typings that answer nothing.

use super::*;
use crate::{
    Editor,
    chance::Chance,
    keys::{KeyCode, KeyPress, KeyTable},
};

const YES: Option<KeyAction> = Some(KeyAction::AnswerOnce);

fn yes(digest: &str) -> KeyVerdict {
    KeyVerdict::Answers {
        digest: digest.to_owned(),
    }
}

fn too_early(why: TooEarly) -> KeyVerdict {
    KeyVerdict::TooEarly(why)
}

#[test]
fn an_answer_counts_once_all_of_it_was_there_for_a_while() {
    let mut keys = AnswerKeys::default();
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 0),
        too_early(TooEarly::NoQuestion)
    );
    keys.shown("d1", Some(1_000));
    keys.shown("d1", Some(1_300));
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 1_399),
        too_early(TooEarly::JustSeen)
    );
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 1_648),
        too_early(TooEarly::Typing)
    );
    assert_eq!(keys.key(KeyContext::Needs, YES, 1_898), yes("d1"));
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 9_000),
        too_early(TooEarly::NoQuestion)
    );
    keys.shown("d1", Some(9_100));
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 19_000),
        too_early(TooEarly::NoQuestion),
        "it has its answer"
    );
}

#[test]
fn a_long_question_must_be_read_to_its_end() {
    let mut keys = AnswerKeys::default();
    keys.shown("d1", None);
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 60_000),
        too_early(TooEarly::NotSeenWhole)
    );
    keys.scrolled_to_end(61_000);
    keys.shown("d1", None);
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 61_399),
        too_early(TooEarly::JustSeen)
    );
    assert_eq!(keys.key(KeyContext::Needs, YES, 61_800), yes("d1"));
}

#[test]
fn another_question_in_its_place_begins_anew() {
    let mut keys = AnswerKeys::default();
    keys.shown("d1", Some(0));
    keys.shown("d2", Some(5_000));
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 5_100),
        too_early(TooEarly::JustSeen)
    );
    keys.hidden();
    keys.shown("d2", Some(6_000));
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 6_300),
        too_early(TooEarly::JustSeen)
    );
    assert_eq!(keys.key(KeyContext::Needs, YES, 6_600), yes("d2"));
}

#[test]
fn enter_blank_and_other_places_answer_nothing() {
    let table = KeyTable::default();
    let mut keys = AnswerKeys::default();
    keys.shown("d1", Some(0));
    let mut now = 10_000;
    for (context, text) in [
        (KeyContext::Needs, "Enter"),
        (KeyContext::Needs, "Space"),
        (KeyContext::Needs, "Tab"),
        (KeyContext::Prompt, "y"),
        (KeyContext::Pane, "y"),
        (KeyContext::Pane, "n"),
    ] {
        now += 1_000;
        let action = table.action(context, text.parse().unwrap());
        assert_eq!(
            keys.key(context, action, now),
            KeyVerdict::NoAnswer,
            "{text}"
        );
    }
    assert_eq!(
        keys.key(KeyContext::Prompt, YES, now + 1_000),
        KeyVerdict::NoAnswer
    );
    assert_eq!(keys.key(KeyContext::Needs, YES, now + 2_000), yes("d1"));
}

#[test]
fn an_answer_that_was_the_first_letter_of_a_word_is_taken_back() {
    let mut keys = AnswerKeys::default();
    keys.shown("d1", Some(0));
    assert!(!keys.takes_back(900), "there is none");
    assert_eq!(keys.key(KeyContext::Needs, YES, 1_200), yes("d1"));
    assert!(keys.takes_back(1_499));
    assert!(!keys.takes_back(1_500), "once");
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 1_600),
        too_early(TooEarly::Typing)
    );
    assert_eq!(
        keys.key(KeyContext::Needs, YES, 2_000),
        yes("d1"),
        "it was not answered"
    );
    assert!(
        !keys.takes_back(2_300),
        "a letter that comes later belongs to nothing"
    );
}

/// Things that people type, with all the letters that answer.
const TALK: &[&str] = &[
    "yes, and always say why",
    "no",
    "y",
    "any way you want",
    "nay, wait; why now?",
    "naya yawn wyn ann",
    "ok, do it @carol",
];

/// What ordinary typing is: characters, most of them soon after the other, with pauses to think; Enter at the end.
fn typing(chance: &mut Chance) -> Vec<(u64, KeyPress)> {
    let mut keys = Vec::new();
    for _ in 0..=chance.below(2) {
        for c in chance.one(TALK).chars() {
            let is_thinking = chance.below(12) == 0;
            let gap = 30 + chance.below(if is_thinking { 5_000 } else { 200 });
            keys.push((gap as u64, KeyPress::plain(KeyCode::Char(c))));
        }
        keys.push((
            30 + chance.below(3_000) as u64,
            KeyPress::plain(KeyCode::Enter),
        ));
    }
    keys
}

/// A question may come, change, be seen whole, or go, at any moment.
fn questions_move(keys: &mut AnswerKeys, chance: &mut Chance, now: u64) {
    let digest = format!("d{}", chance.below(3));
    match chance.below(10) {
        0..=2 => keys.shown(&digest, Some(now)),
        3 => keys.shown(&digest, None),
        4 => keys.scrolled_to_end(now),
        5 => keys.hidden(),
        _ => {}
    }
}

#[test]
fn ten_thousand_typings_answer_nothing_and_lose_nothing() {
    let table = KeyTable::default();
    let mut chance = Chance::new("strays");
    let mut would_have_answered = 0;
    for _ in 0..10_000 {
        let mut keys = AnswerKeys::default();
        let mut editor = Editor::default();
        let (mut now, mut meant) = (1_000, String::new());
        for (gap, key) in typing(&mut chance) {
            let half = chance.below(gap as usize) as u64;
            questions_move(&mut keys, &mut chance, now + half);
            now += gap;
            let action = table.action(KeyContext::Prompt, key);
            // The same key with the focus where it must not be: that is what the rule is for.
            let stolen = table.action(KeyContext::Needs, key);
            if let KeyVerdict::Answers { .. } = keys.clone().key(KeyContext::Needs, stolen, now) {
                would_have_answered += 1;
            }
            let verdict = keys.key(KeyContext::Prompt, action, now);
            assert_eq!(verdict, KeyVerdict::NoAnswer);
            match (action, key.typed()) {
                (None, Some(c)) => {
                    editor.insert(c);
                    meant.push(c);
                }
                (Some(KeyAction::Send), _) => assert_eq!(editor.take(), std::mem::take(&mut meant)),
                (action, typed) => panic!("{action:?} {typed:?}"),
            }
        }
        assert!(editor.is_empty());
    }
    assert!(
        would_have_answered > 0,
        "no question ever waited: the test tries nothing"
    );
}

/// Even if the focus were in Needs: one who types and does not look up answers nothing.
#[test]
fn typing_on_without_a_pause_answers_nothing_even_in_needs() {
    let table = KeyTable::default();
    let mut chance = Chance::new("strays in needs");
    for _ in 0..10_000 {
        let mut keys = AnswerKeys::default();
        let mut now = 1_000;
        // What goes before: the key that brought the focus there, or the words that were being typed.
        keys.key(KeyContext::Prompt, None, now);
        for c in chance.one(TALK).chars() {
            questions_move(&mut keys, &mut chance, now);
            now += chance.below(QUIET_MS as usize) as u64;
            let action = table.action(KeyContext::Needs, KeyPress::plain(KeyCode::Char(c)));
            let verdict = keys.key(KeyContext::Needs, action, now);
            assert!(
                !matches!(verdict, KeyVerdict::Answers { .. }),
                "{c} at {now}"
            );
        }
    }
}
