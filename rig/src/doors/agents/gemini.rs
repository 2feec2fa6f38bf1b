//! Gemini CLI. In a folder that is not trusted it leaves the server out without a word.

use std::process::Command;

use serde_json::json;

use super::{PROMPT, Scene};

pub(super) fn start(scene: &Scene) -> Result<Command, String> {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "mcpServers": { "team": {
            "command": scene.teammate,
            "args": ["mcp", "serve"],
            "env": { "TEAMMATE_MODEL": scene.play },
            "trust": true,
        } },
    });
    scene.configure(".gemini/settings.json", &settings.to_string())?;
    let mut command = scene.command("gemini");
    command
        .args(["-m", "gemini-2.5-pro", "-p", PROMPT])
        .env("GEMINI_API_KEY", "none")
        .env("GOOGLE_GEMINI_BASE_URL", &scene.url)
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    Ok(command)
}
