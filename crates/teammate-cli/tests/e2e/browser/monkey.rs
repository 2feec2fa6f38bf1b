//! Somebody who presses and touches anything on the page at any moment and size. The page, the team and the open question are there
//! afterwards as they were, and the browser has nothing to complain about.

mod team;

use std::env;

use serde_json::{Value, json};

use super::{
    chromium::{ALT, Chromium, ENTER, ESCAPE},
    served::{ASKED, SCREENS, Served},
};
use crate::world::{files, until};

/// Random events of an ordinary run; `MONKEY_EVENTS` says another number.
const EVENTS: usize = 2_000;

/// The most events over one team and one browser.
const EVENTS_A_TEAM: usize = 5_000;

/// So many events between two looks at what must hold.
const EVENTS_A_LOOK: usize = 200;

/// So many keys by the driver before each look.
const PRESSED: usize = 8;

/// What the driver presses: the key as the page gets it, and as the driver names it.
const PRESSES: [(&str, &str); 24] = [
    ("Enter", ENTER),
    ("Escape", ESCAPE),
    ("Tab", "\u{e004}"),
    ("Tab", "\u{e004}"),
    ("Backspace", "\u{e003}"),
    ("PageUp", "\u{e00e}"),
    ("PageDown", "\u{e00f}"),
    ("ArrowLeft", "\u{e012}"),
    ("ArrowUp", "\u{e013}"),
    ("ArrowRight", "\u{e014}"),
    ("ArrowDown", "\u{e015}"),
    (" ", " "),
    ("j", "j"),
    ("k", "k"),
    ("y", "y"),
    ("n", "n"),
    ("a", "a"),
    ("w", "w"),
    ("/", "/"),
    ("?", "?"),
    ("[", "["),
    ("]", "]"),
    ("0", "0"),
    ("中", "中"),
];

/// The keys that change screens, and where they lead.
const CHANGES: [(&str, &str); 6] = [
    ("1", "/"),
    ("3", "/board"),
    ("4", "/mail"),
    ("5", "/needs"),
    ("6", "/cost"),
    ("7", "/graph"),
];

/// What begins each document.
const EVENTS_OF_A_HAND: &str = include_str!("monkey/events.js");

/// Numbers by splitmix64. What it begins with is the seed.
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        use std::hash::{BuildHasher as _, RandomState};
        let given: Option<u64> = number("MONKEY_SEED");
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one("monkey"));
        Self(seed)
    }

    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(end)).unwrap()
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        let end = u32::try_from(all.len()).unwrap();
        all[usize::try_from(self.below(end)).unwrap()]
    }
}

/// What the environment says.
fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn random_keys_clicks_pastes_and_sizes_break_nothing_and_answer_nothing() {
    let mut chance = Chance::new();
    println!("repeat with MONKEY_SEED={}", chance.0);
    let mut left = number("MONKEY_EVENTS").unwrap_or(EVENTS);
    while left > 0 {
        let here = left.min(EVENTS_A_TEAM);
        left -= here;
        let mut served = team::rich();
        let browser = Chromium::start();
        browser.begin_with(EVENTS_OF_A_HAND);
        served.open(&browser, "/");
        for begun in (0..here).step_by(EVENTS_A_LOOK) {
            touches(&browser, &mut chance, EVENTS_A_LOOK.min(here - begun));
            assert_goes_on(&mut served, &browser, &mut chance);
            if chance.below(4) == 0 {
                served.open(&browser, chance.one(&SCREENS));
            }
        }
    }
}

/// At some size: keys by the driver, then events of the script.
fn touches(browser: &Chromium, chance: &mut Chance, events: usize) {
    browser.resize(200 + chance.below(1_401), 300 + chance.below(901));
    for _ in 0..PRESSED {
        let (key, named) = chance.one(&PRESSES);
        if browser.run(&format!("return monkey.mayPress({})", json!(key))) == true {
            browser.press(&[named]);
        }
    }
    let seed = chance.below(u32::MAX);
    let done = browser.run_until_done(&format!(
        "const done = arguments[arguments.length - 1];
         monkey.go({seed}, {events}).then(done, error => done(String(error.stack)))"
    ));
    let did = done.as_array().unwrap_or_else(|| panic!("{done}"));
    let faults = browser.faults();
    let last: Vec<&Value> = did.iter().rev().take(40).collect();
    assert_eq!(
        faults, [""; 0],
        "what came before, the last one first: {last:?}"
    );
}

/// Page, host and question are there, no bug was reported, and the page shows what a reader asks for next.
fn assert_goes_on(served: &mut Served, browser: &Chromium, chance: &mut Chance) {
    let bugs = files(
        &served
            .world
            .work()
            .with_file_name("home/.local/state/teammate/bugs"),
    );
    assert!(bugs.is_empty(), "{bugs:?}");
    assert!(served.is_running());
    let answers = browser.run_until_done(
        "const done = arguments[arguments.length - 1];
         get('/teams').then(answer => done(answer.status), error => done(String(error)))",
    );
    assert_eq!(answers, 200);
    assert_unanswered(served);
    let state = || {
        browser.run("return [location.href, team, at, see, member, answering, document.getElementById('word').textContent, document.body.innerText]")
    };
    until(
        || browser.run("return monkey.isHome()") == true,
        || format!("{:#}", state()),
    );
    let (key, path) = chance.one(&CHANGES);
    browser.press(&[ALT, key]);
    let shows = format!("return monkey.shows({}, {})", json!(path), json!(ASKED));
    until(
        || browser.run(&shows) == true,
        || format!("{path}: {:#}", state()),
    );
    assert_eq!(browser.faults(), [""; 0], "{path}");
}

/// The only thing that waits for the user is still the question: nobody answered it, and no member has failed.
fn assert_unanswered(served: &Served) {
    let json = |words: &[&str]| -> Value {
        let run = served.world.teammate(words).ends(0);
        serde_json::from_str(&run.out).unwrap()
    };
    let needs = json(&["needs", "--json"]);
    let needs = needs["needs"].as_array().unwrap();
    assert_eq!(needs.len(), 1, "{needs:#?}");
    assert_eq!(needs[0]["id"], "req_000001", "{needs:#?}");
    let requests = json(&["requests", "--all", "--json"]);
    let requests = requests["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 1, "{requests:#?}");
    assert_eq!(requests[0]["state"], "pending", "{requests:#?}");
    assert!(!served.world.path("made").exists());
}
