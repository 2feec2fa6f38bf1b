//! The prompt as the user with habits uses it: keys, questions, outputs, the status line.

use std::{thread, time::Duration};

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    terminal::Terminal,
    world::{World, until},
};

fn lead(scenes: Vec<serde_json::Value>) -> World {
    World::playing(&play([("lead", scenes)]))
}

#[test]
fn ctrl_c_with_text_on_the_line_clears_the_line_and_interrupts_nobody() {
    let world = lead(vec![bash("touch works; sleep 60")]);
    let terminal = Terminal::open(&world, 80, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    until(|| world.path("works").exists(), || terminal.shows());
    terminal.keys("half a sentence");
    terminal.until("> half a sentence");
    terminal.keys("\u{3}");
    until(
        || !terminal.shows().contains("half a sentence"),
        || terminal.shows(),
    );
    terminal.types("/team");
    terminal.until("lead (lead): working");
    assert!(
        !terminal.shows().contains("interrupted"),
        "{}",
        terminal.shows()
    );

    // The arrow brings it back; an empty line interrupts.
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("\u{1b}[A\u{1b}[A");
    terminal.until("> half a sentence");
    terminal.keys("\u{3}");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("\u{3}");
    terminal.until("(Ctrl-C once more interrupts all turns: lead)");
    terminal.keys("\u{3}");
    terminal.until("[lead] interrupted");
    terminal.quits();
}

#[test]
fn a_lone_esc_eats_no_key_and_arrows_are_still_arrows() {
    let world = lead(vec![say("I wait.").otherwise()]);
    let terminal = Terminal::open(&world, 80, &[]);
    let mut is_whole = false;
    for _ in 0..20 {
        until(|| terminal.is_at_prompt(), || terminal.shows());
        terminal.keys("\u{1b}");
        // A key that follows at once belongs to Esc; on a busy machine it may seem to.
        thread::sleep(Duration::from_millis(500));
        terminal.keys("I was");
        terminal.until("was");
        is_whole = terminal.shows().ends_with("> I was");
        if is_whole {
            break;
        }
        terminal.keys("\u{3}");
    }
    assert!(is_whole, "Esc ate the next key:\n{}", terminal.shows());
    terminal.keys("\u{1b}[D\u{1b}[Dx");
    terminal.until("> I wxas");
    terminal.keys("\u{3}");
    terminal.quits();
}

#[test]
fn each_question_is_announced_once_and_after_the_line_it_belongs_to() {
    let write = |n: usize| {
        let input = json!({ "path": format!("file{n}"), "content": "x\n" });
        calls([("write_file", input)])
    };
    let mut scenes: Vec<_> = (1..=8).map(write).collect();
    scenes.push(say("Done."));
    let world = lead(scenes);
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("Go");
    for n in 1..=8 {
        terminal.until(&format!("asks: create file{n} +1 (req_00000{n}"));
        let shown = terminal.shows();
        let line = shown.find(&format!("write_file: file{n}"));
        let question = shown.find(&format!("(req_00000{n}"));
        assert!(line < question && line.is_some(), "{shown}");
        assert!(!shown.contains("also has a question"), "{shown}");
        terminal.types("y");
    }
    terminal.until("Done.");
    terminal.quits();
    assert!(world.path("file8").exists());
}

#[test]
fn a_call_shows_what_it_printed_and_a_failed_one_its_end() {
    let world = lead(vec![
        bash("seq 101 140"),
        bash("seq 201 240; exit 3"),
        calls([("fly", json!({ "to": "the moon" }))]),
        calls([("edit_file", json!({ "path": "x" }))]),
        bash("cat no-such-file"),
        say("Done."),
    ]);
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    terminal.until("Done.");
    let shown = terminal.shows();
    let expected = [
        "[lead] bash: seq 101 140\n[lead]   101\n         102\n         103\n         104\n         105\n         … 35 lines more\n",
        "[lead] failed bash: exit status 3\n         … 25 lines before\n         226\n",
        "         240\n[lead] fly: {\"to\":\"the moon\"}\n[lead] failed fly: Unknown tool 'fly'.",
        "[lead] edit_file: {\"path\":\"x\"}\n[lead] failed edit_file: The arguments do not fit: missing field",
        "[lead] failed bash: exit status 1\n         cat: no-such-file: No such file or directory\n",
    ];
    for text in expected {
        assert!(shown.contains(text), "{text:?} is not in\n{shown}");
    }
    terminal.quits();
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains("… 35 lines more"), "{log}");
    assert!(log.contains("failed fly: Unknown tool"), "{log}");

    let events = world.json_lines(".team/events.jsonl");
    let of = |event: &str| {
        events
            .iter()
            .filter(|line| line["event"] == event)
            .collect::<Vec<_>>()
    };
    let started = of("tool_started");
    assert_eq!(started[1]["input"], "{\"command\":\"seq 201 240; exit 3\"}");
    let finished = of("tool_finished");
    assert_eq!(finished[1]["exit"], 3);
    assert_eq!(
        (&finished[1]["bytes"], &finished[1]["lines"]),
        (&json!(160), &json!(40))
    );
    let head = finished[1]["output"]["head"].as_str().unwrap();
    assert!(
        head.starts_with("201\n") && head.ends_with("240\n"),
        "{head}"
    );
}

