//! Questions are answered, and words sent, without a mouse.

use super::{
    chromium::{ALT, ENTER, ESCAPE},
    served::{ASKED, Served},
};
use crate::world::until;

/// The card is old enough, and the last key long enough ago, for a key to answer.
pub(super) const MAY_ANSWER: &str =
    "performance.now() - document.querySelector('.need-card').dataset.born > 500
    && performance.now() - typedAt > 250";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_question_is_answered_by_keys_and_by_no_stray_one() {
    let (served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    // Not in the card: no answer.
    browser.press(&["y"]);
    browser.press(&["j"]);
    browser.until("document.activeElement.matches('.need-card')");
    browser.until(MAY_ANSWER);
    assert!(!served.world.path("made").exists());
    browser.press(&["y"]);
    browser.until("!document.querySelector('.need-card')");
    until(
        || served.world.path("made").exists(),
        || served.world.teammate(&["log"]).out,
    );
    served
        .world
        .teammate(&["requests", "--all", "--json"])
        .ends(0)
        .says("approved by the user (browser)");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_no_with_its_reason_is_given_by_keys() {
    let (served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    browser.press(&["j"]);
    browser.until(MAY_ANSWER);
    browser.press(&["w"]);
    browser.until("document.activeElement.id === 'why'");
    browser.type_text("not now");
    browser.press(&[ENTER]);
    browser.until("!document.querySelector('.need-card')");
    let requests = served
        .world
        .teammate(&["requests", "--all", "--json"])
        .ends(0);
    requests.says("rejected by the user (browser): not now");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn words_and_commands_are_typed_and_screens_changed_by_keys() {
    let (served, browser) = Served::asking_on("/");
    for (key, screen) in [
        ("3", "/board"),
        ("4", "/mail"),
        ("6", "/cost"),
        ("2", "/m/lead"),
    ] {
        browser.press(&[ALT, key]);
        browser.until(&format!("location.pathname === '{screen}'"));
    }
    browser.press(&["/"]);
    browser.until("document.activeElement.id === 'text'");
    browser.type_text("y n w, all is well");
    browser.press(&[ENTER]);
    browser.until("document.getElementById('text').value === ''");
    browser.until_shown("y n w, all is well");
    browser.type_text("/tasks");
    browser.press(&[ENTER]);
    browser.until("document.getElementById('word').textContent.includes('Make it')");
    browser.press(&[ESCAPE]);
    browser.until("document.activeElement.id === 'main'");
    served
        .world
        .teammate(&["requests"])
        .ends(0)
        .says("req_000001");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_list_that_comes_up_over_the_reason_of_a_no_leaves_the_question_to_be_answered() {
    let (_served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    browser.press(&["j"]);
    browser.until(MAY_ANSWER);
    browser.press(&["w"]);
    browser.until("document.activeElement.id === 'why'");
    // As a command that was slow answers.
    browser.run("choose([{title: 'Conversations', choices: []}])");
    browser.press(&[ESCAPE]);
    browser.until("!document.getElementById('ask').open");
    browser.press(&["j"]);
    browser.until(MAY_ANSWER);
    browser.press(&["y"]);
    browser.until("!document.querySelector('.need-card')");
}
