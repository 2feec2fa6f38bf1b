//! What other programs get: JSON, pipes, logs, and a second process beside a running team.

use std::{fs, io::Write as _};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, play, say, send, spawn},
    world::{World, json_lines, until},
};

fn small_team() -> Value {
    play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Write it"), ("bob", "tester", "Listen")]),
                say("Done: {{mail}}").after_mail("heard alice"),
                // Whichever of the two is through last, the lead's last word is this.
                say("Done: {{mail}}").after_mail("alice is through"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo made > file"),
                send("bob", "made"),
                say("alice is through"),
            ],
        ),
        (
            "bob",
            vec![
                say("heard alice").after_mail_from("alice"),
                say("nothing yet").otherwise(),
            ],
        ),
    ])
}

const KINDS: [&str; 21] = [
    "person_said",
    "team_opened",
    "team_closed",
    "spawned",
    "status",
    "asked",
    "text",
    "answered",
    "retrying",
    "tool_started",
    "tool_finished",
    "permission_asked",
    "permission_answered",
    "permission_refused",
    "mail_sent",
    "mail_heard",
    "rested",
    "notice",
    "result",
    "compacted",
    "task",
];

// fast: the event stream
#[test]
fn stream_json_is_one_event_a_line_and_the_result_last() {
    let world = World::playing(&small_team());
    let run = world
        .teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--output-format",
            "stream-json",
            "Go",
        ])
        .ends(0);
    assert_eq!(run.err, "", "nothing else on the other stream");
    let mut events = json_lines(&run.out);
    let result = events.pop().unwrap();
    assert_eq!(result["event"], "result");
    assert_eq!(
        (&result["ending"], &result["exit_code"]),
        (&json!("done"), &json!(0))
    );
    assert_eq!(result["members"]["alice"]["model_calls"], 3);
    assert_eq!(
        result["total"]["mail_sent"].as_u64().unwrap(),
        sent(&events)
    );

    assert_eq!(events[0]["event"], "team_opened");
    let mut last = 0;
    for event in &events {
        let kind = event["event"].as_str().unwrap_or_else(|| panic!("{event}"));
        assert!(KINDS.contains(&kind), "{event}");
        assert!(
            ["lead", "alice", "bob"].contains(&event["member"].as_str().unwrap()),
            "{event}"
        );
        let at = event["at"].as_u64().unwrap();
        assert!(at >= last, "time goes back: {event}");
        last = at;
    }
    // Order: spawned before asked before rested; started before finished; sent before heard.
    let place = |what: &dyn Fn(&Value) -> bool| events.iter().position(what).unwrap();
    for name in ["alice", "bob"] {
        let of = |kind: &'static str| {
            move |event: &Value| event["member"] == name && event["event"] == kind
        };
        assert!(place(&of("spawned")) < place(&of("asked")));
        assert!(place(&of("asked")) < place(&of("rested")));
    }
    for event in events
        .iter()
        .filter(|event| event["event"] == "tool_finished")
    {
        let call = &event["call"];
        let of = |kind: &'static str| {
            move |event: &Value| event["event"] == kind && event["call"] == *call
        };
        assert!(place(&of("tool_started")) < place(&of("tool_finished")));
    }
    for event in events
        .iter()
        .filter(|event| event["event"] == "mail_heard" && event["from"] == "alice")
    {
        let id = &event["id"];
        let of =
            |kind: &'static str| move |event: &Value| event["event"] == kind && event["id"] == *id;
        // The recipient's event may come before the sender's; both come.
        assert_ne!(place(&of("mail_sent")), place(&of("mail_heard")), "{id}");
    }
}

fn sent(events: &[Value]) -> u64 {
    events
        .iter()
        .filter(|event| event["event"] == "mail_sent")
        .count() as u64
}

