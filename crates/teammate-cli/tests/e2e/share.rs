//! `teammate share`: a file for others has what happened in it and no secret, or there is no file.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send},
    world::{Run, World},
};

#[test]
fn of_a_run_that_is_too_long_the_newest_is_there_and_what_is_left_out_is_said() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    world.teammate(&["run", "Begin"]).ends(0);
    let log = world.path(".team/events.jsonl");
    let mut events = fs::read_to_string(&log).unwrap();
    let long = "long ".repeat(5_000);
    // As a run of many more rounds would have written it.
    for number in 0..12_000 {
        let text = format!("word {number}");
        let what = match number % 4 {
            0 => {
                json!({ "event": "mail_sent", "id": format!("00000000-0000-5000-8000-{number:012x}"), "to": "lead",
                "kind": "message", "content": text })
            }
            _ => {
                json!({ "event": "answered", "stop": "end_turn", "text": if number == 11_999 { &long } else { &text },
                "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0 } })
            }
        };
        let mut event = json!({ "at": 1, "member": "lead" });
        event
            .as_object_mut()
            .unwrap()
            .extend(what.as_object().unwrap().clone());
        events += &format!("{event}\n");
    }
    fs::write(&log, events).unwrap();
    let page = world.teammate(&["share"]).ends(0).out;
    assert!(page.len() < 4 << 20, "{} bytes", page.len());
    for (text, is_there) in [
        ("the board and the members are shown at every ", true),
        (" older entries of lead are left out", true),
        (" older messages are left out", true),
        ("1 long texts are cut", true),
        ("word 11998\"", true),
        ("word 1\"", false),
    ] {
        assert_eq!(page.contains(text), is_there, "{text}");
    }
}

/// Secrets, one for each field that a run has; the environment holds them when the file is made, and did not before.
const CANARIES: [(&str, &str); 12] = [
    ("MAIL_KEY", "canary-mail-4f0e"),
    ("NAME_KEY", "canary-name-51aa"),
    ("ROLE_KEY", "canary-role-77b2"),
    ("PROMPT_KEY", "canary-prompt-09cd"),
    ("SUBJECT_KEY", "canary-subject-3e3e"),
    ("DETAIL_KEY", "canary-detail-8d1f"),
    ("COMMAND_KEY", "canary-command-a0b1"),
    ("OUTPUT_KEY", "canary/output+c2d3"),
    ("PATH_KEY", "canary-path-e4f5"),
    ("FILE_KEY", "canary-file-0617"),
    ("PLAN_KEY", "canary-plan-2839"),
    ("SAID_KEY", "canary-said-4a5b"),
];

fn canary(name: &str) -> &'static str {
    let found = CANARIES.iter().find(|(known, _)| *known == name);
    found.unwrap().1
}

/// A run with a secret in every field, and one that is printed as it is, in Base64 and as part of an address.
fn told() -> World {
    let (name, output) = (canary("NAME_KEY"), canary("OUTPUT_KEY"));
    let spawned = json!({
        "name": name, "role": canary("ROLE_KEY"), "prompt": canary("PROMPT_KEY"), "require_plan": true,
    });
    let task = json!({ "subject": canary("SUBJECT_KEY"), "description": canary("DETAIL_KEY") });
    let approved = json!({ "request_id": "{{request_id}}", "approve": true });
    let lead = vec![
        calls([("create_task", task)]).after("Begin"),
        calls([("spawn_teammate", spawned)]),
        calls([("review_plan", approved)])
            .after_mail_of("plan_approval_request")
            .again(),
        say("I wait.").otherwise(),
    ];
    let coded = STANDARD.encode(format!("me:{output}"));
    let prints = format!(
        "echo {}; printf '%s\\n' '{output}' '{coded}' 'k=canary%2Foutput%2Bc2d3'",
        canary("COMMAND_KEY")
    );
    let written = json!({ "path": canary("PATH_KEY"), "content": canary("FILE_KEY") });
    let member = vec![
        calls([(
            "submit_plan",
            json!({ "plan": format!("1. {}", canary("PLAN_KEY")) }),
        )]),
        say("I wait for the answer.").after(canary("PROMPT_KEY")),
        bash(&prints).after("approved"),
        calls([("write_file", written)]),
        send(
            "lead",
            &format!(
                "**{}** <img src=x onerror=alert(1)></script><script>",
                canary("MAIL_KEY")
            ),
        ),
        say(canary("SAID_KEY")),
        say("Heard.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), (name, member)]));
    world.run("Begin").ends(0);
    world
}

fn shared(world: &World, secrets: &[(&str, &str)]) -> Run {
    let holds = |world: World, (name, secret): &(&str, &str)| world.env(name, secret);
    secrets
        .iter()
        .fold(world.again(), holds)
        .teammate(&["share"])
}

/// The recording in the file.
fn recording(file: &str) -> Value {
    let (_, rest) = file.split_once("id=\"run\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

// fast: the verb share
#[test]
fn no_secret_of_any_field_is_in_the_file_and_each_hiding_is_listed() {
    let world = told();
    let before = world.teammate(&["export", "--json"]).ends(0).out;
    for (name, secret) in CANARIES {
        assert!(
            before.contains(secret),
            "{name} was nowhere in the run: {before}"
        );
    }
    let run = shared(&world, &CANARIES).ends(0);
    for (name, secret) in CANARIES {
        assert!(
            !run.out.contains(secret) && !run.err.contains(secret),
            "{name}"
        );
        let shown = format!("[secret {name}]");
        assert!(run.out.contains(&shown), "{name} is not in the file");
        assert!(
            run.err.contains(&shown),
            "{name} is not listed: {}",
            run.err
        );
    }
    let coded = STANDARD.encode(format!("me:{}", canary("OUTPUT_KEY")));
    for form in [&coded[8..24], "canary%2Foutput", "canary%2foutput"] {
        assert!(!run.out.contains(form), "{form}");
    }
    for listed in [
        "[secret OUTPUT_KEY] as Base64",
        "[secret OUTPUT_KEY] as percent-encoding",
    ] {
        assert!(run.err.contains(listed), "{listed}: {}", run.err);
    }
}

#[test]
fn a_file_without_secrets_says_so_and_has_all_as_text() {
    let world = told();
    let run = shared(&world, &[]).ends(0).complains("nothing was hidden");
    // Two elements of ours, whatever mail says.
    assert_eq!(run.out.matches("<script").count(), 2);
    assert_eq!(run.out.matches("</script").count(), 2);
    assert!(!run.out.contains("<img"));
    assert!(run.out.contains("default-src 'none'"));
    let recording = recording(&run.out);
    let moments = recording["moments"].as_array().unwrap();
    assert!(moments.len() > 20, "{} moments", moments.len());
    let times: Vec<u64> = moments.iter().map(|one| one[0].as_u64().unwrap()).collect();
    assert!(times.is_sorted());
    assert_eq!(recording["stories"].as_array().unwrap().len(), 2);
    assert!(recording["mail"].to_string().contains("</script><script>"));
}

#[test]
fn a_secret_that_cannot_be_hidden_keeps_the_file_from_being_written() {
    let lead = vec![say("The key is in two lines: first-half-\nof-a-secret").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    world.run("Begin").ends(0);
    let run = shared(&world, &[("SPLIT_KEY", "first-half-of-a-secret")]).ends(1);
    assert_eq!(run.out, "");
    run.complains(
        "nothing was written: [secret SPLIT_KEY] would still be in the conversation of lead",
    );
}
