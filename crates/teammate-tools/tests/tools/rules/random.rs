//! Commands put together at random, and what that found.

use proptest::prelude::*;
use teammate_core::permission::Script;

use super::*;

/// Ways in which a command is dressed up. None makes it another.
fn dressed(command: &str, ways: &[u8]) -> String {
    let mut command = command.to_owned();
    for way in ways {
        command = match way % 16 {
            0 => format!("({command})"),
            1 => format!("git status; {command}"),
            2 => format!("{command} | git status"),
            3 => format!("git status && {command}"),
            4 => format!("{{ {command}\n}}"),
            5 => format!("git status $({command})"),
            6 => format!("\t {command}  "),
            7 => format!("if git status; then {command}\nfi"),
            8 => format!("! {command}"),
            9 if command.contains('`') => command,
            9 => format!("git status `{command}`"),
            10 => format!("git status \"$({command})\""),
            11 => format!("git status <({command})"),
            12 => format!("{command} 2>&1"),
            13 => format!("{command} &"),
            14 => format!("git status # x\n{command}"),
            _ => format!("git status <<'E'\nx\nE\n{command}"),
        };
    }
    command
}

fn known_parts(target: &Target) -> Option<usize> {
    match target {
        Target::Command(command) => match &command.script {
            Script::Parsed { commands, .. } => Some(commands.len()),
            Script::Unparsed { .. } => None,
        },
        Target::Path(_) | Target::Host(_) | Target::Team => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    // slow: many random commands
    #[test]
    fn however_it_is_dressed_up_it_is_not_allowed(
        which in 0..6_usize,
        ways in proptest::collection::vec(any::<u8>(), 0..6),
    ) {
        let command = ["rm x", "/bin/rm -rf x", "git push", "'rm' x", "rm x > y", "git \"push\""][which];
        let bench = Bench::new();
        let dressed = dressed(command, &ways);
        let allow = ["bash(git status:*)"];
        prop_assert_ne!(runs(&bench, &rules(&[], &allow), &dressed), RuleVerdict::Allow);
        let denying = rules(&["bash(rm:*)", "bash(git push:*)"], &["bash", "*"]);
        let verdict = runs(&bench, &denying, &dressed);
        prop_assert!(matches!(verdict, RuleVerdict::Deny(_)), "{} {:?}", dressed, target(&bench, &dressed));
    }

    // slow: many random commands
    #[test]
    fn more_that_is_allowed_makes_nothing_else_allowed(
        parts in proptest::collection::vec(0..7_usize, 1..6),
        joints in proptest::collection::vec(0..5_usize, 5),
    ) {
        let commands = ["git status", "ls -l", "true", "rm x", "A=1 ls", "ls $x", "ls > y"];
        let bench = Bench::new();
        let rules = rules(&[], &["bash(git status:*)", "bash(ls:*)", "bash(true)"]);
        let mut chain = commands[parts[0]].to_owned();
        for (part, joint) in parts[1..].iter().zip(&joints) {
            chain = format!("{chain}{}{}", [" && ", "; ", " | ", "\n", " || "][*joint], commands[*part]);
        }
        let all = parts.iter().all(|part| runs(&bench, &rules, commands[*part]) == RuleVerdict::Allow);
        let is_allowed = runs(&bench, &rules, &chain) == RuleVerdict::Allow;
        // The grammar stumbles over some; then it is asked. No part is ever lost.
        match known_parts(&target(&bench, &chain)) {
            None => prop_assert!(!is_allowed, "{}", chain),
            Some(known) => {
                prop_assert_eq!(known, parts.len(), "{}", chain);
                prop_assert_eq!(is_allowed, all, "{}", chain);
            }
        }
    }

    /// Whatever the text: it is read without a panic, and one changed character never makes a denied program allowed.
    #[test]
    fn text_at_random_is_read(text in "[ -~\n]{0,60}", command in "(rm|git|ls) ?[a-z$`'\"(){};&|<>\\\\ \n-]{0,30}") {
        let bench = Bench::new();
        let rules = rules(&[], &["bash(git status:*)"]);
        for text in [text, command] {
            if text.trim().is_empty() {
                continue;
            }
            let is_allowed = runs(&bench, &rules, &text) == RuleVerdict::Allow;
            prop_assert!(!is_allowed || text.contains("git"), "{}", text);
        }
    }
}

#[test]
fn a_command_on_the_next_line_is_never_an_argument_of_the_last_one() {
    let bench = Bench::new();
    let rules = rules(&[], &["bash(git status:*)", "bash(true:*)"]);
    for chain in [
        "git status && git status | git status | git status\nrm x > /dev/null",
        "git status && true | true | true\nrm x > /dev/null",
        "true | true | true\nrm x 2>/dev/null",
        "git status && true | true | true\nrm x > /dev/null\ntrue",
    ] {
        let verdict = runs(&bench, &rules, chain);
        assert!(verdict == RuleVerdict::Ask, "{chain:?}: {verdict:?}");
    }
    let plain = "git status && true | true | true > /dev/null\ntrue";
    assert_eq!(runs(&bench, &rules, plain), RuleVerdict::Allow, "{plain:?}");
}
