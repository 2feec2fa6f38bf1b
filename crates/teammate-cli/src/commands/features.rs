//! The features that this program may be built without, for who asks for what one of them brings: that it is missing here is said,
//! and not that there is no such thing.

use clap::error::{ContextKind, Error, ErrorKind};

/// The words of the command line that come with a feature, and the variable that asks for it.
struct Feature {
    name: &'static str,
    verbs: &'static [&'static str],
    flags: &'static [&'static str],
    variable: Option<&'static str>,
}

impl Feature {
    const fn of(
        name: &'static str,
        verbs: &'static [&'static str],
        flags: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            verbs,
            flags,
            variable: None,
        }
    }

    fn refusal(&self, word: &str) -> String {
        let name = self.name;
        format!(
            "{word} needs the feature `{name}`, without which this program was built; the usual build has it"
        )
    }
}

/// Where teams are kept on servers, where no flag says so.
const NATS: Feature = Feature {
    variable: Some("TEAMMATE_NATS"),
    ..Feature::of(
        "nats",
        &["keys", "worker", "workers"],
        &["--nats", "--creds", "--try"],
    )
};

/// All that bring something. What this program has is never asked for here.
const FEATURES: [Feature; 5] = [
    Feature::of("acp", &["acp", "agents"], &[]),
    Feature::of("mcp", &["mcp"], &["--mcp-config", "--strict-mcp-config"]),
    NATS,
    Feature::of("otel", &[], &["--otel"]),
    Feature::of("web", &["web"], &[]),
];

/// Whether a word is a verb that a feature brings.
pub(super) fn bring_verb(word: &str) -> bool {
    FEATURES.iter().any(|feature| feature.verbs.contains(&word))
}

/// A sentence about the feature that would bring what is wrong with a command line, if one does.
pub(super) fn missing(error: &Error) -> Option<String> {
    let (context, is_verb) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, true),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, false),
        _ => return None,
    };
    let given = error.get(context)?.to_string();
    let word = given.split('=').next()?;
    let brings = |feature: &&Feature| match is_verb {
        true => feature.verbs.contains(&word),
        false => feature.flags.contains(&word),
    };
    Some(FEATURES.iter().find(brings)?.refusal(word))
}

/// A sentence about a feature that a variable of the environment asks for and this program was built without. Ignored, the variable
/// would have it work on another team than is meant.
pub(super) fn missing_variable() -> Option<String> {
    if cfg!(feature = "nats") {
        return None;
    }
    asked_by_variable(&NATS, |name| std::env::var(name).ok())
}

fn asked_by_variable(feature: &Feature, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let name = feature.variable?;
    let is_set = value(name).is_some_and(|value| !value.trim().is_empty());
    is_set.then(|| feature.refusal(name))
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory as _};

    use super::*;
    use crate::commands::Cli;

    #[test]
    fn who_asks_for_what_a_feature_brings_hears_its_name() {
        let said = |words: &[&str]| {
            let small = Command::new("teammate").subcommand(Command::new("run"));
            let read = small.try_get_matches_from([&["teammate"][..], words].concat());
            missing(&read.unwrap_err())
        };
        let worker = said(&["worker"]).unwrap();
        assert!(
            worker.starts_with("worker needs the feature `nats`"),
            "{worker}"
        );
        for flag in [&["--nats", "x"][..], &["--nats=x"], &["run", "--nats=x"]] {
            let nats = said(flag).unwrap();
            assert!(
                nats.starts_with("--nats needs the feature `nats`"),
                "{nats}"
            );
        }
        let asked = |value: Option<&str>| asked_by_variable(&NATS, |_| value.map(str::to_owned));
        let variable = asked(Some("nats://127.0.0.1")).unwrap();
        assert!(
            variable.starts_with("TEAMMATE_NATS needs the feature `nats`"),
            "{variable}"
        );
        assert_eq!([asked(Some(" ")), asked(None)], [None, None]);
        assert_eq!(said(&["worcer"]), None);
        assert_eq!(said(&["--nuts"]), None);
    }

    #[test]
    #[cfg(all(
        feature = "acp",
        feature = "mcp",
        feature = "nats",
        feature = "otel",
        feature = "web"
    ))]
    fn the_usual_build_has_all_of_it() {
        let mut all = Cli::command();
        all.build();
        let up = all.find_subcommand("up").unwrap();
        for feature in &FEATURES {
            for verb in feature.verbs {
                assert!(all.find_subcommand(verb).is_some(), "{verb}");
            }
            for flag in feature.flags {
                let name = flag.trim_start_matches('-');
                assert!(
                    up.get_arguments().any(|arg| arg.get_long() == Some(name)),
                    "{flag}"
                );
            }
        }
    }
}
