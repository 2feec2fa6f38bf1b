//! Whether rules are about tools that there are. One that denies or asks and is about none holds nothing back, whatever its writer
//! relies on; one that allows is harmless.

use teammate_core::{
    name::{edit_distance, slips_max},
    permission::{Rule, RuleOrigin, Rules},
};
use teammate_tools::{TOOL_ALIASES, TOOL_NAMES};

/// Rules that are about no known tool, as they are reported.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UnknownTools {
    /// Of rules of the user and the administrator that would hold something back: a sentence each. With one, no team is opened.
    pub errors: Vec<String>,
    /// Of all others.
    pub notices: Vec<String>,
}

impl UnknownTools {
    /// Looks at all rules; `more` are names of tools besides those of this program.
    pub fn of(rules: &Rules, more: &[&str]) -> Self {
        let mut unknown = Self::default();
        let is_known = |rule: &Rule| {
            let names = TOOL_NAMES.iter().chain(more).copied();
            rule.is_about_server() || rule.is_about_any(names)
        };
        for rule in rules.deny.iter().chain(&rules.ask) {
            if is_known(rule) {
                continue;
            }
            let said = said_of(rule, "it would hold nothing back");
            match rule.origin() {
                RuleOrigin::User | RuleOrigin::CommandLine | RuleOrigin::Policy => {
                    unknown.errors.push(said);
                }
                RuleOrigin::Project | RuleOrigin::Always => unknown.notices.push(said),
            }
        }
        let allowing = rules.allow.iter().chain(&rules.lead_may);
        let said = allowing
            .filter(|rule| !is_known(rule))
            .map(|rule| said_of(rule, "it allows nothing"));
        unknown.notices.extend(said);
        unknown
    }
}

fn said_of(rule: &Rule, what: &str) -> String {
    let meant = match meant_by(rule.tool()) {
        Some(tool) => format!(" Did you mean {tool}?"),
        None => " The names are in docs/tools.md.".to_owned(),
    };
    format!(
        "{} is about no tool that there is, so {what}.{meant}",
        rule.describe()
    )
}

/// The tool that was probably meant.
fn meant_by(name: &str) -> Option<&'static str> {
    let alias = TOOL_ALIASES
        .iter()
        .find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    if let Some((_, tool)) = alias {
        return Some(tool);
    }
    let other = match name.to_ascii_lowercase().as_str() {
        "multiedit" | "notebookedit" | "apply_patch" | "str_replace_editor" => "edit",
        "ls" | "list" | "list_directory" => "glob",
        "shell" | "run_shell_command" | "exec" | "local_shell" | "powershell" => "bash",
        _ => "",
    };
    if !other.is_empty() {
        return Some(other);
    }
    let slips = |known: &&'static str| edit_distance(name, known);
    let near = TOOL_NAMES.iter().copied().min_by_key(slips)?;
    (slips(&near) <= slips_max(name.len().min(near.len()))).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(deny: &[&str], allow: &[&str], origin: RuleOrigin) -> Rules {
        let read = |texts: &[&str]| {
            let rules = texts.iter().map(|text| Rule::parse(text, origin).unwrap());
            rules.collect::<Vec<Rule>>()
        };
        Rules {
            deny: read(deny),
            allow: read(allow),
            ..Rules::default()
        }
    }

    #[test]
    fn a_rule_about_no_tool_is_an_error_where_it_would_hold_something_back() {
        for known in [
            "*",
            "bash(rm:*)",
            "Bash(rm:*)",
            "Read(./.env)",
            "edit(src/**)",
            "Write(x)",
            "WebFetch(domain:example.com)",
            "WebSearch",
            "TodoWrite",
            "net(crates.io)",
            "mcp__github__*",
            "forecast",
        ] {
            let found = UnknownTools::of(&rules(&[known], &[], RuleOrigin::User), &["forecast"]);
            assert_eq!(found, UnknownTools::default(), "{known}");
        }
        for (unknown, meant) in [
            ("raed_file(.env)", "Did you mean read_file?"),
            ("MultiEdit(src/**)", "Did you mean edit?"),
            ("TaskCreate", "Did you mean create_task?"),
            ("KillShell", "Did you mean task_stop?"),
            ("zebra", "docs/tools.md"),
        ] {
            let found = UnknownTools::of(&rules(&[unknown], &[], RuleOrigin::User), &[]);
            let [error] = &found.errors[..] else {
                panic!("{unknown}: {found:?}")
            };
            assert!(
                error.contains(&format!("the user's rule '{unknown}' is about no tool"))
                    && error.contains(meant),
                "{error}"
            );
            let found = UnknownTools::of(&rules(&[unknown], &[], RuleOrigin::Project), &[]);
            assert_eq!(
                (found.errors.len(), found.notices.len()),
                (0, 1),
                "{unknown}"
            );
            let found = UnknownTools::of(&rules(&[], &[unknown], RuleOrigin::User), &[]);
            assert!(found.errors.is_empty(), "{found:?}");
            assert!(found.notices[0].contains("it allows nothing"), "{found:?}");
        }
    }
}
