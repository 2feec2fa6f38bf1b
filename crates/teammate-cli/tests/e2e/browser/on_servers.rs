//! The page of a team that workers run: all of its screens, answers, and workers that go and come.

use std::path::Path;

use rustix::process::Signal;

use super::{chromium::Chromium, keyboard::MAY_ANSWER, served::Served};
use crate::{
    on_servers::{begun, worker_with},
    play::{Scene as _, bash, play, say, send, spawn},
    world::{World, until},
};

fn team() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Light it")]).after("begin"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                send("lead", "I light the lamp").after("Light it"),
                bash("echo a flame | tee lamp.txt"),
                say("It is lit.").after("a flame"),
                say("I rest.").otherwise(),
            ],
        ),
    ]))
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_page_of_a_team_on_workers_shows_answers_and_where_members_run() {
    let Some((server, world, dir)) = begun(team()) else {
        return;
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let asks = ["--permission-mode", "ask"];
    let one = worker_with(&world, &server, dir.path(), "one", &asks);
    one.until("team lamps: holds lead");
    at(&["send", "lead", "begin"]).ends(0);
    until(
        || at(&["requests"]).out.contains("req_000001"),
        || at(&["log"]).out,
    );
    let served = Served::on_workers(world.again(), &["--team", "lamps"]);
    let browser = Chromium::start();
    browser.resize(1_400, 900);
    for (screen, shows) in [
        ("/", "on worker one"),
        ("/m/lead", "heard from you"),
        ("/m/alice", "Light it"),
        ("/board", ""),
        ("/mail", "I light the lamp"),
        ("/needs", "tee lamp.txt"),
        ("/cost", "lead"),
        ("/graph", "Mail between members"),
    ] {
        served.open(&browser, screen);
        browser.until_shown(shows);
        browser.until("document.getElementById('alive').textContent === 'live'");
        assert_eq!(browser.complaints(), [""; 0], "{screen}");
    }
    if let Some(place) = std::env::var_os("TEAMMATE_PICTURES") {
        let picture = Path::new(&place).join("on-servers.png");
        served.open(&browser, "/");
        browser.until_shown("on worker one");
        std::fs::write(picture, browser.picture()).unwrap();
    }

    // The question is there once, and is answered on the page.
    served.open(&browser, "/");
    browser.until("document.querySelector('.need-card')");
    let cards = browser.run("return document.querySelectorAll('.need-card').length");
    assert_eq!(cards, 1);
    browser.press(&["j"]);
    browser.until("document.activeElement.matches('.need-card')");
    browser.until(MAY_ANSWER);
    browser.press(&["y"]);
    browser.until("!document.querySelector('.need-card')");
    until(|| dir.path().join("one/lamp.txt").exists(), || one.err());
    served.open(&browser, "/m/alice");
    browser.until_shown("It is lit.");

    // Its worker goes, and another one comes.
    one.signal(Signal::KILL);
    served.open(&browser, "/");
    browser.until("document.getElementById('alive').textContent === 'not running'");
    let two = worker_with(&world, &server, dir.path(), "two", &asks);
    two.until("team lamps: holds alice, lead");
    browser.until("document.getElementById('alive').textContent === 'live'");
    browser.until_shown("on worker two");
}
