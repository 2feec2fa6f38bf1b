//! What people wrote down for agents: instructions, skills, definitions and trust in them. And members' todo lists.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    wires::{Vendor, anthropic_at},
    world::World,
};

const REVIEWER: &str = "---\nname: reviewer\ndescription: Reviews changes\ntools: Read, Grep\n---\n\
                        You review. Codeword: albatross.\n";

fn put(world: &World, path: &str, text: &str) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn spawn_reviewer() -> Value {
    let input =
        json!({"name": "rita", "role": "reviewer", "prompt": "review", "agent": "reviewer"});
    calls([("spawn_teammate", input)])
}

// fast: the verb trust
#[test]
fn a_definition_of_the_workspace_is_used_once_it_is_trusted() {
    let lead = vec![spawn_reviewer(), say("Done.").otherwise()];
    let rita = vec![bash("touch made"), say("I looked.").otherwise()];
    let world = World::playing(&play([("lead", lead), ("rita", rita)]));
    put(&world, ".claude/agents/reviewer.md", REVIEWER);

    world.run("review it").ends(0).complains(
        "1 agent definition in .claude/agents is not used; you can look at it and trust it with `teammate trust`",
    );
    let outcome = &world.outcomes("lead")[0];
    assert_eq!(
        outcome,
        "Error: there is no agent 'reviewer'; there are: explore, general, plan"
    );

    // Nobody is there to say yes.
    world
        .teammate(&["trust"])
        .ends(1)
        .says("reviewer: Reviews changes")
        .says("tools: grep, read_file · mode: the lead's")
        .complains("teammate trust --yes");
    world
        .teammate(&["trust", "--list"])
        .ends(0)
        .says("No workspace is trusted");
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("until one of them changes");
    world.teammate(&["trust", "--list"]).ends(0).says("/work");

    fs::remove_dir_all(world.path(".team")).unwrap();
    let run = world.run("review it").ends(0);
    assert!(!run.err.contains("not used"), "{}", run.err);
    // She can call what her definition allows and what belongs to the team, and nothing else.
    let outcome = &world.outcomes("rita")[0];
    let tools = outcome.strip_prefix("You do not have the tool 'bash'. Your tools: ");
    let tools: Vec<&str> = tools.unwrap().trim_end_matches('.').split(", ").collect();
    let has = |name: &str| tools.contains(&name);
    assert!(has("grep") && has("read_file") && has("send_message") && has("todo_write"));
    assert!(!has("write_file") && !has("glob"), "{tools:?}");
    assert!(!world.path("made").exists());
    world
        .teammate(&["team", "--json"])
        .ends(0)
        .says("\"agent\":\"reviewer\"");
    world.assert_at_rest();

    put(
        &world,
        ".claude/agents/reviewer.md",
        &REVIEWER.replace("Read, Grep", "Read, Bash"),
    );
    world
        .teammate(&["trust", "--list"])
        .ends(0)
        .says("changed since");
    world.run("again").ends(0).complains("is not used");
    world
        .teammate(&["trust", "--revoke"])
        .ends(0)
        .says("no longer trusted");
}

