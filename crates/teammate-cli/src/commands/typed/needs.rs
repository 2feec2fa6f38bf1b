//! `/needs`: what waits for the user. The full screen has a screen of its own for it.

use super::{TypedCall, TypedCommand, in_lines};
use crate::commands::needs::lines;

pub(super) const NEEDS: TypedCommand = TypedCommand {
    word: "/needs",
    usage: "",
    about: "what waits for you, by what it holds up",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let client = call.team.look().await?;
    Ok(lines(&client, call.style).await?.join("\n"))
}
