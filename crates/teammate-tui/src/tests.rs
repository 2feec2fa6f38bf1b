//! The screens of a recorded run, at several sizes, held against what a person has looked at; and keys.

mod costs;
mod find;
mod first;
mod keys;
mod monkey;
mod mouse;
mod picker;
mod questions;
mod truth;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{Terminal, backend::TestBackend};
use serde::Deserialize;
use teammate_core::{
    Timestamp,
    budget::Budget,
    event::{Event, EventKind},
    permission::Breadth,
    port::{BoxFuture, Record},
    request::Answer,
    team::TeamEvent,
};
use teammate_testkit::assert_golden;
use teammate_view::{
    Door, Fact, Motion, NeedAlert, TeamView, Verb, VerbAnswer, VerbResult, Words,
    keys::{KeySettings, KeyTable},
    language::{Language, in_language},
    screens::{TeamFacts, welcome::WorkspaceKind},
    strays::AnswerKeys,
    theme::ThemePreset as Preset,
};

use crate::{
    MemberFile, MouseUse, PromptEnvironment, ScreenSetup, Theme,
    app::{App, Leaving, ScreenKind},
    draw::draw,
    input::{self, KeyStep},
};

/// Nobody answers.
struct Nobody;

impl Door for Nobody {
    fn ask(&self, _: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(async { Ok(VerbAnswer::Lines(Vec::new())) })
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async { Ok(facts()) })
    }
}

impl Words for Nobody {
    fn commands(&self) -> Vec<(String, String)> {
        vec![
            ("/tasks".into(), "the board".into()),
            ("/team".into(), "members".into()),
        ]
    }

    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    fn files(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

impl PromptEnvironment for Nobody {
    fn keep_drafts(&self, _: &BTreeMap<String, String>) {}
    fn add_history(&self, _: &str) {}
    fn moment(&self, text: &str) -> Result<Timestamp, String> {
        let seconds = text.parse::<u64>().map_err(|why| why.to_string())?;
        Ok(Timestamp(seconds * 1_000))
    }
    fn edit(&self, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }
    fn open(&self, _: &MemberFile) -> Result<(), String> {
        Ok(())
    }
    fn page(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn pasted(&self, text: &str) -> Option<String> {
        (text == "/tmp/a.png").then(|| "@/tmp/a.png ".to_owned())
    }
    fn shell(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn notify(&self, _: NeedAlert) -> BoxFuture<'static, Option<String>> {
        Box::pin(async { None })
    }
}

#[derive(Deserialize)]
struct JournalLine {
    n: u64,
    at: Timestamp,
    events: Vec<TeamEvent>,
}

const JOURNAL: &str = include_str!("../../teammate-view/tests/limiter/journal.jsonl");

fn facts() -> Vec<Fact> {
    facts_of(JOURNAL)
}

fn facts_of(journal: &str) -> Vec<Fact> {
    let events = include_str!("../../teammate-view/tests/limiter/events.jsonl");
    let records = journal.lines().map(|line| {
        let line: JournalLine = serde_json::from_str(line).unwrap();
        let record = Record::of(line.n, line.at, line.events);
        (line.at, Fact::Record(Arc::new(record)))
    });
    let events = events.lines();
    let events = events.filter_map(|line| serde_json::from_str::<Event>(line).ok());
    let mut all: Vec<_> = records
        .chain(events.map(|event| (event.at, Fact::Event(Arc::new(event)))))
        .collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, fact)| fact).collect()
}

fn app() -> App {
    app_of(JOURNAL)
}

fn app_of(journal: &str) -> App {
    let mut app = App::new(ScreenSetup {
        door: Arc::new(Nobody),
        team: "limiter".into(),
        model: "anthropic:claude-sonnet-4-5".into(),
        mode: "ask".into(),
        facts: TeamFacts {
            workspace: "/home/ann/limiter".into(),
            ..TeamFacts::default()
        },
        theme: Theme::of(Preset::None),
        keys: KeyTable::new(&KeySettings::default()).unwrap(),
        mouse: MouseUse::OfScreen,
        motion: Motion::Full,
        kept: BTreeMap::new(),
        history: Vec::new(),
        workspace: WorkspaceKind::Repository,
        opened: None,
        notes: Vec::new(),
        begins_at: None,
        leaving: Leaving::Pauses,
        clock: Box::new(|at| format!("14:{:02}:{:02}", at.0 / 60_000 % 60, at.0 / 1_000 % 60)),
        environment: Box::new(Nobody),
    });
    let facts = facts_of(journal);
    facts.iter().for_each(|fact| app.take(fact));
    app
}

/// The screen as text, a line a row.
fn screen(app: &App, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| drop(draw(app, frame))).unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..rows {
        let (mut row, mut x) = (String::new(), 0);
        while x < columns {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += u16::try_from(crate::text::width(symbol)).unwrap().max(1);
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn press(app: &mut App, code: KeyCode) -> KeyStep {
    input::handle(app, KeyEvent::new(code, KeyModifiers::NONE))
}

#[test]
fn each_screen_at_each_size_is_as_it_was_looked_at() {
    let mut app = app();
    for (columns, rows) in [(80, 24), (140, 40), (60, 20), (59, 15)] {
        let mut text = String::new();
        for kind in ScreenKind::ALL {
            app.show(kind);
            text.push_str(&screen(&app, columns, rows));
            text.push_str(&"=".repeat(columns.into()));
            text.push('\n');
        }
        let name = format!("src/golden/{columns}x{rows}.txt");
        assert_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &text);
    }
}

#[test]
fn each_screen_in_chinese_is_as_it_was_looked_at() {
    in_language(Language::Chinese, || {
        let mut app = app();
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut text = String::new();
            for kind in ScreenKind::ALL {
                app.show(kind);
                let shown = screen(&app, columns, rows);
                for row in shown.lines() {
                    assert!(crate::text::width(row) <= columns.into(), "{row}");
                }
                text.push_str(&shown);
                text.push_str(&"=".repeat(columns.into()));
                text.push('\n');
            }
            let name = format!("src/golden/zh-CN-{columns}x{rows}.txt");
            assert_golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name), &text);
        }
    });
}

