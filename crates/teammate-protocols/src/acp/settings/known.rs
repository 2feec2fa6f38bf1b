//! Makes of agents that are known by name: how each is usually started, and which variables lead it to files of its own.

use super::Login;

/// A make.
pub(super) struct Make {
    pub(super) name: &'static str,
    pub(super) command: &'static [&'static str],
    /// The best mode: its commands run there within our walls, and it asks if it can.
    pub(super) mode: Option<&'static str>,
    pub(super) gated_mode: Option<&'static str>,
    /// Where its users' models are.
    pub(super) network: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

/// All of them, in the order in which they are listed.
pub(super) const MAKES: [Make; 5] = [
    Make {
        name: "claude-code",
        command: &["claude-agent-acp"],
        mode: Some("default"),
        gated_mode: Some("default"),
        network: &["api.anthropic.com", "*.anthropic.com", "claude.ai"],
        variables: &[("CLAUDE_CONFIG_DIR", ".claude")],
    },
    Make {
        name: "codex",
        command: &["codex-acp"],
        // In every other one each command gets a sandbox of its own make, which cannot be made within ours.
        mode: Some("agent-full-access"),
        gated_mode: Some("agent-full-access"),
        network: &["api.openai.com", "auth.openai.com", "chatgpt.com"],
        variables: &[("CODEX_HOME", ".codex")],
    },
    Make {
        name: "gemini",
        command: &["gemini", "--acp"],
        mode: Some("default"),
        gated_mode: Some("default"),
        network: &["*.googleapis.com", "accounts.google.com"],
        variables: &[],
    },
    Make {
        name: "opencode",
        command: &["opencode", "acp"],
        mode: None,
        gated_mode: None,
        network: &["opencode.ai", "models.dev"],
        variables: &[],
    },
    Make {
        name: "qwen",
        command: &["qwen", "--acp"],
        mode: Some("default"),
        gated_mode: Some("default"),
        network: &["*.aliyuncs.com", "chat.qwen.ai"],
        variables: &[],
    },
];

/// The make of this name.
pub(super) fn make(name: &str) -> Option<&'static Make> {
    MAKES.iter().find(|make| make.name == name)
}

impl Make {
    pub(super) fn login(&self) -> Login {
        Login {
            copied: Vec::new(),
            variables: self.variables.to_vec(),
        }
    }
}
