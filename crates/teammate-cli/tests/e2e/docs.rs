//! What the pages say is what happens: every fenced block of README and docs is run, or compared with what the program
//! does. A block of a kind that nothing here tries is a failure, so a new page cannot promise what nobody checks.

mod json;
pub(crate) mod page;
pub(crate) mod session;

use std::{collections::BTreeSet, fs};

use serde_json::json;

use self::page::{Block, Page, pages};
use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    policy::Machine,
    world::{World, until},
};

/// Blocks that are pictures or source for the user, by the page and how they begin.
const PICTURES: &[(&str, &str)] = &[
    // the_policy_in_its_page_is_understood_and_its_refusal_is_what_is_said
    ("docs/policy.md", "error: "),
    ("docs/board.md", "               claim"),
    // the_picture_in_its_page_is_what_a_terminal_shows
    ("docs/screen.md", " shop  [1 Team]"),
    // the_first_hour_goes_as_its_page_says
    ("docs/first-hour.md", " default  "),
    // An entry of another program
    ("docs/mcp-server.md", "{\"mcpServers\""),
    ("docs/durability.md", ""),
    ("docs/safety.md", ""),
    // Needs servers: on_servers tries each.
    ("docs/machines.md", "teammate up --try"),
    ("ARCHITECTURE.md", ""),
];

/// Commands of cargo, and who runs them.
const RUN_ELSEWHERE: &[(&str, &str)] = &[
    (
        "cargo run --release -- demo",
        "the_demo_in_the_pages_is_what_the_demo_prints",
    ),
    ("cargo xtask test", "this is a part of it"),
    ("cargo xtask test --rest", "this is a part of it"),
    ("cargo xtask test --full", "this is a part of it"),
    ("cargo xtask test --part browser", "the step `browser`"),
    (
        "cargo xtask structure --write",
        "it writes a page; the tests of xtask try what it measures",
    ),
    (
        "cargo xtask pictures",
        "the step `browser` makes the same ones elsewhere",
    ),
    (
        "cargo install --path crates/teammate-cli",
        "the step `build` builds what it installs",
    ),
    (
        "cargo run -p teammate --example two_members",
        "the step `examples`",
    ),
    ("cargo build", "the step `build`"),
    ("cargo test -p teammate-core", "the step `tests`"),
    ("cargo test", "the step `tests`"),
    ("cargo xtask torture mail --kills 200", "the step `torture`"),
    (
        "cargo xtask torture machines --kills 400",
        "the step `torture` has a short round of it",
    ),
    (
        "cargo xtask torture verbs --kills 200",
        "too long for the step `torture`, which runs the same command for mail",
    ),
    (
        "cargo xtask torture escape --short",
        "the step `torture` runs a part of it",
    ),
    (
        "cargo xtask wild --fetch servers",
        "it downloads: who changes that side runs it",
    ),
    (
        "cargo xtask wild --fetch clients editors",
        "it downloads: who changes that side runs it",
    ),
    (
        "cargo xtask doors acp",
        "it downloads: who changes that side runs it",
    ),
    (
        "cargo xtask doors agents",
        "it downloads: who changes that side runs it",
    ),
    (
        "cargo run -- demo",
        "the_demo_in_the_pages_is_what_the_demo_prints",
    ),
    ("cargo check -p CRATE", "the step `lints`"),
    ("cargo test -p CRATE", "the step `tests`"),
];

/// Commands that ask somebody at a terminal, which other stories do (`setup`).
const ASKING: &[&str] = &["teammate setup"];

/// Commands of the shell that prepare what follows.
const SHELL: &[&str] = &["cd", "cp", "export", "ln", "mkdir", "unset"];

/// How the picture of a board in docs/board.md begins.
const BOARD: &str = "1 of 2 done";

/// How the list of a team's files in docs/files.md begins.
const FILES: &str = ".team/ ";

/// The page of this name.
pub(crate) fn page_named(name: &str) -> Page {
    let page = pages().into_iter().find(|page| page.name == name);
    page.unwrap_or_else(|| panic!("there is no {name}"))
}

