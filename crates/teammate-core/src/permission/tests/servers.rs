//! Rules about tools of other servers.

use super::*;
use crate::tool::EffectClass;

fn decides(allow: &str, deny: &str, tool: &str) -> &'static str {
    let rules = |text: &str| {
        let rules = text.split_whitespace();
        let rules = rules.map(|rule| Rule::parse(rule, RuleOrigin::User).unwrap());
        rules.collect::<Vec<Rule>>()
    };
    let rules = Rules {
        allow: rules(allow),
        deny: rules(deny),
        ..Rules::default()
    };
    match rules.decide(Mode::Ask, tool, EffectClass::Calls, &Target::Team) {
        RuleVerdict::Allow => "allow",
        RuleVerdict::Deny(_) => "deny",
        RuleVerdict::Ask => "ask",
    }
}

#[test]
fn a_rule_is_about_a_tool_a_beginning_or_all_of_a_server() {
    let tool = "mcp__github__get_issue";
    for (allow, deny, verdict) in [
        ("", "", "ask"),
        ("mcp__github__get_issue", "", "allow"),
        ("mcp__github__get_*", "", "allow"),
        ("mcp__github__*", "", "allow"),
        ("mcp__github", "", "allow"),
        ("mcp__*", "", "allow"),
        ("mcp__git", "", "ask"),
        ("mcp__git*", "mcp__github__get_issue", "deny"),
        ("mcp__github__list_*", "", "ask"),
        ("bash mcp__gitlab__*", "", "ask"),
        ("*", "mcp__github", "deny"),
    ] {
        assert_eq!(decides(allow, deny, tool), verdict, "{allow} / {deny}");
    }
    assert_eq!(
        decides("mcp__Linear__getUser", "", "mcp__Linear__getUser"),
        "allow"
    );
    assert_eq!(
        decides("*", "mcp__linear__getuser", "mcp__Linear__getUser"),
        "deny"
    );
}

#[test]
fn a_star_is_for_tools_of_servers_only() {
    for wrong in ["bash*", "mcp__x__*y", "mcp__x__**", "ba*h"] {
        assert!(Rule::parse(wrong, RuleOrigin::User).is_err(), "{wrong}");
    }
}
