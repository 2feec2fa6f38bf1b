//! Each job is a conversation of its own: what `run` begins, what goes on, and what stays paused meanwhile.

use std::{fs, thread, time::Duration};

use rustix::process::Signal;
use serde_json::{Value, json};
use teammate_core::transcript::{Conversation, Entry};

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::{Run, Running, World, until},
};

/// A command that goes on until the file `go` is there.
const UNTIL_GO: &str = "touch works; until [ -e go ]; do sleep 0.02; done; echo went";

fn anew(world: &World, job: &str) -> Running {
    world.start(&["run", "--permission-mode", "bypass", job])
}

fn goes_on_in(world: &World, conversation: &str, job: &str) -> Run {
    let flags = ["run", "--permission-mode", "bypass", "--conversation"];
    world.teammate(&[&flags[..], &[conversation, job]].concat())
}

/// The number, state and first words of each conversation.
fn listed(world: &World) -> Vec<(u64, String, String)> {
    let listed = world.teammate(&["conversations", "--json"]).ends(0);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    let line = |line: &Value| {
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        (line["id"].as_u64().unwrap(), text("state"), text("prompt"))
    };
    let lines = listed["conversations"].as_array().unwrap();
    lines.iter().map(line).collect()
}

/// Starts a job and ends the program by this signal as soon as the file `works` is there.
fn cut_at_work(world: &World, job: &str, signal: Signal) -> Run {
    let host = anew(world, job);
    until(|| world.path("works").exists(), || host.err());
    host.signal(signal);
    host.end()
}

fn messages(world: &World) -> usize {
    Conversation::of(world.entries("lead")).messages().len()
}

// fast: the verb conversations
#[test]
fn each_run_is_a_conversation_of_its_own_unless_it_goes_on() {
    let answer = say("I heard: {{mail}}").again();
    let world = World::playing(&play([("lead", vec![answer])]));
    world.run_anew("One").ends(0).says("I heard: One");
    assert_eq!(messages(&world), 2);
    world.run_anew("Two").ends(0).says("I heard: Two");
    assert_eq!(messages(&world), 2, "nothing of the first job is sent");
    world.run("Three").ends(0).says("I heard: Three");
    assert_eq!(messages(&world), 4);
    goes_on_in(&world, "1", "Four")
        .ends(0)
        .says("I heard: Four");
    let conversation = Conversation::of(world.entries("lead"));
    let sent: Vec<String> = conversation
        .messages()
        .iter()
        .flat_map(|message| message.blocks.iter().map(|block| block.json().to_owned()))
        .collect();
    let sent = sent.join("\n");
    assert!(sent.contains("One") && sent.contains("Four"), "{sent}");
    assert!(!sent.contains("Two") && !sent.contains("Three"), "{sent}");
    assert_eq!(
        listed(&world),
        [
            (1, "finished".into(), "One".into()),
            (2, "finished".into(), "Two".into()),
        ]
    );
    world.teammate(&["conversations"]).ends(0).says("* 1");
    goes_on_in(&world, "3", "Five")
        .ends(1)
        .complains("there is no conversation 3; the last one is 2");
    goes_on_in(&world, "zero", "Five").ends(2);
    world.assert_at_rest();
}

#[test]
fn a_job_that_was_cut_is_not_done_by_the_next_run() {
    for (signal, code) in [(Signal::TERM, 130), (Signal::KILL, 137)] {
        let world = World::playing(&play([(
            "lead",
            vec![
                bash(UNTIL_GO).after("slow"),
                say("Hello to you.").after("hello"),
                say("The slow job is done.").after("nterrupted"),
            ],
        )]));
        cut_at_work(&world, "slow", signal).ends(code);
        world
            .run_anew("hello")
            .ends(0)
            .says("Hello to you.")
            .complains("an earlier job is paused: conversation 1 (the lead's turn)");
        assert_eq!(messages(&world), 2, "the slow job is not heard of");
        assert_eq!(
            listed(&world),
            [
                (1, "unfinished".into(), "slow".into()),
                (2, "finished".into(), "hello".into()),
            ]
        );
        world.resume().ends(0).says("The slow job is done.");
        assert_eq!(listed(&world)[0].1, "finished");
        world.assert_at_rest();
    }
}

/// The lead has alice take a task, which she is at until the file `go` is there.
fn with_alice() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", json!({ "subject": "Dig" }))]).after("old job"),
                spawn([("alice", "coder", "Take what there is")]).after("Dig"),
                say("Alice is at it.").after("Spawned"),
                send("alice", "And now?").after("ask alice"),
                say("Asked.").after("Sent"),
                say("The new job is done.").after("new job"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                say("Taking.").after("Take what there is"),
                bash(UNTIL_GO).after("Dig"),
                calls([("complete_task", json!({ "id": 1, "result": "dug" }))]).after("nterrupted"),
                say("Dug.").otherwise(),
            ],
        ),
    ]))
}

