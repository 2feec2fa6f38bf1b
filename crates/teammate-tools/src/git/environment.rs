//! Environments for git: settings by `GIT_CONFIG_COUNT`, which takes names as they are, whatever is in them.

use crate::environment::{forced_no_terminal, with_no_terminal};

/// An environment for a child process.
pub(crate) type Environment = Vec<(String, String)>;

const COUNT: &str = "GIT_CONFIG_COUNT";

/// Variables for git that say where the user's own configuration is. The program's git inherits no others.
const OF_THE_USER: [&str; 3] = [
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
];

/// What members' own git gets: no directory is a repository merely because it looks like one, and no program is
/// started to watch files.
const FOR_MEMBERS: [(&str, &str); 2] = [
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),
];

/// The environment with these settings for git after those that it gives already.
pub(crate) fn with_settings<'a>(
    environment: impl IntoIterator<Item = (String, String)>,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Environment {
    let mut environment: Environment = environment.into_iter().collect();
    let given = environment
        .iter()
        .position(|(name, _)| name == COUNT)
        .map(|at| environment.remove(at).1);
    let mut count: usize = given.and_then(|count| count.parse().ok()).unwrap_or(0);
    for (key, value) in settings {
        environment.push((format!("GIT_CONFIG_KEY_{count}"), key.to_owned()));
        environment.push((format!("GIT_CONFIG_VALUE_{count}"), value.to_owned()));
        count += 1;
    }
    environment.push((COUNT.to_owned(), count.to_string()));
    environment
}

/// The environment of members' commands.
pub(crate) fn for_members(environment: &[(String, String)]) -> Environment {
    with_settings(with_no_terminal(environment), FOR_MEMBERS)
}

/// The environment of the program's own git: what it inherits of this one, and no terminal.
pub(crate) fn inherited(environment: &[(String, String)]) -> Environment {
    let is_inherited = |name: &str| !name.starts_with("GIT_") || OF_THE_USER.contains(&name);
    let kept = environment.iter().filter(|(name, _)| is_inherited(name));
    forced_no_terminal(kept.cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_after_those_of_the_user() {
        let own = [
            (COUNT, "1"),
            ("GIT_CONFIG_KEY_0", "a.b"),
            ("GIT_CONFIG_VALUE_0", "c"),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let all = with_settings(own, [("filter.a=b.clean", "")]);
        let has = |name: &str, value: &str| all.contains(&(name.to_owned(), value.to_owned()));
        assert!(has(COUNT, "2") && has("GIT_CONFIG_KEY_0", "a.b"));
        assert!(has("GIT_CONFIG_KEY_1", "filter.a=b.clean") && has("GIT_CONFIG_VALUE_1", ""));
    }

    #[test]
    fn of_git_s_variables_only_the_place_of_the_user_s_configuration_is_inherited() {
        let given = ["PATH", "GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL"];
        let given = given.map(|name| (name.to_owned(), "x".to_owned()));
        let all = inherited(&given).into_iter();
        let names: Vec<String> = all
            .filter(|(_, value)| value == "x")
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["PATH", "GIT_CONFIG_GLOBAL"]);
    }
}
