//! Qwen Code. Its model finds the team's tools by one tool and calls them by another.

use std::process::Command;

use serde_json::json;

use super::{PROMPT, Scene};

pub(super) fn start(scene: &Scene) -> Result<Command, String> {
    let settings = json!({
        "security": { "auth": { "selectedType": "openai" } },
        "mcpServers": { "team": {
            "command": scene.teammate,
            "args": ["mcp", "serve"],
            "env": { "TEAMMATE_MODEL": scene.play },
            "trust": true,
        } },
    });
    scene.configure(".qwen/settings.json", &settings.to_string())?;
    let mut command = scene.command("qwen");
    command
        .args(["-p", PROMPT])
        .env("OPENAI_API_KEY", "none")
        .env("OPENAI_BASE_URL", format!("{}/v1", scene.url))
        .env("OPENAI_MODEL", "local");
    Ok(command)
}
