//! Requests and the user: from a second terminal, at the prompt, as JSON and as files.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, say, spawn},
    world::{Run, Running, World, json_lines, until},
};

/// A lead that spawns these, and teammates that play their scenes.
fn team_of<const N: usize>(who: [(&str, Vec<Value>); N]) -> World {
    let spawns = who.each_ref().map(|(name, _)| (*name, "coder", "Begin"));
    let mut members = vec![(
        "lead",
        vec![spawn(spawns).after("Go"), say("I wait.").otherwise()],
    )];
    members.extend(who);
    let members: serde_json::Map<String, Value> = members
        .into_iter()
        .map(|(name, scenes)| (name.to_owned(), scenes.into()))
        .collect();
    World::playing(&json!({ "members": members }))
}

/// Runs a command, and says what came of it.
fn runs(command: &str) -> Vec<Value> {
    vec![bash(command), say("It said: {{last_result}}").otherwise()]
}

/// A job that waits for answers from another terminal.
fn waiting(world: &World, flags: &[&str]) -> Running {
    let run = ["run", "--answers", "wait", "Go"];
    world.start(&[&run[..], flags].concat())
}

fn requests(world: &World, words: &[&str]) -> Value {
    let run = world.teammate(&[&["requests", "--json"], words].concat());
    serde_json::from_str(&run.ends(0).out).unwrap()
}

/// Waits until so many are open; their ids.
fn open(world: &World, count: usize) -> Vec<String> {
    let ids = || -> Vec<String> {
        if !world.path(".team/journal.jsonl").exists() {
            return Vec::new();
        }
        let open = requests(world, &[]);
        let open = open["requests"].as_array().unwrap();
        let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
        open.iter().map(id).collect()
    };
    until(|| ids().len() == count, || format!("open: {:?}", ids()));
    ids()
}

fn said(world: &World, name: &str) -> String {
    world.outcomes(name).join("\n")
}

// fast: the verbs requests and approve
#[test]
fn a_question_is_answered_from_a_second_terminal() {
    let world = team_of([("alice", runs("echo made > made.txt"))]);
    let run = waiting(&world, &[]);
    run.until(
        "asks: run echo made > made.txt (req_000001, no in 10 min):\n    echo made > made.txt\n",
    );
    run.until("  yes: teammate approve req_000001");
    let open = requests(&world, &[]);
    let question = &open["requests"][0];
    assert_eq!(
        [&question["kind"], &question["from"], &question["state"]],
        ["permission", "alice", "pending"]
    );
    assert_eq!(question["shows"], "echo made > made.txt");
    world
        .teammate(&["requests"])
        .ends(0)
        .says("req_000001  permission  alice -> the user  asked ");
    world
        .teammate(&["team"])
        .ends(0)
        .says("waiting for permission")
        .says("run echo made > made.txt");
    // This view is written a moment later.
    until(
        || world.config()["requests"][0]["id"] == "req_000001",
        || world.file(".team/config.json"),
    );
    assert!(!world.path("made.txt").exists(), "not before the answer");

    world
        .teammate(&["approve", "1"])
        .ends(0)
        .says("allowed once: req_000001, run echo made > made.txt");
    run.end().ends(0).complains("allowed (user, req_000001)");
    assert_eq!(world.file("made.txt"), "made\n");
    world
        .teammate(&["approve", "req_000001"])
        .ends(1)
        .complains("req_000001 is already settled (approved by the user); no request is open");
    world.assert_at_rest();
}

// fast: the verb deny
#[test]
fn a_no_with_its_reason_reaches_the_model() {
    let world = team_of([("alice", runs("rm -rf build"))]);
    let run = waiting(&world, &[]);
    open(&world, 1);
    let denied = world.teammate(&[
        "deny",
        "req_1",
        "--because",
        "the build is precious",
        "--json",
    ]);
    let denied: Value = serde_json::from_str(&denied.ends(0).out).unwrap();
    assert_eq!(
        [&denied["state"], &denied["because"]],
        ["rejected", "the build is precious"]
    );
    run.end().ends(0).complains("denied (user, req_000001)");
    let outcome = said(&world, "alice");
    assert!(outcome.contains("the build is precious"), "{outcome}");
}

