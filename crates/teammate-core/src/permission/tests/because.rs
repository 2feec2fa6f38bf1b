//! Why a call is a question, and what it would reach.

use super::*;

fn because(rules: &Rules, mode: Mode, class: EffectClass, target: &Target) -> String {
    let tool = match target {
        Target::Command(_) => "bash",
        Target::Path(_) | Target::Host(_) | Target::Team => "write_file",
    };
    assert_eq!(rules.decide(mode, tool, class, target), RuleVerdict::Ask);
    rules.because(mode, tool, class, target)
}

#[test]
fn a_question_says_which_rule_place_or_mode_made_it_one() {
    let mut rules = rules(&[], &[]);
    let test = chain(&["cargo test"]);
    assert_eq!(
        because(&rules, Mode::AcceptEdits, EffectClass::Executes, &test),
        "no rule allows it, and the mode is accept-edits"
    );
    let protected = file(".git/config");
    assert!(
        because(&rules, Mode::AcceptEdits, EffectClass::Writes, &protected).contains("protected")
    );
    rules.ask = list(&["bash(cargo:*)"]);
    assert_eq!(
        because(&rules, Mode::Bypass, EffectClass::Executes, &test),
        format!("{} has you asked each time", rules.ask[0].describe())
    );
    let Target::Command(command) = test else {
        panic!("a command")
    };
    let unheld = Target::Command(ShellCommand {
        unheld: Some("there are no namespaces".into()),
        ..command
    });
    assert_eq!(
        because(&rules, Mode::Bypass, EffectClass::Executes, &unheld),
        "the sandbox does not hold it: there are no namespaces"
    );
}

#[test]
fn what_a_call_reaches_is_listed_as_far_as_it_was_read() {
    let write = Touches::of(EffectClass::Writes, &file("src/a.rs"));
    assert_eq!(
        (write.writes, write.is_all),
        (vec!["src/a.rs".to_owned()], true)
    );
    let read = Touches::of(EffectClass::Reads, &file("src/a.rs"));
    assert_eq!(
        (read.reads, read.is_all),
        (vec!["src/a.rs".to_owned()], true)
    );
    let host = Target::Host(Destination {
        host: HostName::parse("crates.io").unwrap(),
        port: 443,
    });
    let connect = Touches::of(EffectClass::Calls, &host);
    assert_eq!(
        (connect.network, connect.is_all),
        (vec!["crates.io:443".to_owned()], true)
    );
    let unread = Touches::of(EffectClass::Executes, &blur("curl https://a.example"));
    assert_eq!(unread, Touches::default());
}
