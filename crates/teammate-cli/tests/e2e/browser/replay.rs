//! The shared file: it opens without a network, replays the run, and lets nothing in it run.

use std::fs;

use serde_json::{Value, json};

use super::{
    accessible::violations,
    chromium::{Chromium, Theme},
    hostile::{self, WATCH},
};
use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::World,
};

/// Opens the file of this world's run, with everything but files out of reach.
pub(super) fn open(world: &World, browser: &Chromium) {
    let run = world.teammate(&["share"]).ends(0);
    let path = world.path("../run.html");
    fs::write(&path, run.out).unwrap();
    let offline =
        json!({ "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.devtools("Network.enable", &json!({}));
    browser.devtools("Network.emulateNetworkConditions", &offline);
    browser.begin_with(WATCH);
    browser.requests();
    browser.go(&format!(
        "file://{}",
        path.canonicalize().unwrap().display()
    ));
    browser.until("document.getElementById('moment').textContent");
}

pub(super) fn told() -> World {
    let task =
        json!({ "subject": "Make it", "description": "As a file.", "check": "test -e made" });
    let done = json!({ "task_id": 1, "status": "completed", "result": "Made" });
    let lead = vec![
        calls([("create_task", task)]).after("Begin"),
        spawn([("alice", "coder", "Take the task")]),
        say("alice **makes** it").otherwise(),
    ];
    let alice = vec![
        calls([("claim_task", json!({ "task_id": 1 }))]),
        bash("echo it is; touch made"),
        send("lead", "It is *there*"),
        calls([("update_task", done)]),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), ("alice", alice)]));
    world.run("Begin").ends(0);
    world
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_shared_run_is_replayed_without_a_network() {
    let world = told();
    let browser = Chromium::start();
    open(&world, &browser);
    // It begins at the beginning, with what came of it.
    assert_eq!(
        browser.run("return document.getElementById('at').value"),
        "0"
    );
    for text in ["2 members, 1 of 1 task done", "alice makes it"] {
        browser.until_shown(text);
    }
    browser.run("const at = document.getElementById('at'); at.value = at.max; at.oninput()");
    browser.until_shown("completed by alice: Made");
    browser.until_shown("alice makes it");
    browser.until_shown("acted");
    let requests = browser.requests();
    assert!(
        requests.iter().all(|address| address.starts_with("file:")),
        "{requests:?}"
    );
    // At the beginning nothing of it has happened.
    browser.run("const at = document.getElementById('at'); at.value = 0; at.oninput()");
    assert!(!browser.text().contains("Make it"), "{}", browser.text());
    assert!(browser.text().contains("nothing yet"));
    // Forward by keys, until the task is there and not done.
    browser.run("document.getElementById('at').focus()");
    while !browser.text().contains("Make it") {
        browser.press(&["\u{e014}"]);
    }
    assert!(!browser.text().contains("completed by alice"));
    browser.run(
        "const who = document.getElementById('who');
         who.value = [...who.options].find(o => o.text === 'alice').value; who.onchange();
         const at = document.getElementById('at'); at.value = at.max; at.oninput();
         document.querySelectorAll('details').forEach(d => { d.open = true; })",
    );
    browser.until_shown("it is");
    assert_eq!(browser.run("return stopped"), json!([]));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_shared_run_is_played_on_a_phone() {
    let world = told();
    let browser = Chromium::start();
    browser.resize(390, 844);
    open(&world, &browser);
    let slider = browser.run("return document.getElementById('at').getBoundingClientRect().width");
    assert!(slider.as_f64() > Some(300.0), "the slider has {slider} px");
    browser.run("document.getElementById('after').click()");
    assert_eq!(
        browser.run("return document.getElementById('at').value"),
        "1"
    );
    // To its end, and no pause is longer than one can wait.
    browser.run(
        "document.getElementById('speed').value = 64; document.getElementById('play').click()",
    );
    browser.until("document.getElementById('at').value === document.getElementById('at').max");
    browser.until("document.getElementById('play').textContent === 'Play'");
    // A date stands once above all of its day.
    let days = browser.run("return document.querySelectorAll('#mail .day').length");
    assert!((1..=2).contains(&days.as_u64().unwrap()), "{days}");
    // A touch of the graph goes there.
    browser.run(
        "const box = document.getElementById('lanes').getBoundingClientRect();
         document.getElementById('lanes').dispatchEvent(new MouseEvent('click', {clientX: box.left + 110, clientY: box.top + 4}))",
    );
    browser.until("+document.getElementById('at').value < +document.getElementById('at').max");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_shared_run_breaks_no_rule_of_accessibility() {
    let world = told();
    let browser = Chromium::start();
    open(&world, &browser);
    for width in [360, 1_400] {
        for theme in [Theme::Light, Theme::Dark] {
            browser.resize(width, 800);
            browser.choose(theme);
            browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assert_eq!(violations(&browser), json!([]), "{width} {theme:?}");
            let wide = browser.run("return document.scrollingElement.scrollWidth");
            assert!(wide.as_u64() <= Some(u64::from(width)), "{wide}");
        }
    }
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn nothing_in_a_shared_run_fires() {
    let world = hostile::told();
    let browser = Chromium::start();
    open(&world, &browser);
    browser.run("const at = document.getElementById('at'); at.value = at.max; at.oninput()");
    let strings = browser.run("return document.getElementById('mail').childElementCount");
    assert!(strings.as_u64() > Some(100), "{strings} letters");
    assert_nothing_fires(&browser);
}

/// Opens each conversation of the file that is there, and all in it.
pub(super) fn assert_nothing_fires(browser: &Chromium) {
    let members = browser.run("return document.getElementById('who').options.length");
    for member in 0..members.as_u64().unwrap() {
        browser.run(&format!(
            "const who = document.getElementById('who'); who.value = {member}; who.onchange();
             document.querySelectorAll('details').forEach(d => {{ d.open = true; }})"
        ));
    }
    assert_eq!(browser.run("return __fired"), json!([]));
    assert_eq!(browser.run("return stopped"), json!([]));
    let elements = "script:not(#run),img,svg,math,iframe,object,embed,link[rel=stylesheet],base,form,template,[onerror],[onload],[style],a[href]";
    let made: Value = browser.run(&format!(
        "return [...document.querySelectorAll('{elements}')].map(e => e.outerHTML.slice(0, 80)).filter(h => !h.startsWith('<script>'))"
    ));
    assert_eq!(made, json!([]));
}