#[test]
fn the_member_that_is_looked_at_shows_what_it_does_and_for_how_long() {
    let mut app = app();
    app.show(ScreenKind::Member);
    assert!(!screen(&app, 80, 24).contains("asks its model"), "it rests");
    let facts = facts();
    let asks = |fact: &Fact| match fact {
        Fact::Event(event) => {
            event.member.is_lead() && matches!(event.what, EventKind::ModelAsked { .. })
        }
        Fact::Record(_) | Fact::HostEnded { .. } | Fact::Presence(_) | Fact::Clock(_) => false,
    };
    let asked = facts
        .iter()
        .find(|fact| asks(fact))
        .and_then(Fact::at)
        .unwrap();
    // The journal tells that it works a millisecond later.
    let told = Timestamp(asked.0 + 1);
    let by_then = facts.into_iter().filter(|fact| fact.at() <= Some(told));
    app.begin(TeamView::of(&by_then.collect::<Vec<_>>()));
    for (seconds, shown) in [
        (0, " | asks its model, round 1  0:00"),
        (5, " / asks its model, round 1  0:05"),
    ] {
        app.take(&Fact::Clock(Timestamp(asked.0 + seconds * 1_000)));
        let screen = screen(&app, 80, 24);
        assert!(screen.contains(shown), "{screen}");
    }
    // Where little is to move no sign turns.
    app.setup.motion = Motion::Reduced;
    let screen = screen(&app, 80, 24);
    assert!(
        screen.contains(" > asks its model, round 1  0:05"),
        "{screen}"
    );
}

// slow: every size
#[test]
fn no_size_breaks_and_nothing_that_a_terminal_obeys_is_drawn() {
    let mut app = app();
    for kind in ScreenKind::ALL {
        app.show(kind);
        for columns in (1..160).step_by(11) {
            for rows in (1..50).step_by(5) {
                let text = screen(&app, columns, rows);
                let is_obeyed =
                    |c: char| c != '\n' && c.is_control() || matches!(c, '\u{202a}'..='\u{202e}');
                assert!(!text.contains(is_obeyed), "{kind:?} at {columns}x{rows}");
            }
        }
    }
}

#[test]
fn a_question_takes_no_keys_from_the_prompt() {
    let mut app = app();
    for letter in "yes, always".chars() {
        assert!(matches!(
            press(&mut app, KeyCode::Char(letter)),
            KeyStep::Stay
        ));
    }
    assert_eq!(app.prompt.editor.text(), "yes, always");
    let KeyStep::Ask(Verb::Say { to, text }) = press(&mut app, KeyCode::Enter) else {
        panic!("the words were not sent");
    };
    assert_eq!((to.as_str(), text.as_str()), ("lead", "yes, always"));
}