#[test]
fn members_and_tasks_of_an_earlier_job_stay_paused_until_it_goes_on() {
    let world = with_alice();
    cut_at_work(&world, "old job", Signal::KILL).ends(137);
    let before = world.entries("alice").len();
    world
        .run_anew("new job")
        .ends(0)
        .says("The new job is done.")
        .complains("alice, #1)");
    assert_eq!(world.entries("alice").len(), before, "alice did not run");
    world
        .teammate(&["team"])
        .ends(0)
        .says("waits for the lead's conversation 1 to go on");
    let tasks = world.teammate(&["tasks"]).ends(0);
    assert!(tasks.out.contains("paused, alice's"), "{}", tasks.out);
    assert_eq!(listed(&world)[0].1, "unfinished");
    // Also in the same conversation once more.
    world.run("new job").ends(0);
    assert_eq!(world.entries("alice").len(), before);
    goes_on_in(&world, "1", "Go on").ends(0);
    assert!(
        world
            .outcomes("alice")
            .iter()
            .any(|text| text.contains("#1"))
    );
    let tasks = world.teammate(&["tasks"]).ends(0);
    assert!(tasks.out.contains("completed"), "{}", tasks.out);
    world.assert_at_rest();
}

#[test]
fn a_paused_member_that_is_spoken_to_joins_the_job() {
    let world = with_alice();
    cut_at_work(&world, "old job", Signal::KILL).ends(137);
    world.run_anew("ask alice").ends(0);
    let tasks = world.teammate(&["tasks"]).ends(0);
    assert!(tasks.out.contains("completed"), "{}", tasks.out);
    assert!(
        world
            .heard("alice")
            .iter()
            .any(|mail| mail.ends_with("And now?"))
    );
    let listed = world.teammate(&["conversations"]).ends(0);
    assert!(!listed.out.contains("#1"), "{}", listed.out);
    world.assert_valid();
}

#[test]
fn a_paused_member_that_the_person_writes_to_joins_when_the_team_is_opened() {
    let world = with_alice();
    cut_at_work(&world, "old job", Signal::TERM).ends(130);
    world.run_anew("new job").ends(0);
    world.teammate(&["send", "alice", "Go on"]).ends(0);
    world.run("new job").ends(0);
    let tasks = world.teammate(&["tasks"]).ends(0);
    assert!(tasks.out.contains("completed"), "{}", tasks.out);
    world.assert_valid();
}

#[test]
fn a_dropped_job_is_not_named_again_and_nothing_of_it_goes_on() {
    for between in [true, false] {
        let world = with_alice();
        cut_at_work(&world, "old job", Signal::KILL).ends(137);
        if between {
            world
                .run_anew("new job")
                .ends(0)
                .complains("drop it with `teammate conversations drop 1`");
        }
        world
            .teammate(&["conversations", "drop", "1"])
            .ends(0)
            .says("Dropped conversation 1: ")
            .says("alice is interrupted; #1 waits until it is assigned");
        assert_eq!(listed(&world)[0].1, "dropped");
        let tasks = world.teammate(&["tasks"]).ends(0);
        let outlook = "dropped with the lead's conversation 1: assign it, or delete it";
        assert!(tasks.out.contains(outlook), "{}", tasks.out);
        fs::write(world.path("go"), "").unwrap();
        for run in [world.run_anew("new job"), world.resume()] {
            let run = run.ends(0);
            assert!(!run.err.contains("an earlier job is paused"), "{}", run.err);
        }
        let ran = world.outcomes("alice").join("\n");
        assert!(!ran.contains("went"), "alice went on: {ran}");
        assert!(ran.contains("the user dropped the job"), "{ran}");
        let again = world.teammate(&["conversations", "drop", "1"]).ends(1);
        again.complains("conversation 1 has nothing left to do");
        world
            .teammate(&["conversations", "drop", "9"])
            .ends(1)
            .complains("there is no conversation 9");
        // By its number anybody goes on with it.
        world.teammate(&["tasks", "delete", "1"]).ends(0);
        goes_on_in(&world, "1", "new job").ends(0);
        assert_eq!(listed(&world)[0].1, "finished", "{:?}", listed(&world));
        world.assert_valid();
    }
}

#[test]
fn mail_of_a_dropped_job_stays_in_its_transcript_unanswered() {
    let answer = say("I heard: {{mail}}").again();
    let world = World::playing(&play([("lead", vec![answer])]));
    world.run_anew("One").ends(0);
    world.teammate(&["send", "lead", "By the way"]).ends(0);
    world.run_anew("Two").ends(0);
    world
        .teammate(&["conversations", "drop", "1"])
        .ends(0)
        .says("1 message stays unanswered");
    let run = world.resume().ends(0);
    assert!(!run.out.contains("By the way"), "{}", run.out);
    let heard = world.heard("lead").join("\n");
    assert_eq!(heard.matches("By the way").count(), 1, "{heard}");
    assert_eq!(listed(&world)[0].1, "dropped");
    world
        .teammate(&["conversations", "drop", "2"])
        .ends(1)
        .complains("conversation 2 has nothing left to do");
    assert_eq!(listed(&world).len(), 2);
    world.assert_at_rest();
}

