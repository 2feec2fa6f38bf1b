//! However large a team is and whatever its members write: what is sent at once is bounded, and says what it leaves out.

use std::{collections::BTreeSet, fmt::Write as _, io::Read as _};

use serde_json::{Value, json};

use crate::page::{
    browser::Browser,
    team::{Facts, Page, TEAM, event},
};

/// No screen sends more at once, whatever is in it.
const SCREEN_BYTES: usize = 1 << 20;

const SCREENS: [&str; 10] = [
    "side", "team", "m:lead", "board", "mail", "needs", "past", "changes", "cost", "graph",
];

async fn assert_bounded(browser: &Browser) {
    for name in SCREENS {
        let html = browser.screen(name, "").await;
        let json = browser.data(name, "").await.to_string();
        println!(
            "{name}: {} bytes of HTML, {} of JSON",
            html.len(),
            json.len()
        );
        assert!(html.len() <= SCREEN_BYTES, "{name}: {} bytes", html.len());
        assert!(
            json.len() <= SCREEN_BYTES,
            "{name}: {} bytes of JSON",
            json.len()
        );
    }
}

/// Walks back from the newest entries of a screen to the oldest that are kept. Returns what `pick` finds in each.
async fn walk(browser: &Browser, name: &str, pick: impl Fn(&Value) -> Vec<String>) -> Vec<String> {
    let (mut found, mut before) = (Vec::new(), String::new());
    loop {
        let page = browser.data(name, &before).await;
        let more = page.get("older").or_else(|| page.get("more")).unwrap();
        found.extend(pick(&page));
        match more.as_u64() {
            Some(next) => before = format!("&before={next}"),
            None => return found,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_of_1024_members_is_listed_in_pages() {
    let mut facts = Facts::of_a_team();
    for number in 1..1_024 {
        let name = format!("member-{number}");
        facts.teammate(&name);
        let asked = json!({ "event": "asked", "round": 1, "model": "m" });
        facts.event(&name, asked);
        facts.said(&name, "I have begun.");
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    assert_bounded(&browser).await;

    let names = |page: &Value| {
        let lines = page["members"]["lines"].as_array().unwrap();
        lines
            .iter()
            .map(|line| line["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let listed = walk(&browser, "team", names).await;
    assert_eq!(listed.len(), 1_024);
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), 1_024);
    let side = browser.screen("side", "").await;
    assert!(
        side.contains("824 more"),
        "the side says what it leaves out"
    );
    let graph = browser.data("graph", "").await;
    assert_eq!(graph["more"], 896);
    // The lead rests, and is drawn all the same.
    assert_eq!(graph["members"][0]["name"], "lead");

    // What happens is still seen.
    let mut live = browser.live("side,team,m:member-1000").await;
    page.happens(event(
        "member-1000",
        json!({ "event": "text", "delta": "I am here." }),
    ));
    while !live
        .screens
        .values()
        .any(|html| html.contains("I am here."))
    {
        live.next().await.unwrap();
    }
}

/// A team with a member that has made this many calls, each of two events.
fn busy(events: usize) -> Facts {
    let mut facts = Facts::of_a_team();
    for number in 0..events / 2 {
        let call = format!("call-{number}");
        let begun = json!({ "event": "tool_started", "call": call, "tool": "bash", "summary": format!("step {number}") });
        facts.event("lead", begun);
        let ended = json!({ "event": "tool_finished", "call": call, "tool": "bash", "ok": true, "summary": "done",
            "took_ms": 1 });
        facts.event("lead", ended);
    }
    facts
}

async fn many_events(count: usize) {
    let begun = std::time::Instant::now();
    let page = Page::of(busy(count)).await;
    let made = begun.elapsed();
    let browser = page.browser();
    assert_bounded(&browser).await;
    println!(
        "{count} events: made in {made:?}, all screens after {:?}",
        begun.elapsed()
    );
    let numbers = |page: &Value| {
        let entries = page["entries"].as_array().unwrap();
        entries
            .iter()
            .map(|entry| entry["number"].to_string())
            .collect()
    };
    let walked = walk(&browser, "m:lead", numbers).await;
    assert_eq!(walked.len(), 2_000);
    assert_eq!(walked.iter().collect::<BTreeSet<_>>().len(), 2_000);
    let calls = count / 2;
    let oldest = browser
        .screen("m:lead", &format!("&before={}", calls - 1_900))
        .await;
    let left_out = format!("{} earlier entries are not kept here", calls - 2_000);
    assert!(oldest.contains(&left_out), "{left_out}");

    // The past reaches back to the first of them.
    let begun = std::time::Instant::now();
    let past = browser.data("m:lead", "&at=3").await;
    let entries = past["entries"].as_array().unwrap();
    assert_eq!(entries.last().unwrap()["call"]["summary"], "step 0");
    println!("the past after {:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_100_000_events_a_page_shows_the_newest_and_leads_to_the_oldest_that_are_kept() {
    many_events(100_000).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "half a minute: for a release"]
async fn of_1_000_000_events_too() {
    many_events(1_000_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_huge_transcript_the_beginnings_are_shown_and_where_the_rest_is() {
    let mut facts = Facts::of_a_team();
    for number in 0..100 {
        facts.said(
            "lead",
            &format!("Part {number}.\n\n{}", "word ".repeat(400_000)),
        );
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    assert_bounded(&browser).await;
    let newest = browser.screen("m:lead", "").await;
    assert!(newest.contains("Part 99.") && newest.contains("bytes more: the log has all of it"));
    let texts = |page: &Value| {
        let entries = page["entries"].as_array().unwrap();
        entries
            .iter()
            .map(|entry| entry["text"].as_str().unwrap()[..8].to_owned())
            .collect()
    };
    assert_eq!(walk(&browser, "m:lead", texts).await.len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_long_as_html_is_bounded_too() {
    for pattern in [
        "> ",
        "- ",
        "*",
        "[",
        "`",
        "|",
        "\"",
        "\u{202e}",
        "a\n\n",
        "|a|\n|-|\n",
        "**a** ",
        "1. \n",
        "# \n",
    ] {
        let mut facts = Facts::of_a_team();
        let mut text = String::new();
        while text.len() < 40_000 {
            write!(text, "{pattern}").unwrap();
        }
        for _ in 0..20 {
            facts.said("lead", &text);
        }
        let page = Page::of(facts).await;
        let html = page.browser().screen("m:lead", "").await;
        println!("{pattern:?}: {} bytes", html.len());
        assert!(html.len() <= 4 << 20, "{pattern:?}: {} bytes", html.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_of_5_000_tasks_is_shown_in_part_and_each_opens() {
    let mut facts = Facts::of_a_team();
    for number in 1..=5_000 {
        facts.record(&[json!({ "event": "task", "task": number, "change": "created", "by": "lead",
            "call": format!("c{number}"), "subject": format!("Task <b>{number}"), "description": "long ".repeat(1_000) })]);
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    assert_bounded(&browser).await;
    let board = browser.screen("board", "").await;
    assert!(board.contains("Ready 5000") && board.contains("4800 more: /tasks lists all"));
    assert!(!board.contains("<b>"));
    let inside = browser.get(&format!("/h/task/4999?team={TEAM}")).await;
    assert!(inside.body.contains("long long"), "{}", inside.body);
    let none = browser.get(&format!("/h/task/5001?team={TEAM}")).await;
    assert_eq!(none.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_takes_it_is_sent_less_of_a_large_team() {
    let mut facts = Facts::of_a_team();
    for number in 1..100 {
        facts.teammate(&format!("member-{number}"));
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    let plain = browser.screen("team", "").await;
    let sent = browser.compressed(&format!("/h/team?team={TEAM}")).await;
    println!("{} bytes, {} compressed", plain.len(), sent.len());
    assert!(sent.len() < plain.len() / 4);
    let mut read = String::new();
    flate2::read::GzDecoder::new(&*sent)
        .read_to_string(&mut read)
        .unwrap();
    assert_eq!(read, plain);
    // A stream comes as it happens.
    let mut live = browser.live("team").await;
    assert!(live.next().await.is_some());
}
