//! Tools by the names that models know from other programs: understood everywhere, shown on request.

use serde_json::{Value, json};
use teammate_testkit::Answer;

use crate::{
    play::{Scene as _, calls, play, say},
    wires::{Vendor, anthropic_at},
    world::World,
};

/// The scenario as the document words it.
fn as_documented() -> Value {
    let spawn = |name: &str| {
        let input = json!({
            "description": format!("{name} developer"),
            "prompt": "Take what the board has",
            "agent_type": "code",
            "team_name": "rest-to-graphql",
            "name": name,
        });
        ("Task", input)
    };
    let task = |subject: &str, after: Value| {
        (
            "TaskCreate",
            json!({ "subject": subject, "blockedBy": after }),
        )
    };
    play([
        (
            "lead",
            vec![
                calls([
                    ("TeamCreate", json!({ "name": "rest-to-graphql" })),
                    spawn("backend"),
                    ("wait_for_team", json!({})),
                    task("Design GraphQL schema", json!([])),
                    task("Implement resolvers", json!(["1"])),
                    (
                        "SendMessage",
                        json!({ "recipient": "backend", "content": "Database schema is ready, you can start." }),
                    ),
                ])
                .after("Go"),
                calls([
                    ("TaskList", json!({})),
                    ("TeamDelete", json!({ "name": "rest-to-graphql" })),
                ])
                .after_mail("All 2 tasks are completed"),
                say("{{last_result}}").after("deleted"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "backend",
            vec![
                calls([
                    ("Bash", json!({ "command": "echo done > {{after:Task #}}" })),
                    (
                        "TaskUpdate",
                        json!({ "taskId": "{{after:Task #}}", "status": "completed" }),
                    ),
                ])
                .after("Task #1 is yours"),
                calls([(
                    "TaskUpdate",
                    json!({ "taskId": "2", "status": "completed" }),
                )])
                .after("Task #2 is yours"),
                say("ready").otherwise(),
            ],
        ),
    ])
}

// fast: names of other products
#[test]
fn the_document_s_own_words_work() {
    let world = World::playing(&as_documented());
    world
        .run("Go")
        .ends(0)
        .says("Team 'rest-to-graphql' deleted, 1 teammate stopped.");
    let outcomes = world.outcomes("lead");
    assert_eq!(
        outcomes[..2],
        [
            "Team 'rest-to-graphql' created",
            "Spawned 'backend' (role: backend developer)"
        ]
    );
    assert_eq!(
        outcomes[3..6],
        [
            "Created #1: Design GraphQL schema",
            "Created #2: Implement resolvers (blocked by #1)",
            "Sent message to backend"
        ]
    );
    for (id, by) in [(1, "backend"), (2, "backend")] {
        let task: Value =
            serde_json::from_str(&world.file(&format!(".team/tasks/{id}.json"))).unwrap();
        assert_eq!(
            (&task["status"], &task["owner"]),
            (&json!("completed"), &json!(by))
        );
    }
    assert_eq!(world.file("1"), "done\n");
    world.assert_at_rest();
}

#[test]
fn models_are_shown_the_names_that_were_asked_for() {
    let shown = |flags: &[&str]| {
        let vendor = Vendor::answering(|_| Answer::text("Well."));
        let world = anthropic_at(&vendor);
        world.teammate(&[&["run"], flags, &["Go"]].concat()).ends(0);
        let bodies = vendor.bodies();
        let tools = bodies[0]["tools"].as_array().unwrap().clone();
        let names: Vec<String> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect();
        vendor.assert_content();
        names
    };
    let (own, other) = (shown(&[]), shown(&["--tool-names", "claude"]));
    assert_eq!(own.len(), other.len());
    for (name, alias) in [
        ("bash", "Bash"),
        ("read_file", "Read"),
        ("send_message", "SendMessage"),
        ("create_team", "TeamCreate"),
        ("delete_team", "TeamDelete"),
        ("task", "Task"),
        ("create_task", "TaskCreate"),
        ("list_tasks", "TaskList"),
        ("update_task", "TaskUpdate"),
    ] {
        assert!(own.contains(&name.to_owned()), "{own:?}");
        assert!(other.contains(&alias.to_owned()), "{other:?}");
        assert!(!other.contains(&name.to_owned()), "{other:?}");
    }
    // What has no other name keeps its own.
    assert!(other.contains(&"wait_for_team".to_owned()), "{other:?}");
}
