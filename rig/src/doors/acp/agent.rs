//! The agents that are measured: what has each speak with the local model. Their versions are in `rig/wild.toml`.

use std::path::Path;

/// An agent.
pub(in crate::doors) struct Agent {
    /// By which name `teammate` knows it.
    pub(in crate::doors) name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    environment: fn(&str) -> Vec<(&'static str, String)>,
    /// What is in its home, by path.
    pub(in crate::doors) files: fn(&str) -> Vec<(&'static str, String)>,
}

pub(in crate::doors) const AGENTS: [Agent; 5] = [
    Agent {
        name: "claude-code",
        program: "claude-agent-acp",
        arguments: &[],
        environment: |url| {
            vec![
                ("ANTHROPIC_BASE_URL", url.to_owned()),
                ("ANTHROPIC_API_KEY", "none".to_owned()),
                // It refuses to run as root otherwise.
                ("IS_SANDBOX", "1".to_owned()),
            ]
        },
        files: |_| Vec::new(),
    },
    Agent {
        name: "codex",
        program: "codex-acp",
        arguments: &[],
        environment: |_| vec![("LOCAL_KEY", "none".to_owned())],
        files: |url| {
            let config = format!(
                "model = \"gpt-5-codex\"\nmodel_provider = \"local\"\n\n[model_providers.local]\nname = \"local\"\n\
                 base_url = \"{url}/v1\"\nenv_key = \"LOCAL_KEY\"\nwire_api = \"responses\"\nrequires_openai_auth = false\n"
            );
            vec![(".codex/config.toml", config)]
        },
    },
    Agent {
        name: "qwen",
        program: "qwen",
        arguments: &["--acp"],
        environment: |url| {
            vec![
                ("OPENAI_API_KEY", "none".to_owned()),
                ("OPENAI_BASE_URL", format!("{url}/v1")),
                ("OPENAI_MODEL", "local".to_owned()),
            ]
        },
        files: |_| {
            let settings = r#"{"security": {"auth": {"selectedType": "openai"}}}"#;
            vec![(".qwen/settings.json", settings.to_owned())]
        },
    },
    Agent {
        name: "gemini",
        program: "gemini",
        arguments: &["--acp", "-m", "gemini-2.5-pro"],
        environment: |url| {
            vec![
                ("GEMINI_API_KEY", "none".to_owned()),
                ("GOOGLE_GEMINI_BASE_URL", url.to_owned()),
                ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
            ]
        },
        files: |_| {
            let settings = r#"{"security": {"auth": {"selectedType": "gemini-api-key"}}}"#;
            vec![(".gemini/settings.json", settings.to_owned())]
        },
    },
    Agent {
        name: "opencode",
        program: "opencode",
        arguments: &["acp"],
        environment: |_| vec![("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned())],
        files: |url| {
            let settings = serde_json::json!({
                "provider": { "local": {
                    "npm": "@ai-sdk/openai-compatible",
                    "name": "local",
                    "options": { "baseURL": format!("{url}/v1"), "apiKey": "none" },
                    "models": { "local": { "name": "local" } },
                } },
                "model": "local/local",
                "small_model": "local/local",
                "autoupdate": false,
            });
            vec![(".config/opencode/opencode.json", settings.to_string())]
        },
    },
];

impl Agent {
    /// Its entry in the configuration.
    pub(in crate::doors) fn entry(&self, url: &str, programs: &Path) -> String {
        let command = programs.join(self.program).display().to_string();
        let arguments = self.arguments.iter().map(ToString::to_string);
        let words: Vec<String> = [command].into_iter().chain(arguments).collect();
        let files = (self.files)(url);
        let copied: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        let mut entry = format!(
            "[agent.{}]\ncommand = {words:?}\nmax_memory_mb = 4000\ncopy = {copied:?}\n\n[agent.{}.env]\n",
            self.name, self.name
        );
        for (name, value) in (self.environment)(url) {
            entry.push_str(&format!("{name} = {value:?}\n"));
        }
        entry
    }
}
