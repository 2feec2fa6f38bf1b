//! What a session reaches: directories besides the workspace, servers of tools that are named, and the user.

use super::*;
use crate::mcp_servers::SERVER;

#[test]
fn commands_write_in_a_directory_that_was_added_and_members_know_of_it() {
    let world = World::outside_tmp();
    let other = world.path("../other");
    fs::create_dir(&other).unwrap();
    let made = other.canonicalize().unwrap().join("made");
    let line = format!("touch {}", made.display());
    let world = world.replay(&play([(
        "lead",
        vec![bash(&line), say("Done.").otherwise()],
    )]));
    let words = ["as-claude", "-p", "x", "--dangerously-skip-permissions"];
    world.teammate(&words).ends(0);
    assert!(!made.exists());
    let added = other.display().to_string();
    let settings = json!({ "permissions": { "additionalDirectories": [added] } }).to_string();
    for more in [["--add-dir", &added], ["--settings", &settings]] {
        world.teammate(&[&words[..], &more].concat()).ends(0);
        assert!(made.exists(), "{more:?}");
        fs::remove_file(&made).unwrap();
    }
}

/// A lead that calls a server of tools, which is there under two names.
fn with_servers() -> World {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("mcp__own__keep", json!({ "text": "own" }))]),
            calls([("mcp__named__keep", json!({ "text": "named" }))]),
            say("Done.").otherwise(),
        ],
    )]));
    fs::write(world.path("server.sh"), SERVER).unwrap();
    let config = world.path("../home/.config/teammate");
    fs::create_dir_all(&config).unwrap();
    let own = "[mcp.own]\ncommand = \"sh\"\nargs = [\"server.sh\"]\n";
    fs::write(config.join("config.toml"), own).unwrap();
    world
}

fn called(world: &World) -> Vec<String> {
    let calls = fs::read_to_string(world.path("called")).unwrap_or_default();
    let calls = crate::world::json_lines(&calls).into_iter();
    calls
        .map(|call| {
            call["params"]["arguments"]["text"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

#[test]
fn only_the_servers_that_were_named_count_where_the_caller_says_so() {
    let named = json!({ "mcpServers": { "named": { "command": "sh", "args": ["server.sh"] } } });
    let named = named.to_string();
    for (more, reached) in [
        (&[][..], &["own", "named"][..]),
        (&["--strict-mcp-config"], &["named"]),
    ] {
        let world = with_servers();
        let words = ["as-claude", "-p", "x", "--dangerously-skip-permissions"];
        let words = [&words[..], &["--mcp-config", &named], more].concat();
        world.teammate(&words).ends(0);
        assert_eq!(called(&world), reached, "{more:?}");
    }
}

#[test]
fn servers_may_come_with_the_greeting_of_an_sdk() {
    let world = with_servers();
    let flags = ["--await-initialize", "--strict-mcp-config"];
    let flags = [&flags[..], &["--dangerously-skip-permissions"]].concat();
    let mut caller = Caller::of(&world, &flags);
    let servers = json!({ "named": { "command": "sh", "args": ["server.sh"] } });
    let request = json!({ "subtype": "initialize", "mcpServers": servers });
    assert_eq!(caller.asks(request).unwrap()["mcp_servers_applied"], true);
    caller.says("x");
    assert_eq!(caller.result()["result"], "Done.");
    let init = &caller.heard("system")[0];
    assert_eq!(init["mcp_servers"][0]["name"], "named");
    assert_eq!(called(&world), ["named"]);
    assert_eq!(caller.leave(), 0);
}

#[test]
fn nobody_is_asked_where_the_caller_says_so() {
    let world = asks();
    let flags = ["--permission-prompt-tool", "stdio"];
    let flags = [&flags[..], &["--permission-prompts", "none"]].concat();
    let mut caller = Caller::of(&world, &flags);
    caller.says("make it");
    let result = caller.result();
    assert_eq!(result["permission_denials"][0]["tool_name"], "Bash");
    assert_eq!(caller.leave(), 0);
    assert!(!world.path("made").exists());
}
