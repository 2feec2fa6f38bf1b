//! Answers and requests that fit nothing: guessed, early, late, for another incarnation, replayed;
//! floods of mail; and two that never stop. Core's tests of requests cover the rules themselves.

use std::{io::Write as _, sync::Arc};

use serde_json::{Value, json};
use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp, mail::Metadata,
    request::RequestId, transcript::Entry,
};
use teammate_store::wire::{
    chain::{LineDigest, Log},
    mail,
};

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    protocols::happened,
    world::World,
};

fn review(id: &str, approve: bool) -> (&'static str, Value) {
    let input = json!({ "request_id": id, "approve": approve, "feedback": "because" });
    ("review_plan", input)
}

fn planner(prompt: &str, fresh: bool) -> (&'static str, Value) {
    let bob = json!({ "name": "bob", "role": "coder", "prompt": prompt, "require_plan": true, "fresh": fresh });
    ("spawn_teammate", bob)
}

fn on_mail(mut scene: Value, kind: MessageKind) -> Value {
    scene["when"] = json!({ "mail_type": kind });
    scene
}

fn write(path: &str) -> Value {
    calls([("write_file", json!({ "path": path, "content": "x\n" }))])
}

/// Mail that is sealed as the program's own is.
fn seal_into(world: &World, to: &str, mail: impl Iterator<Item = Message>) {
    let seal = Arc::new(world.seal());
    let log = Log::inbox(seal, &MemberName::parse(to).unwrap());
    let path = world.path(&format!(".team/inbox/{to}.jsonl"));
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let last = there.lines().last();
    let mut prev = last.map_or(LineDigest::NONE, |line| LineDigest::of(line.as_bytes()));
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path);
    let mut file = std::io::BufWriter::new(file.unwrap());
    for message in mail {
        let line = log.line(&mail::to_json(&message), prev);
        prev = LineDigest::of(line.as_bytes());
        writeln!(file, "{line}").unwrap();
    }
    file.flush().unwrap();
}

fn frame(kind: MessageKind, from: &str, to: &str, life: u32, nth: usize) -> Message {
    Message {
        id: MessageId::parse(&format!("{kind}-{from}-{nth}")).unwrap(),
        kind,
        from: Sender::Member(MemberName::parse(from).unwrap()),
        from_incarnation: Some(Incarnation(1)),
        to: MemberName::parse(to).unwrap(),
        to_incarnation: Some(Incarnation(life)),
        content: format!("number {nth}"),
        sent_at: Timestamp(1),
        wakes: None,
        request_id: Some(RequestId::new(1)),
        metadata: Metadata::of_others([
            ("approve".to_owned(), true.into()),
            ("wakes".to_owned(), false.into()),
        ]),
    }
}

#[test]
fn answers_before_their_request_guessed_or_given_twice_change_nothing() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([review("req_000001", true)]).after("The job"),
                calls([planner("Plan", false)]).after("there is no request"),
                on_mail(
                    calls([
                        review("req_000007", true),
                        review("{{request_id}}", true),
                        review("{{request_id}}", false),
                    ]),
                    MessageKind::PlanApprovalRequest,
                ),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("submit_plan", json!({ "plan": "step" }))]).after("Plan"),
                write("made").after("[Plan approved]"),
                say("I am ready.").otherwise(),
            ],
        ),
    ]));
    world.run("The job").ends(0);
    let outcomes = world.outcomes("lead");
    for (nth, said) in [
        (0, "there is no request req_000001"),
        (2, "there is no request req_000007"),
        (4, "req_000001 is already settled"),
    ] {
        assert!(outcomes[nth].contains(said), "{nth}: {outcomes:#?}");
    }
    assert_eq!(happened(&world), ["1 opened plan", "1 approved"]);
    assert_eq!(world.file("made"), "x\n");
    let heard = world.heard("bob");
    let answers = heard
        .iter()
        .filter(|mail| mail.starts_with("lead plan_approval_response: "));
    assert_eq!(answers.count(), 1, "{heard:?}");
    world.assert_at_rest();
}

#[test]
fn what_was_for_an_earlier_life_never_reaches_the_new_one() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([planner("Plan", false)]).after("The job"),
                on_mail(
                    calls([
                        ("request_shutdown", json!({ "name": "bob", "now": true })),
                        planner("Begin anew", true),
                        review("{{request_id}}", true),
                    ]),
                    MessageKind::PlanApprovalRequest,
                ),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("submit_plan", json!({ "plan": "step" }))]).after("Plan"),
                write("early").after("Begin anew"),
                write("early").after("try now"),
                say("I am ready.").otherwise(),
            ],
        ),
    ]));
    world.run("The job").ends(0);
    let late = &world.outcomes("lead")[3];
    assert!(late.contains("req_000001 is already settled"), "{late}");

    // The program's own mail to the first incarnation: an approval and a shutdown, kept back and put in now.
    let kinds = [
        MessageKind::PlanApprovalResponse,
        MessageKind::ShutdownRequest,
    ];
    let frames = kinds.map(|kind| frame(kind, "lead", "bob", 1, 0));
    seal_into(&world, "bob", frames.into_iter());
    world.teammate(&["send", "bob", "try now"]).ends(0);
    world.resume().ends(0);
    let heard = world.heard("bob");
    assert!(
        heard.contains(&"user message: try now".to_owned())
            && !heard.iter().any(|mail| mail.contains("number 0")),
        "{heard:?}"
    );
    let refused = world.outcomes("bob");
    assert!(
        refused
            .iter()
            .filter(|said| said.contains("your plan must be approved"))
            .count()
            == 2,
        "{refused:?}"
    );
    assert!(!world.path("early").exists());
    assert_eq!(world.status("bob"), "idle");
    world.assert_at_rest();
}

