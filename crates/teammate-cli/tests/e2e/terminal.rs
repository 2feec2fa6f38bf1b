//! The REPL as the user at a terminal sees it.

use std::{
    fmt::Write as _,
    io::{Read as _, Write as _},
    os::unix::fs::PermissionsExt as _,
    process::{Child, ExitStatus},
    sync::{Arc, Mutex},
    thread,
};

use pty_process::{
    Size,
    blocking::{Command, Pty, open},
};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::{Value, json};
use teammate_testkit::Answer;

use crate::{
    play::{Scene as _, bash, play, say, send, spawn},
    wires::{Vendor, WIRES, Wire, world_at},
    world::{World, until},
};

const ROWS: u16 = 50;

/// A terminal with the program in it.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Every byte that came.
    bytes: Arc<Mutex<Vec<u8>>>,
    /// The modes it had before the program came.
    before: LocalModes,
}

impl Terminal {
    pub(crate) fn open(world: &World, columns: u16, arguments: &[&str]) -> Self {
        let (pty, pts) = open().unwrap();
        let before = tcgetattr(&pty).unwrap().local_modes;
        pty.resize(Size::new(ROWS, columns)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_teammate"))
            .args(arguments)
            .env_clear()
            .envs(world.variables())
            .current_dir(world.work())
            .spawn(pts)
            .unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(ROWS, columns, 1_000)));
        let pty = Arc::new(pty);
        let (from, to) = (pty.clone(), screen.clone());
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let all = bytes.clone();
        thread::spawn(move || {
            let mut chunk = [0; 4_096];
            // An error means that the program has gone.
            while let Ok(count @ 1..) = (&*from).read(&mut chunk) {
                all.lock().unwrap().extend_from_slice(&chunk[..count]);
                to.lock().unwrap().process(&chunk[..count]);
            }
        });
        Self {
            pty,
            child,
            screen,
            bytes,
            before,
        }
    }

    /// What stands on the screen, line by line.
    pub(crate) fn shows(&self) -> String {
        let parser = self.screen.lock().unwrap();
        let (_, columns) = parser.screen().size();
        let mut text = String::new();
        for row in parser.screen().rows(0, columns) {
            let _ = writeln!(text, "{}", row.trim_end());
        }
        text.trim_end().to_owned()
    }

    pub(crate) fn until(&self, text: &str) {
        until(
            || self.shows().contains(text),
            || format!("'{text}' does not come:\n{}", self.shows()),
        );
    }

    pub(crate) fn keys(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Whether nothing is typed at the prompt.
    pub(crate) fn is_at_prompt(&self) -> bool {
        self.shows().lines().last() == Some(">")
    }

    /// Waits for the prompt, types a line.
    pub(crate) fn types(&self, line: &str) {
        until(
            || self.is_at_prompt(),
            || format!("no prompt:\n{}", self.shows()),
        );
        self.keys(&format!("{line}\r"));
    }

    /// Types, also where nobody may read any more.
    pub(crate) fn tries_keys(&self, keys: &str) {
        let _ = (&*self.pty).write_all(keys.as_bytes());
    }

    /// How the program has ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Whether the terminal edits lines, echoes and signals as before the program came.
    pub(crate) fn is_restored(&self) -> bool {
        tcgetattr(&*self.pty).unwrap().local_modes == self.before
    }

    /// Everything that was ever written to the terminal.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap()).into_owned()
    }

    /// Waits until the program has ended.
    pub(crate) fn leaves(&mut self) -> ExitStatus {
        for _ in 0..12_000 {
            if let Some(status) = self.ended() {
                return status;
            }
            thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("it does not leave:\n{}", self.shows());
    }

    pub(crate) fn ends(mut self, code: i32) -> String {
        let status = self.leaves();
        assert_eq!(status.code(), Some(code), "{}", self.shows());
        self.shows()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn small_team() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Spawn alice"),
                say("You said: {{mail}}").after_mail("hello"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("I hear {{mail}}").otherwise()]),
    ]))
}

