//! Every place has an address: team, screen, member, task, message, entry, question and moment. Back and forward go through them.

use super::{
    chromium::Chromium,
    served::{ASKED, Served},
};
use crate::{
    play::{Scene as _, play, say},
    world::World,
};

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn an_address_opens_a_task_a_message_an_entry_and_a_moment_in_another_tab() {
    let (_served, browser) = Served::asking_on("/board");
    browser.until_shown(ASKED);
    browser.run("document.getElementById('task-1').open = true");
    browser.until("document.querySelector('#task-1 .acts a')");
    browser.run("document.querySelector('#task-1 .acts a').click()");
    browser.until("location.hash === '#task-1'");
    let task = browser.run("return location.href");
    browser.run("go('/mail')");
    browser.until("document.querySelector('.mail a.when')");
    browser.run("document.querySelector('.mail a.when').click()");
    browser.until("location.hash.startsWith('#mail-')");
    let message = browser.run("return location.href");
    browser.run("go('/m/alice')");
    browser.until("document.querySelector('.entry.heard a.when')");
    browser.run("document.querySelector('.entry.heard a.when').click()");
    browser.until("location.hash.startsWith('#entry-alice-')");
    let entry = browser.run("return location.href");
    // The key is in none of them, and the team is.
    for (address, part) in [
        (&task, "details.target[open]"),
        (&message, "article.target"),
        (&entry, ".entry.target"),
    ] {
        let address = address.as_str().unwrap();
        assert!(
            address.contains("team=") && !address.contains("key"),
            "{address}"
        );
        browser.open_tab();
        browser.go(address);
        browser.until(&format!("document.querySelector('#main {part}')"));
    }
    // A moment.
    browser.go(task.as_str().unwrap().replace("#task-1", "&at=5").as_str());
    browser.until("document.getElementById('moment').textContent.startsWith('PAST')");
    browser.until("document.getElementById('moment').textContent.includes(', 5 of ')");
    browser.run("document.getElementById('now').click()");
    browser.until("!location.search.includes('at=') && at === null");
    browser.run("history.back()");
    browser.until("at === 5 && document.getElementById('moment').textContent.startsWith('PAST')");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn back_and_forward_go_through_screens_and_teams() {
    let lead = vec![say("Heard: {{mail}}").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    world
        .teammate(&["--team", "shop", "run", "Open the shop"])
        .ends(0);
    world.teammate(&["run", "Look after it"]).ends(0);
    let served = Served::of_rested(world);
    let browser = Chromium::start();
    served.open(&browser, "/m/lead");
    browser.until_shown("Heard: Look after it");
    browser.run("go('/cost')");
    browser.run(
        "const all = document.getElementById('teams');
         all.value = [...all.options].find(o => o.text.startsWith('shop:')).value;
         all.dispatchEvent(new Event('change'))",
    );
    browser.until("document.getElementById('state')?.innerText.startsWith('shop')");
    browser.run("go('/m/lead')");
    browser.until_shown("Heard: Open the shop");
    let there = browser.run("return location.href");
    for _ in 0..3 {
        browser.run("history.back()");
    }
    browser.until_shown("Heard: Look after it");
    browser.until("location.pathname === '/m/lead'");
    for _ in 0..3 {
        browser.run("history.forward()");
    }
    browser.until_shown("Heard: Open the shop");
    // An address is of its team, whichever the browser shows.
    browser.open_tab();
    browser.go(there.as_str().unwrap());
    browser.until_shown("Heard: Open the shop");
    assert_eq!(browser.complaints(), [""; 0]);
}
