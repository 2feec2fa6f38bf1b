//! A tool of one's own: members call `forecast`, which is a function of this program.
//!
//! A play takes the model's place, so this needs no key: `cargo run -p teammate --example own_tool`.
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use serde::Deserialize;
use serde_json::json;
use teammate::{EffectClass, FunctionTool, Outcome, Team};

const PLAY: &str = r#"{ "members": { "lead": [
    { "calls": [{ "tool": "forecast", "input": { "city": "Lisbon", "days": 2 } }] },
    { "calls": [{ "tool": "forecast", "input": { "city": "Lisbon", "days": "two" } }] },
    { "calls": [{ "tool": "forecast", "input": { "city": "Lisbon", "days": 2, "only_cached": true } }] },
    { "say": "Take an umbrella." }
] } }"#;

#[derive(Deserialize)]
struct Forecast {
    city: String,
    days: u32,
}

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

    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string" },
            "days": { "type": "integer", "description": "How many days from today" }
        },
        "required": ["city", "days"]
    });
    let forecast = FunctionTool::new(
        "forecast",
        "Says what the weather of a city will be.",
        &schema,
        // It only looks, so nobody is asked, and a call may run again after a crash.
        EffectClass::Reads,
        async |input: Forecast, context| {
            println!("{} asks about {}", context.caller.name, input.city);
            Outcome::ok(format!("{}: {} days of rain", input.city, input.days))
        },
    );

    let team = Team::builder(dir.path(), format!("scripted:{}", play.display()).parse()?)
        .tool(forecast)
        .open()
        .await?;
    let ending = team.run("What do I need in Lisbon?").await?;
    println!("The lead's answer: {}", ending.text);
    team.close().await;

    let remembered =
        std::fs::read_to_string(dir.path().join(".team/agents/lead/transcript.jsonl"))?;
    assert!(remembered.contains("Lisbon: 2 days of rain"));
    assert!(
        remembered.contains("The arguments do not fit"),
        "the second call"
    );
    assert!(
        remembered.contains("forecast has no argument 'only_cached'. It has: city, days."),
        "the third call"
    );
    Ok(())
}
