//! `/cost`: tokens and money spent, by member.

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::cost_lines;

pub(super) const COST: TypedCommand = TypedCommand {
    word: "/cost",
    usage: "",
    about: "tokens and money spent, by member",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let mut tables = Vec::new();
    let (all, prices) = match call.team.hosted() {
        Some(team) => {
            tables.push("Since the team was opened:".to_owned());
            tables.extend(cost_lines(&team.session_spending(), team.prices()));
            (team.spending(), team.prices().clone())
        }
        None => {
            let all = call.team.look().await?.spending().await?;
            (all, call.place.options.prices()?)
        }
    };
    tables.push("In all runs of the team:".to_owned());
    tables.extend(cost_lines(&all, &prices));
    Ok(tables.join("\n"))
}
