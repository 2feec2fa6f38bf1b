//! Each key of the table in each place, on each kind of entry, need, task, message and moment, at each size.

use std::collections::BTreeMap;

use teammate_core::MemberName;
use teammate_view::{BoardLists, CallState, Item, ItemKind, Need, NeedKind};

use super::*;
use crate::app::{Find, Focus, Places};

/// Presses each key on what `stands` shows; everything is as before in front of each key. In a long run at each size; otherwise at
/// one after the other, so that each key meets each size on some of the many things that are shown.
fn presses_all(app: &mut App, facts: &[Fact], number: usize, stands: impl Fn(&mut App)) {
    let keys = keys(app);
    assert!(keys.len() > 50, "the table is there");
    let is_long = std::env::var_os("MONKEY_EVENTS").is_some();
    for (at, key) in keys.iter().enumerate() {
        let here = SIZES[(at + number) % SIZES.len()];
        let sizes = if is_long { &SIZES[..] } else { &[here] };
        for size in sizes {
            app.past = None;
            app.overlay = None;
            app.leaving = None;
            app.find = Find::default();
            app.places = Places::default();
            stands(app);
            let step = input::handle(app, *key);
            follows(app, &step, facts);
            draws(app, *size);
        }
    }
}

fn member(name: &str) -> MemberName {
    MemberName::parse(name).unwrap()
}

/// What an entry is, and how it stands.
fn entry(item: &Item) -> &'static str {
    match &item.what {
        ItemKind::Heard { .. } => "heard",
        ItemKind::Said { .. } => "said",
        ItemKind::Called(call) => match (call.state(), call.change().is_some()) {
            (CallState::Runs, _) => "call runs",
            (CallState::Waits, _) => "call waits",
            (CallState::Cut, _) => "call cut",
            (CallState::Done, true) => "call changed a file",
            (CallState::Done, false) => "call done",
            (CallState::Failed, _) => "call failed",
            (CallState::Refused, _) => "call refused",
        },
        ItemKind::Sent { .. } => "sent",
        ItemKind::Subagent { ended: None, .. } => "subagent",
        ItemKind::Subagent { ended: Some(_), .. } => "subagent ended",
        ItemKind::Began { .. } => "began",
        ItemKind::Rested { .. } => "rested",
        ItemKind::Stopped { .. } => "stopped",
        ItemKind::Compacted { .. } => "compacted",
        ItemKind::Request { .. } => "request",
        ItemKind::Task { .. } => "task",
        ItemKind::Model { .. } => "model",
        ItemKind::Note { .. } => "note",
    }
}

/// So many entries at the end of a story are in sight on most screens.
const IN_SIGHT: usize = 3;

const ENTRIES: [&str; 20] = [
    "began",
    "call changed a file",
    "call cut",
    "call done",
    "call failed",
    "call refused",
    "call runs",
    "call waits",
    "compacted",
    "heard",
    "model",
    "note",
    "request",
    "rested",
    "said",
    "sent",
    "stopped",
    "subagent",
    "subagent ended",
    "task",
];

// slow: every key at eight sizes
#[test]
fn every_key_in_every_place_breaks_nothing() {
    let facts = rich();
    let mut app = rich_app(&facts);
    let mut number = 0;
    for kind in ScreenKind::ALL {
        for focus in [Focus::Prompt, Focus::Pane] {
            for name in ["lead", "alice", "bob"] {
                number += 1;
                presses_all(&mut app, &facts, number, |app| {
                    app.show(kind);
                    app.focus = focus;
                    app.places.member = Some(member(name));
                });
                if kind != ScreenKind::Member {
                    break;
                }
            }
        }
    }
}

// slow: every key at eight sizes
#[test]
fn every_key_on_every_kind_of_entry_breaks_nothing() {
    let facts = rich();
    // Where a story ends with an entry of the kind or nearly so, so that it is in sight.
    let mut ends: BTreeMap<&str, (usize, MemberName)> = BTreeMap::new();
    let mut app = rich_app(&[]);
    for (count, fact) in facts.iter().enumerate() {
        app.take(fact);
        for name in ["lead", "alice", "bob"].map(member) {
            let items = app.view().story(&name).map(teammate_view::Story::items);
            for item in items
                .into_iter()
                .flat_map(|items| items.iter().rev().take(IN_SIGHT))
            {
                ends.entry(entry(item)).or_insert((count + 1, name.clone()));
            }
        }
    }
    let kinds: Vec<&str> = ends.keys().copied().collect();
    assert_eq!(kinds, ENTRIES, "the team has not one of everything");
    for (number, (count, name)) in ends.values().enumerate() {
        let facts = &facts[..*count];
        let mut app = rich_app(facts);
        for all_unfolded in [false, true] {
            presses_all(&mut app, facts, number, |app| {
                app.show(ScreenKind::Member);
                app.focus = Focus::Pane;
                app.places.member = Some(name.clone());
                app.places.all_unfolded = all_unfolded;
            });
        }
    }
}

// slow: every key at eight sizes
#[test]
fn every_key_on_every_kind_of_need_task_and_message_breaks_nothing() {
    let facts = rich();
    let mut app = rich_app(&facts);
    let needs = app.view().needs();
    let has = |is: fn(&NeedKind) -> bool| needs.iter().any(|need: &Need| is(&need.kind));
    assert!(has(|kind| matches!(kind, NeedKind::Permission(_))));
    assert!(has(|kind| matches!(kind, NeedKind::Plan(_))));
    assert!(has(|kind| matches!(kind, NeedKind::FailedMember(_))));
    assert!(has(|kind| matches!(kind, NeedKind::LimitedMember(_))));
    assert!(has(|kind| matches!(kind, NeedKind::UnplacedMember(_))));
    assert!(has(|kind| matches!(kind, NeedKind::FailedTask(_))));
    let lists = BoardLists::of(app.view().team());
    for list in [&lists.ready, &lists.in_progress, &lists.failed, &lists.done] {
        assert!(!list.is_empty(), "{lists:?}");
    }
    assert!(!lists.waiting.is_empty());
    let (needs, tasks, mails) = (needs.len(), lists.total(), app.view().mail().iter().len());
    assert!(mails > 3, "{mails}");
    let shown = |kind, count: usize, choose: fn(&mut Places, usize)| {
        (0..count).map(move |row| (kind, row, choose))
    };
    let rows = shown(ScreenKind::Needs, needs, |places, row| {
        places.need_row = row;
    })
    .chain(shown(ScreenKind::Board, tasks, |places, row| {
        places.task_row = row;
    }))
    .chain(shown(ScreenKind::Mail, mails, |places, row| {
        places.mail_row = row;
    }));
    for (kind, row, choose) in rows {
        presses_all(&mut app, &facts, row, |app| {
            app.show(kind);
            app.focus = Focus::Pane;
            choose(&mut app.places, row);
        });
    }
}

// slow: every key at eight sizes
#[test]
fn every_key_at_every_kind_of_moment_breaks_nothing() {
    let facts = rich();
    let mut app = rich_app(&facts);
    let count = facts.len();
    for kind in ScreenKind::ALL {
        for at in [0, 1, count / 2, count - 1] {
            presses_all(&mut app, &facts, at, |app| {
                app.show(kind);
                app.focus = Focus::Pane;
                app.look_back(facts.clone(), None);
                if let Some(past) = &mut app.past {
                    past.go_to(at);
                }
            });
        }
    }
}