#[test]
fn two_questions_wait_side_by_side_and_each_answer_is_for_its_own() {
    let world = team_of([("alice", runs("echo a > a")), ("bob", runs("echo b > b"))]);
    let run = waiting(&world, &[]);
    open(&world, 2);
    world
        .teammate(&["approve", "req_000007"])
        .ends(1)
        .complains("there is no request req_000007; open: req_000001 (permission), req_000002 (permission)");
    world
        .teammate(&["approve", "seven"])
        .ends(2)
        .complains("ids look like req_000001");
    let all = requests(&world, &[]);
    let of = |name: &str| {
        let mut all = all["requests"].as_array().unwrap().iter();
        let one = all.find(|one| one["from"] == name).unwrap();
        one["id"].as_str().unwrap().to_owned()
    };
    world.teammate(&["deny", &of("bob")]).ends(0);
    world.teammate(&["approve", &of("alice")]).ends(0);
    run.end().ends(0);
    assert!(world.path("a").exists() && !world.path("b").exists());
    let all = requests(&world, &["--all"]);
    let states = all["requests"].as_array().unwrap().iter();
    let mut states: Vec<_> = states.map(|one| one["state"].as_str().unwrap()).collect();
    states.sort_unstable();
    assert_eq!(states, ["approved", "rejected"]);
}

#[test]
fn always_allows_the_very_same_until_the_team_is_closed() {
    let world = team_of([(
        "alice",
        vec![bash("echo x >> x"), bash("echo x >> x"), say("done")],
    )]);
    let run = waiting(&world, &[]);
    run.until("--always: also allow 'bash(=echo x >> x)' from now on");
    world
        .teammate(&["approve", "1", "--mode", "bypass"])
        .ends(1)
        .complains("--mode is for plans, and req_000001 is a request for permission");
    world.teammate(&["approve", "1", "--always"]).ends(0);
    run.end().ends(0);
    assert_eq!(world.file("x"), "x\nx\n");
}

#[test]
fn an_always_for_the_prefix_lets_other_words_run_and_asks_about_a_chain() {
    let world = team_of([(
        "alice",
        vec![
            bash("cargo test a"),
            bash("cargo test b --lib"),
            bash("cargo test; rm kept"),
            say("done"),
        ],
    )]);
    std::fs::write(world.path("kept"), "").unwrap();
    let run = waiting(&world, &[]);
    run.until("--always=prefix: also allow 'bash(cargo test *)' from now on");
    assert!(!run.err().contains("--always=tool"), "{}", run.err());
    world
        .teammate(&["requests", "show", "1"])
        .ends(0)
        .says("  always, exact: also allows bash(=cargo test a) from now on")
        .says("  always, prefix: also allows bash(cargo test *) from now on");
    let question = &requests(&world, &[])["requests"][0];
    assert_eq!(question["rule"], "bash(=cargo test a)");
    assert_eq!(question["prefix_rule"], "bash(cargo test *)");
    world
        .teammate(&["approve", "1", "--always=all"])
        .ends(2)
        .complains("write exact, prefix or tool");
    world
        .teammate(&["approve", "1", "--always=tool"])
        .ends(1)
        .complains("it offers exact: bash(=cargo test a), prefix: bash(cargo test *)");
    world
        .teammate(&["approve", "1", "--always=prefix"])
        .ends(0)
        .says("'bash(cargo test *)' is allowed from now on");
    run.until("req_000002");
    let question = &requests(&world, &[])["requests"][0];
    assert_eq!(question["shows"], "cargo test; rm kept");
    assert_eq!(question["prefix_rule"], Value::Null);
    world.teammate(&["deny", "2"]).ends(0);
    run.end().ends(0);
    assert!(world.path("kept").exists());
    let outcomes = world.outcomes("alice");
    let refused: Vec<bool> = outcomes
        .iter()
        .map(|outcome| outcome.contains("Not run"))
        .collect();
    assert_eq!(refused, [false, false, true], "{outcomes:#?}");
    world
        .teammate(&["rules"])
        .ends(0)
        .says("allow  bash(cargo test *)  answered with \"always\"");
    let audit = world.teammate(&["audit", "--json"]).ends(0);
    let answered = json_lines(&audit.out);
    let answered = answered.iter().find(|entry| entry["event"] == "answered");
    assert_eq!(answered.unwrap()["rule"], "bash(cargo test *)");
}

