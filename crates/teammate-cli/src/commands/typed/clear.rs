//! `/clear`: a new conversation with the lead; the team stays.

use anyhow::{Context as _, bail};
use teammate::handle::Clear;
use teammate_view::t;

use super::{TypedCall, TypedCommand, in_lines};

pub(super) const CLEAR: TypedCommand = TypedCommand {
    word: "/clear",
    usage: "",
    about: "begin a new conversation with the lead; the team stays",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    if !call.words.is_empty() {
        bail!(
            "Write: /clear. It is about the lead's conversation; /compact NAME shortens another one"
        );
    }
    let before = call.state.conversation();
    call.team.ask(Clear).await.context("Not cleared")?;
    Ok(match call.team.state().await?.conversation() {
        now if now == before => t("The conversation with the lead is new already").to_owned(),
        now => t!(
            "Conversation {now} with the lead begins. {before} is kept: `teammate run --conversation {before} \"...\"` continues it",
            now,
            before
        ),
    })
}
