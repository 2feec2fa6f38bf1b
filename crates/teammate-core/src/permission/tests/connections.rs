//! Rules about where commands connect.

use super::*;

fn to(host: &str, port: u16) -> Target {
    Target::Host(destination(host, port))
}

pub(super) fn destination(host: &str, port: u16) -> Destination {
    let host = HostName::parse(host).unwrap();
    Destination { host, port }
}

fn connects(rules: &Rules, mode: Mode, target: &Target) -> &'static str {
    connects_by(NET, rules, mode, target)
}

fn connects_by(tool: &str, rules: &Rules, mode: Mode, target: &Target) -> &'static str {
    match rules.decide(mode, tool, EffectClass::Calls, target) {
        RuleVerdict::Allow => "allow",
        RuleVerdict::Deny(_) => "deny",
        RuleVerdict::Ask => "ask",
    }
}

#[test]
fn deny_comes_first_then_allow_then_the_mode() {
    for (deny, allow, in_ask, in_bypass) in [
        (&[][..], &[][..], "ask", "allow"),
        (&[], &["net(crates.io)"], "allow", "allow"),
        (&[], &["net"], "allow", "allow"),
        (&[], &["*"], "allow", "allow"),
        (
            &[],
            &["bash", "edit", "net(pypi.org)", "net(crates.io:22)"],
            "ask",
            "allow",
        ),
        (&["net(crates.io)"], &["net(crates.io)"], "deny", "deny"),
        (&["NET(*)"], &["net"], "deny", "deny"),
        (&["net"], &["*"], "deny", "deny"),
        (&["*"], &["net"], "deny", "deny"),
        (&["bash(curl:*)", "net(*.crates.io)"], &[], "ask", "allow"),
    ] {
        let rules = rules(deny, allow);
        let crates = to("crates.io", 443);
        let found = (
            connects(&rules, Mode::Ask, &crates),
            connects(&rules, Mode::Bypass, &crates),
        );
        assert_eq!(found, (in_ask, in_bypass), "{deny:?} {allow:?}");
    }
}

#[test]
fn rules_about_hosts_cover_no_other_call_and_other_rules_no_host() {
    let about_hosts = rules(&["net(*:*)"], &["net"]);
    assert_eq!(runs(&about_hosts, &chain(&["ls"])), RuleVerdict::Ask);
    assert_eq!(writes(&about_hosts, Mode::Ask, "a"), RuleVerdict::Ask);
    let others = rules(&["bash(net)", "edit(crates.io)", "*(crates.io)"], &["bash"]);
    assert_eq!(connects(&others, Mode::Ask, &to("crates.io", 443)), "ask");
}

#[test]
fn an_always_makes_the_rule_for_the_host() {
    for (port, rule) in [
        (443, "net(crates.io)"),
        (80, "net(crates.io)"),
        (22, "net(crates.io:22)"),
    ] {
        let action = Action {
            target: to("crates.io", port),
            shows: String::new(),
            summary: String::new(),
        };
        let made = rule_for_exactly(NET, &action).unwrap();
        assert_eq!(made.to_string(), rule);
        assert_eq!(Rule::parse(rule, RuleOrigin::Always).unwrap(), made);
        let for_pages = rule_for_exactly("web_fetch", &action).unwrap();
        assert_eq!(for_pages.to_string(), rule.replace("net", "web_fetch"));
    }
}

#[test]
fn only_the_users_own_rule_for_one_host_names_it() {
    let named = |rule: &str, origin| {
        let rules = Rules {
            allow: vec![Rule::parse(rule, origin).unwrap()],
            ..Rules::default()
        };
        rules.name_host(NET, &destination("localhost", 5432))
    };
    for (rule, origin, is_named) in [
        ("net(localhost:5432)", RuleOrigin::User, true),
        ("net(localhost:*)", RuleOrigin::CommandLine, true),
        ("net(localhost)", RuleOrigin::User, false),
        ("net(*:*)", RuleOrigin::User, false),
        ("net", RuleOrigin::User, false),
        ("*", RuleOrigin::User, false),
        ("net(localhost:5432)", RuleOrigin::Project, false),
        ("net(localhost:5432)", RuleOrigin::Always, false),
    ] {
        assert_eq!(named(rule, origin), is_named, "{rule} {origin:?}");
    }
}

#[test]
fn rules_for_pages_of_a_host_cover_no_command_and_those_for_hosts_cover_both() {
    let docs = to("docs.rs", 443);
    for (deny, allow, fetched, connected) in [
        (&[][..], &["web_fetch(docs.rs)"][..], "allow", "ask"),
        (&[], &["WEB_FETCH(*.rs)"], "allow", "ask"),
        (&[], &["web_fetch"], "allow", "ask"),
        (&[], &["web_fetch(crates.io)"], "ask", "ask"),
        (&[], &["net(docs.rs)"], "allow", "allow"),
        (&["web_fetch(docs.rs)"], &["net"], "deny", "allow"),
        (&["web_fetch"], &["net"], "deny", "allow"),
        (&["net(docs.rs)"], &["web_fetch"], "deny", "deny"),
        (&["web_search"], &["net"], "allow", "allow"),
    ] {
        let rules = rules(deny, allow);
        let found = ["web_fetch", NET].map(|tool| connects_by(tool, &rules, Mode::Ask, &docs));
        assert_eq!(found, [fetched, connected], "{deny:?} {allow:?}");
    }
    let of_user = Rules {
        allow: vec![Rule::parse("web_fetch(localhost:80)", RuleOrigin::User).unwrap()],
        ..Rules::default()
    };
    let local = destination("localhost", 80);
    assert!(of_user.name_host("web_fetch", &local) && !of_user.name_host(NET, &local));
}

#[test]
fn a_rule_says_where_it_goes_wrong() {
    let error = |text| Rule::parse(text, RuleOrigin::User).unwrap_err().to_string();
    for (text, words) in [
        (
            "net(https://crates.io)",
            "at character 11, write the host alone",
        ),
        (
            "net(Crates.io)",
            "at character 5, a host has one spelling: crates.io",
        ),
        ("net(127.0.0.1)", "at character 5, an address is no host"),
        (
            "web_fetch(https://docs.rs)",
            "at character 17, write the host alone",
        ),
        ("net()", "write TOOL or TOOL(PATTERN)"),
    ] {
        assert!(error(text).contains(words), "{}", error(text));
    }
}
