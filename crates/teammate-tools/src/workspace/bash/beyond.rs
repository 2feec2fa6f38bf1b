//! Programs that the sandbox keeps from what they need, by name: where one fails, the member reads why, since the
//! program's own message does not say it.

use teammate_core::permission::Script;

/// The programs, and what the sandbox keeps from them.
const PROGRAMS: &[(&[&str], &str)] = &[
    (
        &["docker", "docker-compose", "nerdctl", "podman"],
        "the sandbox hides the sockets of container engines, unless the user shows them; ask the user to run it",
    ),
    (
        &["rsync", "scp", "sftp", "ssh", "ssh-add"],
        "the sandbox hides keys and agents, and connects by its proxy only, unless the user opens both; https goes through the proxy",
    ),
    (
        &["doas", "su", "sudo"],
        "nothing gains privileges in the sandbox; ask the user to run it",
    ),
];

/// A line for each of them in a command that failed; empty if there is none.
pub(super) fn remark(script: &Script) -> String {
    let Script::Parsed { commands, .. } = script else {
        return String::new();
    };
    let programs = commands.iter().filter_map(|words| words.first()?.known());
    let names: Vec<&str> = programs
        .map(|program| program.rsplit('/').next().unwrap_or(program))
        .collect();
    let found = PROGRAMS.iter().filter_map(|(known, why)| {
        let name = names.iter().find(|name| known.contains(name))?;
        Some(format!("[{name}: {why}.]\n"))
    });
    found.collect()
}

/// Messages of git where it could not write its settings or hooks.
const GIT_SETTINGS: &[&str] = &[
    "could not write config file",
    "could not lock config file",
    "unable to write upstream branch configuration",
    "could not set up tracking",
];
/// Messages of programs where they could not write a file that is read-only.
const READ_ONLY: &[&str] = &["Read-only file system", "Device or resource busy"];
/// Below a repository, what is read-only.
const GIT_READ_ONLY: &[&str] = &[".git/hooks", ".git/info", ".git/config", ".git/modules"];

/// Where a command could not write what decides what git runs: why, and which way there is. By what it printed.
pub(super) fn git_remark(printed: &str) -> &'static str {
    let says = |words: &[&str], line: &str| words.iter().any(|word| line.contains(word));
    let is_about_git = |line: &str| {
        says(GIT_SETTINGS, line) || (says(READ_ONLY, line) && says(GIT_READ_ONLY, line))
    };
    match printed.lines().any(is_about_git) {
        true => {
            "[git's settings and hooks (.git/config, .git/hooks, .git/info) are read-only in commands, because they decide what the \
             user's git runs. For this command alone a setting goes by 'git -c KEY=VALUE ...'; push without -u ('git push origin \
             BRANCH'), switch with --no-track, name a remote by its URL. What is to last, the user sets: say which command. That is \
             'git submodule init PATH' for a submodule that is not registered; then 'git submodule update' works here.]\n"
        }
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::bash::parse;

    #[test]
    fn git_that_could_not_write_its_settings_names_the_way() {
        for (printed, is_named) in [
            (
                "error: could not write config file .git/config: Device or resource busy",
                true,
            ),
            (
                "error: could not lock config file /w/.git/config: Read-only file system",
                true,
            ),
            ("bash: .git/hooks/pre-commit: Read-only file system", true),
            ("bash: /usr/x: Read-only file system", false),
            ("fatal: not a git repository: .git/config", false),
        ] {
            assert_eq!(!git_remark(printed).is_empty(), is_named, "{printed}");
        }
    }

    #[test]
    fn programs_that_need_what_the_sandbox_hides_are_named() {
        for (script, named) in [
            ("docker ps", &["docker"][..]),
            ("/usr/bin/ssh host true", &["ssh"]),
            ("cd x && sudo make install; ssh a", &["ssh", "sudo"]),
            ("make docker", &[]),
            ("echo sudo", &[]),
            ("git push", &[]),
        ] {
            let text = remark(&parse::read(script, "/work"));
            let found: Vec<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix('[')?.split(':').next())
                .collect();
            assert_eq!(found, named, "{script}");
        }
    }
}