#[test]
fn a_person_talks_with_the_lead_and_with_a_teammate() {
    let world = small_team();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("Type to talk with the lead");
    terminal.types("/help");
    terminal.until("/quit          leave; unfinished turns go on next time");
    terminal.types("Spawn alice");
    terminal.until("[alice] done: I hear Begin");
    terminal.types("@alice look here");
    terminal.until("[alice] done: I hear look here");
    terminal.types("/team");
    terminal.until("  alice (coder): idle");
    terminal.types("/inbox");
    terminal.until("lead's inbox is empty");
    terminal.types("hello");
    terminal.until("You said: hello");
    terminal.types("/quit");
    terminal.ends(0);
    world.assert_at_rest();

    // What was typed is there the next time.
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("resumed team 'default': lead, alice");
    until(
        || terminal.shows().lines().last() == Some(">"),
        || terminal.shows(),
    );
    assert!(
        !terminal.shows().contains("[alice] done"),
        "old news:\n{}",
        terminal.shows()
    );
    terminal.keys("\u{1b}[A\u{1b}[A");
    until(
        || terminal.shows().lines().last() == Some("> hello"),
        || terminal.shows(),
    );
    terminal.keys("\u{3}");
    terminal.types("/quit");
    terminal.ends(0);
}

#[test]
fn the_bytes_that_reach_a_terminal_command_nothing() {
    let world = crate::sinks::hostile();
    let terminal = Terminal::open(&world, 200, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("[alice] done:");
    for (command, answer) in [
        ("/team", "  alice ("),
        ("/tasks", "#1 "),
        ("/inbox alice", "alice's inbox is empty"),
        ("/cost", "In all runs of the team:"),
    ] {
        terminal.types(command);
        terminal.until(answer);
    }
    terminal.types("/quit");
    let bytes = terminal.bytes.clone();
    terminal.ends(0);
    let text = String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
    assert!(text.contains("\\u{1b}]52"), "it was shown: {text:?}");
    for command in [
        "\u{1b}]",
        "\u{1b}[2J",
        "\u{1b}P",
        "\u{1b}[6n",
        "\u{7}",
        "\u{9b}",
        "\u{9d}",
        "\u{202e}",
        "\u{2066}",
        "\u{200b}",
        "\u{e0041}",
    ] {
        assert!(!text.contains(command), "{command:?} in {text:?}");
    }
}

#[test]
fn a_command_types_nothing_into_the_persons_terminal() {
    let push = "python3 -c 'import fcntl, termios\nfor fd in 0, 1, 2: fcntl.ioctl(fd, termios.TIOCSTI, b\"!\")'";
    let world = World::playing(&play([(
        "lead",
        vec![
            bash(&format!(
                "tty; (: < /dev/tty) 2>&1; (printf '\\033[6n' > /dev/tty) 2>&1; {push} 2>&1 | tail -1"
            )),
            say("It was tried.").otherwise(),
        ],
    )]));
    let terminal = Terminal::open(&world, 200, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("It was tried.");
    // Whatever was typed would stand at the prompt.
    terminal.types("/quit");
    let bytes = terminal.bytes.clone();
    terminal.ends(0);
    let text = String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
    assert!(!text.contains("\u{1b}[6n"), "{text:?}");
    let said = &world.outcomes("lead")[0];
    assert!(said.starts_with("not a tty"), "{said}");
    assert_eq!(
        said.matches("No such device or address").count(),
        2,
        "{said}"
    );
}

#[test]
fn a_question_names_who_asks_and_what_will_run() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo one > one"),
                bash("echo two > two"),
                bash("echo two > two; echo three"),
                say("through"),
            ],
        ),
    ]));
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    terminal.until("[alice] wants to run bash (req_000001, auto-denied");
    terminal.until("    echo one > one");
    terminal.types("n");
    terminal.until("denied (user, req_000001)");
    terminal.until("wants to run bash (req_000002, auto");
    terminal.types("y");
    terminal.until("wants to run bash (req_000003, auto");
    terminal.until("    echo two > two; echo three");
    assert_eq!(world.file("two"), "two\n");
    // Anything else is no answer, and is said to the lead.
    terminal.types("what is this?");
    terminal.types("/team");
    terminal.until("working (waiting for permission)");
    terminal.types("no");
    terminal.until("[alice] done: through");
    terminal.types("/quit");
    terminal.ends(0);
    assert!(!world.path("one").exists());
    let outcomes = world.outcomes("alice");
    assert!(
        outcomes[0].contains("the user denied it") && outcomes[2].contains("the user denied it"),
        "{outcomes:?}"
    );
    assert!(
        world
            .heard("lead")
            .contains(&"user message: what is this?".to_owned())
    );
    world.assert_at_rest();
}

