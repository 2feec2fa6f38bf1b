//! A secret that the program holds, in words of the user, by every door that takes words: nothing that is written down has it. The
//! words that a person types at a prompt, in a screen, on the page, by the command line, through an editor or another program.

mod command_line;
mod library;
mod names;
mod obtained;

use std::{fs, io::Write as _, process::Stdio};

use serde_json::{Value, json};

use crate::{
    acp, face, mcp_serve,
    page::Page,
    play::{Scene as _, bash, play, say, spawn},
    terminal::Terminal,
    world::{Running, World, files, until},
};

/// In the environment.
const ENVIRONMENT: &str = "canary-environment-1f09";
/// In the configuration file, in the address of a server.
const CONFIGURED: &str = "canary-configured-77aa";

/// Has the form of any name, and a secret in it.
const NAMED: &str = "the-canary-environment-1f09";

/// What is typed, with a word by which it is found again.
fn words(door: &str) -> String {
    format!("{door} use {ENVIRONMENT} and {CONFIGURED} now")
}

/// What is kept of it.
fn kept(door: &str) -> String {
    format!("{door} use [secret DEPLOY_TOKEN] and [secret work/base_url] now")
}

/// A lead that makes alice and asks before it runs commands, and a user who holds two secrets.
fn world() -> World {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                bash("echo 1 >> made").after_mail("ask one"),
                bash("echo 2 >> made").after_mail("ask two"),
                bash("echo 3 >> made").after_mail("ask three"),
                say("Well.").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
    ]))
    .env("DEPLOY_TOKEN", ENVIRONMENT);
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(home.join("commands")).unwrap();
    let server = format!(
        "[providers.work]\nwire = \"openai\"\nbase_url = \"http://me:{CONFIGURED}@127.0.0.1:9/v1\"\n"
    );
    fs::write(home.join("config.toml"), server).unwrap();
    fs::write(home.join("commands/repeat.md"), "Repeat: $ARGUMENTS\n").unwrap();
    world
}

