//! `/hooks`: the hooks that count here. A team has those that were there when it was opened.

use super::{TypedCall, TypedCommand, in_lines};
use crate::commands::hooks::{found, hook_lines};

pub(super) const HOOKS: TypedCommand = TypedCommand {
    word: "/hooks",
    usage: "",
    about: "commands of yours that run at events",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    Ok(hook_lines(&found(call.place)?, call.style).join("\n"))
}
