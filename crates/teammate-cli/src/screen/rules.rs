//! Permission rules for the user: a line each, deny first, with its origin.

use teammate::{Rule, RuleOrigin, Rules};
use teammate_view::t;

use super::{Style, clean::clean_line};

/// The lines; a single line if there are no rules.
pub(crate) fn rule_lines(rules: &Rules, style: Style) -> Vec<String> {
    let kinds = [
        ("deny ", &rules.deny),
        ("ask  ", &rules.ask),
        ("allow", &rules.allow),
        ("lead may allow", &rules.lead_may),
    ];
    let line = |kind: &str, rule: &Rule| {
        let place = style.dim(origin(rule.origin()));
        format!("{kind}  {}  {place}", clean_line(&rule.to_string()))
    };
    let lines: Vec<String> = kinds
        .iter()
        .flat_map(|(kind, rules)| rules.iter().map(|rule| line(kind, rule)))
        .collect();
    if lines.is_empty() {
        vec![
            t("No rules. You are asked about every action that the permission mode does not allow")
                .to_owned(),
        ]
    } else {
        lines
    }
}

/// The origin of a rule, in words.
pub(crate) fn origin(origin: RuleOrigin) -> &'static str {
    match origin {
        RuleOrigin::User => t("your configuration"),
        RuleOrigin::CommandLine => t("this command line"),
        RuleOrigin::Project => t("the project's .teammate/settings.toml"),
        RuleOrigin::Always => t("answered with \"always\""),
        RuleOrigin::Policy => t("the machine's policy, /etc/teammate/policy.toml"),
    }
}
