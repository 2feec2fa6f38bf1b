//! Agents of other makes as members of a team, over ACP: each gets mail and calls a tool of the team, is killed or its host is, in a
//! turn, is interrupted while a command runs, and works behind a closed plan gate. A local server is in the place of its model, a
//! play in the place of the lead's: that proves how the programs work together, not what real models make of it.

mod kills;
mod script;
mod stand;

use std::time::{Duration, Instant};

use super::{
    Came,
    acp::AGENTS,
    agents::{NODE, behind},
    chosen,
    install::node,
    model::Model,
    place::teammate,
};
use kills::Kills;
use script::Script;
use stand::Stand;

/// How long one step may take: an agent starts in seconds.
const STEP: Duration = Duration::from_secs(90);

/// Tries the agents that are named, or all, with `--kills N` kills of each, by the chance of `--seed X`.
pub(super) fn run(words: &[&str]) -> Result<Vec<(String, Came)>, String> {
    let (kills, names) = Kills::parse(words)?;
    let agents = chosen(&AGENTS, names, |agent| agent.name)?;
    let teammate = teammate()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let _in_runtime = runtime.enter();
    let tried = agents.into_iter().map(|agent| {
        let came = match node(&format!("acp-{}", agent.name), &[NODE, agent.package]) {
            Err(why) => Came::Skipped(why),
            Ok(dir) => {
                let script = Script::default();
                let decides = script.clone();
                let model = runtime.block_on(Model::start(move |asked| decides.next(asked)));
                let tried = model.and_then(|model| {
                    let stand = Stand::new(agent, &model.url(), &dir, &teammate)?;
                    let row = steps(&stand, &script, kills);
                    row.map_err(|why| format!("{why}\n{}", stand.log()))
                });
                tried.map_or_else(Came::Not, Came::Through)
            }
        };
        println!("{}: {}", agent.name, describe(&came));
        (agent.package.to_owned(), came)
    });
    Ok(tried.collect())
}

fn describe(came: &Came) -> &str {
    match came {
        Came::Through(what) => what,
        Came::Skipped(why) | Came::Not(why) => why,
    }
}

/// Everything in its order; what was seen, in a line.
fn steps(stand: &Stand<'_>, script: &Script, kills: Kills) -> Result<String, String> {
    let begun = Instant::now();
    stand.run("Go")?;
    if !stand.place().lead_heard("MESSAGE-1") {
        return Err("the lead got no MESSAGE-1 from bob".to_owned());
    }
    let mut seen = vec!["mail by the team's tool".to_owned()];
    seen.push(kills.run(2, stand, script)?);
    seen.push(stand.interrupted()?);
    stand.run("Gate")?;
    if stand.has("gated-txt") {
        return Err("it wrote behind the closed gate".to_owned());
    }
    seen.push("nothing written behind the gate".to_owned());
    let left = behind(stand.place());
    if !left.is_empty() {
        return Err(format!("left running: {}", left.join("; ")));
    }
    seen.push("nothing left".to_owned());
    let seconds = begun.elapsed().as_secs();
    Ok(format!("{}; {seconds} s", seen.join(", ")))
}
