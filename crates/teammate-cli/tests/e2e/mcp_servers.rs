//! MCP servers as a team's users have them: added, tried, trusted, allowed by rules, and gone when the team is.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say, spawn},
    terminal::Terminal,
    wires::{Vendor, anthropic_at},
    world::{World, json_lines, until},
};

/// A server in the shell's language: it writes down each start and each call, and has as many tools as its first argument says. Files
/// say how it describes its tool, what it asks, and what it says before it ends.
pub(crate) const SERVER: &str = r#"
here=$(dirname "$0")
echo start >> started
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
tool() { printf '{"name":"%s","description":"%s","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}' "$1" "$2"; }
while read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"notes","version":"1"}}' ;;
    *'"tools/list"'*)
      about=$(cat about 2>/dev/null || echo "Keeps a note.")
      tools=$(tool keep "$about"); n=0
      while [ $n -lt "${1:-0}" ]; do n=$((n+1)); tools="$tools,$(tool "tool_number_$n" "Does the thing of number $n, at some length, so that it takes room in a request.")"; done
      say "\"result\":{\"tools\":[$tools]}" ;;
    *'"prompts/list"'*) say '"result":{"prompts":[{"name":"tidy","description":"Tidy up","arguments":[{"name":"what","required":true}]}]}' ;;
    *'"prompts/get"'*) say '"result":{"messages":[{"role":"user","content":{"type":"text","text":"Please tidy the shelf."}}]}' ;;
    *'"text":"ask"'*)
      call=$id; question=$(cat question 2>/dev/null || echo "Which shelf?")
      printf '{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{"shelf":{"type":"string"}},"required":["shelf"]}}}\n' "$question"
      read -r line; echo "$line" >> answered; id=$call; say '"result":{"content":[{"type":"text","text":"kept there"}]}' ;;
    *'"text":"end"'*) cat words >&2; exit 1 ;;
    *'"tools/call"'*) echo "$line" >> called; say '"result":{"content":[{"type":"text","text":"kept"}]}' ;;
    *'"method":"notifications/'*) ;;
    *'"id"'*) say '"error":{"code":-32601,"message":"unknown method"}' ;;
  esac
done
"#;

fn with_server(world: World) -> World {
    fs::write(world.path("server.sh"), SERVER).unwrap();
    world
}

fn entry(tools: u32) -> Value {
    json!({ "command": "sh", "args": ["server.sh", tools.to_string()] })
}

fn named(world: &World, tools: u32) -> PathBuf {
    let path = world.path("servers.json");
    let file = json!({ "mcpServers": { "notes": entry(tools) } });
    fs::write(&path, file.to_string()).unwrap();
    path
}

fn keep(text: &str) -> Value {
    calls([("mcp__notes__keep", json!({ "text": text }))])
}

fn keeping() -> World {
    with_server(World::playing(&play([(
        "lead",
        vec![keep("milk"), say("Done.").otherwise()],
    )])))
}

/// The arguments of all calls that reached the server.
fn called(world: &World) -> Vec<Value> {
    let calls = fs::read_to_string(world.path("called")).unwrap_or_default();
    let calls = json_lines(&calls).into_iter();
    calls
        .map(|call| call["params"]["arguments"].clone())
        .collect()
}

fn starts(world: &World) -> usize {
    let started = fs::read_to_string(world.path("started"));
    started.unwrap_or_default().lines().count()
}

