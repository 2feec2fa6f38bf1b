//! Agents of other makes as members of a team, over ACP: each gets mail and calls a tool of the team, is killed with its host in a
//! turn, is interrupted while a command runs, and works behind a closed plan gate. A local server is in the place of its model, a
//! play in the place of the lead's: that proves how the programs work together, not what real models make of it.

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
use script::Script;
use stand::Stand;

/// How long one step may take: an agent starts in seconds.
const STEP: Duration = Duration::from_secs(90);

/// Tries the agents that are named, or all.
pub(super) fn run(names: &[&str]) -> Result<Vec<(String, Came)>, String> {
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
                    let row = steps(&stand, &script);
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
fn steps(stand: &Stand<'_>, script: &Script) -> Result<String, String> {
    let begun = Instant::now();
    stand.run("Go")?;
    if !stand.lead_heard("MESSAGE-1") {
        return Err("the lead got no MESSAGE-1 from bob".to_owned());
    }
    let mut seen = vec!["mail by the team's tool".to_owned()];
    let mut repeated = 0;
    for (number, delay) in [(2, 300), (3, 1_000), (4, 2_500)] {
        stand.send(&script::message(number))?;
        stand.kill_after(Duration::from_millis(delay))?;
        stand.resume()?;
        if !stand.lead_heard(&format!("MESSAGE-{number}")) {
            return Err(format!(
                "MESSAGE-{number} did not come after a kill at {delay} ms"
            ));
        }
        repeated += script.copies(number).saturating_sub(1);
    }
    seen.push(format!(
        "3 kills of the host in its turn, {repeated} prompts doubled"
    ));
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