#[test]
fn an_answer_is_for_what_was_seen() {
    let mut app = app();
    input::handle(
        &mut app,
        KeyEvent::new(KeyCode::Char('n'), KeyModifiers::CONTROL),
    );
    assert_eq!(app.kind, ScreenKind::Needs);
    assert!(
        matches!(press(&mut app, KeyCode::Char('y')), KeyStep::Stay),
        "nothing is on the screen yet"
    );
    let asked = input::chosen_question(&app).unwrap();
    app.answers = AnswerKeys::default();
    app.answers.shown(&asked.key(), Some(0));
    let long = std::time::Duration::from_secs(9);
    app.begun = app.begun.checked_sub(long).unwrap();
    for key in [KeyCode::Enter, KeyCode::Char(' ')] {
        assert!(!matches!(press(&mut app, key), KeyStep::Ask(_)));
    }
    app.focus = crate::app::Focus::Pane;
    let step = press(&mut app, KeyCode::Char('y'));
    assert!(matches!(step, KeyStep::Stay), "keys came just before");
    app.begun = app.begun.checked_sub(long).unwrap();
    let KeyStep::AskSoon(Verb::Answer {
        request,
        saw,
        answer,
        alike: _,
        device: _,
    }) = press(&mut app, KeyCode::Char('y'))
    else {
        panic!("not answered");
    };
    assert_eq!((request, saw), (asked.request, asked.digest));
    assert_eq!(answer, Answer::yes());
}

#[test]
fn each_rule_that_is_offered_stands_beside_its_key_which_is_no_faster_than_the_others() {
    let journal = JOURNAL.replace(
        r#""rule":"write_file(=limiter.py)""#,
        r#""rule":"write_file(=limiter.py)","prefix_rule":"bash(cargo test *)","tool_rule":"write_file""#,
    );
    let long = std::time::Duration::from_secs(9);
    let next = KeyEvent::new(KeyCode::Char('n'), KeyModifiers::CONTROL);
    for (letter, breadth) in [
        ('a', Breadth::Exact),
        ('p', Breadth::Prefix),
        ('t', Breadth::Tool),
    ] {
        let mut app = app_of(&journal);
        input::handle(&mut app, next);
        app.focus = crate::app::Focus::Pane;
        let shown = screen(&app, 100, 40);
        for row in [
            " a             always allow 'write_file(=limiter.py)'",
            " p             always this prefix, from now on: 'bash(cargo test *)'",
            " t             always this tool, until the team is closed: 'write_file'",
            " y once   a always   p prefix   t tool   n no   w no, and why",
        ] {
            assert!(shown.contains(row), "{row}\n{shown}");
        }
        let asked = input::chosen_question(&app).unwrap();
        app.answers = AnswerKeys::default();
        app.answers.shown(&asked.key(), Some(0));
        let early = press(&mut app, KeyCode::Char(letter));
        assert!(matches!(early, KeyStep::Stay), "it came just now");
        app.begun = app.begun.checked_sub(long).unwrap();
        let KeyStep::AskSoon(Verb::Answer { answer, saw, .. }) =
            press(&mut app, KeyCode::Char(letter))
        else {
            panic!("not answered");
        };
        assert_eq!((answer, saw), (Answer::always(breadth), asked.digest));
    }
    let mut app = app();
    input::handle(&mut app, next);
    app.focus = crate::app::Focus::Pane;
    assert!(screen(&app, 100, 40).contains(" y once   a always   n no   w no, and why"));
}

#[test]
fn drafts_stay_with_their_recipients() {
    let mut app = app();
    let typed = |app: &mut App, text: &str| {
        for letter in text.chars() {
            press(app, KeyCode::Char(letter));
        }
    };
    typed(&mut app, "for the lead");
    app.show(ScreenKind::Team);
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Enter);
    let first = app.prompt.to().clone();
    assert!(!first.is_lead() && app.kind == ScreenKind::Member);
    app.focus = crate::app::Focus::Prompt;
    typed(&mut app, "for another");
    app.prompt.turn_to(teammate_core::MemberName::lead());
    assert_eq!(app.prompt.editor.text(), "for the lead");
    app.prompt.turn_to(first.clone());
    assert_eq!(app.prompt.editor.text(), "for another");
    let unsent = app.prompt.unsent();
    assert_eq!(unsent["lead"], "for the lead");
    assert_eq!(unsent[first.as_str()], "for another");
}
