//! The joint scenario: a lead that only says what there is to do, three members, four tasks that build on each other.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{
    crash::{Chance, kill_until_done, seeds},
    play::{Scene as _, calls, play, say},
    world::World,
};

const TEAM: &str = "rest-to-graphql";

fn member(name: &str) -> (&'static str, Value) {
    let input = json!({ "name": name, "role": name, "team": TEAM, "prompt": "Take what the board has for you" });
    ("spawn_teammate", input)
}

/// The members of the document.
fn crew() -> Value {
    calls([
        ("create_team", json!({ "name": TEAM })),
        member("analyst"),
        member("backend"),
        member("frontend"),
        ("wait_for_team", json!({})),
    ])
}

/// The four tasks of the document, each after the one before.
fn chain() -> Value {
    let task = |subject: &str, who: &str, after: Value| {
        let input =
            json!({ "subject": subject, "requires": format!("role:{who}"), "blocked_by": after });
        ("create_task", input)
    };
    calls([
        task("Analyze REST endpoints", "analyst", json!([])),
        task("Design GraphQL schema", "backend", json!([1])),
        task("Implement resolvers", "backend", json!([2])),
        task("Update frontend queries", "frontend", json!([3])),
    ])
}

/// What everybody does with a task: leaves a line in a file, and completes it.
fn work() -> Vec<Value> {
    let id = "{{after:Task #}}";
    let work = calls([
        (
            "bash",
            json!({ "command": format!("echo {id} >> done; echo did {id}") }),
        ),
        (
            "complete_task",
            json!({ "task_id": id, "result": format!("step {id}") }),
        ),
    ])
    .after(" is yours");
    let nudged = json!({ "task_id": "{{after:but task #}}", "result": "after all" });
    let after_all = calls([("complete_task", nudged)]).after("is still yours");
    vec![work.again(), after_all.again(), say("ready").otherwise()]
}

fn scenario(lead: Vec<Value>) -> Value {
    play([
        ("lead", lead),
        ("analyst", work()),
        ("backend", work()),
        ("frontend", work()),
    ])
}

/// What happened to tasks, in the order of the journal: `claimed #1 by analyst`.
fn happened(world: &World, change: &str) -> Vec<String> {
    let records = world.json_lines(".team/journal.jsonl");
    let events = records
        .iter()
        .flat_map(|record| record["events"].as_array().unwrap());
    events
        .filter(|event| event["event"] == "task" && event["change"] == change)
        .map(|event| {
            let by = event["by"].as_str().unwrap();
            format!("{change} #{} by {by}", event["task"])
        })
        .collect()
}

/// How often the lead's model was asked.
fn lead_was_asked(world: &World) -> usize {
    let events = world.json_lines(".team/events.jsonl");
    let is_lead = |event: &&Value| event["event"] == "asked" && event["member"] == "lead";
    events.iter().filter(is_lead).count()
}

/// The lead's mail from the harness.
fn told(world: &World) -> Vec<String> {
    let mut heard = world.heard("lead");
    heard.retain(|mail| mail.starts_with("system task_notification: "));
    heard
}

#[test]
fn the_board_demo_does_what_it_says() {
    let world = World::with_model("none:none");
    let dir = world.path("demo").display().to_string();
    let run = world
        .teammate(&["demo", "board", "--speed", "10", "--dir", &dir])
        .ends(0)
        .complains("[backend] claimed #2: Design GraphQL schema")
        .complains("[backend] failed the check of #3: Implement resolvers")
        .complains("[backend] completed #3: Implement resolvers")
        .says("The shop speaks GraphQL. Team 'rest-to-graphql' deleted, 3 teammates stopped.");
    assert!(!run.out.contains("no scene for this"), "{}", run.out);
    assert_eq!(
        world.file("demo/endpoints.md"),
        "- GET /users\n- GET /users/1\n- GET /users/1/orders\n"
    );
    let shown = Command::new("sh")
        .arg("page.sh")
        .current_dir(world.path("demo"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&shown.stdout),
        "{\"id\":1,\"name\":\"Ada\"}\n[{\"id\":7,\"total\":12}]\n"
    );
    world
        .teammate(&["tasks", "--dir", &dir])
        .ends(0)
        .says("4 of 4 done");
    world
        .teammate(&["team", "--dir", &dir])
        .ends(0)
        .says("lead  idle (lead)");
    let kept = "demo/.team/archive/rest-to-graphql-1/backend/agent/transcript.jsonl";
    assert!(world.path(kept).exists());
}

// fast: the board between members
#[test]
fn the_lead_creates_tasks_and_is_told_once_when_all_are_done() {
    let world = World::playing(&scenario(vec![
        crew().after("Gather"),
        chain().after("Migrate"),
        calls([
            (
                "send_message",
                json!({ "to": "all", "content": "A last check" }),
            ),
            ("wait_for_team", json!({})),
        ])
        .after_mail("All 4 tasks are completed"),
        calls([("delete_team", json!({ "name": TEAM }))]).after("Broadcast to 3 teammates"),
        say("The end: {{last_result}}").after("deleted"),
        say("I wait.").otherwise(),
    ]));
    world.run("Gather").ends(0);
    let before = lead_was_asked(&world);
    let run = world.run("Migrate").ends(0).says(
        "The end: Team 'rest-to-graphql' deleted, 3 teammates stopped. Their files are kept in ",
    );
    // Creating, ending the turn, the last check, the end of the team, the last word: nothing for each task.
    assert_eq!(lead_was_asked(&world) - before, 5, "{}", run.err);
    assert_eq!(
        told(&world),
        ["system task_notification: All 4 tasks are completed.\n\
             #1 Analyze REST endpoints: completed by analyst: step 1\n\
             #2 Design GraphQL schema: completed by backend: step 2\n\
             #3 Implement resolvers: completed by backend: step 3\n\
             #4 Update frontend queries: completed by frontend: step 4\n"]
    );
    assert_eq!(
        happened(&world, "claimed"),
        [
            "claimed #1 by analyst",
            "claimed #2 by backend",
            "claimed #3 by backend",
            "claimed #4 by frontend"
        ]
    );
    assert_eq!(world.file("done"), "1\n2\n3\n4\n");
    assert_eq!(world.config()["members"], json!([]));
    let schema: Value = serde_json::from_str(&world.file(".team/tasks/2.json")).unwrap();
    assert_eq!(
        (&schema["status"], &schema["owner"]),
        (&json!("completed"), &json!("backend"))
    );
    world.assert_at_rest();
}

