//! Keys of front matter that other programs know and we do not read: whether one could have limited something. Then the file is not
//! used; what only adds is passed over with a remark.

use teammate_core::name::{edit_distance, slips_max};

use super::front_matter::FrontMatter;

/// The keys of a kind of file.
pub(super) struct FrontKeys {
    /// Those that are read.
    pub(super) read: &'static [&'static str],
    /// Those that would limit what is done, and do not here.
    pub(super) limits: &'static [&'static str],
    /// Those that are for people and catalogues.
    pub(super) silent: &'static [&'static str],
}

/// Of agent definitions.
pub(super) const OF_AGENTS: FrontKeys = FrontKeys {
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
        "maxTurns",
        "max_turns",
        "hooks",
        "readonly",
        "sandbox",
        "timeout",
        "permission",
        "permissions",
    ],
    silent: &["color", "version", "author", "license", "metadata"],
};

/// Of skills.
pub(super) const OF_SKILLS: FrontKeys = FrontKeys {
    read: &["name", "description", "disable-model-invocation"],
    limits: &["hooks", "disallowed-tools", "permissions"],
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

impl FrontKeys {
    /// Remarks about keys that mean nothing here.
    ///
    /// # Errors
    ///
    /// Why the file is not used: a key limits something, or is one that is read, misspelt.
    pub(super) fn check(&self, front: &FrontMatter) -> Result<Vec<String>, String> {
        let mut remarks = Vec::new();
        for key in front.keys() {
            if self.read.contains(&key) || self.silent.contains(&key) {
                continue;
            }
            if self.limits.contains(&key) {
                return Err(format!(
                    "says '{key}', which would limit it and is not supported"
                ));
            }
            let slips = |known: &&&str| edit_distance(key, known);
            let near = self.read.iter().min_by_key(slips);
            match near {
                Some(near) if slips(&near) <= slips_max(key.len().min(near.len())) => {
                    return Err(format!("says '{key}'; did you mean '{near}'?"));
                }
                Some(_) | None => {
                    remarks.push(format!("'{key}' has no meaning here and is passed over"));
                }
            }
        }
        Ok(remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(keys: &FrontKeys, line: &str) -> Result<Vec<String>, String> {
        let text = format!("---\nname: a\ndescription: d\n{line}\n---\n");
        keys.check(&FrontMatter::read(&text).unwrap())
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
            (&OF_AGENTS, "color: red"),
            (&OF_AGENTS, "tools: Read"),
            (&OF_SKILLS, "allowed-tools: Bash"),
        ] {
            assert_eq!(checked(keys, line), Ok(Vec::new()), "{line}");
        }
    }
}
