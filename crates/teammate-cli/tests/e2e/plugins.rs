//! Plug-ins with the whole program: shown, installed after a yes, used in each of their parts, and not used once anything in them
//! is another.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

use serde_json::{Value, json};

use crate::{
    mcp_servers::SERVER,
    play::{Scene as _, bash, calls, play, say, spawn},
    terminal::Terminal,
    world::World,
};

const MANIFEST: &str = ".claude-plugin/plugin.json";

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A plug-in with everything, beside the workspace.
fn with_plugin(world: &World) -> std::path::PathBuf {
    let dir = world.path("../plugin");
    write(
        &dir,
        MANIFEST,
        r#"{"name": "shop", "version": "1.0", "description": "Keeps the shop"}"#,
    );
    write(
        &dir,
        "skills/count/SKILL.md",
        "---\nname: count\ndescription: Count what is in stock\n---\nRun `sh ${CLAUDE_PLUGIN_ROOT}/skills/count/count.sh`.\n",
    );
    write(
        &dir,
        "skills/count/count.sh",
        "echo forty-two; echo x > \"$(dirname \"$0\")/new\"",
    );
    write(
        &dir,
        "agents/clerk.md",
        "---\nname: clerk\ndescription: Serves people\ntools: Read\n---\nYou serve people.\n",
    );
    write(
        &dir,
        "commands/stock.md",
        "Look up $ARGUMENTS in the stock.\n",
    );
    write(&dir, "commands/bad.md", "See !`git status`\n");
    let check = json!({ "type": "command", "command": "sh \"$CLAUDE_PLUGIN_ROOT\"/check.sh", "network": ["example.com"] });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [check] }] } });
    write(&dir, "hooks/hooks.json", &hooks.to_string());
    write(
        &dir,
        "check.sh",
        "if grep -q 'sell all'; then echo 'not everything' >&2; exit 2; fi",
    );
    let server = json!({ "mcpServers": { "notes": { "command": "sh", "args": ["${CLAUDE_PLUGIN_ROOT}/server.sh"] } } });
    write(&dir, ".mcp.json", &server.to_string());
    write(&dir, "server.sh", SERVER);
    dir
}

fn world() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                bash("echo sell all"),
                calls([("load_skill", json!({ "name": "shop:count" }))]),
                bash("sh {{after:Run `sh }}"),
                calls([("mcp__shop-notes__keep", json!({ "text": "milk" }))]),
                calls([(
                    "spawn_teammate",
                    json!({ "name": "alice", "prompt": "Serve", "agent": "shop:clerk" }),
                )]),
                say("You said: {{mail}}").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
    ]))
}

// fast: the verb plugin
#[test]
fn a_plugin_is_shown_whole_and_each_part_of_it_works() {
    let world = world();
    let dir = with_plugin(&world);
    let source = dir.canonicalize().unwrap().display().to_string();
    let refused = world.teammate(&["plugin", "add", &source]);
    assert_ne!(refused.code, 0, "nobody can be asked");
    let shown = world.teammate(&["plugin", "add", &source, "--yes"]).ends(0);
    let shown = shown
        .says("shop 1.0")
        .says("skills/count/SKILL.md")
        .says("skills/count/count.sh")
        .says("agents/clerk.md of the plug-in shop")
        .says("/shop:stock")
        .says("Look up $ARGUMENTS in the stock.")
        .says("has a command of the shell in it (!`...`), which is not run here")
        .says("PreToolUse Bash")
        .says("connects nowhere: only a file of your own can open the network")
        .says("\"mcpServers\"");
    assert!(shown.out.contains("Installed shop."), "{}", shown.out);

    world.run("Go").ends(0);
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].ends_with("]: not everything"), "{outcomes:?}");
    assert!(
        outcomes[1].contains("<skill from=\"skills/count/SKILL.md of the plug-in shop\">"),
        "{outcomes:?}"
    );
    assert!(
        outcomes[1].contains("/plugins/shop/skills/count/count.sh"),
        "{outcomes:?}"
    );
    assert!(outcomes[2].starts_with("forty-two\n"), "{outcomes:?}");
    assert!(
        outcomes[2].contains("Read-only file system"),
        "{outcomes:?}"
    );
    assert!(outcomes[3].contains("kept"), "{outcomes:?}");
    assert_eq!(world.members(), ["alice", "lead"]);
    let listed = world.teammate(&["plugin", "list", "--json"]).ends(0);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed["plugins"][0]["is_used"], true);
    assert_eq!(listed["plugins"][0]["source"], source);

    let terminal = Terminal::open(&world, 120, &[]);
    terminal.types("/shop:stock milk");
    terminal.until("You said: Look up milk in the stock.");
    terminal.quits();
}

