//! Each screen of the page, wide and on a phone, and while the team's host is killed and comes back.

use serde_json::json;

use super::{
    chromium::Chromium,
    served::{ASKED, SCREENS, Served},
};
use crate::{
    play::{Scene, calls, play, say},
    world::World,
};

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn each_screen_shows_what_it_is_for() {
    let served = Served::asking();
    let browser = Chromium::start();
    browser.resize(1_400, 900);
    for (screen, shows) in [
        ("/", "Just now"),
        ("/m/lead", "heard from you"),
        ("/m/alice", "notes.txt"),
        ("/board", "Make it"),
        ("/mail", "I have the *task*"),
        ("/needs", "To look at"),
        ("/cost", "lead"),
        ("/graph", "Mail between members"),
    ] {
        served.open(&browser, screen);
        browser.until_shown(shows);
        // What needs the user is beside every screen.
        browser.until_shown(ASKED);
        assert_eq!(browser.complaints(), [""; 0], "{screen}");
        // The key is in no address, also not in that of the page.
        assert_eq!(browser.run("return location.hash"), "");
    }
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn on_a_phone_nothing_is_cut_off_and_everything_can_be_touched() {
    let served = Served::asking();
    let browser = Chromium::start();
    browser.resize(360, 740);
    for screen in SCREENS {
        served.open(&browser, screen);
        browser.until_shown(ASKED);
        // A browser that plays a phone may first have been wider by what it had not laid out.
        browser.until("innerWidth === 360 && document.scrollingElement.scrollWidth <= 360");
        let small = browser.run(
            "return [...document.querySelectorAll('button,select,nav a,.answers button')]
                .filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.textContent)",
        );
        assert_eq!(small, json!([]), "{screen}");
    }
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn when_the_host_is_killed_the_page_says_so_and_goes_on_with_the_next_one() {
    let (served, browser) = Served::asking_on("/");
    browser.until("document.getElementById('alive').textContent === 'live'");
    served.kill_host();
    browser.until("document.getElementById('alive').textContent === 'not running'");
    let again = served
        .world
        .start(&["up", "--resume", "--permission-mode", "accept-edits"]);
    browser.until("document.getElementById('alive').textContent === 'live'");
    browser.until("document.querySelector('.need-card')");
    let cards = browser.run("return document.querySelectorAll('.need-card').length");
    assert_eq!(cards, 1);
    served.world.teammate(&["approve", "2"]);
    served.world.teammate(&["approve", "1"]);
    browser.until("!document.querySelector('.need-card')");
    drop(again);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn what_is_open_keeps_its_own_inside_when_the_screen_is_drawn_again() {
    let shell = |word: &str| ("bash", json!({ "command": format!("echo {word}") }));
    let lead = vec![
        calls([shell("one"), shell("two"), shell("three")]),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    let run = ["run", "--permission-mode", "bypass", "Begin"];
    world.teammate(&run).ends(0);
    let served = Served::of_rested(world);
    let browser = Chromium::start();
    served.open(&browser, "/m/lead");
    let open = "return [...document.querySelectorAll('#main details')].map(d => [d.open, d.querySelectorAll(':scope>.inside').length])";
    browser.until("document.querySelectorAll('#main details[data-inside]').length === 3");
    browser.run(
        "for (const d of [...document.querySelectorAll('#main details')].slice(1)) d.open = true",
    );
    let expected = json!([[false, 0], [true, 1], [true, 1]]);
    browser.until("document.querySelectorAll('#main details[open]>.inside').length === 2");
    assert_eq!(browser.run(open), expected);
    for _ in 0..3 {
        browser.run_until_done("showAll().then(arguments[arguments.length - 1])");
        assert_eq!(browser.run(open), expected);
    }
    // Nor does one take another's where a part has several. This part stands
    // beside the screen, where nothing but the test draws.
    browser.run(
        "self.box = document.body.appendChild(document.createElement('div'));
         self.part = [...document.querySelectorAll('#main details')].map(d => `<details data-inside=\"${d.dataset.inside}\"></details>`).join('');
         self.putAgain = () => put(box, {folds: `<div id=\"folds\">${part}</div>`}, ['folds']);
         putAgain();
         for (const d of [...box.querySelectorAll('details')].slice(1)) d.open = true",
    );
    browser.until("box.querySelectorAll('details[open]>.inside').length === 2");
    let open = "return [...box.querySelectorAll('details')].map(d => [d.open, d.querySelectorAll(':scope>.inside').length])";
    for _ in 0..3 {
        browser.run("putAgain()");
        assert_eq!(browser.run(open), expected);
    }
}
