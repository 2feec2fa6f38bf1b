//! `/interrupt`: ends turns; a message lets the members continue.

use teammate::handle::Interrupt;

use super::{TypedCall, TypedCommand, in_lines};

pub(super) const INTERRUPT: TypedCommand = TypedCommand {
    word: "/interrupt",
    usage: "[NAME]",
    about: "end the turn of NAME, or all turns; a message lets them go on",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let member = match call.words {
        "" => None,
        name => Some(call.member(name)?),
    };
    let interrupt = Interrupt {
        member: member.clone(),
    };
    call.team.ask(interrupt).await?;
    Ok(match member {
        Some(member) => format!("Interrupted {member}"),
        None => "Interrupted all turns".to_owned(),
    })
}
