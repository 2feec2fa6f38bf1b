//! Agents of other makes as users have them: listed, refused with a reason, and measured.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::world::{World, files, until};

/// An agent in the shell's language that greets, opens sessions and works on nothing.
const AGENT: &str = r#"
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) say '"result":{"protocolVersion":1,"agentInfo":{"name":"shell-agent","version":"1"}}' ;;
    *'"session/new"'*) say '"result":{"sessionId":"s1"}' ;;
    *'"session/prompt"'*) say '"result":{"stopReason":"end_turn"}' ;;
    *'"session/cancel"'*) ;;
    *) say '"error":{"code":-32601,"message":"unknown method"}' ;;
  esac
done
"#;

fn world() -> World {
    // What is in the machine's own /tmp, no agent sees.
    let world = World::outside_tmp();
    fs::write(world.path("agent.sh"), AGENT).unwrap();
    let (agent, config) = (world.path("agent.sh"), world.path("../config.toml"));
    let text = format!(
        "[agent.shell]\ncommand = [\"sh\", {agent:?}]\n\n[agent.old]\nprotocol = \"a2a\"\ncommand = [\"x\"]\n"
    );
    fs::write(&config, text).unwrap();
    world.env("TEAMMATE_CONFIG", config.to_str().unwrap())
}

fn printed(world: &World, arguments: &[&str]) -> Value {
    let run = world.teammate(arguments).ends(0);
    serde_json::from_str(&run.out).unwrap()
}

// fast: the verb agents
#[test]
fn agents_are_listed_with_what_is_wrong_with_an_entry() {
    let world = world();
    let listed = printed(&world, &["agents", "list", "--json"]);
    let of = |name: &str| {
        let all = listed["agents"].as_array().unwrap();
        all.iter()
            .find(|agent| agent["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(of("codex")["command"], "codex-acp");
    assert_eq!(of("codex")["origin"], "make");
    assert_eq!(of("shell")["is_installed"], true);
    assert_eq!(of("old")["error"], "has the protocol 'a2a'; known is acp");
}

#[test]
fn an_agent_is_measured_and_leaves_nothing_of_its_trial() {
    let world = world();
    let row = printed(&world, &["agents", "test", "shell", "--json"]);
    assert_eq!(row["product"], "shell-agent 1");
    assert_eq!(row["asks_for_shell"]["not_measured"], "it did not do it");
    assert_eq!(row["cancel"]["not_measured"], "it ran no command");
    assert_eq!(row["steering"], "not-offered");
    assert_eq!(row["load"], "not-offered");
    assert!(row["end"]["by-eof"].is_number(), "{row}");
    let trials = world.path("../home/.local/state/teammate/agent-tests");
    assert_eq!(fs::read_dir(trials).unwrap().count(), 0);
}

#[test]
fn an_agent_that_does_not_start_is_told_with_its_last_words() {
    let world = world();
    let script = "echo no key is set >&2; exit 3";
    let said = world
        .teammate(&["agents", "test", "--", "sh", "-c", script])
        .ends(1)
        .err;
    assert!(
        said.contains("it ended with exit code 3; it said: no key is set"),
        "{said}"
    );
    let unknown = world.teammate(&["agents", "test", "nobody"]).ends(1).err;
    assert!(unknown.contains("there is no agent 'nobody'"), "{unknown}");
}

#[test]
fn an_interrupt_leaves_nothing_of_a_trial() {
    let world = world();
    let mark = format!("{}.71", 300_000 + std::process::id());
    let script = format!("touch up; exec sleep {mark}");
    let running = world.start(&["agents", "test", "--", "sh", "-c", &script]);
    let trials = world.path("../home/.local/state/teammate/agent-tests");
    let is_up = || files(&trials).iter().any(|path| path.ends_with("up"));
    until(is_up, || "the agent did not start".to_owned());
    running.signal(Signal::INT);
    running.end().ends(130);
    assert_eq!(fs::read_dir(trials).unwrap().count(), 0);
}
