//! Several tabs of one browser.

use serde_json::{Value, json};

use super::{
    chromium::Chromium,
    served::{ASKED, Served},
};

/// All tabs, the first one before them, at this screen.
fn open(served: &Served, browser: &Chromium, screens: &[&str]) -> Vec<String> {
    let mut tabs = Vec::new();
    for screen in screens {
        tabs.push(match tabs.is_empty() {
            true => browser.tab(),
            false => browser.open_tab(),
        });
        served.open(browser, screen);
        browser.until_shown(ASKED);
    }
    tabs
}

fn in_each(browser: &Chromium, tabs: &[String], script: &str) -> Vec<Value> {
    let each = tabs.iter().map(|tab| {
        browser.to_tab(tab);
        browser.run(script)
    });
    each.collect()
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn of_two_tabs_that_answer_at_once_one_counts_and_the_other_says_so() {
    let served = Served::asking();
    let browser = Chromium::start();
    let tabs = open(&served, &browser, &["/", "/board"]);
    for (tab, answer) in tabs.iter().zip(["once", "no"]) {
        browser.to_tab(tab);
        browser
            .until("performance.now() - document.querySelector('.need-card').dataset.born > 500");
        // At the same message, without a look at what the other one does.
        browser.run(&format!(
            "const button = document.querySelector('[data-answer={answer}]');
             new BroadcastChannel('now').onmessage = () => answer(button)"
        ));
    }
    browser.run(
        "const button = document.querySelector('[data-answer=no]');
         new BroadcastChannel('now').postMessage(1)",
    );
    let mut said = Vec::new();
    for tab in &tabs {
        browser.to_tab(tab);
        browser.until("!document.querySelector('.need-card')");
        browser.until("document.getElementById('word').textContent");
        said.push(browser.run("return document.getElementById('word').textContent"));
    }
    let settled = |said: &&Value| said.as_str().unwrap().contains("is already settled");
    assert_eq!(said.iter().filter(settled).count(), 1, "{said:?}");
    let requests = served
        .world
        .teammate(&["requests", "--all", "--json"])
        .ends(0);
    let requests: Value = serde_json::from_str(&requests.out).unwrap();
    assert_ne!(requests["requests"][0]["state"], "pending");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn ten_tabs_are_kept_up_to_date_by_one_stream() {
    let served = Served::asking();
    let browser = Chromium::start();
    let screens = [
        "/", "/m/lead", "/m/alice", "/board", "/mail", "/needs", "/cost", "/", "/board", "/mail",
    ];
    let tabs = open(&served, &browser, &screens);
    let leading = in_each(&browser, &tabs, "return leads");
    let count = leading.iter().filter(|leads| **leads == true).count();
    assert_eq!(count, 1, "{leading:?}");
    served.world.teammate(&["approve", "1"]).ends(0);
    for tab in &tabs {
        browser.to_tab(tab);
        browser.until("!document.querySelector('.need-card')");
    }
    // The one that reads the stream goes, and another one reads on.
    let leader = leading.iter().position(|leads| *leads == true).unwrap();
    browser.to_tab(&tabs[leader]);
    browser.go("about:blank");
    served
        .world
        .teammate(&["send", "alice", "Thank you"])
        .ends(0);
    for (tab, screen) in tabs.iter().zip(screens) {
        browser.to_tab(tab);
        if screen == "/mail" && *tab != tabs[leader] {
            browser.until_shown("Thank you");
        }
    }
    let rest: Vec<String> = tabs
        .into_iter()
        .filter(|tab| {
            browser.to_tab(tab);
            browser.run("return location.protocol") == "http:"
        })
        .collect();
    assert_eq!(json!(rest).as_array().map(Vec::len), Some(9));
    let leading = in_each(&browser, &rest, "return leads");
    assert_eq!(leading.iter().filter(|leads| **leads == true).count(), 1);
}
