//! Git in a repository that brings untrusted programs.

use super::*;

#[test]
fn git_that_runs_what_the_repository_brings_is_asked_below_bypass() {
    let Target::Command(mut command) = chain(&["git status"]) else {
        panic!("it is a command");
    };
    command.untrusted = vec!["core.fsmonitor".to_owned()];
    let target = Target::Command(command);
    for rule in [
        "bash",
        "bash(*)",
        "bash(git status:*)",
        "bash(=git status)",
        "*",
    ] {
        let rule = Rule::parse(rule, RuleOrigin::User).unwrap();
        let rules = Rules {
            allow: vec![rule.clone()],
            lead_may: vec![rule.clone()],
            ..Rules::default()
        };
        let decide = |mode| rules.decide(mode, "bash", EffectClass::Executes, &target);
        assert_eq!(decide(Mode::Ask), RuleVerdict::Ask, "{rule}");
        assert_eq!(decide(Mode::AcceptEdits), RuleVerdict::Ask, "{rule}");
        assert_eq!(decide(Mode::Bypass), RuleVerdict::Allow, "{rule}");
        assert!(
            !rules.lead_may_allow("bash", EffectClass::Executes, &target),
            "{rule}"
        );
    }
    let action = Action {
        target,
        shows: String::new(),
        summary: String::new(),
    };
    assert_eq!(rule_for_exactly("bash", &action), None);
}
