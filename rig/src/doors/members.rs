//! Agents of other makes as members of a team, over ACP: each gets mail and sends some by a tool of the team, takes a task of its board
//! and completes it, asks before a command, is killed or its host is, in a turn, is interrupted while a command runs, and works behind a closed plan gate. A
//! local server is in the place of its model, a play in the place of the lead's: that proves how the programs work together, not what
//! real models make of it.

mod kills;
mod script;
mod stand;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{
    Came,
    acp::{AGENTS, Agent},
    agents::behind,
    chosen,
    model::Model,
    place::teammate,
};
use crate::listed::{Fetching, List};
use kills::Kills;
use script::Script;
use stand::Stand;

/// How long one step may take: an agent starts in seconds.
const STEP: Duration = Duration::from_secs(90);

/// Tries the agents that are named, or all, with `--kills N` kills of each, by the chance of `--seed X`.
pub(super) fn run(words: &[&str]) -> Result<Vec<(String, Came)>, String> {
    let (kills, names) = Kills::parse(words)?;
    let agents = chosen(&AGENTS, names, |agent| agent.name)?;
    let (list, teammate) = (List::read()?, teammate()?);
    let tried = agents.into_iter().map(|agent| {
        let installed = list.agent(agent.name).and_then(|row| {
            row.package
                .fetched(&format!("acp-{}", agent.name), Fetching::Allowed)
        });
        let came = match installed {
            Err(why) => Came::Skipped(why),
            Ok(dir) => tried(agent, &dir, &teammate, kills).map_or_else(Came::Not, Came::Through),
        };
        println!("{}: {}", agent.name, describe(&came));
        (agent.name.to_owned(), came)
    });
    Ok(tried.collect())
}

/// Tries the agent of this name, which is installed in `dir`, with few kills.
pub(crate) fn came(name: &str, dir: &Path, teammate: &Path) -> Result<String, String> {
    let found = AGENTS.iter().find(|agent| agent.name == name);
    let agent = found.ok_or_else(|| format!("how '{name}' is started is not known"))?;
    let (kills, _) = Kills::parse(&[])?;
    tried(agent, dir, teammate, kills)
}

fn tried(agent: &Agent, dir: &Path, teammate: &Path, kills: Kills) -> Result<String, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let _in_runtime = runtime.enter();
    let script = Script::default();
    let decides = script.clone();
    let model = runtime.block_on(Model::start(move |asked| decides.next(asked)))?;
    let stand = Stand::new(agent, &model.url(), dir, teammate)?;
    steps(&stand, &script, kills).map_err(|why| format!("{why}\n{}", stand.log()))
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
    seen.push(stand.board()?);
    seen.push(stand.permission()?);
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