// fast: MCP servers as tools
#[test]
fn a_call_of_a_server_needs_a_rule_or_a_yes() {
    let world = keeping();
    let file = named(&world, 0);
    let run = |more: &[&str]| {
        let all = [
            &["run", "--mcp-config", file.to_str().unwrap()],
            more,
            &["Go"],
        ]
        .concat();
        world.teammate(&all)
    };
    let refused = run(&[]).ends(4);
    assert!(
        refused.err.contains("--allow 'mcp__notes__keep"),
        "{refused:?}"
    );
    assert_eq!(called(&world), [] as [Value; 0]);
    run(&["--allow", "mcp__notes__*"]).ends(0);
    assert_eq!(called(&world), [json!({ "text": "milk" })]);
    run(&["--permission-mode", "bypass", "--deny", "mcp__notes"]);
    assert_eq!(called(&world).len(), 1);
    assert!(
        world
            .outcomes("lead")
            .last()
            .unwrap()
            .contains("the command line's rule 'mcp__notes' forbids it")
    );
}

#[test]
fn a_repositorys_server_starts_after_the_users_yes_to_its_entry() {
    let world = keeping();
    let file = |args: &[&str]| {
        let entry = json!({ "command": "sh", "args": args });
        let file = json!({ "mcpServers": { "notes": entry } });
        fs::write(world.path(".mcp.json"), file.to_string()).unwrap();
    };
    file(&["server.sh"]);
    let run = world.run_anew("Go").ends(0);
    assert!(
        run.err.contains("MCP servers of .mcp.json are not used"),
        "{run:?}"
    );
    assert_eq!(starts(&world), 0);
    let shown = world.teammate(&["trust", "--yes"]).ends(0);
    assert!(shown.out.contains("\"server.sh\""), "{shown:?}");
    world.run_anew("Go").ends(0);
    assert_eq!((starts(&world), called(&world).len()), (1, 1));
    // Another content is not trusted.
    file(&["server.sh", "1"]);
    world.run_anew("Go").ends(0);
    assert_eq!((starts(&world), called(&world).len()), (1, 1));
}

#[test]
fn a_team_has_one_server_which_starts_when_it_is_needed_and_ends_with_it() {
    let own = |text| vec![keep(text), say("Done.").otherwise()];
    let world = with_server(World::playing(&play([
        (
            "lead",
            vec![
                spawn([("anna", "writer", "Keep it"), ("bob", "writer", "Keep it")]),
                say("Done.").otherwise(),
            ],
        ),
        ("anna", own("a")),
        ("bob", own("b")),
    ])));
    let file = named(&world, 0);
    let run = || {
        let file = file.to_str().unwrap();
        world.teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--mcp-config",
            file,
            "Go",
        ])
    };
    run().ends(0);
    assert_eq!((starts(&world), called(&world).len()), (1, 2));
    // Known by now, it is not started where nobody calls it.
    let idle = world.replay(&play([("lead", vec![say("Nothing.").otherwise()])]));
    let file = file.to_str().unwrap();
    idle.teammate(&["run", "--mcp-config", file, "Go"]).ends(0);
    assert_eq!(starts(&idle), 1);
    let mark = idle.work().display().to_string();
    until(|| !is_running(&mark), || "a server is left".to_owned());
}

/// Whether a process of this workspace runs the server.
fn is_running(work: &str) -> bool {
    let entries = fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let line = fs::read(path.join("cmdline")).ok()?;
            let at = fs::read_link(path.join("cwd")).ok()?;
            Some((String::from_utf8_lossy(&line).into_owned(), at))
        })
        .any(|(line, at)| line.contains("server.sh") && at.to_string_lossy() == *work)
}

#[test]
fn who_cannot_be_logged_in_is_told_why() {
    let world = keeping();
    let far = ["mcp", "add", "far", "--url", "http://127.0.0.1:9/mcp"];
    world.teammate(&far).ends(0);
    let login = world.teammate(&["mcp", "login", "far"]).ends(1);
    assert!(
        login
            .err
            .contains("you are not logged in at far: it refused"),
        "{login:?}"
    );
}

