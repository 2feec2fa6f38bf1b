//! `/mode`: how much members may do without asking, changed while the team runs.

use crate::{
    play::{Scene as _, bash, play, say},
    policy::Machine,
    terminal::Terminal,
    world::{World, until},
};

fn lead() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("echo one >> ran").after_mail("First"),
            bash("echo two >> ran").after_mail("Second"),
            bash("echo three >> ran").after_mail("Third"),
            say("You said: {{mail}}").otherwise(),
        ],
    )]))
}

#[test]
fn the_user_changes_it_for_this_run_and_it_is_in_the_audit_log() {
    let world = lead();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("/mode");
    terminal.until("* ask");
    terminal.types("/mode all");
    terminal.until("There is no mode 'all'; there are: ask, accept-edits, bypass");
    terminal.types("/mode bypass");
    terminal.until("The permission mode is bypass until the team is closed");
    terminal.types("First");
    until(|| world.path("ran").exists(), || terminal.shows());
    terminal.types("/status");
    terminal.until("mode          bypass");
    terminal.types("/mode ask");
    terminal.until("The permission mode is ask");
    terminal.types("Second");
    terminal.until("[y] yes  [n] no");
    terminal.types("n");
    terminal.types("/mode bypass");
    terminal.until("from 'ask' to 'bypass'");
    terminal.quits();
    world
        .teammate(&["audit"])
        .ends(0)
        .says("the user changed the mode from 'ask' to 'bypass'")
        .says("the user changed the mode from 'bypass' to 'ask'");

    // The next run begins with what it is opened with.
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("permission mode ask");
    terminal.types("Third");
    terminal.until("[y] yes  [n] no");
    terminal.types("n");
    terminal.quits();
    assert_eq!(world.file("ran"), "one\n");
    world.assert_at_rest();
}

// fast: permission modes
#[test]
fn another_terminal_changes_it_and_both_screens_show_it() {
    let world = lead().env("TEAMMATE_SCREEN", "full");
    let host = Terminal::sized(&world, (24, 100), &[]);
    host.until("mode ask");
    let guest = Terminal::sized(&world, (24, 100), &["--plain"]);
    guest.until("Attached to the team");
    guest.types("/mode bypass");
    guest.until("The permission mode is bypass");
    guest.types("/mode");
    guest.until("* bypass");
    host.until("mode bypass");
    guest.types("First");
    until(|| world.path("ran").exists(), || guest.shows());
    host.keys("/mode accept-edits\r");
    host.until("mode accept-edits");
    guest.types("/status");
    guest.until("mode          accept-edits");
    guest.quits();
    host.keys("/quit\r");
    host.until("Closed the team");
    world.assert_at_rest();
}

#[test]
fn a_member_cannot_change_it() {
    let program = env!("CARGO_BIN_EXE_teammate");
    let tries = format!("echo '/mode bypass' | {program} --plain 2>&1; echo tried > tried");
    let world = World::playing(&play([(
        "lead",
        vec![
            bash(&tries).after_mail("Try"),
            bash("echo ran > ran").after_mail("Run"),
            say("You said: {{mail}}").otherwise(),
        ],
    )]));
    let terminal = Terminal::open(&world, 100, &["--allow", "bash"]);
    terminal.types("Try");
    until(|| world.path("tried").exists(), || terminal.shows());
    terminal.types("/mode");
    terminal.until("* ask");
    terminal.quits();
    let journal = world.file(".team/journal.jsonl");
    assert!(!journal.contains("\"order\":\"mode\""), "{journal}");
}

#[test]
fn the_policy_of_the_machine_keeps_its_highest_mode() {
    let policy = "[forbidden]\nmodes = [\"bypass\"]\n";
    let Some(machine) = Machine::with(policy, lead()) else {
        return;
    };
    let said = machine.types(&["/mode bypass", "/mode accept-edits", "/mode"]);
    said.ends(0)
        .says("Not changed: /etc/teammate/policy.toml:2 forbids the mode 'bypass'")
        .says("The permission mode is accept-edits")
        .says("* accept-edits");
}
