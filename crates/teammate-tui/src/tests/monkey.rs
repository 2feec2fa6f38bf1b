//! Somebody who presses anything at any moment: each key of the table in each place, and random keys, pastes, sizes and moments of the
//! past, over a team that has one of everything. Nothing of it may break, at any size.

use teammate_core::event::FileChange;
use teammate_view::keys::{KeyAction, KeyPress};

use super::*;
use crate::app::Focus;

/// The sizes of terminals, from the smallest that shows anything on.
const SIZES: [(u16, u16); 8] = [
    (10, 3),
    (20, 5),
    (40, 10),
    (59, 15),
    (80, 24),
    (120, 16),
    (140, 40),
    (200, 60),
];

/// Random events of an ordinary run; `MONKEY_EVENTS` says another number.
const EVENTS: usize = 3_000;

/// The most events over one team.
const EVENTS_A_TEAM: usize = 500;

/// What people paste.
const PASTES: [&str; 8] = [
    "",
    "x",
    "中文 e\u{301} 👨\u{200d}👩\u{200d}👧 🇩🇪",
    "a\nb\n\n\tc",
    "@alice \u{1b}[2J",
    "/at 1795500000",
    "/find limiter",
    "\u{202e}\u{200d}\u{301}",
];

/// Numbers by splitmix64; the seed is printed.
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        use std::hash::{BuildHasher as _, RandomState};
        let given = std::env::var("SEED")
            .ok()
            .and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one("monkey"));
        println!("repeat with SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The run of the other tests, with changes of files, long outputs, failures and odd characters besides.
fn rich() -> Vec<Fact> {
    let mut facts = facts();
    let extra = [
        r#"{"at":1795500090000,"member":"alice","event":"text","delta":"**bold** `code` 中文 👨‍👩‍👧\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n```\nx"}"#,
        r#"{"at":1795500090001,"member":"alice","event":"notice","text":"line 3 is no entry","about":"damage"}"#,
        r#"{"at":1795500090002,"member":"alice","event":"tool_started","call":"m1","tool":"bash","summary":"cargo test 中文","effect":"write"}"#,
        r#"{"at":1795500090003,"member":"alice","event":"retrying","attempt":3,"wait_ms":18446744073709551615,"what":"overloaded"}"#,
    ];
    let extra = extra
        .iter()
        .filter_map(|line| serde_json::from_str::<Event>(line).ok());
    facts.extend(extra.map(|event| Fact::Event(Arc::new(event))));
    // Each call that has ended once more as a change of a file of its own length.
    let ended: Vec<Event> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Event(event) if matches!(event.what, EventKind::ToolFinished { .. }) => {
                Some((**event).clone())
            }
            _ => None,
        })
        .collect();
    let mut changed = 0;
    for (length, event) in [0_usize, 1, 5, 12, 13, 14, 200]
        .into_iter()
        .cycle()
        .zip(ended)
    {
        for member in ["lead", "alice", "bob"] {
            let mut event = event.clone();
            event.member = teammate_core::MemberName::parse(member).unwrap();
            let EventKind::ToolFinished { change, .. } = &mut event.what else {
                continue;
            };
            let mut diff = "--- a/x\n+++ b/x\n@@ -4294967290,9 +1,9 @@\n".to_owned();
            diff.extend((0..length).map(|n| format!("+\t中文 {n} 👨\u{200d}👩\u{200d}👧\n")));
            *change = Some(Box::new(FileChange {
                path: "x".into(),
                added: 1,
                removed: 0,
                diff,
                is_cut: false,
            }));
            changed += 1;
            facts.push(Fact::Event(Arc::new(event)));
        }
    }
    assert!(changed > 0, "no change of a file is in it");
    facts
}

fn rich_app(facts: &[Fact]) -> App {
    let mut app = app();
    app.begin(TeamView::default());
    facts.iter().for_each(|fact| app.take(fact));
    app
}

