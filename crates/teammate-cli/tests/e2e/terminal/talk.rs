//! Talking with the team, interrupting and leaving.

use super::*;
use crate::play::bash;

// fast: the plain prompt
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
    terminal.quits();
    world.assert_at_rest();

    // What was typed is there the next time.
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("resumed team 'default': lead, alice");
    until(|| terminal.is_at_prompt(), || terminal.shows());
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
    terminal.quits();
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
fn ctrl_c_asks_then_interrupts_and_once_more_leaves() {
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
    terminal.until("(Ctrl-C once more interrupts all turns: lead)");
    terminal.keys("\u{3}");
    terminal.until("[lead] interrupted");
    terminal.types("still there?");
    terminal.until("Yes?");
    terminal.types("Go on");
    until(|| world.path("again").exists(), || terminal.shows());
    terminal.keys("\u{3}\u{3}");
    until(
        || terminal.shows().matches("Ctrl-C once more leaves;").count() == 2,
        || terminal.shows(),
    );
    terminal.keys("\u{3}");
    terminal.ends(0);
    world.assert_at_rest();
}

#[test]
fn ctrl_d_leaves_and_the_terminal_is_as_it_was() {
    let world = small_team();
    let mut terminal = Terminal::open(&world, 80, &[]);
    terminal.until(">");
    assert!(!terminal.is_restored(), "it edits lines itself");
    terminal.keys("\u{4}");
    assert_eq!(terminal.leaves_paused().code(), Some(0));
    assert!(terminal.is_restored());
}