#[test]
fn every_block_of_the_pages_is_tried_by_something() {
    let mut unknown = Vec::new();
    for page in pages() {
        for block in &page.blocks {
            let is_picture = || {
                PICTURES
                    .iter()
                    .any(|(name, begin)| *name == page.name && block.text.starts_with(begin))
            };
            let is_tried = match &*block.language {
                "sh" | "toml" | "json" | "mermaid" => true,
                "console" => SESSIONS.contains(&&*page.name),
                "" if block.text.starts_with("Demo ") => true,
                "" if [BOARD, FILES]
                    .iter()
                    .any(|begin| block.text.starts_with(begin)) =>
                {
                    true
                }
                "" | "text" => is_picture(),
                _ => false,
            };
            if !is_tried {
                unknown.push(format!("{}:{}", page.name, block.line));
            }
        }
    }
    assert!(unknown.is_empty(), "nothing tries {unknown:?}");
}

/// Pages with sessions.
const SESSIONS: &[&str] = &[
    "README.md",
    "docs/first-hour.md",
    "docs/how-to.md",
    "docs/troubleshooting.md",
];

// fast: the session in the README
#[test]
fn the_session_in_the_readme_is_what_a_person_sees() {
    session::play(&page_named("README.md"), &session::workspace());
}

#[test]
fn the_answers_of_the_how_to_page_are_what_the_program_prints() {
    let world = session::workspace();
    world.run(session::JOB).ends(0);
    session::play(&page_named("docs/how-to.md"), &world);
}

#[test]
fn the_complaints_on_the_troubleshooting_page_are_what_the_program_prints() {
    let world = session::workspace();
    world.run(session::JOB).ends(0);
    session::play(&page_named("docs/troubleshooting.md"), &world);
}

