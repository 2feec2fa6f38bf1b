//! `/init`: has the lead write a first AGENTS.md.

use super::{TypedCall, TypedCommand, in_lines, say};
use teammate_view::t;

pub(super) const INIT: TypedCommand = TypedCommand {
    word: "/init",
    usage: "",
    about: "have the lead write AGENTS.md: what agents should know here",
    run: |call| in_lines(run(call)),
};

const JOB: &str = "\
Write AGENTS.md in the workspace: what an agent that is new here must know before it changes anything. Look at the \
repository first: its README, its build files, its tests, how its code is laid out and named. Then write, in at most a \
hundred lines: what this is; the exact commands that build it, test it, run one test and check its style; where things \
are; the conventions that the code follows; what goes wrong easily. Only what you have seen here, and nothing that holds \
for every project. If AGENTS.md is there already, correct what is wrong in it and add what is missing, and keep the rest.";

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let sent = say(call.team, &call.state, "lead", JOB).await;
    sent.map_err(anyhow::Error::msg)?;
    Ok(t("The lead writes AGENTS.md").to_owned())
}
