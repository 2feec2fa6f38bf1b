//! Long lives: conversations that fill their model's context are summarized, and the work goes on.

use std::{io::Write as _, process::Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};
use teammate_core::transcript::{Conversation, Entry};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{World, until},
};

/// In the request for a summary.
const ASKS: &str = "Write a summary of this conversation";

/// A small model, and everything is allowed.
fn small(job: &[&'static str]) -> Vec<&'static str> {
    let settings = ["--permission-mode", "bypass", "--context-tokens", "2500"];
    [job, &settings].concat()
}

fn prints(letter: char) -> Value {
    bash(&format!("printf '%04000d' 0 | tr 0 {letter}"))
}

/// alice reads more than she can keep in mind, and then writes down who she is.
fn much_to_read(summary: Value) -> Value {
    let who = "echo I am {{after:You are '}} of {{after:in team '}}, known to {{after:- }} > who";
    play([
        (
            "lead",
            vec![
                spawn([("alice", "reader", "Read it all")]),
                say("alice is through").after("all read"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                summary.after(ASKS).again(),
                bash(who).after("the word is xyzzy"),
                prints('a').after_mail_from("lead"),
                prints('b').after("aaaa"),
                prints('c').after("bbbb"),
                say("all read").otherwise(),
            ],
        ),
    ])
}

fn summaries(world: &World, name: &str) -> Vec<String> {
    let entries = world.entries(name).into_iter();
    let summary = |entry| match entry {
        Entry::Compacted(compacted) => Some(compacted.summary),
        _ => None,
    };
    entries.filter_map(summary).collect()
}

fn knows_who_she_is(world: &World) {
    assert_eq!(world.file("who"), "I am alice of default, known to lead\n");
    assert_eq!(
        summaries(world, "alice"),
        ["Read a and b and c; the word is xyzzy."]
    );
    // Everything is still on disk, and each mail was heard once.
    let outcomes = world.outcomes("alice");
    for (outcome, letter) in outcomes.iter().zip(["a", "b", "c"]) {
        assert!(outcome.starts_with(&letter.repeat(4_000)), "{letter}");
    }
    assert_eq!(world.heard("alice"), ["lead task_assignment: Read it all"]);
    let conversation = Conversation::of(world.entries("alice"));
    assert!(conversation.bytes() < 2_500, "{}", conversation.bytes());
    world.assert_at_rest();
}

// fast: compaction
#[test]
fn whoever_has_read_too_much_sums_it_up_and_still_knows_who_she_is() {
    let summary = say("Read a and b and c; the word is xyzzy.");
    let world = World::playing(&much_to_read(summary));
    world
        .teammate(&small(&["run", "Read"]))
        .ends(0)
        .says("alice is through")
        .complains("[alice] context about 2")
        .complains(".team/agents/alice/transcript.jsonl");
    knows_who_she_is(&world);
    let log = world.file(".team/events.jsonl");
    let told = r#""member":"alice","event":"compacted","how":"summarized","before":"#;
    assert_eq!(log.matches(told).count(), 1, "{log}");
}

#[test]
fn a_host_that_is_killed_in_the_middle_of_it_loses_nothing() {
    let summary = || say("Read a and b and c; the word is xyzzy.");
    let world = World::playing(&much_to_read(summary().slowly(60_000)));
    let host = world.start(&small(&["run", "Read"]));
    let transcript = ".team/agents/alice/transcript.jsonl";
    // A line that is cut off by the kill counts as never written.
    let has_read = || {
        let written = || world.file(transcript);
        world.path(transcript).exists() && written().contains("cccc") && written().ends_with('\n')
    };
    until(has_read, || host.err());
    host.signal(Signal::KILL);
    host.end().ends(137);
    assert_eq!(summaries(&world, "alice"), [""; 0]);

    let world = world.replay(&much_to_read(summary()));
    world
        .teammate(&small(&["resume"]))
        .ends(0)
        .says("alice is through");
    knows_who_she_is(&world);
}

#[test]
fn a_conversation_that_is_too_long_for_the_model_is_summed_up_in_part() {
    let too_long = json!({ "what": "prompt is too long", "remedy": "shorten", "times": 1 });
    let mut answer = say("I can go on.").after("Count to ten");
    answer["fail"] = too_long;
    let world = World::playing(&play([(
        "lead",
        vec![say("Nothing was said yet.").after(ASKS).again(), answer],
    )]));
    world.run("Count to ten").ends(0).says("I can go on.");
    assert_eq!(summaries(&world, "lead"), ["Nothing was said yet."]);
    world.assert_at_rest();
}

#[test]
fn summaries_that_free_nothing_end_the_turn_and_say_what_to_do() {
    let world = World::playing(&play([(
        "lead",
        vec![
            say("Little.").after(ASKS).again(),
            calls([("list_teammates", json!({}))]).again(),
        ],
    )]));
    world
        .teammate(&[
            "run",
            "--context-tokens",
            "100",
            "--permission-mode",
            "bypass",
            "Go",
        ])
        .ends(5)
        .complains("raise context_tokens");
    assert_eq!(summaries(&world, "lead"), ["Little.", "Little."]);
    world.assert_at_rest();
}

#[test]
fn a_model_that_gives_no_summary_ends_the_turn() {
    let nonsense = calls([("bash", json!({ "command": "touch nonsense" }))]);
    let world = World::playing(&much_to_read(nonsense));
    world
        .teammate(&small(&["run", "Read"]))
        .ends(5)
        .complains("[alice] compaction failed: the model returned no usable summary")
        .complains("choose another model");
    assert!(!world.path("nonsense").exists(), "a call in a summary ran");
    assert_eq!(world.outcomes("alice").len(), 3);
    world.assert_at_rest();
}

#[test]
fn a_member_may_compact_by_itself() {
    let world = World::playing(&play([(
        "lead",
        vec![
            say("Focus heard: {{after:above all: }}.")
                .after(ASKS)
                .again(),
            say("I go on with my summary.").after("Focus heard: parser."),
            calls([("compact", json!({ "focus": "parser" }))]),
        ],
    )]));
    world.run("Go").ends(0).says("I go on with my summary.");
    assert_eq!(summaries(&world, "lead"), ["Focus heard: parser."]);
    world.assert_at_rest();
}

#[test]
fn a_person_may_have_a_conversation_summed_up() {
    let world = World::playing(&play([(
        "lead",
        vec![
            say("We greeted each other.").after(ASKS).again(),
            say("I remember: {{after:We }} {{mail}}").after_mail("what do you know"),
            say("Hello."),
        ],
    )]));
    let mut command = world.command(&[]);
    command.stdin(Stdio::piped());
    let mut talk = world.launch(command);
    let lines =
        "/compact\nHi\n/compact lead the names\n/compact nobody\nwhat do you know?\n/quit\n";
    talk.stdin().write_all(lines.as_bytes()).unwrap();
    talk.end()
        .ends(0)
        .says("there is nothing to summarize yet")
        .says("tokens: conversation summarized")
        .says("Not compacted: there is no member 'nobody'")
        .says("I remember: greeted what do you know?");
    assert_eq!(summaries(&world, "lead"), ["We greeted each other."]);
    world.assert_at_rest();
}
