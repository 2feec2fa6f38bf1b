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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::bash::parse;

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