#[test]
fn a_grant_is_used_once_whatever_is_replayed_after_a_restart() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "First")]).after("The job"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo x >> once").after("First"),
                bash("echo x >> once").after("Second"),
                say("I am ready.").otherwise(),
            ],
        ),
    ]));
    let asks = |job: &str| world.start(&["run", "--continue", "--answers", "wait", job]);
    let host = asks("The job");
    host.until("req_000001");
    world.teammate(&["approve", "1"]).ends(0);
    host.end().ends(0);
    assert_eq!(world.file("once"), "x\n");

    // The mail about it once more, in the program's own hand, and the answer itself.
    let replayed = frame(MessageKind::PermissionResponse, "lead", "alice", 1, 0);
    seal_into(&world, "alice", std::iter::once(replayed));
    world.teammate(&["send", "alice", "Second"]).ends(0);
    let host = asks("Go on");
    host.until("req_000002");
    world
        .teammate(&["approve", "1"])
        .ends(1)
        .complains("req_000001 is already settled");
    world.teammate(&["deny", "2"]).ends(0);
    host.end().ends(0);
    assert_eq!(world.file("once"), "x\n");
    world.assert_at_rest();
}

#[test]
fn two_who_thank_each_other_for_ever_end_with_the_budget() {
    let thanks = |to: &str| send(to, "Thank you!").after_mail("Thank you!").again();
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Thank you!")]).after("Go"),
                thanks("alice"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![thanks("lead"), say("I wait.").otherwise()]),
    ]));
    world
        .teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--budget-turns",
            "20",
            "Go",
        ])
        .ends(5)
        .complains("the team's budget is spent");
    let answers = |name: &str| {
        let entries = world.entries(name);
        let answered = entries
            .iter()
            .filter(|entry| matches!(entry, Entry::Answered(_)));
        answered.count()
    };
    // Each turn sends, and says that it waits.
    let asked = answers("lead") + answers("alice");
    assert!((20..=48).contains(&asked), "{asked}");
    // Nothing goes on without more.
    world
        .teammate(&[
            "resume",
            "--permission-mode",
            "bypass",
            "--budget-turns",
            "20",
        ])
        .ends(5);
    assert_eq!(answers("lead") + answers("alice"), asked);
}

/// Ten thousand sealed notices at once, in a gigabyte and a half of addresses.
#[test]
fn a_flood_of_idle_notifications_costs_no_model_call_and_bounded_memory() {
    const FLOOD: usize = 10_000;
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("I am ready.").otherwise()]),
    ]));
    world.run("Go").ends(0);
    let answers = || {
        let entries = world.entries("lead");
        let answered = entries
            .iter()
            .filter(|entry| matches!(entry, Entry::Answered(_)));
        answered.count()
    };
    let before = (answers(), world.heard("lead").len());
    let notices =
        (0..FLOOD).map(|nth| frame(MessageKind::IdleNotification, "alice", "lead", 1, nth));
    seal_into(&world, "lead", notices);
    let program = world.command(&["resume", "--permission-mode", "bypass"]);
    let mut bounded = std::process::Command::new("bash");
    bounded
        .args(["-c", "ulimit -v 1500000; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work())
        .stdin(std::process::Stdio::null());
    world.launch(bounded).end().ends(0);
    assert_eq!(answers(), before.0, "nobody was asked anything");
    assert_eq!(world.heard("lead").len(), before.1 + FLOOD);
}

/// Ids are numbers, numbers come from the journal, and what lies in `.team/tasks` is only ever written.
#[test]
fn a_tasks_id_is_no_path_and_its_file_no_counter() {
    let ids = [
        "../1",
        "1/../../journal",
        "-1",
        "0",
        "1e3",
        "99999999999999999999",
        "not-a-number",
    ];
    let begin = say("I wait.").after("Begin");
    let mut asked = vec![begin.clone()];
    asked.extend(ids.map(|id| calls([("get_task", json!({ "task_id": id }))])));
    asked.push(calls([("create_task", json!({ "subject": "second" }))]));
    asked.push(say("Done.").otherwise());
    let world = World::playing(&play([("lead", vec![begin])]));
    world.run("Begin").ends(0);
    let add = |subject: &str| world.teammate(&["tasks", "add", subject, "--json"]).ends(0);
    add("first");
    for id in ids {
        world
            .teammate(&["tasks", "show", "--json", "--", id])
            .ends(2);
    }
    for file in ["1.json", "2.json", "next", ".highwatermark"] {
        std::fs::write(world.path(&format!(".team/tasks/{file}")), "not-a-number").unwrap();
    }
    let world = world.replay(&play([("lead", asked)]));
    world.run("Go");
    let outcomes = world.outcomes("lead");
    assert!(
        outcomes[..ids.len()]
            .iter()
            .all(|said| said.starts_with("The arguments do not fit: ")
                || said.starts_with("Error: ")),
        "{outcomes:#?}"
    );
    assert!(outcomes[ids.len()].contains("#2"), "{outcomes:#?}");
    let view: Value = serde_json::from_str(&world.file(".team/tasks/2.json")).unwrap();
    assert_eq!(view["subject"], "second");
}
