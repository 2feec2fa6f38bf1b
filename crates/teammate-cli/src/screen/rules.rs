//! Permission rules for a person: a line each, deny first, with where each one stands.

use teammate::{Origin, Rule, Rules};

use super::{Style, clean::clean_line};

/// The lines; one that says so if there are none.
pub(crate) fn rule_lines(rules: &Rules) -> Vec<String> {
    let style = Style::for_stdout();
    let kinds = [
        ("deny ", &rules.deny),
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
        vec!["No rules: what the permission mode does not allow is asked".to_owned()]
    } else {
        lines
    }
}

/// Where a rule stands.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "your configuration",
        Origin::CommandLine => "this command line",
        Origin::Project => "the project's .teammate/settings.toml",
        Origin::Always => "answered with \"always\"",
    }
}
