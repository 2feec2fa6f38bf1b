//! Any past moment, in the same screens.

use super::{Page, asks, host_that_asks};
use crate::world::until;

#[test]
fn the_past_is_shown_as_it_was_from_the_first_fact_to_the_last() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    page.need();
    world.teammate(&["approve", "1"]).ends(0);
    until(
        || world.teammate(&["log"]).out.contains("It is made."),
        || world.teammate(&["log"]).out,
    );
    until(|| page.data("side", "")["needs"] == 0, || page.run.err());

    let team = page.team();
    let at = |at: u64| {
        let answer = page.own.get(&format!("/h/needs?team={team}&at={at}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let number = |name: &str| -> u64 {
            let line = answer.head.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().parse().unwrap()
        };
        (
            number("x-at: "),
            number("x-of: "),
            answer.body.contains("asks: run "),
        )
    };
    let (end, of, _) = at(1_000_000_000);
    assert_eq!(end, of, "beyond the end is the end");
    assert!(of > 10);
    let asked: Vec<u64> = (0..=of).filter(|moment| at(*moment).2).collect();
    let (first, last) = (asked[0], asked[asked.len() - 1]);
    assert!(first > 0 && last < of);
    assert_eq!(
        asked,
        (first..=last).collect::<Vec<_>>(),
        "it was asked once, and answered once"
    );

    assert_eq!(
        page.data("m:lead", "&at=0")["entries"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    let then = page.data("side", &format!("&at={last}"));
    assert_eq!(
        (&then["needs"], &page.data("side", "")["needs"]),
        (&1.into(), &0.into())
    );
    // What happens meanwhile is part of the past as soon as somebody goes beyond its end.
    world.teammate(&["send", "lead", "hello"]).ends(0);
    until(|| at(of + 1).1 > of, || page.run.err());
    page.own
        .get(&format!("/h/side?team={team}&at=-1"))
        .is(400, "team, at and before");
    page.own
        .get(&format!("/h/side?team={team}&at=1&at=2"))
        .is(400, "each once");
}