#[test]
fn of_a_server_that_fails_is_said_that_it_reaches_nothing() {
    let world = keeping();
    let add = ["mcp", "add", "ends", "--"];
    let hint = "its entry lists no host";
    for (more, is_hinted) in [(&[][..], true), (&["--network-host", "example.org"], false)] {
        let words = [&add[..3], more, &add[3..], &["sh", "-c", "exit 3"]].concat();
        world.teammate(&words).ends(0);
        let tried = world.teammate(&["mcp", "test", "ends"]).ends(1);
        assert!(tried.err.contains("it ended with exit code 3"), "{tried:?}");
        assert_eq!(tried.err.contains(hint), is_hinted, "{tried:?}");
        world.teammate(&["mcp", "remove", "ends"]).ends(0);
    }
}

// fast: the verb mcp
#[test]
fn a_server_is_added_tried_accepted_and_removed() {
    let world = keeping();
    world
        .teammate(&["mcp", "list"])
        .ends(0)
        .says("No MCP servers.");
    world
        .teammate(&["mcp", "add", "notes", "--", "sh", "server.sh"])
        .ends(0)
        .says("teammate mcp test notes");
    world
        .teammate(&["mcp", "list"])
        .ends(0)
        .says("not used yet");
    let tried = world.teammate(&["mcp", "test", "notes"]).ends(0);
    assert!(tried.out.contains("notes works: 1 tools"), "{tried:?}");
    assert!(tried.out.contains("/mcp__notes__tidy"), "{tried:?}");
    world.run_anew("Go").ends(0);
    world
        .teammate(&["mcp", "list"])
        .ends(0)
        .says("1 tools accepted");
    fs::write(world.path("about"), "Keeps a note, and reads your mail.").unwrap();
    world.run_anew("Go").ends(0);
    let outcome = world.outcomes("lead").pop().unwrap();
    assert!(outcome.contains("has changed this tool"), "{outcome}");
    assert!(outcome.contains("`teammate mcp accept notes`"), "{outcome}");
    let changed = world.teammate(&["mcp", "test", "notes"]).ends(0);
    assert!(changed.out.contains("1 of the tools differ"), "{changed:?}");
    let accepted = world.teammate(&["mcp", "accept", "notes", "--yes"]).ends(0);
    assert!(accepted.out.contains("changed:"), "{accepted:?}");
    assert!(accepted.out.contains("reads your mail"), "{accepted:?}");
    let before = called(&world).len();
    world.run_anew("Go").ends(0);
    assert_eq!(called(&world).len(), before + 1);
    let got = world.teammate(&["mcp", "get", "notes", "--json"]).ends(0);
    let got: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!(got["accepted"]["tools"][0]["called"], "mcp__notes__keep");
    world.teammate(&["mcp", "remove", "notes"]).ends(0);
    world
        .teammate(&["mcp", "list"])
        .ends(0)
        .says("No MCP servers.");
    world.teammate(&["mcp", "test", "notes"]).ends(1);
}

#[test]
fn of_many_tools_a_request_carries_two() {
    let scenes = vec![
        calls([("search_tools", json!({ "query": "number 117" }))]),
        calls([(
            "call_tool",
            json!({ "name": "mcp__notes__tool_number_117", "input": { "text": "x" } }),
        )]),
        say("Done.").otherwise(),
    ];
    let vendor = Vendor::playing("127.0.0.1:0", &play([("lead", scenes)]));
    let world = with_server(anthropic_at(&vendor));
    let file = named(&world, 200);
    let allow = "mcp__notes__tool_number_117";
    let flags = [
        "run",
        "--mcp-config",
        file.to_str().unwrap(),
        "--allow",
        allow,
    ];
    world
        .teammate(&[&flags[..], &["--allow", "search_tools", "Go"]].concat())
        .ends(0);
    assert_eq!(called(&world), [json!({ "text": "x" })]);
    let bodies = vendor.bodies();
    let tools: Vec<&Value> = bodies.iter().map(|body| &body["tools"]).collect();
    let added = tools[0].as_array().unwrap().iter();
    let added = added.filter(|tool| {
        let name = tool["name"].as_str().unwrap();
        name.contains("mcp") || name == "search_tools" || name == "call_tool"
    });
    let bytes: usize = added.map(|tool| tool.to_string().len()).sum();
    assert!(bytes > 0 && bytes < 1_200, "{bytes}");
    assert!(tools.windows(2).all(|pair| pair[0] == pair[1]));
    // The question, the rule and the log are about the tool, not about what stands for it.
    let log = world.teammate(&["log", "--json"]).ends(0);
    assert!(log.out.contains("mcp__notes__tool_number_117"), "{log:?}");
}

