//! How lines, colours and the task board look on a terminal.

use super::*;
use crate::play::{bash, send};

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
        "[lead] The quick brown fox jumps over",
        "the lazy dog and goes on through the",
        "wood until it is dark.",
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
    terminal.quits();
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
        terminal.quits();
    }
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
    terminal.quits();
}

#[test]
fn where_little_is_to_move_nothing_is_written_while_members_work() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch works; while [ ! -e go-on ]; do sleep 0.05; done"),
            say("Done."),
        ],
    )]))
    .env("ACCESSIBLE", "1");
    let terminal = Terminal::open(&world, 80, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    until(|| world.path("works").exists(), || terminal.shows());
    let rests = || terminal.bytes().len();
    let mut before = (rests(), Instant::now());
    // Longer than two shown seconds.
    until(
        || {
            if rests() != before.0 {
                before = (rests(), Instant::now());
            }
            before.1.elapsed() > Duration::from_millis(2_500)
        },
        || terminal.shows(),
    );
    assert!(!terminal.printed().contains("bash 1 s"));
    std::fs::write(world.path("go-on"), "").unwrap();
    terminal.until("Done.");
    terminal.quits();
}
