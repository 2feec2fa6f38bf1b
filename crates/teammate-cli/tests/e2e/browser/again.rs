//! The page while its process ends and comes back, and while the reader goes from team to team.

use super::{
    chromium::Chromium,
    served::{ASKED, Served},
};
use crate::{
    play::{Scene as _, play, say},
    world::World,
};

const ALIVE: &str = "document.getElementById('alive')?.textContent";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn when_the_page_is_killed_it_says_so_and_goes_on_with_the_key_of_the_next_one() {
    let (mut served, browser) = Served::asking_on("/board");
    browser.until(&format!("{ALIVE} === 'live'"));
    let first = browser.tab();
    served.kill_page();
    browser.until(&format!(
        "{ALIVE} === 'the page is not served at the moment'"
    ));
    // What was there stays there to be read.
    browser.until_shown(ASKED);
    served.serve_again();
    // Its key has ended with the process that gave it.
    browser.until("document.getElementById('word').textContent.includes('this key is none')");
    browser.open_tab();
    served.open(&browser, "/");
    browser.until(&format!("{ALIVE} === 'live'"));
    // The tab that was open goes on, at the screen where it was.
    browser.to_tab(&first);
    browser.until(&format!(
        "{ALIVE} === 'live' && location.pathname === '/board'"
    ));
    browser.until_shown(ASKED);
    served.world.teammate(&["approve", "1"]).ends(0);
    browser.until("!document.querySelector('.need-card')");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_reader_goes_from_team_to_team() {
    let lead = vec![say("Heard: {{mail}}").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    for (team, words) in [("shop", "Open the shop"), ("mill", "Start the mill")] {
        world.teammate(&["--team", team, "run", words]).ends(0);
    }
    world.teammate(&["run", "Look after both"]).ends(0);
    let served = Served::of_rested(world);
    let browser = Chromium::start();
    served.open(&browser, "/m/lead");
    browser.until_shown("Heard: Look after both");
    for (team, words) in [
        ("shop", "Heard: Open the shop"),
        ("mill", "Heard: Start the mill"),
        ("default", "Heard: Look after both"),
        ("shop", "Heard: Open the shop"),
    ] {
        browser.run(&format!(
            "const all = document.getElementById('teams');
             all.value = [...all.options].find(o => o.text.startsWith('{team}:')).value;
             all.dispatchEvent(new Event('change'))"
        ));
        // Another team begins with its screen.
        browser.until(&format!(
            "document.getElementById('state')?.innerText.startsWith('{team}')"
        ));
        browser.press(&[super::chromium::ALT, "2"]);
        browser.until_shown(words);
        let told = browser.text();
        for other in ["Open the shop", "Start the mill", "Look after both"] {
            assert_eq!(
                told.contains(&format!("Heard: {other}")),
                words.ends_with(other),
                "{team}: {told}"
            );
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
