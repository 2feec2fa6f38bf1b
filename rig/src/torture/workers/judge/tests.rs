//! The judge sees what is wrong.

use super::{
    super::{load::Word, stock::Line},
    *,
};
use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp, mail::Metadata, team::Term,
};

fn mail(id: &str, text: &str) -> Entry {
    Entry::Heard(vec![Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: MemberName::lead(),
        to_incarnation: None,
        content: text.to_owned(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    }])
}

fn acts(ack: Ack) -> Acts {
    let word = Word {
        to: "lead".to_owned(),
        text: "go-t-1".to_owned(),
        ack,
    };
    Acts {
        words: vec![word],
        ..Acts::default()
    }
}

fn stock(entries: Vec<Entry>) -> Stock {
    Stock {
        transcripts: [("lead".to_owned(), entries)].into(),
        ..Stock::default()
    }
}

#[test]
fn a_word_is_heard_once() {
    let (once, twice) = (
        || stock(vec![mail("a", "go-t-1")]),
        || stock(vec![mail("a", "go-t-1"), mail("b", "go-t-1")]),
    );
    assert!(judge(&acts(Ack::Given), &once()).wrong.is_empty());
    assert!(judge(&acts(Ack::Unknown), &once()).wrong.is_empty());
    assert!(judge(&acts(Ack::Unknown), &stock(vec![])).wrong.is_empty());
    assert_eq!(
        judge(&acts(Ack::Given), &stock(vec![])).wrong,
        ["lost: go-t-1 to lead"]
    );
    assert_eq!(
        judge(&acts(Ack::Unknown), &twice()).wrong,
        ["heard 2 times: go-t-1 to lead"]
    );
}

#[test]
fn an_older_term_and_a_command_that_nobody_called_are_seen() {
    let taken = |term| Entry::Taken { term: Term(term) };
    let found = judge(&Acts::default(), &stock(vec![taken(2), taken(1)]));
    assert_eq!(found.wrong.len(), 1, "{found:?}");
    let line = Line {
        worker: "w1".to_owned(),
        member: "lead".to_owned(),
        word: "go-t-1".to_owned(),
    };
    let ran = Stock {
        lines: vec![line],
        ..Stock::default()
    };
    let found = judge(&Acts::default(), &ran);
    assert_eq!(
        found.wrong,
        ["lead's command for go-t-1 is in no transcript"]
    );
}
