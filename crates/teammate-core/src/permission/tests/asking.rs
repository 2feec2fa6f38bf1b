//! Rules for which the user is asked each time, and lists of hosts.

use super::*;

fn asking(ask: &[&str], allow: &[&str]) -> Rules {
    Rules {
        ask: list(ask),
        allow: list(allow),
        lead_may: list(&["*"]),
        ..Rules::default()
    }
}

#[test]
fn no_rule_no_mode_and_no_lead_answers_for_the_user() {
    let rules = asking(&["bash(git push:*)", "edit(ci/**)"], &["*"]);
    let push = chain(&["git add x", "git push origin main"]);
    for mode in [Mode::Ask, Mode::AcceptEdits, Mode::Bypass] {
        let verdict = rules.decide(mode, "bash", EffectClass::Executes, &push);
        assert_eq!(verdict, RuleVerdict::Ask, "{mode}");
        assert_eq!(writes(&rules, mode, "ci/run"), RuleVerdict::Ask, "{mode}");
        assert_eq!(
            writes(&rules, mode, "src/run"),
            RuleVerdict::Allow,
            "{mode}"
        );
    }
    assert!(!rules.lead_may_allow("bash", EffectClass::Executes, &push));
    let status = chain(&["git status"]);
    assert!(rules.lead_may_allow("bash", EffectClass::Executes, &status));
    assert_eq!(runs(&rules, &status), RuleVerdict::Allow);
}

#[test]
fn deny_comes_before_ask() {
    let rules = Rules {
        deny: list(&["bash(git push --force:*)"]),
        ..asking(&["bash(git push:*)"], &[])
    };
    let forced = chain(&["git push --force"]);
    assert!(matches!(runs(&rules, &forced), RuleVerdict::Deny(_)));
}

#[test]
fn hosts_outside_of_a_list_are_denied_in_every_mode() {
    let host = |name: &str| {
        Target::Host(Destination {
            host: HostName::parse(name).unwrap(),
            port: 443,
        })
    };
    let mut rules = rules(&[], &["net"]);
    rules.host_lists = vec![list(&["net(crates.io)", "net(*.crates.io)"])];
    let decide = |rules: &Rules, name: &str| {
        rules.decide(Mode::Bypass, NET, EffectClass::Calls, &host(name))
    };
    for listed in ["crates.io", "static.crates.io"] {
        assert_eq!(decide(&rules, listed), RuleVerdict::Allow, "{listed}");
    }
    let RuleVerdict::Deny(rule) = decide(&rules, "evil.example") else {
        panic!("not denied");
    };
    assert_eq!(
        rule.describe(),
        "the administrator's rule 'net(hosts that are not listed)'"
    );
    // Each list counts.
    rules.extend(Rules {
        host_lists: vec![list(&["net(crates.io)"])],
        ..Rules::default()
    });
    assert!(matches!(
        decide(&rules, "static.crates.io"),
        RuleVerdict::Deny(_)
    ));
    assert_eq!(decide(&rules, "crates.io"), RuleVerdict::Allow);
    // A listed host still needs a yes.
    rules.allow.clear();
    let verdict = rules.decide(Mode::Ask, NET, EffectClass::Calls, &host("crates.io"));
    assert_eq!(verdict, RuleVerdict::Ask);
}
