//! `/context`: how full the context of each member is.

use super::{TypedCall, TypedCommand, in_lines};
use teammate::with_thousands;
use teammate_view::t;
use teammate_view::{Story, tokens};

pub(super) const CONTEXT: TypedCommand = TypedCommand {
    word: "/context",
    usage: "",
    about: "how full each member's context is, as of its last answer",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let view = call.view().await?;
    let members = view.team().members();
    let lines = members.map(|member| {
        let name = call.style.name(member.name.as_str());
        let used = view.story(&member.name).and_then(Story::context);
        let Some(context) = used else {
            return t!("  {name}: no answer yet", name);
        };
        let used = tokens(Some(context.used), context.estimated, with_thousands);
        match (view.context(&member.name), context.limit) {
            (Some(percent), Some(limit)) => {
                let limit = with_thousands(limit);
                t!(
                    "  {name}: {percent} %, {used} of {limit} tokens",
                    name,
                    percent,
                    used,
                    limit
                )
            }
            (Some(_), None) | (None, _) => {
                t!(
                    "  {name}: {used} tokens; the catalogue does not know the model's limit",
                    name,
                    used
                )
            }
        }
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
