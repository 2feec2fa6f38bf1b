//! Typing a message: several lines, completion, drafts, history, and words that wait.

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::*;
use crate::{play::bash, world::files};

const ALT_ENTER: &str = "\u{1b}\r";
const CTRL_J: &str = "\n";

/// What is typed stands at the end of the screen.
fn until_typed(terminal: &Terminal, typed: &str) {
    until(
        || terminal.shows().ends_with(typed),
        || format!("'{typed}' is not typed:\n{}", terminal.shows()),
    );
}

// fast: editing at the prompt
#[test]
fn a_message_has_several_lines_and_a_paste_never_sends() {
    let world = small_team();
    let terminal = Terminal::open(&world, 80, &[]);
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("one");
    terminal.keys(ALT_ENTER);
    terminal.keys("two");
    until_typed(&terminal, "> one\ntwo");
    terminal.keys(CTRL_J);
    terminal.keys("three\\\r");
    terminal.keys("four ");
    terminal.keys("\u{1b}[200~five\r\nsix\rseven\u{1b}[201~");
    until_typed(&terminal, "> one\ntwo\nthree\nfour five\nsix\nseven");
    assert!(!world.path(".team/agents/lead").exists() || world.heard("lead").is_empty());
    terminal.keys("\r");
    terminal.until("I wait.");
    let text = "one\ntwo\nthree\nfour five\nsix\nseven";
    assert_eq!(world.heard("lead"), [format!("user message: {text}")]);

    // It is one entry of the history, and Ctrl-C takes all its rows off.
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("\u{1b}[A");
    until_typed(&terminal, &format!("I wait.\n> {text}"));
    terminal.keys("\u{3}");
    until(
        || terminal.shows().ends_with("I wait.\n>"),
        || terminal.shows(),
    );
    terminal.quits();
}

#[test]
fn lines_that_were_typed_before_the_prompt_was_there_are_lines() {
    let world = small_team();
    let wait = "until test -e typed; do sleep 0.02; done; exec \"$0\"";
    let mut shell = Command::new("sh");
    shell = shell.args(["-c", wait, env!("CARGO_BIN_EXE_teammate")]);
    let terminal = Terminal::running(&world, (ROWS, 80), shell);
    terminal.keys("hello\r/tasks\r");
    terminal.until("/tasks");
    fs::write(world.path("typed"), "").unwrap();
    terminal.until("You said: hello");
    terminal.until("No tasks");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    assert_eq!(world.heard("lead"), ["user message: hello"]);
    terminal.quits();
}

#[test]
fn tab_completes_commands_members_and_files() {
    let world = small_team();
    fs::create_dir(world.path("src")).unwrap();
    fs::write(world.path("src/parse.rs"), "").unwrap();
    let terminal = Terminal::open(&world, 80, &[]);
    terminal.types("Spawn alice");
    terminal.until("[alice] done: I hear Begin");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    for (typed, completed) in [
        ("/tea\t", "> /team"),
        // Tab goes round.
        ("/inb\t\t\t", "> /inbox"),
        ("@al\tlook at @sr\tpa\t", "> @alice look at @src/parse.rs"),
        ("nothing\t", "> nothing"),
    ] {
        terminal.keys(typed);
        until_typed(&terminal, completed);
        terminal.keys("\u{3}");
        until(|| terminal.is_at_prompt(), || terminal.shows());
    }
    terminal.quits();
}

#[test]
fn what_was_typed_and_not_sent_survives_a_crash() {
    let world = small_team();
    let drafts = world.path("../home/.local/state/teammate/drafts");
    let kept = || {
        let texts = files(&drafts).into_iter().map(fs::read_to_string);
        texts.filter_map(Result::ok).collect::<String>()
    };
    let mut terminal = Terminal::open(&world, 80, &[]);
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("half a");
    terminal.keys(CTRL_J);
    terminal.keys("thought");
    until(|| kept().contains(r"half a\nthought"), kept);
    for file in files(&drafts) {
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    terminal.crash();

    let terminal = Terminal::open(&world, 80, &[]);
    until_typed(&terminal, "> half a\nthought");
    terminal.keys(" indeed\r");
    terminal.until("I wait.");
    assert_eq!(
        world.heard("lead"),
        ["user message: half a\nthought indeed"]
    );
    // What was sent is no draft any more, nor is what was cleared.
    until(|| kept().is_empty(), kept);
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("no");
    until(|| kept().contains("no"), kept);
    terminal.keys("\u{3}");
    until(|| kept().is_empty(), kept);
    terminal.quits();
    assert_eq!(kept(), "");
}

#[test]
fn a_search_finds_what_was_said_before() {
    let world = small_team();
    let terminal = Terminal::open(&world, 80, &[]);
    terminal.types("the first words");
    terminal.until("I wait.");
    terminal.types("/cost");
    terminal.until("In all runs of the team:");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("\u{12}first");
    until_typed(&terminal, "(reverse-i-search)`first': the first words");
    // A key that moves takes it, and sends nothing.
    terminal.keys("\u{1b}[F");
    until_typed(&terminal, "> the first words");
    terminal.keys("\u{3}");
    terminal.quits();
    assert_eq!(world.heard("lead").len(), 1);
}

#[test]
fn words_to_a_busy_member_say_that_they_wait() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch works; while ! test -e through; do sleep 0.01; done"),
            say("Done.").otherwise(),
        ],
    )]));
    let terminal = Terminal::open(&world, 80, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    until(|| world.path("works").exists(), || terminal.shows());
    assert!(
        !terminal.shows().contains("(queued"),
        "it was heard at once"
    );
    terminal.types("and the docs");
    terminal.until("> and the docs\n(queued; /recall takes it back)");
    terminal.types("/recall");
    terminal.until("Taken back from lead: and the docs");
    terminal.types("and the tests");
    fs::write(world.path("through"), "").unwrap();
    terminal.until("Done.");
    terminal.quits();
    assert_eq!(
        world.heard("lead"),
        ["user message: Go", "user message: and the tests"]
    );
}