/// A process that runs the team, with alice in it.
fn host(world: &World) -> Running {
    let up = world.start(&["up", "--schedules"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    heard(world, "alice", "Begin");
    up
}

/// Waits until a member has heard this.
fn heard(world: &World, member: &str, text: &str) {
    until(
        || world.heard(member).iter().any(|heard| heard.contains(text)),
        || {
            format!(
                "{member} has not heard '{text}': {:#?}",
                world.heard(member)
            )
        },
    );
}

/// Whatever is written down or given away has no secret in it, and has these words with the names of the secrets.
fn assert_hidden(world: &World, doors: &[&str]) {
    let given: [&[&str]; 6] = [
        &["log", "--json"],
        &["export"],
        &["export", "--json"],
        &["share"],
        &["audit", "--json"],
        &["tasks", "--all", "--json"],
    ];
    let mut all: Vec<(String, String)> = Vec::new();
    for command in given {
        all.push((command.join(" "), world.teammate(command).out));
    }
    for below in [".team", ".teams", "../home/.local"] {
        for path in files(&world.path(below)) {
            // It may be gone since.
            let bytes = fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            all.push((path.display().to_string(), text));
        }
    }
    assert!(all.len() > 12, "{}", all.len());
    for (place, text) in &all {
        for secret in [ENVIRONMENT, CONFIGURED] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{place}");
            assert!(!place.contains(secret), "{place}");
        }
    }
    for door in doors {
        let kept = kept(door);
        assert!(
            all.iter().any(|(_, text)| text.contains(&kept)),
            "no '{kept}'"
        );
    }
}

/// What can be typed at a prompt, with the words in it.
fn typed(begin: &str) -> Vec<String> {
    let line = |form: &str, door: &str| form.replace('#', &words(&format!("{begin}-{door}")));
    vec![
        line("#", "plain"),
        line("@alice #", "member"),
        line("/repeat #", "custom"),
        line("/tasks add #", "task"),
        line("/tasks edit 1 --subject '#'", "subject"),
        line("/tasks edit 1 --description '#'", "description"),
        line("/tasks fail 1 --because '#'", "fail"),
        line("/tasks reopen 1 --because '#'", "reopen"),
        line("/tasks complete 1 --result '#'", "complete"),
        format!("/tasks add {begin}-team --members-of {NAMED}"),
        line("/plan alice #", "plan"),
        line("/plan alice off", ""),
        line("/compact lead #", "focus"),
        line("@nobody #", "nobody"),
        line("/nothing #", "nothing"),
    ]
}

/// Of what is typed, what stays somewhere for certain.
fn stays(begin: &str) -> Vec<String> {
    let doors = [
        "plain",
        "member",
        "custom",
        "task",
        "subject",
        "description",
    ];
    let more = ["fail", "reopen", "complete", "plan"];
    let all = doors.iter().chain(&more);
    all.map(|door| format!("{begin}-{door}")).collect()
}

fn assert_typed_is_hidden(world: &World, begin: &str) {
    let stays = stays(begin);
    let stays: Vec<&str> = stays.iter().map(String::as_str).collect();
    assert_hidden(world, &stays);
}

/// A prompt that reads a pipe.
fn piped(world: &World) -> (Running, std::process::ChildStdin) {
    let mut command = world.command(&[]);
    command.stdin(Stdio::piped());
    let mut prompt = world.launch(command);
    let keys = prompt.stdin();
    (prompt, keys)
}

/// Leaves, or goes on with something else.
const ENDS_THE_TALK: [&str; 3] = ["/quit", "/clear", "/resume"];

/// Types all of it, and waits for the last of what members hear.
fn types_all(
    world: &World,
    (prompt, keys): (&Running, &mut std::process::ChildStdin),
    begin: &str,
) {
    for line in typed(begin) {
        writeln!(keys, "{line}").unwrap();
    }
    heard(world, "alice", &format!("{begin}-plan"));
    // Each word that there is, whatever it makes of what follows.
    writeln!(keys, "/help").unwrap();
    prompt.until("Alt-Enter");
    let out = prompt.out();
    let words_there: Vec<&str> = out
        .lines()
        .filter_map(|line| line.strip_prefix("  /")?.split(' ').next())
        .collect();
    assert!(words_there.len() > 20, "{words_there:?}");
    for word in words_there {
        let word = format!("/{word}");
        if !ENDS_THE_TALK.contains(&&*word) {
            writeln!(keys, "{word} {}", words(begin)).unwrap();
            writeln!(keys, "{word} alice {}", words(begin)).unwrap();
        }
    }
    writeln!(keys, "{}", words("last")).unwrap();
    heard(world, "lead", &kept("last"));
}

// fast: secrets typed at the prompt
#[test]
fn at_the_prompt_of_the_process_that_runs_the_team() {
    let world = world();
    let (prompt, mut keys) = piped(&world);
    writeln!(keys, "Go").unwrap();
    heard(&world, "alice", "Begin");
    types_all(&world, (&prompt, &mut keys), "host");
    assert_typed_is_hidden(&world, "host");
    drop(prompt);
}

#[test]
fn at_an_attached_prompt() {
    let world = world();
    let _host = host(&world);
    let (prompt, mut keys) = piped(&world);
    prompt.until("Attached");
    types_all(&world, (&prompt, &mut keys), "attached");
    assert_typed_is_hidden(&world, "attached");
}

#[test]
fn what_is_typed_and_the_history_of_it_at_a_terminal() {
    let world = world();
    let host = Terminal::open(&world, 100, &[]);
    host.types(&words("terminal"));
    heard(&world, "lead", &kept("terminal"));
    let guest = Terminal::open(&world, 100, &[]);
    guest.until("Attached");
    guest.types(&words("guest"));
    heard(&world, "lead", &kept("guest"));
    // Not sent: a draft.
    until(|| guest.is_at_prompt(), || guest.shows());
    guest.keys(&words("draft"));
    let drafts = || files(&world.path("../home/.local/state/teammate/drafts"));
    let has_draft = || {
        let texts = drafts()
            .into_iter()
            .map(|path| fs::read_to_string(path).unwrap_or_default());
        texts.into_iter().any(|text| text.contains(&kept("draft")))
    };
    until(has_draft, || format!("{:?}", drafts()));
    assert_hidden(&world, &["terminal", "guest", "draft"]);
    let history = fs::read_to_string(world.path("../home/.local/state/teammate/history")).unwrap();
    assert!(
        history.contains(&kept("terminal")) && history.contains(&kept("guest")),
        "{history}"
    );
}

#[test]
fn on_the_full_screen_of_the_process_that_runs_the_team_and_attached() {
    let world = world().env("TEAMMATE_SCREEN", "full");
    // So short that the prompt shows it in one row.
    let words = |door: &str| format!("{door} {ENVIRONMENT}");
    let kept = |door: &str| format!("{door} [secret DEPLOY_TOKEN]");
    let host = face::open(&world);
    host.says(&words("screen"));
    heard(&world, "lead", &kept("screen"));
    let guest = face::attached::attach(&world);
    guest.says(&words("guest"));
    heard(&world, "lead", &kept("guest"));
    for (screen, door) in [(&guest, "guest-task"), (&host, "host-task")] {
        screen.says(&format!("/tasks add {}", words(door)));
        until(
            || world.file(".team/journal.jsonl").contains(&kept(door)),
            || screen.shows(),
        );
    }
    assert_hidden(&world, &[]);
    let history = fs::read_to_string(world.path("../home/.local/state/teammate/history")).unwrap();
    assert!(
        history.contains(&kept("screen")) && history.contains(&kept("guest")),
        "{history}"
    );
}

#[test]
fn on_the_page_and_with_answers_to_questions() {
    let world = world();
    let _host = host(&world);
    let page = Page::of(&world, &[]);
    let asks = |verb: &str, key: &str, more: Value| page.asks(&page.own, verb, key, more);
    asks("say", "1", json!({ "to": "lead", "text": words("page") })).is(200, "");
    heard(&world, "lead", &kept("page"));
    asks(
        "tasks",
        "2",
        json!({ "words": format!("add {}", words("page-task")) }),
    )
    .is(200, "");
    let of_team = format!("add page-team --members-of {NAMED}");
    asks("tasks", "5", json!({ "words": of_team }));
    asks("say", "3", json!({ "to": "lead", "text": "ask one" })).is(200, "");
    let need = page.need();
    let no = json!({ "request": need["id"], "answer": "no", "saw": need["saw"],
        "why": words("page-no") });
    asks("answer", "4", no).is(200, "");
    world.teammate(&["send", "lead", "ask two"]).ends(0);
    let need = page.need();
    let id = need["id"].as_str().unwrap();
    world
        .teammate(&["deny", id, "--because", &words("deny")])
        .ends(0);
    world.teammate(&["send", "lead", "ask three"]).ends(0);
    until(
        || page.need()["id"] != need["id"],
        || "no question".to_owned(),
    );
    let need = page.need();
    let id = need["id"].as_str().unwrap();
    world
        .teammate(&["approve", id, "--note", &words("approve")])
        .ends(0);
    until(|| world.path("made").exists(), || "not made".to_owned());
    assert_hidden(&world, &["page", "page-task", "page-no", "deny", "approve"]);
}

#[test]
fn by_an_mcp_client() {
    let world = world();
    let mut client = mcp_serve::Client::of(&world, &["--permission-mode", "bypass"]);
    client.call("start_team", json!({ "job": words("mcp-job") }));
    heard(&world, "lead", &kept("mcp-job"));
    client.call(
        "send_mail",
        json!({ "to": "lead", "text": words("mcp-mail") }),
    );
    client.call(
        "create_task",
        json!({ "subject": words("mcp-task"), "description": words("mcp-more") }),
    );
    client.call(
        "update_task",
        json!({ "id": 1, "action": "fail", "text": words("mcp-fail") }),
    );
    assert_hidden(&world, &["mcp-job", "mcp-task", "mcp-more", "mcp-fail"]);
}

#[test]
fn by_an_editor() {
    let world = world();
    let (mut client, session) = acp::begun(&world, &["--permission-mode", "bypass"]);
    assert_eq!(client.prompt(&session, &words("editor")), "end_turn");
    assert_eq!(
        client.prompt(&session, &format!("/tasks add {}", words("editor-task"))),
        "end_turn"
    );
    let texts: Vec<String> = files(&world.path(".teams"))
        .into_iter()
        .map(|path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned())
        .collect();
    for text in &texts {
        assert!(
            !text.contains(ENVIRONMENT) && !text.contains(CONFIGURED),
            "{text}"
        );
    }
    for door in ["editor", "editor-task"] {
        assert!(
            texts.iter().any(|text| text.contains(&kept(door))),
            "{door}"
        );
    }
}