// fast: run as JSON
#[test]
fn json_is_one_object() {
    let world = World::playing(&small_team());
    let run = world
        .teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--output-format",
            "json",
            "Go",
        ])
        .ends(0);
    assert_eq!((run.err.as_str(), run.out.lines().count()), ("", 1));
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        result["result"]
            .as_str()
            .unwrap()
            .split(':')
            .next()
            .unwrap(),
        "Done"
    );
    assert_eq!(result["why"], Value::Null);

    // A failure is shown in the same place.
    let world = world.replay(&play([(
        "lead",
        vec![json!({ "fail": { "what": "broken", "remedy": "never" } })],
    )]));
    let run = world
        .teammate(&["run", "--output-format", "json", "Again"])
        .ends(3);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&result["ending"], &result["exit_code"]),
        (&json!("failed"), &json!(3))
    );
    assert!(
        result["why"].as_str().unwrap().contains("broken"),
        "{result}"
    );
}

#[test]
fn a_pipe_gets_no_escape_codes() {
    let world = World::playing(&small_team());
    let run = world.run("Go").ends(0);
    let mut all = run.out + &run.err;
    for command in [
        &["team"][..],
        &["log"],
        &["inbox"],
        &["doctor"],
        &["--help"],
        &["run", "--help"],
    ] {
        let run = world.teammate(command);
        all += &(run.out + &run.err);
    }
    assert!(!all.contains('\u{1b}'), "{all:?}");
}

// fast: the verb run
#[test]
fn the_leads_words_are_standard_output_and_nothing_else_is() {
    let world = World::playing(&small_team());
    let run = world.run("Go").ends(0);
    for line in run.out.lines() {
        assert!(
            ["I wait.", "Done: heard alice", "Done: alice is through"].contains(&line),
            "{}",
            run.out
        );
    }
    for line in run.err.lines() {
        assert!(line.starts_with('['), "{}", run.err);
    }
}

#[test]
fn the_log_tells_what_happened() {
    let world = World::playing(&small_team());
    world.run("Go").ends(0);
    let log = world.teammate(&["log"]).ends(0);
    for line in [
        "[alice] spawned (coder)",
        "[alice] bash: echo made > file",
        "[alice] -> bob: made",
        "[alice] done: alice is through",
        "Done: heard alice",
    ] {
        assert!(log.out.contains(line), "'{line}' is not in\n{}", log.out);
    }
    let alice = world.teammate(&["log", "alice"]).ends(0);
    assert!(
        alice
            .out
            .lines()
            .skip(1)
            .all(|line| line[9..].starts_with("[alice]")),
        "{}",
        alice.out
    );
    for event in json_lines(&world.teammate(&["log", "--json"]).ends(0).out) {
        assert!(
            event["at"].is_u64() && event["member"].is_string(),
            "{event}"
        );
    }
    world
        .teammate(&["log", "alcie"])
        .ends(1)
        .complains("there is no member 'alcie'; members: lead, alice, bob");
}