// fast: commands in the pages
#[test]
fn every_command_in_the_pages_runs() {
    let mut failed = Vec::new();
    for page in pages() {
        let commands: Vec<(usize, String)> = page.of("sh").flat_map(Block::commands).collect();
        if commands.is_empty() {
            continue;
        }
        let world = a_team_with_three_tasks();
        for (line, command) in commands {
            let words = page::words(&command);
            let place = format!("{}:{line}: {command}", page.name);
            match &*words[0] {
                "teammate" if ASKING.contains(&&*command) => {}
                "teammate" => {
                    let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
                    let run = world.teammate(&arguments);
                    // Bob never ends a task: a job beside that is unfinished, and has run. So has one whose goal is the reader's.
                    if ![0, 7, 8].contains(&run.code) {
                        failed.push(format!(
                            "{place}: exit {}\n{}{}",
                            run.code, run.out, run.err
                        ));
                    }
                }
                "cargo" if RUN_ELSEWHERE.iter().any(|(known, _)| *known == command) => {}
                word if SHELL.contains(&word) => {}
                _ => failed.push(format!("{place}: nobody runs it")),
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A workspace in which what the pages name is there: tasks 1 to 3, bob, and the play that README runs.
fn a_team_with_three_tasks() -> World {
    let lines = play([
        (
            "lead",
            vec![
                spawn([("bob", "tester", "Test")]).after("Begin"),
                say("Well.").otherwise(),
            ],
        ),
        ("bob", vec![say("Ready.").otherwise()]),
    ]);
    let world = World::playing(&lines);
    fs::write(world.path("play.json"), lines.to_string()).unwrap();
    world.run("Begin").ends(0);
    for task in ["Write the schema", "Write the login", "Write it down"] {
        world
            .teammate(&["tasks", "add", task, "--requires", "role:tester"])
            .ends(0);
    }
    world
}

#[test]
fn every_configuration_in_the_pages_is_understood() {
    let tried = |text: &str| {
        let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
        let place = world.path("../home/.config/teammate");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("config.toml"), text).unwrap();
        world.teammate(&["rules"])
    };
    let refused = tried("no_such_key = 1\n");
    assert_ne!(
        refused.code, 0,
        "a wrong key is not refused: this test sees nothing"
    );
    let configurations = |page: &Page| page.name != "docs/policy.md";
    for page in pages().into_iter().filter(configurations) {
        for block in page.of("toml") {
            let run = tried(&block.text);
            assert_eq!(run.code, 0, "{}:{}: {}", page.name, block.line, run.err);
        }
    }
}

#[test]
fn the_policy_in_its_page_is_understood_and_its_refusal_is_what_is_said() {
    let page = page_named("docs/policy.md");
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    let [policy, refusal] = ["toml", "text"].map(|language| {
        let block = page.of(language).next();
        block.unwrap_or_else(|| panic!("no {language} in the page"))
    });
    let Some(machine) = Machine::with(&policy.text, world) else {
        return;
    };
    machine.teammate(&["rules"]).ends(0);
    let refused = machine.teammate(&["run", "--permission-mode", "bypass", "Go"]);
    assert_eq!(refused.err, refusal.text);
}

#[test]
fn the_demo_in_the_pages_is_what_the_demo_prints() {
    let page = page_named("docs/first-hour.md");
    let shown = page
        .of("")
        .find(|block| block.text.starts_with("Demo "))
        .unwrap();
    let world = World::with_model("");
    let dir = world.path("demo").display().to_string();
    let run = world.teammate(&["demo", "--dir", &dir]).ends(0);
    let printed = format!("{}{}", run.err, run.out).replace(&dir, "/tmp/demo");
    let printed = printed
        .lines()
        .filter(|line| !line.starts_with("Look around: "));
    // Members work side by side: who comes first differs.
    assert_eq!(lines(shown.text.lines()), lines(printed));
}

#[test]
fn the_board_in_the_pages_is_what_tasks_prints() {
    let page = page_named("docs/board.md");
    let shown = page
        .of("")
        .find(|block| block.text.starts_with(BOARD))
        .unwrap();
    let done = json!({ "task_id": 1, "result": "schema.sql" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "writer", "Begin"), ("bob", "tester", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("complete_task", done)]).after(" is yours"),
                say("Ready.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                bash("sleep 60").after(" is yours"),
                say("Ready.").otherwise(),
            ],
        ),
    ]));
    world.run("Go").ends(0);
    let added = page.of("sh").next().map(Block::commands);
    let added = added.unwrap().into_iter();
    for (_, command) in added.filter(|(_, command)| command.contains(" add ")) {
        let words = page::words(&command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        world.teammate(&arguments).ends(0);
    }
    // Anybody may take the first one.
    world.teammate(&["tasks", "assign", "1", "alice"]).ends(0);
    let _running = world.start(&["resume", "--permission-mode", "bypass"]);
    let printed = || world.teammate(&["tasks"]).out;
    until(|| printed() == shown.text, printed);
}

#[test]
fn every_file_of_a_team_is_in_the_pages() {
    let page = page_named("docs/files.md");
    let mut blocks = page.of("");
    let listed = blocks.find(|block| block.text.starts_with(FILES)).unwrap();
    let world = a_team_with_three_tasks();
    let unlisted: Vec<String> = fs::read_dir(world.path(".team"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !listed.text.contains(name.as_str()))
        .collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

/// What does not depend on time and length of paths: seconds are left out, tokens are rounded to thousands.
fn lines<'a>(text: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let rounded = |line: &str| match line.strip_prefix("Took: ") {
        Some(figures) => figures
            .split(", ")
            .filter(|figure| !figure.ends_with(" s"))
            .map(|figure| match figure.strip_suffix(" tokens in") {
                Some(tokens) => format!("{} k in", tokens.parse::<u64>().unwrap() / 1000),
                None => figure.to_owned(),
            })
            .collect::<Vec<_>>()
            .join(", "),
        None => line.to_owned(),
    };
    text.map(rounded).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_keys_in_the_pages_are_those_of_the_screen() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/screen.md")).unwrap();
    let (_, keys) = page.split_once("\n## Keys\n\n").unwrap();
    let table = teammate_view::keys::KeyTable::default().markdown();
    assert_eq!(keys, table, "\n{table}");
}