#[test]
fn an_answer_that_was_typed_for_another_question_answers_nothing() {
    let asks = |file: &str| {
        let last = say("It said: {{last_result}}").otherwise();
        vec![bash(&format!("echo x > {file}")), last]
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                spawn([("bob", "coder", "Begin")]).after("Now bob"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", asks("a")),
        ("bob", asks("b")),
    ]));
    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("Go");
    terminal.until("    echo x > a");
    terminal.types("Now bob");
    terminal.until("[bob] also has a question (req_000002); req_000001 comes first");
    terminal.types("/requests");
    terminal.until("req_000002  permission  bob -> the user");
    assert!(
        !terminal.shows().contains("    echo x > b\n"),
        "one at a time"
    );

    // The finger is on the way when somebody answers from another terminal, and the next question comes.
    terminal.keys("y");
    terminal.until("> y");
    world.teammate(&["deny", "req_000001"]).ends(0);
    terminal.until("[bob] wants to run bash (req_000002, auto");
    terminal.keys("\r");
    terminal.until("Not answered: req_000001 is already settled (rejected by the user); now asking: req_000002");
    assert!(!world.path("b").exists());
    terminal.types("y");
    terminal.until("[bob] done: It said:");
    assert!(world.path("b").exists() && !world.path("a").exists());

    terminal.types("/plan alice the schema");
    terminal.until("alice may only read until you approve its plan");
    terminal.types("/shutdown bob");
    terminal.until("[bob] stopped: agreed to shut down");
    terminal.types("/deny nothing");
    terminal.until("'nothing' is not a request id; ids look like req_000001; no request is open");
    terminal.types("/quit");
    terminal.ends(0);
}

#[test]
fn always_is_kept_for_the_very_same_until_it_is_removed() {
    let scenes = vec![
        bash("echo x >> one"),
        bash("echo x >> one; echo y >> one"),
        say("Done.").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    let ask_again = || {
        let _ = std::fs::remove_dir_all(world.path(".team"));
        Terminal::open(&world, 100, &[])
    };
    let terminal = ask_again();
    terminal.types("Go");
    terminal.until("    echo x >> one");
    terminal.types("a");
    terminal.until("    echo x >> one; echo y >> one");
    terminal.types("/rules");
    terminal.until("allow  bash(=echo x >> one)  answered with \"always\"");
    terminal.types("n");
    terminal.until("Done.");
    terminal.types("/quit");
    terminal.ends(0);

    // Another team in the same place; nothing of it is in the workspace.
    let terminal = ask_again();
    terminal.types("Go");
    terminal.until("    echo x >> one; echo y >> one");
    assert!(
        !terminal.shows().contains("req_000002"),
        "{}",
        terminal.shows()
    );
    terminal.types("n");
    terminal.until("Done.");
    terminal.types("/quit");
    terminal.ends(0);
    assert_eq!(world.file("one"), "x\nx\n");

    let kept = world.path("../home/.local/state/teammate/rules");
    for file in std::fs::read_dir(&kept).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    world
        .teammate(&["rules"])
        .ends(0)
        .says("bash(=echo x >> one)");
    world
        .teammate(&["rules", "remove", "bash(=echo x >> one)"])
        .ends(0)
        .says("Forgotten");
    world.teammate(&["rules"]).ends(0).says("No rules");
    std::fs::remove_dir_all(world.path(".team")).unwrap();
    world.teammate(&["run", "go"]).ends(4);
    assert_eq!(world.file("one"), "x\nx\n");
}

#[test]
fn ctrl_c_interrupts_and_twice_leaves() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch works; sleep 60"),
            say("Yes?").after("still there"),
            bash("touch again; sleep 60"),
        ],
    )]));
    let terminal = Terminal::open(&world, 80, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    until(|| world.path("works").exists(), || terminal.shows());
    terminal.keys("\u{3}");
    terminal.until("[lead] interrupted");
    terminal.types("still there?");
    terminal.until("Yes?");
    terminal.types("Go on");
    until(|| world.path("again").exists(), || terminal.shows());
    terminal.keys("\u{3}");
    until(
        || {
            terminal
                .shows()
                .matches("(Ctrl-C once more to leave;")
                .count()
                == 2
        },
        || terminal.shows(),
    );
    terminal.keys("\u{3}");
    terminal.ends(0);
    world.assert_at_rest();
}