#[test]
fn what_one_has_found_out_is_told_to_whoever_builds_on_it() {
    let world = World::playing(&scenario(vec![
        crew().after("Gather"),
        chain().after("Migrate"),
        say("I wait.").otherwise(),
    ]));
    world.run("Gather").ends(0);
    world.run("Migrate").ends(0);
    let heard = world.heard("frontend");
    assert_eq!(heard.len(), 2, "{heard:?}");
    assert!(
        heard[1].starts_with("lead task_assignment: Task #4 is yours: Update frontend queries\n"),
        "{heard:?}"
    );
    assert!(
        heard[1].contains("It depends on #3 (Implement resolvers), completed by backend:\nstep 3"),
        "{heard:?}"
    );
    world.assert_at_rest();
}

#[test]
fn whenever_the_program_is_killed_every_task_is_done_once() {
    let mut kills = 0;
    for seed in seeds(4) {
        println!("TEAMMATE_SEED={seed}");
        kills += kill_and_resume(seed);
    }
    assert!(kills > 0, "nothing was killed: this tests nothing");
}

fn kill_and_resume(seed: u64) -> u64 {
    let world = World::playing(&scenario(vec![
        crew().after("The job"),
        chain().after("ready"),
        say("All is done.").after_mail("All 4 tasks are completed"),
        say("I wait.").otherwise(),
    ]));
    let kills = kill_until_done(&world, &mut Chance(seed), 4_000);

    let once = [
        "#1 by analyst",
        "#2 by backend",
        "#3 by backend",
        "#4 by frontend",
    ];
    for change in ["claimed", "completed"] {
        let expected: Vec<String> = once.iter().map(|what| format!("{change} {what}")).collect();
        assert_eq!(happened(&world, change), expected);
    }
    let mut done: Vec<String> = fs::read_to_string(world.path("done"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect();
    let lines = done.len();
    done.dedup();
    assert_eq!(done.len(), lines, "a step was done twice");
    let all_done = told(&world)
        .iter()
        .filter(|text| text.contains("All 4 tasks are completed."))
        .count();
    assert_eq!(all_done, 1, "{:?}", told(&world));
    world.assert_at_rest();
    kills
}

#[test]
fn a_task_that_fails_is_told_once_with_what_waits_for_it() {
    let mut backend = work();
    let give_up = calls([(
        "update_task",
        json!({ "task_id": 2, "status": "failed", "reason": "REST is all they want" }),
    )]);
    backend.insert(0, give_up.after("Task #2 is yours"));
    let world = World::playing(&play([
        (
            "lead",
            vec![
                crew().after("Gather"),
                chain().after("Migrate"),
                say("I see: {{mail}}").after_mail("No member is working"),
                say("I wait.").otherwise(),
            ],
        ),
        ("analyst", work()),
        ("backend", backend),
        ("frontend", work()),
    ]));
    world.run("Gather").ends(0);
    let before = lead_was_asked(&world);
    world
        .run("Migrate")
        .ends(0)
        .says("I see: No member is working");
    assert_eq!(lead_was_asked(&world) - before, 3);
    assert_eq!(
        told(&world),
        [
            "system task_notification: No member is working, but 2 of 4 tasks are open.\n\
             #3 Implement resolvers: waits for #2; #2 failed\n\
             #4 Update frontend queries: waits for #3\n\
             #1 Analyze REST endpoints: completed by analyst: step 1\n\
             #2 Design GraphQL schema: failed (backend): REST is all they want\n"
        ]
    );
    // Nothing new has happened: it is not told again.
    world.resume().ends(0);
    assert_eq!(told(&world).len(), 1);
    world.assert_at_rest();
}

#[test]
fn a_task_that_nobody_can_do_is_told_at_once_and_when_it_is_all_that_is_left() {
    let task = |subject: &str, who: &str| {
        let input = json!({ "subject": subject, "requires": format!("role:{who}") });
        ("create_task", input)
    };
    let world = World::playing(&scenario(vec![
        crew().after("Gather"),
        calls([
            task("Write a poem about it", "poet"),
            task("Analyze REST endpoints", "analyst"),
        ])
        .after("Rhyme"),
        say("I see: {{mail}}").after_mail("No member is working"),
        say("I wait.").otherwise(),
    ]));
    world.run("Gather").ends(0);
    world.run("Rhyme").ends(0).says(
        "I see: No member is working, but 1 of 2 tasks is open.\n\
         #1 Write a poem about it: ready, but no member meets role:poet\n",
    );
    let outcomes = world.outcomes("lead");
    assert_eq!(
        outcomes[outcomes.len() - 2..],
        [
            "Created #1: Write a poem about it. No teammate meets role:poet yet",
            "Created #2: Analyze REST endpoints"
        ]
    );
    assert_eq!(happened(&world, "claimed"), ["claimed #2 by analyst"]);
    assert_eq!(told(&world).len(), 1);
    world.assert_at_rest();
}
