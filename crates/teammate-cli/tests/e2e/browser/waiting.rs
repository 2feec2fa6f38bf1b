//! Word of questions where the reader is not looking: a call of the browser, the badges, and other teams that wait, live in the list of
//! the team that is shown.

use serde_json::json;

use super::{chromium::Chromium, served::Served};
use crate::{
    play::{Scene as _, bash, play, say},
    world::{World, until},
};

/// A lead that asks whenever it is written to.
fn asks() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("touch first").after("Begin"),
            bash("touch second").after("Again"),
            say("I wait.").otherwise(),
        ],
    )]))
}

/// The browser writes down how it would call its reader, who has allowed it and looks elsewhere.
const CALLS: &str = "self.called = []; self.badges = [];
     self.Notification = class { static permission = 'granted'; constructor(title, more) { called.push([title, more.body]); } };
     navigator.setAppBadge = async count => { badges.push(count); };
     Object.defineProperty(document, 'hidden', {get: () => true});
     if (location.protocol === 'http:') localStorage.setItem('notify', 'yes')";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_question_calls_a_reader_who_looks_elsewhere_and_the_badges_count() {
    let served = Served::hosted(asks(), &["--permission-mode", "ask"]);
    let world = &served.world;
    let browser = Chromium::start();
    browser.begin_with(CALLS);
    served.open(&browser, "/board");
    browser.until("badges.at(-1) === 0");
    assert_eq!(browser.run("return called"), json!([]));
    world.teammate(&["send", "lead", "Begin"]).ends(0);
    browser.until("called.length === 1");
    let called = browser.run("return called");
    assert_eq!(called, json!([["A question waits for you", "default: 1"]]));
    browser.until("badges.at(-1) === 1");
    browser.until(
        "!document.getElementById('badge').hidden && document.getElementById('badge').textContent === '1'",
    );
    browser.until("document.title.startsWith('(1) ')");
    world.teammate(&["approve", "1"]).ends(0);
    browser.until("badges.at(-1) === 0 && document.getElementById('badge').hidden");
    browser.until("!document.title.startsWith('(')");
    // The next one calls anew.
    world.teammate(&["send", "lead", "Again"]).ends(0);
    browser.until("called.length === 2");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn other_teams_that_wait_come_and_go_beside_the_one_that_is_shown() {
    let served = Served::hosted(asks(), &["--permission-mode", "ask"]);
    let world = &served.world;
    let second = world.start(&["up", "--team", "second", "--permission-mode", "ask"]);
    second.until("is open in process");
    let browser = Chromium::start();
    browser.resize(1_440, 900);
    served.open(&browser, "/");
    let shown = browser
        .run("return document.getElementById('teams').selectedOptions[0].text.split(':')[0]");
    let (shown, other) = match shown == "default" {
        true => ("default", "second"),
        false => ("second", "default"),
    };
    let of = |team: &str, words: &[&str]| {
        let flags = [words, &["--team", team]].concat();
        world.teammate(&flags).ends(0);
    };
    let others = "document.getElementById('others')";
    assert_eq!(browser.run(&format!("return {others}.hidden")), true);
    of(other, &["send", "lead", "Begin"]);
    browser.until(&format!(
        "!{others}.hidden && {others}.innerText.includes('{other}')"
    ));
    // The shown team's own inbox has nothing of it, and one press leads there.
    assert_eq!(
        browser.run("return document.querySelectorAll('.need-card').length"),
        0
    );
    browser.run(&format!("{others}.querySelector('a').click()"));
    browser.until("location.pathname === '/needs'");
    browser.until_shown("touch first");
    browser.until(&format!(
        "document.getElementById('teams').selectedOptions[0].text.startsWith('{other}:')"
    ));
    of(shown, &["send", "lead", "Begin"]);
    browser.until(&format!("{others}.innerText.includes('{shown}')"));
    of(shown, &["approve", "1"]);
    browser.until(&format!("{others}.hidden"));
    until(
        || world.path("first").exists(),
        || world.teammate(&["log", "--team", shown]).out,
    );
    assert_eq!(browser.complaints(), [""; 0]);
}
