//! `cargo xtask doors`: other people's programs at the doors of a team. The official SDKs are clients of `teammate mcp serve`
//! (`mcp-serve`), and so are agents of other makes (`agents`); servers of tools are called by a team (`mcp-servers`), and agents are
//! measured over ACP (`acp`) and are members of a team (`members`). One of them reads the
//! same hooks (`hooks`). The SDKs of that protocol drive `teammate acp` as editors do
//! (`editors`), and an agent on one of them is a member (`sdk-agent`). What they need is installed below `target/doors` by the ordinary clients of the registries, at fixed versions;
//! what cannot be had is skipped, and said.

mod acp;
mod agents;
mod editors;
mod hooks;
mod install;
mod mcp_serve;
mod mcp_servers;
mod members;
mod model;
mod place;
mod sdk_agent;

use std::process::ExitCode;

/// How it is called.
pub(crate) const USAGE: &str = "doors mcp-serve | doors mcp-servers | doors editors | doors agents [--minutes N] [NAME...] | doors acp [NAME...] | doors members [--kills N] [--seed X] [NAME...] | doors sdk-agent | doors hooks";

/// How one program came through.
enum Came {
    /// What it did.
    Through(String),
    /// It could not be had.
    Skipped(String),
    /// What went wrong.
    Not(String),
}

/// Those that are named, or all. An error lists what there is.
fn chosen<'a, T>(
    all: &'a [T],
    names: &[&str],
    name: impl Fn(&T) -> &'static str,
) -> Result<Vec<&'a T>, String> {
    let known: Vec<&str> = all.iter().map(&name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "there is no agent '{unknown}': {}",
            known.join(", ")
        ));
    }
    let is_chosen = |one: &&T| names.is_empty() || names.contains(&name(one));
    Ok(all.iter().filter(is_chosen).collect())
}

/// Runs all programs of one kind. Skipped ones are no failure; one that did not come through is.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let came = match args {
        ["mcp-serve"] => mcp_serve::run(),
        ["mcp-servers"] => mcp_servers::run(),
        ["editors"] => editors::run(),
        ["agents", names @ ..] => agents::run(names),
        ["acp", names @ ..] => acp::run(names),
        ["members", names @ ..] => members::run(names),
        ["sdk-agent"] => sdk_agent::run(),
        ["hooks"] => hooks::run(),
        _ => Err(format!("usage: cargo xtask {USAGE}")),
    };
    let came = match came {
        Ok(came) => came,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    println!("\n── summary");
    let (mut skipped, mut failed) = (0, 0);
    for (name, how) in &came {
        match how {
            Came::Through(what) => println!("{name:<36} came through  {what}"),
            Came::Skipped(why) => {
                skipped += 1;
                println!("{name:<36} SKIPPED       {why}");
            }
            Came::Not(why) => {
                failed += 1;
                println!("{name:<36} FAILED        {why}");
            }
        }
    }
    let through = came.len() - skipped - failed;
    println!("{through} passed, {failed} failed, {skipped} skipped");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
