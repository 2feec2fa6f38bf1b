//! How far a call of an MCP server is, as faces show it while it runs, and what is left of that.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say},
    terminal::Terminal,
    world::{World, until},
};

/// A server that sends 50,000 notes about a call, then waits for a file.
const SERVER: &str = r#"
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"slow","version":"1"}}' ;;
    *'"tools/list"'*) say '"result":{"tools":[{"name":"read","description":"Reads.","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*)
      token=${line#*'"progressToken":'}; token=${token%%[,\}]*}; n=0
      while [ $n -lt 50000 ]; do n=$((n+1))
        printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s,"total":50001,"message":"Reads\\u001b[2J\\npages"}}\n' "$token" "$n"
      done
      until [ -e go ]; do sleep 0.02; done
      say '"result":{"content":[{"type":"text","text":"read"}]}' ;;
    *'"method":"notifications/'*) ;;
    *'"id"'*) say '"error":{"code":-32601,"message":"unknown method"}' ;;
  esac
done
"#;

#[test]
fn the_progress_of_a_call_is_shown_while_it_runs_and_not_kept() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("mcp__slow__read", json!({}))]),
            say("Done.").otherwise(),
        ],
    )]))
    .env("TEAMMATE_SCREEN", "full");
    fs::write(world.path("server.sh"), SERVER).unwrap();
    let entry = json!({ "command": "sh", "args": ["server.sh"] });
    let file = json!({ "mcpServers": { "slow": entry } });
    fs::write(world.path("servers.json"), file.to_string()).unwrap();
    let flags = [
        "--plain",
        "--mcp-config",
        "servers.json",
        "--permission-mode",
        "bypass",
    ];
    let terminal = Terminal::open(&world, 120, &flags);
    terminal.types("Go");
    let last = r"Reads\u{1b}[2J pages, 50000 of 50001";
    terminal.until(&format!("({last})"));

    let roster = || world.teammate(&["team"]).ends(0);
    until(|| roster().out.contains(last), || roster().out);
    let team = world.teammate(&["team", "--json"]).ends(0).out;
    let team: Value = serde_json::from_str(&team).unwrap();
    assert_eq!(team["members"][0]["tool"]["progress"], json!(last));
    // A viewer that comes late sees it, too.
    let viewer = Terminal::open(&world, 120, &["watch"]);
    viewer.until("Attached to the team");
    viewer.keys("\r");
    viewer.until(last);
    drop(viewer);

    fs::write(world.path("go"), "").unwrap();
    terminal.until("Done.");
    until(|| !terminal.shows().contains(last), || terminal.shows());
    assert!(!roster().out.contains("Reads"));
    terminal.quits();
    for file in [
        "events.jsonl",
        "journal.jsonl",
        "agents/lead/transcript.jsonl",
    ] {
        let text = world.file(&format!(".team/{file}"));
        assert!(
            !text.contains("Reads") && !text.contains("progress"),
            "{file}"
        );
    }
    world.assert_at_rest();
}
