//! Two programs on the official Rust SDK: `acp-sdk editor TEAMMATE WORKSPACE` drives `teammate acp` through the story of
//! `editor.py`, and `acp-sdk agent` is an agent that does what its prompts say.

mod agent;
mod editor;

use std::{env, process::ExitCode};

use agent_client_protocol::Error;

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words[..] {
        ["editor", teammate, work] => editor::story(teammate, work).await,
        ["agent"] => agent::serve().await,
        _ => Err(Error::invalid_params().data("usage: acp-sdk editor TEAMMATE WORKSPACE | agent")),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:?}");
            ExitCode::FAILURE
        }
    }
}
