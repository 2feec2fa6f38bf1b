//! `/plan`: requires approved plans of a teammate, or no longer.

use anyhow::bail;
use teammate::handle::{LiftPlan, RequirePlan};
use teammate_view::t;

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::clean;

pub(super) const PLAN: TypedCommand = TypedCommand {
    word: "/plan",
    usage: "NAME ABOUT|off",
    about: "require an approved plan before a teammate does more than read",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let Some((name, about)) = call.words.split_once(char::is_whitespace) else {
        bail!("Write: /plan NAME ABOUT (what the plan is for), or /plan NAME off");
    };
    let member = call.member(name)?;
    if about.trim() == "off" {
        let done = t!("{member} no longer needs an approved plan", member);
        call.team.ask(LiftPlan { member }).await?;
        return Ok(done);
    }
    let require = RequirePlan {
        member: member.clone(),
        about: about.trim().to_owned(),
    };
    let ended = call.team.ask(require).await?;
    let ended = match ended.is_empty() {
        true => String::new(),
        false => t!(
            "; ended its background jobs: {jobs}",
            jobs = clean(&ended.join(", "))
        ),
    };
    Ok(t!(
        "{member} may only read until you approve its plan, for each new piece of work, until /plan {member} off{ended}",
        member,
        ended
    ))
}
