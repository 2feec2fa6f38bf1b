//! axe-core finds nothing on any screen, narrow and wide, light and dark.

use std::fs;

use serde_json::{Value, json};

use super::{
    chromium::{Chromium, Theme},
    served::{SCREENS, Served},
};

/// Where `cargo xtask test --part browser` has put axe-core's one file.
fn axe() -> String {
    let path =
        std::env::var("TEAMMATE_AXE").expect("cargo xtask test --part browser names axe.min.js");
    fs::read_to_string(path).unwrap()
}

/// What is wrong with what is shown: each rule with the elements that break it.
pub(super) fn violations(browser: &Chromium) -> Value {
    browser.run(&format!("{}; return 0", axe()));
    let found = browser.run_until_done(
        "const done = arguments[arguments.length - 1];
         axe.run(document, {resultTypes: ['violations']}).then(
            r => done(r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200) + ' ' + n.failureSummary)])),
            e => done(String(e)))",
    );
    // The tool itself must have looked.
    assert!(found.is_array(), "{found}");
    found
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn no_screen_breaks_a_rule_in_any_size_or_theme() {
    let served = Served::asking();
    let browser = Chromium::start();
    let mut found = Vec::new();
    for width in [360, 1_400] {
        for theme in [Theme::Light, Theme::Dark] {
            browser.resize(width, 800);
            browser.choose(theme);
            for screen in SCREENS {
                served.open(&browser, screen);
                browser
                    .run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
                let violations = violations(&browser);
                if violations != json!([]) {
                    found.push(format!("{screen} {width} {theme:?}: {violations:#}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_broken_page_is_found() {
    let browser = Chromium::start();
    browser.go("data:text/html,<img src=x>");
    assert_ne!(violations(&browser), json!([]));
}
