//! `/shutdown`: stops a teammate.

use std::time::Duration;

use anyhow::bail;
use teammate::handle::ShutDown;

use super::{TypedCall, TypedCommand, in_lines};

pub(super) const SHUTDOWN: TypedCommand = TypedCommand {
    word: "/shutdown",
    usage: "NAME [now]",
    about: "stop a teammate",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let mut words = call.words.split_whitespace();
    let (name, within) = match (words.next(), words.next(), words.next()) {
        (Some("lead"), ..) => bail!("The lead cannot be shut down alone: /quit closes the team"),
        (Some(name), None, None) => (name, None),
        (Some(name), Some("now"), None) => (name, Some(Duration::ZERO)),
        _ => bail!("Write: /shutdown NAME [now]"),
    };
    let member = call.member(name)?;
    call.team.ask(ShutDown { member, within }).await?;
    Ok(String::new())
}
