//! Keys of front matter: those that are read, those that would have limited something, and those that need no word.

use teammate_core::known_keys::KnownKeys;

use teammate_tools::instructions::FrontMatter;

const HOOKS: &str = "hooks stand in hooks.json and .teammate/hooks.json";
const RULES: &str = "write `tools` or `disallowedTools`, or rules that deny";
const COMMANDS: &str =
    "a command is only words, which the lead follows with the rights that it has";
const LOOPS: &str = "budgets and limits of the configuration hold for every member";

/// Of agent definitions.
pub(super) const OF_AGENTS: KnownKeys = KnownKeys {
    read: &[
        "name",
        "description",
        "model",
        "engine",
        "effort",
        "fallback",
        "permission_mode",
        "permissionMode",
        "tools",
        "disallowedTools",
        "disallowed_tools",
        "isolation",
        "worktree",
        "on",
    ],
    limits: &[
        ("maxTurns", LOOPS),
        ("max_turns", LOOPS),
        ("hooks", HOOKS),
        ("readonly", "write `tools: Read, Glob, Grep`"),
        ("sandbox", "commands always run in the sandbox of the team"),
        ("timeout", ""),
        ("permission", RULES),
        ("permissions", RULES),
    ],
    silent: &["color", "version", "author", "license", "metadata"],
};

/// Of skills.
pub(super) const OF_SKILLS: KnownKeys = KnownKeys {
    read: &["name", "description", "disable-model-invocation"],
    limits: &[
        ("hooks", HOOKS),
        ("disallowed-tools", RULES),
        ("permissions", RULES),
    ],
    // What a skill may do without asking is asked about here in any case; and models call it, not people.
    silent: &[
        "allowed-tools",
        "argument-hint",
        "user-invocable",
        "when_to_use",
        "version",
        "author",
        "license",
        "metadata",
        "compatibility",
    ],
};

/// Of commands of the prompt. What they grant elsewhere is asked about here in any case.
pub(super) const OF_COMMANDS: KnownKeys = KnownKeys {
    read: &["description", "argument-hint"],
    limits: &[
        ("hooks", HOOKS),
        ("disallowed-tools", COMMANDS),
        ("disallowedTools", COMMANDS),
        ("tools", COMMANDS),
        ("mode", COMMANDS),
        ("permissions", COMMANDS),
        ("sandbox", COMMANDS),
        ("readonly", COMMANDS),
    ],
    silent: &[
        "name",
        "model",
        "allowed-tools",
        "disable-model-invocation",
        "version",
        "author",
    ],
};

/// Remarks about keys that mean nothing here.
///
/// # Errors
///
/// Why the file is not used: a key limits something, or is one that is read, misspelt.
pub(super) fn check(keys: &KnownKeys, front: &FrontMatter) -> Result<Vec<String>, String> {
    keys.check(front.keys().map(|key| (key, front.says_anything(key))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(keys: &KnownKeys, line: &str) -> Result<Vec<String>, String> {
        let text = format!("---\nname: a\ndescription: d\n{line}\n---\n");
        check(keys, &FrontMatter::read(&text).unwrap())
    }

    #[test]
    fn a_key_that_would_limit_is_an_error_and_one_that_only_adds_a_remark() {
        for (keys, line, key) in [
            (&OF_AGENTS, "maxTurns: 3", "maxTurns"),
            (
                &OF_AGENTS,
                "hooks:\n  PreToolUse:\n    - matcher: Bash",
                "hooks",
            ),
            (&OF_AGENTS, "readonly: true", "readonly"),
            (&OF_AGENTS, "disallowedTool: Bash", "disallowedTools"),
            (&OF_AGENTS, "tool: Read", "tools"),
            (&OF_SKILLS, "hooks:\n  Stop: []", "hooks"),
            (&OF_COMMANDS, "tools: [Read]", "tools"),
            (&OF_COMMANDS, "mode: plan", "mode"),
            (&OF_COMMANDS, "descripton: x", "description"),
            (
                &OF_SKILLS,
                "disable-model-invokation: true",
                "disable-model-invocation",
            ),
        ] {
            let why = checked(keys, line).unwrap_err();
            assert!(why.contains(&format!("'{key}'")), "{line}: {why}");
        }
        for (keys, line) in [
            (&OF_AGENTS, "memory: project"),
            (&OF_AGENTS, "background: true"),
            (&OF_AGENTS, "skills: [pdf]"),
            (&OF_AGENTS, "mcpServers: [github]"),
            (&OF_COMMANDS, "context: fork"),
            (&OF_SKILLS, "context: fork"),
            (&OF_SKILLS, "agent: explore"),
            (&OF_SKILLS, "model: opus"),
        ] {
            let remarks = checked(keys, line).unwrap();
            let key = line.split(':').next().unwrap();
            assert!(
                remarks.iter().any(|remark| remark.contains(key)),
                "{line}: {remarks:?}"
            );
        }
        for (keys, line) in [
            (&OF_COMMANDS, "allowed-tools: Bash(git:*)"),
            (&OF_COMMANDS, "model: opus"),
            (&OF_AGENTS, "color: red"),
            (&OF_AGENTS, "readonly: false"),
            (&OF_AGENTS, "tools: Read"),
            (&OF_SKILLS, "allowed-tools: Bash"),
        ] {
            assert_eq!(checked(keys, line), Ok(Vec::new()), "{line}");
        }
    }
}
