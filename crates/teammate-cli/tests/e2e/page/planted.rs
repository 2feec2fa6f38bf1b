//! The page: a request, a verb, a stream, and what feeds them.

use serde_json::json;

use super::*;
use crate::planted::{REPORT, Works};

// fast: bugs in the page
#[test]
fn a_bug_in_a_request_a_verb_or_a_stream_ends_that_one_and_the_page_serves_on() {
    let works = Works::new();
    let page = Page::of(&works.0, &["--host", "--permission-mode", "bypass"]);
    let say = |key: &str, text: &str| {
        let more = json!({ "to": "lead", "text": text });
        page.asks(&page.own, "say", key, more)
    };
    say("1", "Begin").is(200, "");
    works.begun();
    works.plant("request");
    page.own
        .get("/teams")
        .is(500, "a bug ended a request of the page: planted in request");
    page.own.get("/teams").is(200, "default");
    works.plant("asked");
    say("2", "Still there?").is(500, "a bug");
    works.plant("stream");
    let mut cut = live(&page, "m:lead");
    assert!(cut.until("I wait.").is_none(), "the stream went on");
    works.is_sprung("stream");
    let mut other = live(&page, "team");
    for place in ["feed", "fact"] {
        works.plant(place);
        say(place, "Still there?").is(200, "");
        works.is_sprung(place);
    }
    works.goes_on_to_its_end();
    assert!(other.until(r#""screen":"team""#).is_some());
    until(
        || page.data("m:lead", "").to_string().contains(REPORT),
        || page.data("m:lead", "").to_string(),
    );
    page.run
        .until("a bug ended a stream of the page: planted in stream");
    assert_eq!(works.reports().len(), 5);
}

fn live(page: &Page, screen: &str) -> super::http::Live {
    let path = format!("/live?team={}&see={screen}", page.team());
    page.own.live(&path)
}
