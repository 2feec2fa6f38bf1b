//! Keys that a command of the user prints, and a provider's own proxy.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;
use teammate_core::{
    block::Block,
    model::StopReason,
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_testkit::{Answer, RecordedRequest, reply};

use crate::{
    wires::Vendor,
    world::{World, files},
};

const OLD: &str = "canary-key-old";
const NEW: &str = "canary-key-new";

/// A world whose provider `work` is configured with these lines.
fn configured(lines: &str) -> World {
    let world = World::with_model("work:m");
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let text = format!("[providers.work]\nwire = \"openai\"\n{lines}\n");
    fs::write(home.join("config.toml"), text).unwrap();
    world
}

/// A program that says where it runs and prints the old key the first time, and the new one from then on.
fn key_program(dir: &Path) -> PathBuf {
    let program = dir.join("key");
    let script = format!(
        "pwd >> {0}/runs\nif [ $(wc -l < {0}/runs) -gt 1 ]; then echo {NEW}; else echo {OLD}; fi\necho user: me\n",
        dir.display()
    );
    fs::write(&program, script).unwrap();
    program
}

fn runs(dir: &Path) -> Vec<String> {
    let text = fs::read_to_string(dir.join("runs")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn key_of(seen: &RecordedRequest) -> &str {
    let bearer = seen.header("authorization").unwrap_or_default();
    bearer.trim_start_matches("Bearer ")
}

fn found(text: &str) -> bool {
    text.contains("canary-key")
}

// fast: keys from a command
#[test]
fn a_key_that_expired_is_asked_for_anew_and_none_is_written_down_or_shown() {
    let tmp = tempfile::tempdir().unwrap();
    let read = Block::tool_use(&ToolCall {
        id: CallId::new("c1".into()),
        name: "bash".into(),
        input: ToolInput::from_json(json!({ "command": "cat notes.txt" }).to_string()),
    });
    let mut answers = vec![
        Answer::text(&format!("I was given {OLD} and {NEW}.")),
        Answer::reply(reply(vec![read], StopReason::ToolUse)),
    ];
    let vendor = Vendor::answering(move |seen| match key_of(seen) {
        NEW => answers.pop().unwrap_or_else(|| Answer::text("Done.")),
        key => Answer::error(401, "authentication_error", &format!("{key} has expired")),
    });
    let world = configured(&format!(
        "base_url = \"{}\"\nkey_command = \"sh {}\"\nkey_expires_minutes = 50",
        vendor.url(),
        key_program(tmp.path()).display()
    ));
    fs::write(world.path("notes.txt"), format!("{OLD}\n{NEW}\n")).unwrap();
    let run = world.teammate(&[
        "run",
        "--permission-mode",
        "bypass",
        "--output-format",
        "stream-json",
        "Go",
    ]);
    let run = run.ends(0);
    let shown = run.out.clone() + &run.err;
    assert!(!found(&shown), "{shown}");
    assert!(
        shown.contains("I was given [secret work/key_command] and"),
        "{shown}"
    );
    let keys: Vec<String> = (vendor.server.seen().iter())
        .map(|seen| key_of(seen).to_owned())
        .collect();
    assert_eq!(keys, [OLD, NEW, NEW]);
    let home = world.path("../home").canonicalize().unwrap();
    assert_eq!(
        runs(tmp.path()),
        [home.display().to_string(), home.display().to_string()]
    );
    let outcome = world.outcomes("lead").join("\n");
    assert!(outcome.contains("[secret work/key_command]"), "{outcome}");
    let mut looked_at = 0;
    for below in [".team", "../home"] {
        for path in files(&world.path(below)) {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!found(&text), "{}: {text}", path.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 5);
}

#[test]
fn a_key_that_stays_refused_is_final_and_names_the_command() {
    let vendor = Vendor::answering(|seen| {
        Answer::error(
            401,
            "authentication_error",
            &format!("not {}", key_of(seen)),
        )
    });
    let world = configured(&format!(
        "base_url = \"{}\"\nkey_command = \"echo {NEW}\"",
        vendor.url()
    ));
    let run = world.run("Go").ends(3);
    let run = run.complains("Asked again, key_command gave the same key: check it.");
    assert!(!found(&(run.out + &run.err)));
    assert_eq!(vendor.server.totals().requests, 1);
    let says = "Asked again, key_command gave the same key: check it.";
    world.teammate(&["doctor"]).ends(1).says(says);
    // With a list of models the doctor needs no model to know.
    let listing = crate::doctor::server(|_| (401, "{\"error\": {\"message\": \"no\"}}"));
    let world = configured(&format!(
        "base_url = \"{listing}\"\nkey_command = \"echo {NEW}\""
    ));
    world
        .teammate(&["doctor"])
        .ends(1)
        .says("key_command gave a key, but it is not valid");
}

#[test]
fn the_doctor_says_whether_the_command_gives_a_key() {
    let vendor = Vendor::answering(|_| Answer::text("x"));
    let tmp = tempfile::tempdir().unwrap();
    let program = key_program(tmp.path());
    let world = configured(&format!(
        "base_url = \"{}\"\nkey_command = \"sh {}\"",
        vendor.url(),
        program.display()
    ));
    world
        .teammate(&["doctor", "--offline"])
        .says("key_command, which gives the key, was not run");
    assert_eq!(runs(tmp.path()), [""; 0]);
    world
        .teammate(&["doctor"])
        .says("accepts the key from key_command");
    assert_eq!(runs(tmp.path()).len(), 1);
    fs::write(
        program,
        format!("echo {NEW}; echo it is locked >&2; exit 4"),
    )
    .unwrap();
    let run = world.teammate(&["doctor"]).ends(1);
    let run = run.says("work: key_command ended with exit status: 4: it is locked");
    let run = run.says("run the line of key_command in a shell");
    assert!(!found(&run.out), "{}", run.out);
}

#[test]
fn a_provider_that_is_not_used_is_not_asked_for_its_key() {
    let tmp = tempfile::tempdir().unwrap();
    let vendor = Vendor::answering(|_| Answer::text("Hello."));
    let world = configured(&format!(
        "base_url = \"{}\"\n[providers.other]\nwire = \"openai\"\nbase_url = \"{0}\"\nkey_command = \"sh {}\"",
        vendor.url(),
        key_program(tmp.path()).display()
    ));
    world.run("Go").ends(0).says("Hello.");
    assert_eq!(runs(tmp.path()), [""; 0]);
}

#[test]
fn a_provider_may_have_no_proxy_where_the_environment_has_one() {
    let vendor = Vendor::answering(|_| Answer::text("Hello."));
    let through = |proxy: &str| {
        configured(&format!("base_url = \"{}\"\n{proxy}", vendor.url()))
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .env("http_proxy", "http://127.0.0.1:9")
    };
    let run = through("proxy = \"none\"").run("Go");
    run.ends(0).says("Hello.");
    let tried = ["run", "--retry-minutes", "0", "Go"];
    through("")
        .teammate(&tried)
        .ends(3)
        .complains("cannot be reached");
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    let both = configured("base_url = \"http://x\"\nkey_env = \"A\"\nkey_command = \"b\"");
    both.run("Go")
        .ends(1)
        .complains("[providers.work]: key_env and key_command are both set");
    let missing = configured("base_url = \"https://localhost:1\"\nca_file = \"~/none.pem\"");
    missing
        .run("Go")
        .complains("work: ca_file ")
        .complains("none.pem cannot be read: No such file");
}