#[test]
fn what_the_person_sends_to_a_teammate_between_two_jobs_is_heard_in_the_next() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("bob", "coder", "Be there")]).after("first job"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                say("The plants are watered.").after("Water the plants"),
                say("Here.").otherwise(),
            ],
        ),
    ]));
    world.run_anew("first job").ends(0);
    world.teammate(&["send", "bob", "Water the plants"]).ends(0);
    let run = world.run_anew("second job").ends(0);
    assert!(!run.err.contains("paused"), "{}", run.err);
    let heard = world.heard("bob").join("\n");
    assert_eq!(heard.matches("Water the plants").count(), 1, "{heard}");
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("The plants are watered."), "{heard}");
    assert_eq!(listed(&world)[0].1, "finished");
    world.assert_at_rest();
}

#[test]
fn what_the_person_puts_on_the_board_is_open_to_every_job() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("bob", "coder", "Be there")]).after("first job"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("complete_task", json!({ "id": 1, "result": "swept" }))]).after("Sweep"),
                say("Here.").otherwise(),
            ],
        ),
    ]));
    world.run_anew("first job").ends(0);
    world.teammate(&["tasks", "add", "Sweep"]).ends(0);
    world.run_anew("second job").ends(0);
    let tasks = world.teammate(&["tasks"]).ends(0);
    assert!(tasks.out.contains("completed"), "{}", tasks.out);
}

#[test]
fn mail_that_a_killed_job_left_is_heard_when_its_conversation_goes_on() {
    let answer = say("I heard: {{mail}}").again();
    let world = World::playing(&play([("lead", vec![answer])]));
    world.run_anew("One").ends(0);
    world.teammate(&["send", "lead", "By the way"]).ends(0);
    world.run_anew("Two").ends(0).says("I heard: Two");
    assert_eq!(listed(&world)[0].1, "unfinished");
    assert!(
        !world
            .heard("lead")
            .iter()
            .any(|mail| mail.ends_with("By the way"))
    );
    goes_on_in(&world, "1", "Three").ends(0);
    let heard = world.heard("lead").join("\n");
    assert_eq!(heard.matches("By the way").count(), 1, "{heard}");
    assert_eq!(messages(&world), 4);
    world.assert_at_rest();
}

#[test]
fn kills_at_any_moment_lose_no_conversation_and_double_none() {
    let answer = bash("sleep 0.05").after("Job").again();
    let world = World::playing(&play([("lead", vec![answer, say("Done.").otherwise()])]));
    let last = 24;
    for job in 0..last {
        let host = anew(&world, &format!("Job {job:02}"));
        thread::sleep(Duration::from_millis(10 * job));
        host.signal(Signal::KILL);
        let _ = host.end();
    }
    world.run_anew("Job 99").ends(0);
    let prompts: Vec<String> = listed(&world).into_iter().map(|line| line.2).collect();
    assert!(
        prompts.iter().filter(|text| !text.is_empty()).is_sorted(),
        "{prompts:?}"
    );
    let heard = world.heard("lead");
    for job in (0..last).chain([99]) {
        let text = format!("Job {job:02}");
        let times = heard.iter().filter(|mail| mail.ends_with(&text)).count();
        assert!(times <= 1, "{text} was heard {times} times");
        assert!(
            prompts.iter().filter(|prompt| **prompt == text).count() <= 1,
            "{prompts:?}"
        );
        assert_eq!(
            prompts.contains(&text),
            times == 1 || waits(&world, &text),
            "{text}: {prompts:?}"
        );
    }
    // Whatever was left goes on, one conversation after the other.
    for (id, ..) in listed(&world) {
        goes_on_in(&world, &id.to_string(), "Anything left?").ends(0);
    }
    let states = listed(&world);
    assert!(states.iter().all(|line| line.1 == "finished"), "{states:?}");
    let marks = world.entries("lead");
    let marks = marks
        .iter()
        .filter(|entry| matches!(entry, Entry::Conversation(_)));
    assert!(marks.count() >= listed(&world).len() - 1);
    world.assert_at_rest();
}

/// Whether a job lies in the lead's mailbox.
fn waits(world: &World, text: &str) -> bool {
    let files = crate::world::files(&world.path(".team/inbox"));
    files
        .iter()
        .any(|path| fs::read_to_string(path).is_ok_and(|content| content.contains(text)))
}
