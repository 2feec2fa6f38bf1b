//! Claude Code. It shows its model the names of the team's tools only, and their schemas when the model looks for them.

use std::process::Command;

use serde_json::json;

use super::{PROMPT, Scene};

pub(super) fn start(scene: &Scene) -> Result<Command, String> {
    let servers = json!({ "mcpServers": { "team": {
        "command": scene.teammate,
        "args": ["mcp", "serve"],
        "env": { "TEAMMATE_MODEL": scene.play },
    } } });
    let mut command = scene.command("claude");
    command
        .args([
            "-p",
            PROMPT,
            "--model",
            "claude-sonnet-4-5",
            "--strict-mcp-config",
        ])
        .args(["--mcp-config", &servers.to_string()])
        .args(["--allowedTools", "mcp__team__*"])
        .env("ANTHROPIC_BASE_URL", &scene.url)
        .env("ANTHROPIC_API_KEY", "none")
        // It refuses to run as root otherwise.
        .env("IS_SANDBOX", "1");
    Ok(command)
}
