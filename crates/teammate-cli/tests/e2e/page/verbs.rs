//! What the page may ask: bound to what was shown, once, and all that the other faces can do.

use std::thread;

use serde_json::{Value, json};

use super::{Page, asks, host_that_asks};
use crate::{
    play::{Scene as _, play, say},
    world::{World, until},
};

// fast: an answer on the page
#[test]
fn an_answer_is_to_what_was_shown_and_counts_once() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let need = page.need();
    assert_eq!(need["shows"], "echo made >> made");
    let (id, saw) = (&need["id"], &need["saw"]);
    let other = "0".repeat(64);
    let asks = |verb: &str, key: &str, more: Value| page.asks(&page.own, verb, key, more);

    let unseen = "answered with the digest that was shown";
    let other_shown = "asks for something else than you saw";
    asks("answer", "1", json!({ "request": id, "answer": "once" })).is(410, unseen);
    asks(
        "answer",
        "2",
        json!({ "request": id, "answer": "once", "saw": other }),
    )
    .is(410, other_shown);
    asks("approve", "3", json!({ "words": "1" })).is(410, unseen);
    asks("deny", "4", json!({ "words": "1 no", "saw": other })).is(410, other_shown);
    asks(
        "answer",
        "5",
        json!({ "request": "99", "answer": "once", "saw": saw }),
    )
    .is(422, "there is no request req_000099");
    asks(
        "answer",
        "6",
        json!({ "request": id, "answer": "perhaps", "saw": saw }),
    )
    .is(422, "once, always");
    asks(
        "answer",
        "7",
        json!({ "request": id, "answer": "once", "saw": "8f31" }),
    )
    .is(422, "whole");
    asks(
        "answer",
        "8",
        json!({ "request": "nobody", "answer": "once" }),
    )
    .is(422, "req_000003");
    asks(
        "answer",
        "",
        json!({ "request": id, "answer": "once", "saw": saw }),
    )
    .is(422, "`key`");
    assert!(!world.path("made").exists());

    let yes = json!({ "request": id, "answer": "once", "saw": saw });
    let first = asks("answer", "yes", yes.clone()).is(200, "allowed once: req_000001, run ");
    let again = asks("answer", "yes", yes.clone()).is(200, "allowed once: req_");
    assert_eq!(first.body, again.body);
    asks(
        "answer",
        "yes",
        json!({ "request": id, "answer": "no", "saw": saw }),
    )
    .is(422, "another request");
    asks("answer", "later", yes).is(409, "is already settled (approved");
    until(
        || world.teammate(&["log"]).out.contains("It is made."),
        || world.teammate(&["log"]).out,
    );
    assert_eq!(world.file("made"), "made\n");
}

#[test]
fn a_command_that_is_typed_answers_what_is_shown() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let need = page.need();
    let words = json!({ "words": "1 not today", "saw": need["saw"] });
    page.asks(&page.own, "deny", "k", words)
        .is(200, "denied: req_000001, run ");
    until(
        || world.teammate(&["log"]).out.contains("not today"),
        || world.teammate(&["log"]).out,
    );
    assert!(!world.path("made").exists());
}

#[test]
fn of_two_answers_at_once_one_counts_and_the_other_hears_who_was_first() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let need = page.need();
    let (page, need) = (&page, &need);
    let answers: Vec<(u16, String)> = thread::scope(|scope| {
        let all: Vec<_> = ["once", "no"]
            .into_iter()
            .map(|answer| {
                scope.spawn(move || {
                    let words =
                        json!({ "request": need["id"], "saw": need["saw"], "answer": answer });
                    let answer = page.asks(&page.own, "answer", answer, words);
                    (answer.status, answer.body)
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let mut codes: Vec<u16> = answers.iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [200, 409], "{answers:?}");
    let (_, late) = answers.iter().find(|(code, _)| *code == 409).unwrap();
    assert!(
        late.contains("is already settled (") && late.contains("user"),
        "{late}"
    );
}

#[test]
fn another_terminal_was_first() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let need = page.need();
    world.teammate(&["deny", "1"]).ends(0);
    let yes = json!({ "request": need["id"], "saw": need["saw"], "answer": "once" });
    page.asks(&page.own, "answer", "k", yes)
        .is(409, "is already settled (rejected");
    until(|| page.data("needs", "")["count"] == 0, || page.run.err());
    let past = page.data("past", "");
    assert_eq!(past["answered"][0]["answer"], "no");
}

#[test]
fn words_are_sent_once_and_taken_back_until_they_are_heard() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    page.need();
    let words = |text: &str| json!({ "to": "lead", "text": text });
    let asks = |verb: &str, key: &str, more: Value| page.asks(&page.own, verb, key, more);
    asks("say", "1", words("first words")).is(200, "lines");
    asks("say", "1", words("first words")).is(200, "lines");
    asks("say", "1", words("other words")).is(422, "another request");
    asks("say", "2", words("")).is(422, "`text`");
    asks("say", "3", json!({ "to": "Nobody!", "text": "x" })).is(422, "");
    asks("say", "4", json!({ "to": "nobody", "text": "x" })).is(422, "nobody");
    // The lead waits for an answer, and hears nothing meanwhile: the last words are taken back.
    asks("recall", "5", json!({})).is(200, "lines");
    asks("interrupt", "6", json!({ "member": "nobody" })).is(422, "nobody");
    asks("say", "7", words("second words")).is(200, "lines");
    asks("interrupt", "8", json!({ "member": "lead" })).is(200, "lines");
    let heard = |text: &str| {
        let all = world.heard("lead");
        all.iter().filter(|mail| mail.contains(text)).count()
    };
    until(|| heard("second words") == 1, || page.run.err());
    assert_eq!(heard("first words"), 0);
}

#[test]
fn every_command_of_the_other_faces_is_a_verb_of_the_page() {
    let world = World::playing(&play([("lead", vec![say("I wait.").otherwise()])]));
    world.run("Begin").ends(0);
    let page = Page::of(&world, &[]);
    let help = page
        .asks(&page.own, "help", "help", json!({}))
        .is(200, "/team")
        .json();
    let lines = help["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap());
    let words: Vec<&str> = lines
        .filter_map(|line| line.trim_start().strip_prefix('/')?.split(' ').next())
        .filter(|word| !["quit", "exit", "find", "at", "help"].contains(word))
        .collect();
    assert!(words.len() > 20, "{words:?}");
    let unknown = page
        .asks(&page.own, "nonsense", "n", json!({}))
        .is(422, "nonsense");
    let unknown = unknown.body.replace("nonsense", "WORD");
    for word in words {
        let answer = page.asks(&page.own, word, word, json!({}));
        // With nothing behind it, it does something or says what it needs.
        let says = [200, 409, 410, 422].contains(&answer.status);
        assert!(says, "/{word}: {} {}", answer.status, answer.body);
        assert_ne!(answer.body.replace(word, "WORD"), unknown, "/{word}");
    }
}