#[test]
fn at_the_prompt_servers_are_listed_and_their_prompts_are_sent() {
    let scenes = vec![say("You said: {{mail}}").otherwise()];
    let world = with_server(World::playing(&play([("lead", scenes)])));
    let add = ["mcp", "add", "notes", "--", "sh", "server.sh"];
    world.teammate(&add).ends(0);
    let terminal = Terminal::sized(&world, (160, 60), &[]);
    terminal.types("/mcp");
    terminal.until("notes  1 tools, running");
    terminal.until("/mcp__notes__tidy  Tidy up");
    terminal.types("/mcp__notes__tidy");
    terminal.until("'what' is missing");
    terminal.types("/mcp__notes__none x");
    terminal.until("has no prompt 'none'; it has: tidy");
    terminal.types("/mcp__notes__tidy all");
    terminal.until("You said: Please tidy the shelf.");
    terminal.quits();
}

#[test]
fn a_servers_question_is_answered_from_another_terminal() {
    let world = with_server(World::playing(&play([(
        "lead",
        vec![keep("ask"), say("Done.").otherwise()],
    )])));
    let file = named(&world, 0);
    let flags = [
        "run",
        "--answers",
        "wait",
        "--mcp-config",
        file.to_str().unwrap(),
    ];
    let run = world.start(&[&flags[..], &["--allow", "mcp__notes", "Go"]].concat());
    let question = || world.teammate(&["requests", "show", "1"]).out;
    until(|| question().contains("Which shelf?"), question);
    let shown = question();
    assert!(
        shown.contains("The MCP server notes asks: Which shelf?"),
        "{shown}"
    );
    assert!(!shown.contains("always"), "{shown}");
    world.teammate(&["approve", "1", "--note", "upper"]).ends(0);
    run.end().ends(0);
    let answered = fs::read_to_string(world.path("answered")).unwrap();
    assert!(answered.contains(r#""shelf":"upper""#), "{answered}");
    assert!(world.outcomes("lead").concat().contains("kept there"));
}

#[test]
fn what_would_limit_a_server_and_does_not_is_named_at_the_start_and_by_doctor() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    let with = |entry: &str| format!(r#"{{"mcpServers":{{"x":{{"command":"true",{entry}}}}}}}"#);
    for (entry, said) in [
        (
            r#""readOnly":true"#,
            "The MCP server 'x' of --mcp-config says 'readOnly', which would limit it and is not supported: write rules that deny",
        ),
        (
            r#""commnad":"y""#,
            "says 'commnad'; did you mean 'command'?; it is not used",
        ),
        (
            r#""alwaysAllow":["a"]"#,
            "The MCP server 'x' of --mcp-config: 'alwaysAllow' has no meaning here and is passed over",
        ),
    ] {
        let entries = with(entry);
        let run = ["run", "--mcp-config", &entries, "Go"];
        world.teammate(&run).ends(0).complains(said);
        let found = world.teammate(&["doctor", "--offline", "--mcp-config", &entries]);
        assert!(found.out.contains(said), "{}", found.out);
    }
    let run = [
        "run",
        "--mcp-config",
        r#"{"mcpServer":{"x":{"command":"true"}}}"#,
        "Go",
    ];
    world
        .teammate(&run)
        .ends(1)
        .complains("says 'mcpServer'; did you mean 'mcpServers'?");
}
