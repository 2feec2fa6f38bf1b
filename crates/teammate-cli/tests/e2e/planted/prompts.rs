//! The full screen and the plain prompt, of the own team and of another process's.

use super::*;
use crate::terminal::Terminal;

const BYPASS: [&str; 2] = ["--permission-mode", "bypass"];

/// What is said of a bug in this place, up to the report.
fn said(part: &str, place: &str) -> String {
    format!("a bug ended {part}: planted in {place} with [secret SHOP_TOKEN]")
}

/// What is shown, without the breaks of lines.
fn in_one_line(terminal: &Terminal) -> String {
    terminal
        .shows()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// By these keys the prompt is left, and the team is paused.
fn leaves_by(terminal: &mut Terminal, keys: &str) {
    terminal.keys(keys);
    let left = terminal.leaves_paused();
    assert_eq!(left.code(), Some(0), "{}", terminal.shows());
}

fn until_said(terminal: &Terminal, text: &str) {
    until(
        || in_one_line(terminal).contains(text),
        || format!("'{text}' does not come:\n{}", terminal.shows()),
    );
}

// fast: a face never ends a team
#[cfg(feature = "tui")]
#[test]
fn the_full_screen_falls_back_to_the_plain_prompt_and_the_team_works_on() {
    let works = Works::new().with("TEAMMATE_SCREEN", "full");
    let mut terminal = Terminal::sized(&works.0, (40, 100), &BYPASS);
    terminal.until("to lead >");
    terminal.keys("Begin\r");
    works.begun();
    works.plant("screen");
    terminal.keys("x");
    until_said(&terminal, &said("the full screen", "screen"));
    until_said(&terminal, "the report is ");
    until_said(&terminal, "The team works on, and this is the plain prompt");
    assert!(!terminal.printed().contains(TOKEN));
    // The screen has gone, and what it drew has gone with it.
    assert!(
        !terminal.shows().contains("[1 Team]"),
        "{}",
        terminal.shows()
    );

    works.goes_on_to_its_end();
    terminal.until(REPORT);
    // What was typed on the screen is there to be sent.
    terminal.keys("\u{15}/team\r");
    terminal.until("alice (worker): idle");
    leaves_by(&mut terminal, "/quit\r");
    assert!(terminal.is_restored());
    let reports = works.reports();
    assert_eq!(reports.len(), 1);
    assert!(
        reports[0].contains("ended: the full screen\n"),
        "{}",
        reports[0]
    );
}

#[cfg(feature = "tui")]
#[test]
fn the_full_screen_of_another_process_falls_back_to_its_plain_prompt() {
    let works = Works::new().with("TEAMMATE_SCREEN", "full");
    let up = works.0.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    works.0.teammate(&["send", "lead", "Begin"]).ends(0);
    works.begun();
    let mut terminal = Terminal::sized(&works.0, (40, 100), &[]);
    terminal.until("to lead >");
    works.plant("screen");
    terminal.keys("x");
    until_said(&terminal, &said("the full screen", "screen"));
    until_said(&terminal, "The team works on, and this is the plain prompt");
    works.goes_on_to_its_end();
    terminal.until(REPORT);
    terminal.keys("\u{15}/quit\r");
    assert_eq!(terminal.leaves().code(), Some(0), "{}", terminal.shows());
}

// fast: bugs in the plain prompt
#[test]
fn the_plain_prompt_goes_on_after_a_bug_in_any_of_its_parts() {
    let works = Works::new();
    let mut terminal = Terminal::open(&works.0, 100, &BYPASS);
    terminal.types("Begin");
    works.begun();
    works.plant("prompt");
    terminal.types("/tasks");
    until_said(&terminal, &said("what the prompt did", "prompt"));
    until_said(&terminal, "The team works on, and so does the prompt");
    works.plant("command");
    terminal.types("/export");
    until_said(&terminal, &said("a typed command", "command"));
    works.plant("feed");
    works.plant("news");
    works.0.teammate(&["send", "lead", "Still there?"]).ends(0);
    works.is_sprung("feed");
    works.0.teammate(&["send", "lead", "And now?"]).ends(0);
    works.is_sprung("news");
    until_said(&terminal, &said("the showing of what happens", "news"));
    works.plant("printer");
    terminal.types("/team");
    works.is_sprung("printer");
    until_said(&terminal, &said("the printing of a line", "printer"));

    works.goes_on_to_its_end();
    terminal.until(REPORT);
    leaves_by(&mut terminal, "/quit\r");
    assert_eq!(works.reports().len(), 5);
}

#[test]
fn behind_a_bug_in_the_line_editor_lines_are_typed_as_the_terminal_edits_them() {
    for (place, keys, leaves) in [
        // Between two keys, and at the end of a line.
        ("editor", "hello", "/quit\n"),
        ("line", "hello\r", "\u{4}\u{4}"),
    ] {
        let works = Works::new();
        let mut terminal = Terminal::open(&works.0, 100, &BYPASS);
        terminal.types("Begin");
        works.begun();
        until(|| terminal.is_at_prompt(), || terminal.shows());
        works.plant(place);
        terminal.keys(keys);
        until_said(&terminal, &said("the line editor", place));
        until_said(
            &terminal,
            "The team works on, and lines are read without the editor",
        );
        until_said(&terminal, "Not sent: h");
        assert!(terminal.is_restored());
        // Backspace and all is the terminal's own now; its Ctrl-C clears the line and is a signal.
        terminal.keys("/taems\u{7f}\u{7f}\u{7f}\u{7f}eam\n");
        terminal.until("alice (worker)");
        terminal.keys("!cat go-by-hand\n");
        terminal.until("No such file");
        assert!(terminal.is_restored());
        terminal.keys("@alice And then?\n");
        terminal.until("(queued for alice");

        works.goes_on_to_its_end();
        terminal.until(REPORT);
        leaves_by(&mut terminal, leaves);
        assert!(terminal.is_restored());
        assert_eq!(works.reports().len(), 1);
    }
}

#[test]
fn the_connection_of_a_viewer_ends_alone_and_the_viewer_reads_files() {
    let works = Works::new();
    let up = works.0.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    let viewer = Terminal::open(&works.0, 100, &[]);
    viewer.types("Begin");
    works.begun();
    works.plant("viewer");
    works.0.teammate(&["send", "lead", "Still there?"]).ends(0);
    works.is_sprung("viewer");
    up.until("a bug ended a viewer's connection: planted in viewer");
    works.goes_on_to_its_end();
    viewer.until(REPORT);
}
