//! Codex. It gives the servers that it starts a short environment, so that what the team needs of it is named.

use std::process::Command;

use super::{PROMPT, Scene};

pub(super) fn start(scene: &Scene) -> Result<Command, String> {
    let provider = format!(
        "model_providers.local={{name=\"local\",base_url=\"{}/v1\",env_key=\"LOCAL_KEY\",wire_api=\"responses\",\
         requires_openai_auth=false}}",
        scene.url
    );
    let server = format!(
        "mcp_servers.team={{command={:?},args=[\"mcp\",\"serve\"],env={{TEAMMATE_MODEL={:?}}}}}",
        scene.teammate, scene.play
    );
    let mut command = scene.command("codex");
    command
        .args([
            "exec",
            "--skip-git-repo-check",
            "--json",
            "-m",
            "gpt-5-codex",
        ])
        .args(["-c", "model_provider=local", "-c", &provider, "-c", &server])
        .args([
            "-c",
            "mcp_servers.team.default_tools_approval_mode=\"approve\"",
        ])
        .arg(PROMPT)
        .env("LOCAL_KEY", "none");
    Ok(command)
}
