//! A key that only the process that runs the team holds, as a command printed it there: words with it at another process.

use teammate_testkit::Answer;

use super::*;
use crate::wires::Vendor;

const KEY: &str = "canary-obtained-8842-of-the-host";

fn with_key(door: &str) -> String {
    format!("{door} use {KEY} now")
}

fn without_key(door: &str) -> String {
    format!("{door} use [secret work/key_command] now")
}

#[test]
fn a_key_that_only_the_host_has_obtained_is_written_down_by_no_other_process() {
    let vendor = Vendor::answering(|_| Answer::text("Well."));
    let world = World::with_model("work:m");
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("key");
    fs::write(&program, format!("echo {KEY}\n")).unwrap();
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let config = format!(
        "[providers.work]\nwire = \"openai\"\nbase_url = \"{}\"\nkey_command = \"sh {}\"\n",
        vendor.url(),
        program.display()
    );
    fs::write(home.join("config.toml"), config).unwrap();
    let up = world.start(&["up", "--schedules"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    until(|| !vendor.server.seen().is_empty(), || up.err());

    let doors: &[(&str, &[&str])] = &[
        ("send", &["send", "lead", "#"]),
        ("task", &["tasks", "add", "#"]),
        ("edit", &["tasks", "edit", "1", "--description", "#"]),
        ("fail", &["tasks", "fail", "1", "--because", "#"]),
        ("note", &["memory", "write", "title", "#"]),
        ("schedule", &["schedules", "add", "0 9 * * 1", "--say", "#"]),
        ("deny", &["deny", "req_000001", "--because", "#"]),
    ];
    for (door, command) in doors {
        let words: Vec<String> = command
            .iter()
            .map(|word| word.replace('#', &with_key(door)))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = world.teammate(&words);
        assert!(
            run.code == 0 || *door == "deny",
            "{door}: {}{}",
            run.out,
            run.err
        );
    }
    let guest = Terminal::open(&world, 100, &[]);
    guest.until("Attached");
    guest.types(&with_key("guest"));
    heard(&world, "lead", &without_key("guest"));
    until(|| guest.is_at_prompt(), || guest.shows());
    guest.keys(&with_key("draft"));
    let texts = || {
        let all = [".team", "../home"];
        let all = all.into_iter().flat_map(|below| files(&world.path(below)));
        all.map(|path| {
            let bytes = fs::read(&path).unwrap_or_default();
            (path, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect::<Vec<_>>()
    };
    let has = |door: &str| {
        let kept = without_key(door);
        texts().iter().any(|(_, text)| text.contains(&kept))
    };
    for door in [
        "send", "task", "edit", "fail", "note", "schedule", "guest", "draft",
    ] {
        until(|| has(door), || format!("no '{}'", without_key(door)));
    }
    for (path, text) in texts() {
        assert!(!text.contains(KEY), "{}", path.display());
    }
    for command in [
        &["log", "--json"][..],
        &["export"],
        &["audit", "--json"],
        &["tasks", "--all", "--json"],
        &["inbox", "lead"],
    ] {
        let out = world.teammate(command).out;
        assert!(!out.contains(KEY), "{command:?}: {out}");
    }
    let history = fs::read_to_string(world.path("../home/.local/state/teammate/history")).unwrap();
    assert!(history.contains(&without_key("guest")), "{history}");
}