/// A key as a terminal reports it.
fn event_of(key: KeyPress) -> KeyEvent {
    use teammate_view::keys::KeyCode as Known;
    let code = match key.code() {
        Known::Char(c) => KeyCode::Char(c),
        Known::F(number) => KeyCode::F(number),
        Known::Enter => KeyCode::Enter,
        Known::Tab => KeyCode::Tab,
        Known::Esc => KeyCode::Esc,
        Known::Backspace => KeyCode::Backspace,
        Known::Delete => KeyCode::Delete,
        Known::Up => KeyCode::Up,
        Known::Down => KeyCode::Down,
        Known::Left => KeyCode::Left,
        Known::Right => KeyCode::Right,
        Known::Home => KeyCode::Home,
        Known::End => KeyCode::End,
        Known::PgUp => KeyCode::PageUp,
        Known::PgDn => KeyCode::PageDown,
    };
    let written = key.to_string();
    let mut modifiers = KeyModifiers::NONE;
    for (word, held) in [
        ("Ctrl-", KeyModifiers::CONTROL),
        ("Alt-", KeyModifiers::ALT),
        ("Shift-", KeyModifiers::SHIFT),
    ] {
        modifiers.set(held, written.contains(word));
    }
    KeyEvent::new(code, modifiers)
}

/// Every key of the table.
fn keys(app: &App) -> Vec<KeyEvent> {
    let table = &app.setup.keys;
    let all = KeyAction::ALL.iter().flat_map(|action| table.keys(*action));
    all.map(|key| event_of(*key)).collect()
}

/// Draws a frame as the loop does.
fn draws(app: &mut App, (columns, rows): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut drawn = crate::draw::Drawn::default();
    terminal.draw(|frame| drawn = draw(app, frame)).unwrap();
    app.pane = drawn.pane.unwrap_or(app.pane);
    match drawn.question {
        Some((asked, has_end)) => {
            let since = has_end.then(|| app.millis());
            app.answers.shown(&asked.key(), since);
            app.last_asked = Some(asked.request);
        }
        None => app.answers.hidden(),
    }
}

/// Carries out what the loop would.
fn follows(app: &mut App, step: &Step, facts: &[Fact]) {
    match step {
        Step::Past(moment) => app.look_back(facts.to_vec(), *moment),
        Step::Stay
        | Step::Ask(_)
        | Step::Redraw
        | Step::Copy(_)
        | Step::Lend(_)
        | Step::Leave(_) => {}
    }
}

#[test]
fn every_key_in_every_place_at_every_size_breaks_nothing() {
    let facts = rich();
    let mut app = rich_app(&facts);
    let keys = keys(&app);
    assert!(keys.len() > 50, "the table is there");
    let members =
        ["lead", "alice", "bob"].map(|name| teammate_core::MemberName::parse(name).unwrap());
    for size in SIZES {
        for kind in ScreenKind::ALL {
            for focus in [Focus::Prompt, Focus::Pane] {
                for (number, key) in keys.iter().enumerate() {
                    app.show(kind);
                    app.focus = focus;
                    app.places.member = Some(members[number % members.len()].clone());
                    let step = input::handle(&mut app, *key);
                    follows(&mut app, &step, &facts);
                    draws(&mut app, size);
                }
                app.past = None;
            }
        }
    }
}

#[test]
fn random_keys_pastes_sizes_and_moments_break_nothing() {
    let mut chance = Chance::new();
    let count = std::env::var("MONKEY_EVENTS").ok();
    let mut left = count.and_then(|count| count.parse().ok()).unwrap_or(EVENTS);
    let facts = rich();
    let letters: Vec<char> = "abcxyz/@?!:0 中é👨\u{301}\u{200d}".chars().collect();
    while left > 0 {
        let begin = chance.below(facts.len() + 1);
        let mut app = rich_app(&facts[..begin]);
        let mut next = begin;
        let keys = keys(&app);
        let mut size = chance.one(&SIZES);
        let here = left.min(EVENTS_A_TEAM);
        left -= here;
        for _ in 0..here {
            match chance.below(20) {
                0 => size = (chance.below(200) as u16 + 1, chance.below(60) as u16 + 1),
                1 => size = chance.one(&SIZES),
                2 => input::paste(&mut app, chance.one(&PASTES)),
                3..=6 => {
                    let key =
                        KeyEvent::new(KeyCode::Char(chance.one(&letters)), KeyModifiers::NONE);
                    let step = input::handle(&mut app, key);
                    follows(&mut app, &step, &facts);
                }
                7 => {
                    let many = chance.below(5);
                    facts
                        .iter()
                        .skip(next)
                        .take(many)
                        .for_each(|fact| app.take(fact));
                    next = (next + many).min(facts.len());
                }
                8 => app.tick(Timestamp(1_795_500_000_000 + chance.below(100_000) as u64)),
                _ => {
                    let key = chance.one(&keys);
                    let step = input::handle(&mut app, key);
                    follows(&mut app, &step, &facts);
                }
            }
            draws(&mut app, size);
        }
    }
}
