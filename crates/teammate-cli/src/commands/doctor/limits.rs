//! Whether what the user wrote to hold members back does so here: rules about tools and files, hooks, entries of servers.

use teammate::{
    policy::MachinePolicy,
    rules::{UnknownTools, effective_rules},
    sandbox::{Level, open_to_commands},
};
use teammate_view::t;

use super::{CliContext, Finding};
use crate::{commands::hooks, next_steps::wording, screen::clean_line, settings::user_dirs};

/// The limits that do not hold, and those that have no meaning.
pub(super) fn findings(place: &CliContext, policy: Option<&MachinePolicy>) -> Vec<Finding> {
    let mut found = of_rules(place, policy);
    match hooks::found(place) {
        Ok(hooks) => found.extend(notes(hooks.notices)),
        Err(error) => found.push(bad(&format!("{error:#}"))),
    }
    found.extend(of_servers(place));
    found
}

#[cfg(feature = "mcp")]
fn of_servers(place: &CliContext) -> Vec<Finding> {
    let Ok(workspace) = place.dir.canonicalize() else {
        return Vec::new();
    };
    match place.options.said_of_servers(&workspace) {
        Ok(said) => notes(said).collect(),
        Err(error) => vec![bad(&format!("{error:#}"))],
    }
}

#[cfg(not(feature = "mcp"))]
fn of_servers(_: &CliContext) -> Vec<Finding> {
    Vec::new()
}

fn of_rules(place: &CliContext, policy: Option<&MachinePolicy>) -> Vec<Finding> {
    let (Ok(workspace), Ok(own)) = (place.dir.canonicalize(), place.options.rules()) else {
        return Vec::new();
    };
    let (rules, notices) = effective_rules(&workspace, &user_dirs(), policy, own, wording());
    let unknown = UnknownTools::of(&rules, &[]);
    let mut found: Vec<Finding> = unknown.errors.iter().map(|error| bad(error)).collect();
    found.extend(notes([notices, unknown.notices].concat()));
    let Ok(held) = place.options.sandbox() else {
        return found;
    };
    let is_wanted = held.required.is_some_and(|level| level < Level::Full);
    if let Some(rules) = open_to_commands(held, &rules.deny, &workspace) {
        let what = t!(
            "for file tools only, as commands open such files: {rules}",
            rules
        );
        found.push(match is_wanted {
            true => Finding::Note(what),
            false => Finding::Bad {
                what,
                hint: t("let the full sandbox hold commands, or keep such files elsewhere")
                    .to_owned(),
            },
        });
    }
    found
}

fn bad(error: &str) -> Finding {
    Finding::Bad {
        what: t!("no team can be opened: {why}", why = clean_line(error)),
        hint: t("correct it").to_owned(),
    }
}

fn notes(notices: Vec<String>) -> impl Iterator<Item = Finding> {
    let notices = notices.into_iter();
    notices.map(|notice| Finding::Note(clean_line(&notice)))
}
