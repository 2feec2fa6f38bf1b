//! Somebody who presses anything at any moment: each key of the table in each place, and random keys, pastes, sizes and moments of the
//! past, over a team that has one of everything. Nothing of it may break, at any size.

mod every_key;
mod rich;

use teammate_view::keys::{KeyAction, KeyPress};

use self::rich::{rich, rich_app};
use super::*;

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
    let mut drawn = crate::draw::DrawnScreen::default();
    terminal.draw(|frame| drawn = draw(app, frame)).unwrap();
    app.pane = drawn.pane.unwrap_or(app.pane);
    app.places.need_end = drawn.need_end;
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
fn follows(app: &mut App, step: &KeyStep, facts: &[Fact]) {
    match step {
        KeyStep::Past(moment) => app.look_back(facts.to_vec(), *moment),
        KeyStep::Stay
        | KeyStep::Ask(_)
        | KeyStep::AskSoon(_)
        | KeyStep::TakeBack
        | KeyStep::Redraw
        | KeyStep::Copy(_)
        | KeyStep::Lend(_)
        | KeyStep::Leave(_) => {}
    }
}

// slow: 2,000 random keys over rich teams
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
                2 => drop(input::paste(&mut app, chance.one(&PASTES))),
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
