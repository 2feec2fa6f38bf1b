//! Two screens of one team at the same time: they show the same, and of two answers one counts.

use super::{attached::attach, *};
use crate::play::{Scene as _, bash, calls, play, say, spawn};

const SCREENS: [&str; 6] = [
    "\u{1b}1", "\u{1b}2", "\u{1b}3", "\u{1b}4", "\u{1b}5", "\u{1b}6",
];

/// Without the prompt's rows: what somebody types is shown where it is typed.
fn above_the_prompt(terminal: &Terminal) -> String {
    let shown = terminal.shows();
    let rows: Vec<&str> = shown.lines().collect();
    let prompt = rows.iter().rposition(|row| row.starts_with(" to lead >"));
    rows[..prompt.unwrap_or(rows.len())].join("\n")
}

#[test]
fn the_screen_of_the_host_and_one_that_is_attached_show_the_same() {
    let world = full(&play([
        (
            "lead",
            vec![
                calls([(
                    "create_task",
                    serde_json::json!({ "subject": "Look", "check": "true" }),
                )])
                .after_mail("Begin"),
                spawn([("alice", "coder", "Look"), ("bob", "tester", "Listen")]),
                say("All **heard**.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("printf 'one\\ntwo\\n' > made; cat made"),
                say("Done: `made`.").otherwise(),
            ],
        ),
        ("bob", vec![say("I listen.").otherwise()]),
    ]));
    let host = Terminal::sized(&world, SIZE, &["--permission-mode", "bypass"]);
    host.until_prompt("lead", "");
    let early = attach(&world);
    host.says("Begin");
    host.until("-> lead: Done: `made`.");
    host.until("-> lead: I listen.");
    host.comes_to_rest();
    // One that saw it happen, and one that has it from the files.
    let late = attach(&world);
    for key in SCREENS {
        for terminal in [&host, &early, &late] {
            terminal.keys(key);
            terminal.until(&format!("[{} ", &key[1..]));
        }
        for guest in [&early, &late] {
            until(
                || above_the_prompt(guest) == above_the_prompt(&host),
                || format!("{}\n--- the host\n{}", guest.shows(), host.shows()),
            );
        }
    }
    early.leaves_well();
    late.leaves_well();
    host.leaves_well();
}

#[test]
fn of_two_answers_at_once_one_counts_and_the_other_says_who_was_first() {
    const ROUNDS: usize = 4;
    let asks = |round: usize| {
        bash(&format!("echo {round} >> ran")).after_mail(&format!("Question {round}."))
    };
    let mut lead: Vec<_> = (0..ROUNDS).map(asks).collect();
    lead.push(say("Well.").otherwise());
    let world = full(&play([("lead", lead)]));
    let host = open(&world);
    host.until_prompt("lead", "");
    let guest = attach(&world);
    for round in 0..ROUNDS {
        host.says(&format!("Question {round}."));
        for terminal in [&host, &guest] {
            terminal.until("1 NEEDS YOU");
            terminal.keys(CTRL_N);
            terminal.until(&format!("     echo {round} >> ran"));
        }
        let id = format!("req_{:06}", round + 1);
        let settled = || {
            let shown = world.teammate(&["requests", "show", &id]).ends(0).out;
            ["approved by", "rejected by"]
                .into_iter()
                .find(|how| shown.contains(how))
        };
        // Both in the same moment, the one or the other a little before; too early a key counts for nothing.
        let both = if round % 2 == 0 {
            [(&host, "y"), (&guest, "n")]
        } else {
            [(&guest, "n"), (&host, "y")]
        };
        std::thread::sleep(AGAIN);
        both.iter().for_each(|(terminal, key)| terminal.keys(key));
        host.presses("y", |_| settled().is_some());
        let is_yes = settled() == Some("approved by");
        let (loser, key) = if is_yes { (&guest, "n") } else { (&host, "y") };
        let told = format!("{id} is already settled ({} the user", settled().unwrap());
        loser.presses(key, |terminal| terminal.shows().contains(&told));
        until(
            || world.outcomes("lead").len() == round + 1,
            || world.file(".team/journal.jsonl"),
        );
        let ran = fs::read_to_string(world.path("ran")).unwrap_or_default();
        assert_eq!(ran.contains(&round.to_string()), is_yes, "{ran}");
        for terminal in [&host, &guest] {
            terminal.keys(TAB);
            terminal.keys(F1);
            terminal.until("[1 Team]");
            terminal.until_prompt("lead", "");
        }
    }
    guest.leaves_well();
    host.leaves_well();
    world.assert_at_rest();
}
