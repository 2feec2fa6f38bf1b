//! The process that runs the team: the page's own, or another one that dies and comes back.

use std::collections::BTreeSet;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{Page, asks, host_that_asks};
use crate::world::until;

#[test]
fn a_page_runs_the_team_itself_and_pauses_it_when_it_ends() {
    let world = asks();
    let page = Page::of(&world, &["--host"]);
    until(
        || page.data("side", "")["is_live"] == true,
        || page.run.err(),
    );
    let words = json!({ "to": "lead", "text": "make it" });
    page.asks(&page.own, "say", "1", words).is(200, "lines");
    let need = page.need();
    assert!(
        world
            .teammate(&["team"])
            .ends(0)
            .out
            .contains("running in process")
    );
    let mut live = page
        .own
        .live(&format!("/live?team={}&see=m:lead", page.team()));
    let yes = json!({ "request": need["id"], "saw": need["saw"], "answer": "once" });
    page.asks(&page.own, "answer", "2", yes)
        .is(200, "allowed once: req_");
    live.until("It is made.").unwrap();
    // With a stream that is open.
    let file = page.file.clone();
    page.run.signal(Signal::TERM);
    page.run.end().ends(0);
    assert_eq!(live.until("never said"), None);
    assert!(!file.exists());
    world.assert_at_rest();
    let closed = world.json_lines(".team/events.jsonl").pop().unwrap();
    assert_eq!(closed["event"], "team_closed", "{closed}");

    // Another terminal ends it, too.
    let page = Page::of(&world, &["--host"]);
    until(
        || page.data("side", "")["is_live"] == true,
        || page.run.err(),
    );
    world.teammate(&["stop"]).ends(0);
    page.run.end().ends(0);
    world.assert_at_rest();
}

/// What entries of a story say, once each: their numbers are all different.
fn said(screen: &Value) -> Vec<String> {
    let entries = screen["entries"].as_array().unwrap();
    let numbers: BTreeSet<u64> = entries
        .iter()
        .map(|entry| entry["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers.len(), entries.len());
    entries
        .iter()
        .map(|entry| entry["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_host_that_is_killed_and_comes_back_leaves_the_page_right() {
    let world = asks();
    let host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    page.need();
    let mut live = page
        .own
        .live(&format!("/live?team={}&see=side,m:lead", page.team()));
    live.until("\"order\"").unwrap();
    host.signal(Signal::KILL);
    host.end();
    live.until("not running").unwrap();
    assert_eq!(page.data("side", "")["is_live"], false);

    let host = world.start(&["up"]);
    host.until("is open in process");
    live.until(">live<").unwrap();
    until(
        || page.data("side", "")["is_live"] == true,
        || page.run.err(),
    );
    let need = page.need();
    let yes = json!({ "request": need["id"], "saw": need["saw"], "answer": "once" });
    page.asks(&page.own, "answer", "k", yes)
        .is(200, "allowed once: req_");
    live.until("It is made.").unwrap();
    assert_eq!(world.file("made"), "made\n");

    // A page that has seen it all shows what one shows that begins now.
    until(
        || page.data("side", "")["members"]["lines"][0]["state"] == "rests",
        || page.run.err(),
    );
    let fresh = Page::of(&world, &["--port", "0"]);
    let (seen, read) = (
        said(&page.data("m:lead", "")),
        said(&fresh.data("m:lead", "")),
    );
    assert_eq!(seen, read);
    let made = seen
        .iter()
        .filter(|text| text.as_str() == "It is made.")
        .count();
    assert_eq!(made, 1, "{seen:?}");
    world.teammate(&["stop"]).ends(0);
    host.end().ends(0);
}