#[test]
fn ctrl_d_leaves_and_the_terminal_is_as_it_was() {
    let world = small_team();
    let terminal = Terminal::open(&world, 80, &[]);
    let (pty, before) = (terminal.pty.clone(), terminal.before);
    let modes = || tcgetattr(&*pty).unwrap().local_modes;
    terminal.until(">");
    assert_ne!(modes(), before, "it edits lines itself");
    terminal.keys("\u{4}");
    terminal.ends(0);
    assert_eq!(modes(), before);
}

#[test]
fn a_narrow_terminal_is_readable() {
    let words = "The quick brown fox jumps over the lazy dog and goes on through the wood until it is dark.";
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                say(words).after("report"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                send(
                    "lead",
                    "a rather long letter that does not fit into a narrow terminal at all, my report",
                ),
                say("through"),
            ],
        ),
    ]));
    let terminal = Terminal::open(&world, 40, &[]);
    terminal.types("Go");
    terminal.until("it is dark.");
    terminal.until("[alice] done: through");
    let shown = terminal.shows();
    // Whole words, and one line for what is only told in passing.
    for line in [
        "The quick brown fox jumps over the lazy",
        "dog and goes on through the wood until",
        "it is dark.",
    ] {
        assert!(
            shown.lines().any(|known| known == line),
            "'{line}' is not in\n{shown}"
        );
    }
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("[alice] -> lead: a rather") && line.ends_with('…')),
        "{shown}"
    );
    terminal.types("/quit");
    terminal.ends(0);
}

#[test]
fn what_is_typed_ahead_is_not_lost() {
    let world = small_team();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until(">");
    terminal.keys("hello\r/team\r/inbox x\r@nobody hi\r/quit\r");
    let shown = terminal.ends(0);
    for line in [
        "  lead (lead): ",
        "there is no member 'x'; members: lead",
        "Not sent: there is no member 'nobody'",
    ] {
        assert!(shown.contains(line), "'{line}' is not in\n{shown}");
    }
    assert!(world.heard("lead").len() <= 1);
}

#[test]
fn no_color_is_obeyed() {
    for (variable, coloured) in [("NO_COLOR", false), ("OTHER", true)] {
        let world = small_team().env(variable, "1");
        let terminal = Terminal::open(&world, 80, &[]);
        terminal.types("Spawn alice");
        terminal.until("[alice] done: I hear Begin");
        let parser = terminal.screen.lock().unwrap();
        let screen = parser.screen();
        let cells =
            (0..ROWS).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
        let colours = cells
            .filter(|cell| cell.fgcolor() != vt100::Color::Default)
            .count();
        drop(parser);
        assert_eq!(colours > 0, coloured, "{variable}: {}", terminal.shows());
        terminal.types("/quit");
        terminal.ends(0);
    }
}

#[test]
fn what_others_write_does_not_move_the_cursor() {
    let evil = "\u{1b}[2J\u{1b}[1;1Hgone\u{7}\u{202e}txt\u{9b}31m\u{1b}]0;title\u{7}";
    let world = World::playing(&json!({ "members": {
        "lead": [spawn([("alice", "coder", "Begin")]), say("I wait.").otherwise()],
        "alice": [send("lead", evil), say(evil)],
    }}));
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    terminal.until("[alice] done: \\u{1b}[2J\\u{1b}[1;1Hgone");
    terminal.until("[alice] -> lead: \\u{1b}[2J");
    terminal.until("Type to talk with the lead");
    assert_eq!(terminal.shows().matches('\u{202e}').count(), 0);
    terminal.types("/quit");
    terminal.ends(0);
}

