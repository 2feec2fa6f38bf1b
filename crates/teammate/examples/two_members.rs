//! A team of two in a program of one's own: the lead spawns ada, who writes a file.
//!
//! A play takes the model's place, so this needs no key: `cargo run -p teammate --example two_members`.
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use teammate::{EventKind, Mode, Team};

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "calls": [{ "tool": "spawn_teammate", "input": {
            "name": "ada", "role": "poet", "prompt": "Write a haiku about mail to haiku.txt." } }] },
        { "calls": [{ "tool": "wait_for_team" }] },
        { "when": { "mail_from": "ada" }, "say": "ada says: {{mail}}" }
    ],
    "ada": [
        { "calls": [{ "tool": "write_file", "input": {
            "path": "haiku.txt", "content": "A letter arrives\nonce, although the lights went out\nwhile it was read.\n" } }] },
        { "say": "haiku.txt is written." }
    ]
} }"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // This program, started again, holds what members' commands start.
    teammate::begin();
    play()
}

#[tokio::main]
async fn play() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let play = dir.path().join("play.json");
    std::fs::write(&play, PLAY)?;

    // With a key: "anthropic:claude-sonnet-5-5" here, and .providers(Providers::from_env()) below.
    let model = format!("scripted:{}", play.display()).parse()?;
    let team = Team::builder(dir.path(), model)
        .mode(Mode::AcceptEdits)
        .open()
        .await?;
    let mut events = team.events();

    let ending = team.run("Have a haiku about mail written.").await?;
    while let Some(event) = events.try_next() {
        if let EventKind::ToolStarted { tool, summary, .. } = &event.what {
            println!("{}: {tool}: {summary}", event.member);
        }
    }
    println!("The lead's answer: {}", ending.text);
    team.close().await;

    print!("{}", std::fs::read_to_string(dir.path().join("haiku.txt"))?);
    Ok(())
}
