//! Agents of other makes over ACP: each is measured by `teammate agents test`, with a local server in the place of its model, and
//! its row is printed. What a real model makes of it is not seen.

mod agent;
mod turns;

use std::{fs, path::Path};

use super::{
    Came, chosen,
    model::Model,
    place::{Place, teammate},
};
use crate::listed::{Fetching, List};
pub(super) use agent::{AGENTS, Agent};
use turns::Turns;
pub(super) use turns::shell;

/// Measures the agents that are named, or all.
pub(super) fn run(names: &[&str]) -> Result<Vec<(String, Came)>, String> {
    let agents = chosen(&AGENTS, names, |agent| agent.name)?;
    let (list, teammate) = (List::read()?, teammate()?);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let _in_runtime = runtime.enter();
    let measured = agents.into_iter().map(|agent| {
        let installed = list.agent(agent.name).and_then(|row| {
            row.package
                .fetched(&format!("acp-{}", agent.name), Fetching::Allowed)
        });
        let came = match installed {
            Err(why) => Came::Skipped(why),
            Ok(dir) => {
                let mut turns = Turns::default();
                let model = runtime.block_on(Model::start(move |asked| turns.next(asked)));
                let row = model.and_then(|model| row(agent, &model.url(), &dir, &teammate));
                row.map_or_else(Came::Not, Came::Through)
            }
        };
        (agent.name.to_owned(), came)
    });
    Ok(measured.collect())
}

/// What `teammate agents test` prints of an agent, on lines of their own.
fn row(agent: &Agent, url: &str, dir: &Path, teammate: &Path) -> Result<String, String> {
    let place = Place::new()?;
    let failed = |error: std::io::Error| error.to_string();
    for (path, text) in (agent.files)(url) {
        let path = place.home().join(path);
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir).map_err(failed)?;
        }
        fs::write(path, text).map_err(failed)?;
    }
    let config = place.home().join("teammate.toml");
    let programs = dir.join("node_modules/.bin");
    fs::write(&config, agent.entry(url, &programs)).map_err(failed)?;
    let mut command = place.command(teammate);
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    command
        .args(["agents", "test", agent.name, "--network", "all"])
        .arg("--config")
        .arg(config)
        .env("PATH", path);
    let output = command.output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(format!("\n{said}")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
