//! What a stream gives: everything once, in time for the reader, and nothing without a key.

use std::sync::Arc;

use serde_json::json;

use crate::page::team::{Facts, Page, answered, event};

/// Words of which none is like another.
fn word(number: usize) -> String {
    format!("w{number}. ")
}

#[tokio::test(flavor = "multi_thread")]
async fn no_word_of_an_answer_is_doubled_or_lost_while_other_things_happen() {
    let page = Page::of(Facts::of_a_team()).await;
    let mut live = page.browser().live("m:lead").await;
    page.happens(event(
        "lead",
        json!({ "event": "asked", "round": 1, "model": "m" }),
    ));
    for number in 0..3_000 {
        page.happens(event(
            "lead",
            json!({ "event": "text", "delta": word(number) }),
        ));
        if number % 7 == 0 {
            page.happens(event(
                "lead",
                json!({ "event": "notice", "text": format!("note {number}") }),
            ));
            tokio::task::yield_now().await;
        }
    }
    let last = word(2_999);
    let has = |screens: &std::collections::BTreeMap<String, String>| {
        let writing = screens.get("writing-lead");
        writing.is_some_and(|text| text.contains(last.trim()))
    };
    while !has(&live.screens) {
        live.next().await.unwrap();
    }
    let writing = &live.screens["writing-lead"];
    for number in 0..3_000 {
        let word = word(number);
        assert_eq!(writing.matches(word.trim()).count(), 1, "{word}");
    }
    page.happens(event("lead", answered("Well said.")));
    while !live
        .screens
        .values()
        .any(|html| html.contains("Well said."))
    {
        live.next().await.unwrap();
    }
    assert!(
        !live.screens["writing-lead"].contains("w1."),
        "it is said, and no longer on its way"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_stops_reading_gets_a_reset_and_then_what_is_there() {
    let page = Page::of(Facts::of_a_team()).await;
    let mut live = page.browser().live("m:lead,side").await;
    live.next().await.unwrap();
    // More than the system keeps for a reader.
    let long = "x".repeat(1_000);
    for _ in 0..40_000 {
        page.happens(event("lead", json!({ "event": "text", "delta": long })));
        tokio::task::yield_now().await;
    }
    page.happens(event("lead", answered("That was long.")));
    let mut resets = 0;
    while !live
        .screens
        .values()
        .any(|html| html.contains("That was long."))
    {
        resets += usize::from(live.next().await.unwrap().name == "reset");
    }
    assert!(resets > 0, "pieces were missed, and nothing says so");
    assert_eq!(
        live.screens["writing-lead"],
        "<div id=\"writing-lead\" class=\"writing\"></div>"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_its_key() {
    let page = Page::of(Facts::of_a_team()).await;
    let browser = page.browser();
    let mut live = browser.live("team").await;
    live.next().await.unwrap();
    page.keys.revoke(None).unwrap();
    let ends = async { while live.next().await.is_some() {} };
    let happens = async {
        loop {
            page.happens(event("lead", json!({ "event": "notice", "text": "on" })));
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = ends => {}
        () = happens => {}
    }
    assert_eq!(browser.get("/teams").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_page_has_ended_nobody_holds_the_team() {
    let page = Page::of(Facts::of_a_team()).await;
    let mut live = page.browser().live("team").await;
    live.next().await.unwrap();
    let door = page.end().await;
    assert_eq!(Arc::strong_count(&door), 1);
    while live.next().await.is_some() {}
}