#[test]
fn the_task_board_fits_the_terminal() {
    let world = small_team();
    let terminal = Terminal::open(&world, 60, &[]);
    terminal.types("Spawn alice");
    terminal.until("[alice] done: I hear Begin");
    terminal.types("/tasks");
    terminal.until("No tasks");
    terminal.types("/tasks add \"Paint it\" --requires role:painter");
    terminal.until("#1 Paint it, requires role:painter: ready, but no member");
    terminal.types("/tasks add Dry the paint, however long that takes --blocked-by 1");
    terminal.until("#2 Dry the paint");
    terminal.types("/tasks complete #1 --result \"It's red\"");
    terminal.until("#1 Paint it: completed by user: It's red");
    // alice does not finish it, however often she is reminded.
    terminal.until("[alice] claimed #2");
    terminal.types("/tasks");
    terminal.until("1 of 2 done, 1 in progress");
    terminal.until("  [x] #1 Paint it: completed by user: It's red\n  [>] #2 Dry the paint, however long that takes (alice): in");
    terminal.types("/tasks help");
    terminal.until("reopen    Reopen a task, so that it is done again");
    terminal.types("/tasks paint");
    terminal.until("unrecognized subcommand 'paint'");
    terminal.types("/tasks add \"Never closed");
    terminal.until("A quotation mark is not closed");
    terminal.types("/quit");
    terminal.ends(0);
}

#[test]
fn trust_is_asked_for_and_shows_what_is_trusted_harmlessly() {
    let world = small_team();
    let agents = world.path(".claude/agents");
    std::fs::create_dir_all(&agents).unwrap();
    let text = "---\nname: rev\ndescription: Reviews\u{1b}[2J code\ntools: Read\npermissionMode: acceptEdits\n---\nLook.\n";
    std::fs::write(agents.join("rev.md"), text).unwrap();
    for (answer, said) in [
        ("\r", "Not trusted; they are not used."),
        ("y\r", "Trusted until one of them changes."),
    ] {
        let terminal = Terminal::open(&world, 100, &["trust"]);
        terminal.until("Trust them? They are instructions and rights for your team. [y/N]");
        let shown = terminal.shows();
        assert!(shown.contains(".claude/agents/rev.md"), "{shown}");
        assert!(shown.contains("rev: Reviews\\u{1b}[2J code"), "{shown}");
        let given = "tools: read_file · mode: accept-edits · model: the team's";
        assert!(shown.contains(given), "{shown}");
        terminal.keys(answer);
        terminal.until(said);
        terminal.ends(0);
    }
    let terminal = Terminal::open(&world, 100, &["trust"]);
    terminal.until("They are trusted.");
    terminal.ends(0);
}

/// The pieces of an answer are shown while they come; here each is one letter.
#[test]
fn a_secret_that_comes_in_pieces_is_not_on_the_screen() {
    const SAID: &str = "The key is canary-in-pieces-1. And canary-in-pie is not it.";
    let letters = |event: fn(&str) -> Value| -> String {
        let events = SAID.chars().map(|letter| event(&letter.to_string()));
        events.map(|data| format!("data: {data}\n\n")).collect()
    };
    for wire in WIRES {
        let stream = match wire {
            Wire::Anthropic => {
                let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
                let text = letters(
                    |letter| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": letter } }),
                );
                let stop = r#"{"type":"content_block_stop","index":0}"#;
                format!(
                    "data: {start}\n\n{text}data: {stop}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
                )
            }
            Wire::OpenAi => {
                let text =
                    letters(|letter| json!({ "choices": [{ "delta": { "content": letter } }] }));
                text + "data: [DONE]\n\n"
            }
        };
        let vendor = Vendor::answering(move |_| Answer::stream(stream.clone()));
        let world = world_at(wire, &vendor.url()).env("SOME_TOKEN", "canary-in-pieces-1");
        let terminal = Terminal::open(&world, 100, &["run", "Go"]);
        let bytes = terminal.bytes.clone();
        let screen = terminal.ends(0);
        let all = String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
        assert!(!all.contains("canary-in-pieces"), "{wire:?}: {all}");
        let shown = "The key is [secret SOME_TOKEN]. And canary-in-pie is not it.";
        assert!(screen.contains(shown), "{wire:?}: {screen}");
    }
}
