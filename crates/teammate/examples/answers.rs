//! Questions answered from code: the program decides what members may run, and follows the events as a stream.
//!
//! A play takes the model's place, so this needs no key: `cargo run -p teammate --example answers`.
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use std::{pin::pin, time::Duration};

use teammate::{
    EventKind, Team,
    request::{Answer, PermissionRequest},
};

const PLAY: &str = r#"{ "members": { "lead": [
    { "calls": [{ "tool": "bash", "input": { "command": "echo made > made.txt" } }] },
    { "calls": [{ "tool": "bash", "input": { "command": "rm made.txt" } }] },
    { "say": "That is all." }
] } }"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // This program, started again, holds what members' commands start.
    teammate::begin();
    work()
}

#[tokio::main]
async fn work() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let play = dir.path().join("play.json");
    std::fs::write(&play, PLAY)?;

    let team = Team::builder(dir.path(), format!("scripted:{}", play.display()).parse()?)
        .instructions("Never remove what you made.")
        .on_question(Duration::from_secs(60), async |question| {
            let removes = |ask: &PermissionRequest| ask.shows.contains("rm ");
            Some(if question.permission().is_some_and(removes) {
                Answer::no("nothing is removed here")
            } else {
                Answer::yes()
            })
        })
        .open()
        .await?;

    let events = team.events();
    let watching = tokio::spawn(async move {
        let mut events = pin!(events);
        while let Some(event) = events.next().await {
            if let EventKind::PermissionAnswered { allowed, by, .. } = &event.what {
                println!(
                    "{}: {} by {by}",
                    event.member,
                    if *allowed { "allowed" } else { "refused" }
                );
            }
        }
    });
    let ending = team.run("Make a file.").await?;
    println!("The lead's answer: {}", ending.text);
    team.close().await;
    watching.await?;

    assert!(dir.path().join("made.txt").exists());
    Ok(())
}