// fast: the verbs team and inbox
#[test]
fn team_and_inbox_are_json_for_programs() {
    let world = World::playing(&small_team());
    world.run("Go").ends(0);
    world.teammate(&["send", "bob", "one more"]).ends(0);
    let team: Value =
        serde_json::from_str(&world.teammate(&["team", "--json"]).ends(0).out).unwrap();
    assert_eq!(team["runs_in"], Value::Null);
    let members: Vec<_> = team["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (&m["name"], &m["unread"]))
        .collect();
    let expected =
        [("lead", 0), ("alice", 0), ("bob", 1)].map(|(name, unread)| (json!(name), json!(unread)));
    assert_eq!(
        members,
        expected.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>()
    );
    let mail: Value =
        serde_json::from_str(&world.teammate(&["inbox", "bob", "--json"]).ends(0).out).unwrap();
    assert_eq!(
        (&mail[0]["from"], &mail[0]["content"]),
        (&json!("user"), &json!("one more"))
    );
}

// fast: a message from another terminal
/// A team whose lead waits for the user on a pipe that stays open.
#[test]
fn a_second_process_wakes_an_idle_running_team_and_follows_its_log() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                say("You said: {{mail}}").after_mail("second terminal"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                say("I hear {{mail}}").after_mail("from outside"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(std::process::Stdio::piped());
    let mut repl = world.launch(command);
    let mut keys = repl.stdin();
    keys.write_all(b"Go\n").unwrap();
    repl.until("[alice] done: ready");
    let log = world.start(&["log", "-f"]);
    log.until("[alice] done: ready");

    world
        .teammate(&["send", "alice", "from", "outside"])
        .ends(0)
        .says("Sent to alice");
    repl.until("[alice] done: I hear from outside");
    log.until("[alice] done: I hear from outside");
    world
        .teammate(&["send", "lead", "from a second terminal"])
        .ends(0)
        .says("Sent to lead");
    repl.until("You said: from a second terminal");
    // The lead's words appear before its turn has ended.
    until(
        || {
            keys.write_all(b"/team\n").unwrap();
            repl.out()
                .contains("  lead (lead): idle\n  alice (coder): idle")
        },
        || repl.out(),
    );

    keys.write_all(b"/inbox\n/inbox alice\n@alice hi\n@bob hi\n/teem\n/quit\n")
        .unwrap();
    let run = repl.end().ends(0);
    let run = run
        .says("lead's inbox is empty")
        .says("alice's inbox is empty")
        .says("Not sent: there is no member 'bob'; nothing was sent. Members: lead, alice")
        .says("There is no /teem; did you mean /team?");
    assert!(!run.out.contains('\u{1b}'), "{:?}", run.out);
    assert_eq!(world.heard("alice").last().unwrap(), "user message: hi");
    world.assert_at_rest();
    until(|| log.out().contains("I hear from outside"), || log.out());
}

#[test]
fn a_script_of_lines_is_done_line_by_line() {
    let world = World::playing(&play([(
        "lead",
        vec![say("One."), bash("cat file"), say("Three: {{last_result}}")],
    )]));
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(std::process::Stdio::piped());
    let mut repl = world.launch(command);
    repl.stdin().write_all(b"first\n\nsecond").unwrap();
    let run = repl.end().ends(0).says("One.").says("Three: ");
    assert!(
        run.out.find("One.") < run.out.find("Three: "),
        "{}",
        run.out
    );
    assert_eq!(
        world.heard("lead"),
        ["user message: first", "user message: second"]
    );
    world.assert_at_rest();
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_team() {
    let world = World::playing(&small_team());
    let mut command = world.command(&[
        "run",
        "--permission-mode",
        "bypass",
        "--output-format",
        "stream-json",
        "Go",
    ]);
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    drop(child.stderr.take());
    child.wait().unwrap();
    // Whatever its exit code, the work was done or can go on.
    world.resume().ends(0);
    assert_eq!(world.file("file"), "made\n");
    world.assert_at_rest();
}

#[test]
fn the_job_can_come_from_standard_input() {
    let world = World::playing(&play([("lead", vec![say("You said: {{mail}}")])]));
    let mut command = world.command(&["run", "-"]);
    command.stdin(std::process::Stdio::piped());
    let mut run = world.launch(command);
    run.stdin()
        .write_all("line one\nline two ñ".as_bytes())
        .unwrap();
    run.end().ends(0).says("You said: line one\nline two ñ");
    let mut empty = world.command(&["run", "-"]);
    empty.stdin(std::process::Stdio::null());
    world
        .launch(empty)
        .end()
        .ends(2)
        .complains("the job is empty");
}

// fast: the verb demo
#[test]
fn the_demo_runs_without_anything() {
    let world = World::with_model("");
    let dir = world.path("demo").display().to_string();
    let run = world
        .teammate(&["demo", "--speed", "10", "--dir", &dir])
        .ends(0)
        .says("Done. alice wrote hello.sh")
        .says("Took: ");
    assert!(run.out.contains("teammate --dir"), "{}", run.out);
    assert!(world.path("demo/hello.sh").exists());
}

#[test]
fn a_line_of_the_log_that_is_too_long_is_named_and_the_others_are_shown() {
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    world.run("Go").ends(0);
    let path = world.path(".team/events.jsonl");
    let before = world.teammate(&["log"]).ends(0).out;
    let mut log = fs::read(&path).unwrap();
    let kept = log.clone();
    log.extend(vec![b'x'; 65 << 20]);
    log.push(b'\n');
    log.extend(kept);
    fs::write(&path, log).unwrap();
    let run = world.teammate(&["log"]).ends(0);
    // The day is named once.
    let (_, again) = before.split_once('\n').unwrap();
    assert_eq!(run.out, before.clone() + again);
    assert!(
        run.err
            .contains("a line in the event log is not shown: it has 65 MiB"),
        "{}",
        run.err
    );
}
