//! The whole team is paused and goes on from the page; every face names the device that an answer came from; and the first letter of
//! a word answers nothing.

use super::{
    chromium::Chromium,
    keyboard::MAY_ANSWER,
    served::{ASKED, Served},
};
use crate::{
    play::{Scene as _, play, say},
    world::{World, until},
};

const BAR: &str = "document.getElementById('rest')";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_team_is_paused_and_goes_on_by_buttons_and_every_face_says_so() {
    let lead = vec![
        say("It is done.").after("Begin"),
        say("I wait.").otherwise(),
    ];
    let served = Served::hosted(World::playing(&play([("lead", lead)])), &[]);
    let world = &served.world;
    let browser = Chromium::start();
    served.open(&browser, "/");
    assert_eq!(browser.run(&format!("return {BAR}.hidden")), true);
    browser.run("document.querySelector('[data-wish=pause]').click()");
    browser.until("document.getElementById('ask').open");
    browser.run("document.querySelector('#ask button.first').click()");
    browser.until(&format!("!{BAR}.hidden"));
    browser.until_shown("aused by the user (browser)");
    world
        .teammate(&["team"])
        .ends(0)
        .says("The team is paused by the user (browser) since ");
    // Words wait, and say so.
    browser.run("ask('say', {to: 'lead', text: 'Begin'})");
    browser.until_shown("this is heard when it goes on");
    world.teammate(&["inbox", "lead"]).ends(0).says("Begin");
    for (width, height) in [(1_440, 900), (820, 1_180), (390, 844)] {
        browser.resize(width, height);
        let is_seen =
            format!("return {BAR}.checkVisibility() && {BAR}.getBoundingClientRect().top < 120");
        assert_eq!(browser.run(&is_seen), true, "{width}");
    }
    browser.run(&format!("{BAR}.querySelector('button').click()"));
    browser.until(&format!("{BAR}.hidden"));
    until(
        || world.teammate(&["log"]).out.contains("It is done."),
        || world.teammate(&["log"]).out,
    );
    browser.until("document.querySelector('[data-wish=pause]')");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_team_that_nobody_runs_says_how_it_goes_on() {
    let lead = vec![say("It is done.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    world.run("Begin").ends(0);
    let served = Served::of_rested(world);
    let browser = Chromium::start();
    served.open(&browser, "/");
    browser.until(&format!(
        "!{BAR}.hidden && {BAR}.innerText.includes('teammate resume')"
    ));
    assert_eq!(
        browser.run("return !!document.querySelector('[data-wish=pause]')"),
        false
    );
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn an_answer_by_a_key_is_taken_back_by_the_next_letter_of_a_word() {
    let (served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    browser.press(&["j"]);
    browser.until(MAY_ANSWER);
    // As a hand that types: the letters are far nearer to each other than 0.3 s.
    browser.run(
        "for (const key of 'yes') document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))",
    );
    browser.until(
        "document.getElementById('word').textContent.startsWith('Not answered: you were typing')",
    );
    browser.until(MAY_ANSWER);
    let requests = || {
        served
            .world
            .teammate(&["requests", "--all", "--json"])
            .ends(0)
    };
    requests().says("\"pending\"");
    assert!(!served.world.path("made").exists());
    browser.press(&["y"]);
    browser.until("!document.querySelector('.need-card')");
    requests().says("approved by the user (browser)");
}