#[test]
fn a_plugin_that_has_changed_is_not_used_before_another_yes() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("echo sell all").again(), say("Done.").otherwise()],
    )]));
    let dir = with_plugin(&world);
    fs::remove_file(dir.join(".mcp.json")).unwrap();
    world
        .teammate(&["plugin", "add", &dir.display().to_string(), "--yes"])
        .ends(0);
    // What it was installed from is another matter.
    write(&dir, "check.sh", "touch ran");
    let installed = world.path("../home/.local/state/teammate/plugins/shop");
    assert!(
        fs::read_to_string(installed.join("check.sh"))
            .unwrap()
            .contains("sell all")
    );
    world
        .teammate(&["plugin", "update"])
        .complains("teammate plugin update shop --yes");
    world
        .teammate(&["plugin", "update", "shop", "--yes"])
        .ends(0)
        .says("Updated shop.");
    world
        .teammate(&["plugin", "update"])
        .ends(0)
        .says("shop has not changed.");

    write(&installed, "check.sh", "touch tampered");
    let listed = world.teammate(&["plugin", "list"]).ends(0);
    listed
        .says("not used")
        .complains("the plug-in shop has changed since you said yes to it");
    let rounds = ["run", "--max-rounds", "2", "--permission-mode", "bypass"];
    let run = world.teammate(&[&rounds[..], &["Go"]].concat());
    run.complains("the plug-in shop has changed");
    assert!(!world.path("tampered").exists() && !world.path("ran").exists());
    world.teammate(&["plugin", "remove", "shop"]).ends(0);
    assert!(!installed.exists());
    world
        .teammate(&["plugin", "remove", "shop"])
        .ends(1)
        .complains("there is no plug-in shop");
}

#[test]
fn what_leads_elsewhere_is_no_plugin() {
    let world = world();
    let dir = with_plugin(&world);
    symlink("/etc", dir.join("skills/etc")).unwrap();
    let source = dir.display().to_string();
    world
        .teammate(&["plugin", "add", &source, "--yes"])
        .ends(1)
        .complains("skills/etc is neither a file nor a directory");
    world
        .teammate(&["plugin", "add", "git@example.com:a/b.git", "--yes"])
        .ends(1)
        .complains("needs your ssh keys");
    world
        .teammate(&["plugin", "add", "http://example.com/a", "--yes"])
        .ends(1)
        .complains("is not encrypted");
    world
        .teammate(&["plugin", "add", "../nothing", "--yes"])
        .ends(1)
        .complains("there is no directory");
    let list = world.teammate(&["plugin", "list"]).ends(0);
    list.says("No plug-ins.");
}

#[test]
fn a_marketplace_is_listed_and_not_followed() {
    let world = world();
    let dir = world.path("../market");
    write(
        &dir,
        ".claude-plugin/marketplace.json",
        r#"{"name": "m", "plugins": [{"name": "one", "source": "./plugins/one"}]}"#,
    );
    write(&dir.join("plugins/one"), MANIFEST, r#"{"name": "one"}"#);
    let source = dir.display().to_string();
    world
        .teammate(&["plugin", "add", &source, "--yes"])
        .ends(1)
        .says("one  ./plugins/one")
        .complains("it is a marketplace, and no plug-in");
    world
        .teammate(&["plugin", "add", &source, "--path", "plugins/one", "--yes"])
        .ends(0);
    world
        .teammate(&["plugin", "add", &source, "--path", "../..", "--yes"])
        .ends(1)
        .complains("there is no directory '../..' in");
    world
        .teammate(&["plugin", "add", &source, "--path", "plugins/one", "--yes"])
        .ends(1)
        .complains("there is a plug-in one already");
}

#[test]
fn a_plugin_comes_from_a_git_repository() {
    let world = World::outside_tmp();
    let dir = with_plugin(&world);
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t"]);
        command.args(words).current_dir(&dir);
        assert!(command.output().unwrap().status.success(), "{words:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "Begin"]);
    let source = format!("file://{}", dir.canonicalize().unwrap().display());
    world
        .teammate(&["plugin", "add", &source, "--yes"])
        .ends(0)
        .says("Installed shop.");
    let installed = world.path("../home/.local/state/teammate/plugins/shop");
    assert!(installed.join("check.sh").exists() && !installed.join(".git").exists());
    write(&dir, "commands/more.md", "More");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "More"]);
    world
        .teammate(&["plugin", "update", "shop", "--yes"])
        .ends(0)
        .says("/shop:more");
    assert!(installed.join("commands/more.md").exists());
    world
        .teammate(&["plugin", "add", "file:///no/such/repository", "--yes"])
        .ends(1)
        .complains("git could not clone file:///no/such/repository");
    let left: Vec<String> = fs::read_dir(installed.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, [] as [&str; 0]);
}

#[test]
fn an_extension_of_gemini_gives_its_notes() {
    let world = World::playing(&play([(
        "lead",
        vec![spawn([("alice", "x", "Begin")]), say("Done.").otherwise()],
    )]));
    let dir = world.path("../extension");
    write(
        &dir,
        "gemini-extension.json",
        r#"{"name": "kind", "version": "1"}"#,
    );
    write(&dir, "GEMINI.md", "Always be kind.");
    world
        .teammate(&["plugin", "add", &dir.display().to_string(), "--yes"])
        .ends(0)
        .says("What every member reads (GEMINI.md):")
        .says("Always be kind.");
    world.run("Go").ends(0);
}
