//! A page that nothing happens on asks for nothing.

use std::{env, thread, time::Duration};

use super::served::Served;
use crate::world::until;

/// So many seconds are looked at, unless `TEAMMATE_STILL` says another number.
const SECONDS: u64 = 60;

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn where_nothing_happens_the_page_asks_for_nothing() {
    let (_served, browser) = Served::asking_on("/m/alice");
    browser.until_shown("notes.txt");
    assert!(
        browser
            .requests()
            .iter()
            .any(|address| address.contains("/live"))
    );
    // What it asks for while it begins is over.
    until(
        || {
            thread::sleep(Duration::from_secs(2));
            browser.requests().is_empty()
        },
        || "the page goes on asking".to_owned(),
    );
    let seconds = env::var("TEAMMATE_STILL").ok();
    let seconds = seconds
        .and_then(|text| text.parse().ok())
        .unwrap_or(SECONDS);
    browser.run(
        "self.changes = 0;
         new MutationObserver(all => { changes += all.filter(c => !c.target.closest?.('time')).length; })
            .observe(document.body, {subtree: true, childList: true, attributes: true})",
    );
    thread::sleep(Duration::from_secs(seconds));
    assert_eq!(browser.requests(), [""; 0]);
    // Clocks go on counting, and nothing else changes.
    assert_eq!(browser.run("return changes"), 0);
}