#[test]
fn an_always_for_the_tool_holds_until_the_team_is_closed_and_not_in_protected_places() {
    let write = |path: &str| calls([("write_file", json!({ "path": path, "content": "x\n" }))]);
    let world = team_of([(
        "alice",
        vec![write("a"), write("b"), write(".mcp.json"), say("done")],
    )]);
    let run = waiting(&world, &[]);
    run.until("--always=tool: also allow 'write_file' until the team is closed");
    world
        .teammate(&["approve", "1", "--always=tool"])
        .ends(0)
        .says("'write_file' is allowed until the team is closed");
    run.until("req_000002");
    let question = &requests(&world, &[])["requests"][0];
    let rules = ["rule", "prefix_rule", "tool_rule"].map(|field| &question[field]);
    assert_eq!(rules, [&Value::Null; 3], "none would help: {question}");
    world.teammate(&["deny", "2"]).ends(0);
    run.end().ends(0);
    assert!(world.path("a").exists() && world.path("b").exists());
    assert!(!world.path(".mcp.json").exists());
    world.teammate(&["rules"]).ends(0).says("No rules");
}

#[test]
fn without_anybody_to_ask_it_is_refused_at_once() {
    let world = team_of([("alice", runs("echo a > a"))]);
    world
        .teammate(&["run", "Go"])
        .ends(4)
        .complains("refused bash: echo a > a");
    world
        .teammate(&["requests", "--all"])
        .ends(0)
        .says("No request is open");
}

#[test]
fn a_question_expires_and_that_is_a_no() {
    let world = team_of([("alice", runs("echo a > a"))]);
    let run = waiting(&world, &["--answer-minutes", "0.002"]);
    run.end().ends(0).complains("denied (deadline, req_000001)");
    assert!(!world.path("a").exists());
}

/// Submits a plan, and writes a file once it is approved.
fn planner() -> Vec<Value> {
    vec![
        calls([(
            "submit_plan",
            json!({ "plan": "1. read\n2. write plan.txt" }),
        )])
        .after("Begin"),
        bash("echo did > did").after_mail("[Plan approved]"),
        calls([("submit_plan", json!({ "plan": "1. think\n2. write" }))])
            .after_mail("[Plan rejected]"),
        say("I wait").otherwise(),
    ]
}

// fast: plans for the user
#[test]
fn a_plan_for_the_user_is_a_file_and_is_answered_from_a_second_terminal() {
    let world = team_of([("alice", planner())]);
    let flags = ["--plan-approver", "user", "--permission-mode", "bypass"];
    let run = waiting(&world, &flags);
    run.until(
        "[alice] submits a plan to the user (req_000001):\n    1. read\n    2. write plan.txt\n",
    );
    let page = || world.file(".team/plans/alice-req_000001.md");
    until(
        || world.path(".team/plans/alice-req_000001.md").exists(),
        || "no file".to_owned(),
    );
    assert!(page().contains("- state: pending\n\n---\n\n1. read\n2. write plan.txt\n"));
    run.until("[alice] done: I wait");
    world
        .teammate(&["team"])
        .ends(0)
        .says("idle (waiting for the answer to req_000001)");
    world
        .teammate(&["deny", "1", "--because", "think first"])
        .ends(0);
    run.until("req_000002");
    world
        .teammate(&["requests", "show", "2"])
        .ends(0)
        .says("    1. think\n    2. write");
    world
        .teammate(&["approve", "2", "--note", "go on"])
        .ends(0)
        .says("approved: req_000002, ");
    run.end().ends(0);
    assert!(world.path("did").exists());
    assert!(
        page().contains("- state: rejected by the user: think first\n"),
        "{}",
        page()
    );
    let second = world.file(".team/plans/alice-req_000002.md");
    assert!(
        second.contains("- state: approved by the user: go on\n"),
        "{second}"
    );
}

#[test]
fn a_plan_is_weighed_by_the_users_command() {
    let world = team_of([("alice", planner())]);
    let check = "check:printf %s \"$PLAN\" | grep -q think || { echo think first; false; }";
    world
        .teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--plan-approver",
            check,
            "Go",
        ])
        .ends(0);
    assert!(world.path("did").exists());
    let heard = world.heard("alice").join("\n");
    assert!(
        heard.contains("[Plan rejected]") && heard.contains("think first"),
        "{heard}"
    );
}