#[test]
fn what_was_written_down_reaches_the_model() {
    let lead = vec![spawn_reviewer(), say("Done.").otherwise()];
    let script = play([("lead", lead), ("rita", vec![say("I looked.")])]);
    let vendor = Vendor::playing("127.0.0.1:0", &script);
    let world = anthropic_at(&vendor);
    put(&world, "AGENTS.md", "Use tabs in this project.\n");
    put(
        &world,
        "skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files\n---\nSecret body.\n",
    );
    put(
        &world,
        "../home/.config/teammate/agents/reviewer.md",
        REVIEWER,
    );
    world.run("go").ends(0);

    let told = |body: &Value| (body["system"].to_string(), body["tools"].to_string());
    let bodies = vendor.bodies();
    let (lead, tools) = told(&bodies[0]);
    let notes =
        r#"<notes from=\"AGENTS.md in the workspace\">\nUse tabs in this project.\n</notes>"#;
    assert!(lead.contains(notes), "{lead}");
    assert!(lead.contains("- pdf: Reads PDF files"), "{lead}");
    assert!(!lead.contains("Secret body"), "only once it is loaded");
    assert!(lead.contains("- reviewer: Reviews changes"), "{lead}");
    assert!(tools.contains("load_skill") && tools.contains("\"bash\""));

    let mut all = bodies.iter().map(told);
    let rita = all.find(|(text, _)| text.contains("You are 'rita'"));
    let (rita, tools) = rita.unwrap();
    assert!(
        rita.contains(notes) && rita.contains("Codeword: albatross."),
        "{rita}"
    );
    assert!(
        !rita.contains("Reviews changes"),
        "who does not spawn has nothing to choose"
    );
    assert!(tools.contains("read_file") && tools.contains("load_skill"));
    assert!(!tools.contains("\"bash\""), "{tools}");
    vendor.assert_content();

    // Left out by a flag, and by a setting.
    let without = |arguments: &[&str]| {
        world.teammate(arguments).ends(0);
        let (last, _) = told(vendor.bodies().last().unwrap());
        assert!(last.contains("You are 'lead'"), "{last}");
        assert!(!last.contains("Use tabs"), "{last}");
    };
    without(&["run", "--no-project-instructions", "go on"]);
    let config = "../home/.config/teammate/config.toml";
    put(&world, config, "project_instructions = false\n");
    without(&["run", "go on"]);
}

// fast: skills
#[test]
fn a_skill_is_loaded_when_it_is_needed() {
    let load = |name: &str| calls([("load_skill", json!({"name": name}))]);
    let lead = vec![load("pfd"), load("pdf"), say("Done.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    put(
        &world,
        "skills/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files\n---\nUse pdftotext.\n",
    );
    put(&world, "skills/pdf/scripts/a.sh", "");
    put(&world, "skills/bad/SKILL.md", "no front matter");
    world
        .run("read it")
        .ends(0)
        .complains("skills/bad/SKILL.md has no front matter");
    assert_eq!(
        world.outcomes("lead"),
        [
            "Error: there is no skill 'pfd'; there are: pdf",
            "<skill from=\"skills/pdf/SKILL.md in the workspace\">\nUse pdftotext.\n</skill>\n\nFiles beside it:\n  \
             skills/pdf/scripts/a.sh",
        ]
    );
}

#[test]
fn a_todo_list_is_seen_outlives_the_program_and_is_recalled() {
    let item = |content: &str, status: &str| json!({"content": content, "status": status, "activeForm": format!("{content}ing")});
    let write = |items: Value| calls([("todo_write", json!({"items": items}))]);
    let mut lead = vec![
        write(json!([
            item("Test", "in_progress"),
            item("Cook", "in_progress")
        ])),
        write(json!([
            item("Cook", "completed"),
            item("Test", "in_progress")
        ])),
    ];
    lead.extend((0..9).map(|_| bash("true")));
    lead.push(calls([
        ("list_teammates", json!({})),
        (
            "bash",
            json!({"command": "while [ ! -e gone ]; do sleep 0.1; done"}),
        ),
    ]));
    lead.push(say("Done.").otherwise());
    let world = World::playing(&play([("lead", lead)]));
    let run = world.start(&["run", "--permission-mode", "bypass", "go"]);
    run.until("while [ ! -e gone ]");
    world.teammate(&["team"]).ends(0).says("working: Testing");
    run.signal(rustix::process::Signal::KILL);
    run.end();
    put(&world, "gone", "");
    world
        .teammate(&["team", "--json"])
        .ends(0)
        .says("\"doing\":null");

    world.resume().ends(0);
    let outcomes = world.outcomes("lead");
    assert_eq!(
        outcomes[0],
        "Error: items 1 and 2 are both in_progress; only one may be. The list was not changed."
    );
    assert_eq!(
        outcomes[1],
        "[x] Cook\n[>] Test <- Testing\n(1/2 completed)"
    );
    let recalled: Vec<_> = outcomes
        .iter()
        .filter(|outcome| outcome.contains("Your todo list has not changed"))
        .collect();
    assert_eq!(recalled.len(), 1, "{outcomes:#?}");
    world.assert_at_rest();
}
