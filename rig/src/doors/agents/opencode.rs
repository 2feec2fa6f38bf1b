//! opencode. Its server's environment is the agent's own, with what the configuration adds.

use std::process::Command;

use serde_json::json;

use super::{PROMPT, Scene};

pub(super) fn start(scene: &Scene) -> Result<Command, String> {
    let settings = json!({
        "provider": { "local": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "local",
            "options": { "baseURL": format!("{}/v1", scene.url), "apiKey": "none" },
            "models": { "local": { "name": "local" } },
        } },
        "model": "local/local",
        "small_model": "local/local",
        "autoupdate": false,
        "mcp": { "team": {
            "type": "local",
            "command": [scene.teammate, "mcp", "serve"],
            "environment": { "TEAMMATE_MODEL": scene.play },
        } },
    });
    let file = scene.configure("opencode.json", &settings.to_string())?;
    let mut command = scene.command("opencode");
    command
        .args(["run", "--format", "json", PROMPT])
        .env("OPENCODE_CONFIG", file)
        .env("OPENCODE_DISABLE_MODELS_FETCH", "1");
    Ok(command)
}