#[test]
fn a_status_line_moves_while_a_model_thinks_and_goes_when_it_has_answered() {
    let scenes = || {
        vec![
            say("That was hard.").slowly(3_000).after("Think"),
            say("And that.").slowly(2_500).after("again"),
        ]
    };
    let world = lead(scenes());
    let terminal = Terminal::open(&world, 80, &[]);
    terminal.types("Think");
    terminal.until("lead thinks");
    terminal.keys("meanwhile");
    terminal.until("> meanwhile");
    terminal.until("lead thinks 2 s\n> meanwhile");
    terminal.until("That was hard.");
    until(
        || terminal.shows().ends_with("That was hard.\n> meanwhile"),
        || format!("the line stays:\n{}", terminal.shows()),
    );
    // What is sent while it stands there leaves no trace of it.
    terminal.keys("\u{3}");
    terminal.types("and again");
    terminal.until("lead thinks");
    terminal.keys("/cost\r");
    terminal.until("In all runs of the team:");
    assert!(
        terminal.shows().matches("lead thinks").count() <= 1,
        "{}",
        terminal.shows()
    );
    terminal.until("And that.");
    until(
        || !terminal.shows().contains("lead thinks"),
        || format!("the line stays:\n{}", terminal.shows()),
    );
    let shown = terminal.quits();
    assert!(shown.contains("> and again\n> /cost\n"), "{shown}");

    // Nothing of it reaches a pipe.
    let world = lead(scenes());
    let out = by_lines(&world, "Think\n/quit\n");
    assert!(
        out.contains("That was hard.") && !out.contains("thinks"),
        "{out:?}"
    );
}

/// What comes of these lines from a pipe.
fn by_lines(world: &World, lines: &str) -> String {
    use std::io::Write as _;
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(std::process::Stdio::piped());
    let mut repl = world.launch(command);
    repl.stdin().write_all(lines.as_bytes()).unwrap();
    let run = repl.end().ends(0);
    run.out + &run.err
}

#[test]
fn words_that_are_meant_for_somebody_else_do_not_go_to_the_model() {
    let world = lead(vec![
        calls([("write_file", json!({ "path": "a", "content": "x" }))]).after("Go"),
        say("You said: {{mail}}").otherwise(),
    ]);
    let terminal = Terminal::open(&world, 100, &[]);
    for (typed, answer) in [
        ("/te", "There is no /te; did you mean /team?"),
        ("/themes", "There is no /themes. There are: /team, /tasks,"),
        (
            "?",
            "/quit          leave; unfinished turns go on next time",
        ),
    ] {
        terminal.types(typed);
        terminal.until(answer);
    }
    terminal.types("Go");
    terminal.until("asks: create a +1 (req_000001");
    terminal.types("yes please");
    terminal.until(
        "req_000001 still waits for your answer: [y] yes  [n] no  [a] always. Nothing was sent;",
    );
    assert!(!world.path("a").exists());
    world.teammate(&["deny", "req_000001"]).ends(0);
    terminal.until("denied (user, req_000001)");
    terminal.types("ok");
    terminal.until("Not answered: req_000001 is already settled");
    terminal.types("ok");
    terminal.until("You said: ok");
    terminal.quits();
    assert_eq!(
        world.heard("lead"),
        ["user message: Go", "user message: ok"]
    );
}

#[test]
fn the_first_lines_say_where_this_is_and_what_was_said_last() {
    let world = lead(vec![
        say("First.\nSecond.\nThird.\nFourth.\nFifth.").after("Count"),
        say("I wait.").otherwise(),
    ]);
    let where_it_is = format!(
        "teammate {}, team 'default' in {}",
        env!("CARGO_PKG_VERSION"),
        world.work().canonicalize().unwrap().display()
    );
    let terminal = Terminal::open(&world, 200, &["--permission-mode", "accept-edits"]);
    terminal.until(&format!("{where_it_is}, permission mode accept-edits"));
    terminal.types("Count");
    terminal.until("Fifth.");
    terminal.quits();
    let terminal = Terminal::open(&world, 200, &[]);
    terminal.until("> Count\n  First.\n  Second.\n  Third.\n  (2 more lines)");
    terminal.quits();
}

#[test]
fn cost_counts_the_turns_of_this_session() {
    let world = lead(vec![say("One."), say("Two.")]);
    let turns = |out: &str, title: &str| {
        let table = out.split(title).nth(1).unwrap().to_owned();
        let lead = table.lines().find(|line| line.trim().starts_with("lead"));
        let cells: Vec<_> = lead
            .unwrap()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        cells[2].clone()
    };
    let out = by_lines(&world, "one\ntwo\n/cost\n/quit\n");
    assert_eq!(turns(&out, "Since the team was opened:"), "2", "{out}");
    assert_eq!(turns(&out, "In all runs of the team:"), "2", "{out}");
}