#[test]
fn a_plan_stays_open_when_nobody_waits_and_its_answer_is_taken_up_later() {
    let world = team_of([("alice", planner())]);
    // The user could be asked, and leaves.
    let run = waiting(
        &world,
        &["--plan-approver", "user", "--permission-mode", "bypass"],
    );
    run.until("[alice] done: I wait");
    world.teammate(&["stop"]).ends(0);
    run.end().ends(130);
    let page = || world.file(".team/plans/alice-req_000001.md");
    assert!(page().contains("state: pending"), "a pause: {}", page());
    world.teammate(&["stop", "alice"]).ends(0);
    assert!(
        page().contains("cancelled"),
        "a member that is stopped wants nothing: {}",
        page()
    );
}

#[test]
fn no_member_speaks_as_the_person() {
    let program = env!("CARGO_BIN_EXE_teammate");
    let tries = format!(
        "{program} approve 1; env -u TEAMMATE_TEAM {program} send lead hello; {program} stop; {program} tasks add x"
    );
    // In the sandbox there is no team; without one the program knows where it runs.
    for (sandbox, refused) in [
        (&[][..], "there is no team in"),
        (
            &["--sandbox", "off"],
            "refused: a command that a member runs cannot act as the user",
        ),
    ] {
        let world = team_of([("alice", vec![bash(&tries), say("done").otherwise()])]);
        let run = ["run", "--permission-mode", "bypass", "Go"];
        world.teammate(&[&run, sandbox].concat()).ends(0);
        let outcome = said(&world, "alice");
        assert_eq!(outcome.matches(refused).count(), 4, "{outcome}");
        let heard = world.heard("lead");
        assert!(
            !heard.iter().any(|mail| mail.contains("hello")),
            "{heard:?}"
        );
        let _: Run = world.teammate(&["send", "lead", "hello"]).ends(0);
    }
}

/// Three that ask for the same, and one that asks for something else.
fn many() -> World {
    let same = "echo made >> made.txt";
    team_of([
        ("alice", runs(same)),
        ("bob", runs(same)),
        ("carol", runs(same)),
        ("dave", runs("echo other > other.txt")),
    ])
}

#[test]
fn an_always_settles_the_same_question_of_others_at_once() {
    let world = many();
    let run = waiting(&world, &[]);
    let ids = open(&world, 4);
    let listed = world.teammate(&["requests"]).ends(0).out;
    let others = |id: &&String| {
        let row = listed.lines().find(|row| row.contains(&***id));
        row.is_some_and(|row| row.contains("dave"))
    };
    let daves = ids.iter().find(others).unwrap();
    let first = ids.iter().find(|id| *id != daves).unwrap();
    world
        .teammate(&["approve", first, "--always"])
        .ends(0)
        .says(&format!(
            "allowed from now on: {first} and 2 more, run echo made >> made.txt"
        ));
    assert_eq!(open(&world, 1), std::slice::from_ref(daves));
    for id in ids.iter().filter(|id| *id != first && *id != daves) {
        let shown = world.teammate(&["requests", "show", id]).ends(0);
        shown.says(&format!("approved by the user with {first}"));
    }
    world.teammate(&["deny", daves]).ends(0);
    run.end().ends(0);
    assert_eq!(world.file("made.txt"), "made\nmade\nmade\n");
    assert!(!world.path("other.txt").exists());
    let audit = world.teammate(&["audit", "--json"]).ends(0).out;
    assert_eq!(
        audit.matches("\"event\":\"answered\"").count(),
        4,
        "{audit}"
    );
}

#[test]
fn those_that_ask_exactly_the_same_are_one_need_with_one_answer() {
    let world = many();
    let run = waiting(&world, &[]);
    open(&world, 4);
    let needs = world.teammate(&["needs", "--json"]).ends(0).out;
    let needs: Value = serde_json::from_str(&needs).unwrap();
    let needs = needs["needs"].as_array().unwrap();
    assert_eq!(needs.len(), 2, "{needs:?}");
    let first = needs[0]["id"].as_str().unwrap();
    assert_eq!(needs[0]["alike"].as_array().unwrap().len(), 2, "{needs:?}");
    world.teammate(&["needs"]).ends(0).says(&format!(
        "{first}  3 members ask: run echo made >> made.txt"
    ));
    world
        .teammate(&["approve", &format!("{first}+")])
        .ends(0)
        .says(&format!(
            "allowed once: {first} and 2 more, run echo made >> made.txt"
        ));
    let daves = needs[1]["id"].as_str().unwrap();
    world
        .teammate(&["deny", &format!("{daves}+")])
        .ends(0)
        .says("denied: ");
    run.end().ends(0);
    assert_eq!(world.file("made.txt"), "made\nmade\nmade\n");
}
