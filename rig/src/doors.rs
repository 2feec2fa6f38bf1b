//! `cargo xtask doors`: agents of other makes at the doors of a team. They are clients of `teammate mcp serve` (`agents`), are measured
//! over ACP (`acp`), are members of a team that is killed again and again (`members`), and one of them reads the same hooks
//! (`hooks`). An agent on the protocol's own library is a member, too (`sdk-agent`). What they need is installed below `target/doors`
//! by the ordinary clients of the registries, at fixed versions; what cannot be had is skipped, and said. `cargo xtask wild` has the
//! rest.

mod acp;
mod agents;
pub(crate) mod client;
pub(crate) mod editors;
mod hooks;
pub(crate) mod mcp_serve;
pub(crate) mod members;
mod model;
pub(crate) mod place;
mod sdk_agent;

use std::process::ExitCode;

/// How it is called.
pub(crate) const USAGE: &str = "doors agents [--minutes N] [NAME...] | doors acp [NAME...] | doors members [--kills N] [--seed X] [NAME...] | doors sdk-agent | doors hooks";

/// How one program came through.
pub(crate) enum Came {
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
        ["agents", names @ ..] => agents::run(names),
        ["acp", names @ ..] => acp::run(names),
        ["members", names @ ..] => members::run(names),
        ["sdk-agent"] => sdk_agent::run(),
        ["hooks"] => hooks::run(),
        _ => Err(format!("usage: cargo xtask {USAGE}")),
    };
    match came {
        Ok(came) => summary(&came),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Says how all came through.
pub(crate) fn summary(came: &[(String, Came)]) -> ExitCode {
    println!("\n── summary");
    let (mut skipped, mut failed) = (0, 0);
    for (name, how) in came {
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
