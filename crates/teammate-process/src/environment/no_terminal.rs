//! Keeps programs from waiting for a person at a terminal, and from printing for one. This is the one table for everything
//! that is started without a terminal: commands of members, checks, hooks, servers of tools, external agents and the
//! program's own git.

/// An environment for a child process.
pub type Environment = Vec<(String, String)>;

/// The variables and their values. Not among them, because they change what a program does and not only how it asks:
///
/// - `CI`: tests and builds would fail or pass otherwise than for the user (frozen lock files, warnings as errors).
/// - `npm_config_yes` and the like: they say yes in the user's place.
/// - `NO_COLOR`: `TERM=dumb` does it, and tests of colours may set their own `TERM`.
///
/// `LESS` is not needed: where the output is no terminal, less passes on what it reads.
const NO_TERMINAL: [(&str, &str); 15] = [
    // An editor that leaves the text as it is: `git commit` without a message fails at once, `git rebase --continue` goes on.
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    // Questions for user names, passwords, host keys and settings fail at once, also where a program could open a window.
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("GCM_INTERACTIVE", "never"),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    // Pages come whole. Git, man and systemd have settings that count more than `PAGER`.
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    // Programs that ask nothing but this print no escape codes.
    ("TERM", "dumb"),
];

fn has(name: &str) -> bool {
    NO_TERMINAL.iter().any(|(known, _)| *known == name)
}

fn all() -> impl Iterator<Item = (String, String)> {
    NO_TERMINAL
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
}

/// The environment of a command that has no terminal. What it gives already stays: the user passes it on by configuration.
pub fn with_no_terminal(environment: &[(String, String)]) -> Environment {
    let is_given = |name: &str| environment.iter().any(|(given, _)| given == name);
    let rest = all().filter(|(name, _)| !is_given(name));
    environment.iter().cloned().chain(rest).collect()
}

/// Forces a program to do without a terminal, whatever the environment says: the program's own git waits for nobody, whatever
/// the user's does.
pub fn forced_no_terminal(environment: impl IntoIterator<Item = (String, String)>) -> Environment {
    let kept = environment.into_iter().filter(|(name, _)| !has(name));
    kept.chain(all()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(environment: &'a Environment, name: &str) -> Vec<&'a str> {
        let found = environment.iter().filter(|(known, _)| known == name);
        found.map(|(_, value)| &**value).collect()
    }

    fn given() -> Environment {
        [("PATH", "/bin"), ("GIT_EDITOR", "ed"), ("TERM", "xterm")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    #[test]
    fn what_the_user_passes_on_stays_for_members_and_not_for_the_program_s_git() {
        let members = with_no_terminal(&given());
        assert_eq!(value(&members, "GIT_EDITOR"), ["ed"]);
        assert_eq!(value(&members, "TERM"), ["xterm"]);
        assert_eq!(value(&members, "PAGER"), ["cat"]);
        let own = forced_no_terminal(given());
        assert_eq!(value(&own, "GIT_EDITOR"), ["true"]);
        assert_eq!(value(&own, "TERM"), ["dumb"]);
        assert_eq!(value(&own, "PATH"), ["/bin"]);
    }
}
