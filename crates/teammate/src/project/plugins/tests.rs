//! Plug-ins of each make, as they are read.

use std::fs;

use serde_json::{Value, json};

use super::*;

/// A directory with these files.
fn directory<const N: usize>(files: [(&str, &str); N]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("plugin");
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (dir, root)
}

fn read<const N: usize>(files: [(&str, &str); N]) -> Result<Plugin, String> {
    let (_dir, root) = directory(files);
    Plugin::read(&root).map_err(|error| error.to_string())
}

fn names<'a>(files: &[PluginFile<'a>]) -> Vec<&'a str> {
    files.iter().map(|file| file.name).collect()
}

const CLAUDE: &str = ".claude-plugin/plugin.json";

#[test]
fn a_claude_plugin_has_its_parts_in_their_places() {
    let manifest = r#"{"name": "review", "version": "1.2.0", "description": "Reviews", "author": {"name": "a"}}"#;
    let plugin = read([
        (CLAUDE, manifest),
        ("skills/pdf/SKILL.md", "x"),
        ("skills/pdf/scripts/run.sh", "x"),
        ("agents/critic.md", "x"),
        ("agents/notes.txt", "x"),
        ("commands/look.md", "x"),
        ("commands/deep/er.md", "x"),
        ("hooks/hooks.json", r#"{"hooks":{}}"#),
        (
            ".mcp.json",
            r#"{"mcpServers":{"s":{"command":"${CLAUDE_PLUGIN_ROOT}/s"}}}"#,
        ),
    ])
    .unwrap();
    assert_eq!(plugin.name().as_str(), "review");
    assert_eq!(
        (plugin.version(), plugin.description()),
        ("1.2.0", "Reviews")
    );
    assert_eq!(
        names(&plugin.skill_files()),
        ["skills/pdf/SKILL.md", "skills/pdf/scripts/run.sh"]
    );
    assert_eq!(names(&plugin.agent_files()), ["agents/critic.md"]);
    assert_eq!(names(&plugin.command_files()), ["commands/look.md"]);
    assert_eq!(plugin.hooks(), [r#"{"hooks":{}}"#]);
    let servers: Value = serde_json::from_str(&plugin.servers()[0]).unwrap();
    let command = format!("{}/s", plugin.root().display());
    assert_eq!(servers["mcpServers"]["s"]["command"], command);
    assert_eq!(plugin.named("pdf"), "review:pdf");
}

#[test]
fn a_manifest_names_more_places_and_holds_parts_itself() {
    let manifest = json!({
        "name": "more",
        "skills": "./extra/skills/",
        "agents": ["./one.md", "others"],
        "hooks": {"hooks": {"Stop": []}},
        "mcpServers": {"s": {"command": "x"}},
    });
    let plugin = read([
        (CLAUDE, &manifest.to_string()),
        ("extra/skills/a/SKILL.md", "x"),
        ("one.md", "x"),
        ("others/two.md", "x"),
    ])
    .unwrap();
    assert_eq!(names(&plugin.skill_files()), ["extra/skills/a/SKILL.md"]);
    assert_eq!(names(&plugin.agent_files()), ["one.md", "others/two.md"]);
    assert_eq!(plugin.hooks(), [r#"{"hooks":{"Stop":[]}}"#]);
    assert_eq!(
        plugin.servers(),
        [r#"{"mcpServers":{"s":{"command":"x"}}}"#]
    );
}

#[test]
fn of_a_gemini_extension_servers_and_context_are_used() {
    let manifest = r#"{"name": "g", "version": "1", "mcpServers": {"s": {"command": "${extensionPath}/s"}}, "contextFileName": "NOTES.md"}"#;
    let plugin = read([
        ("gemini-extension.json", manifest),
        ("NOTES.md", "Be kind."),
        ("commands/x.md", "x"),
        ("skills/a/SKILL.md", "x"),
        ("hooks/hooks.json", "{}"),
    ])
    .unwrap();
    assert_eq!(plugin.make(), Make::Gemini);
    assert_eq!(plugin.context(), Some(("NOTES.md", &b"Be kind."[..])));
    assert_eq!(plugin.servers().len(), 1);
    assert!(plugin.skill_files().is_empty() && plugin.command_files().is_empty());
    assert!(plugin.hooks().is_empty());
    let usual = read([
        ("gemini-extension.json", r#"{"name": "g"}"#),
        ("GEMINI.md", "x"),
    ]);
    assert_eq!(usual.unwrap().context(), Some(("GEMINI.md", &b"x"[..])));
}

#[test]
fn a_codex_plugin_is_known_by_its_own_file() {
    let plugin = read([
        (
            ".codex-plugin/plugin.json",
            r#"{"name": "c", "skills": "./skills/"}"#,
        ),
        ("skills/a/SKILL.md", "x"),
    ])
    .unwrap();
    assert_eq!(plugin.make(), Make::Codex);
    assert_eq!(names(&plugin.skill_files()), ["skills/a/SKILL.md"]);
}

#[test]
fn what_is_no_plugin_says_why() {
    assert_eq!(
        read([("README.md", "x")]).unwrap_err(),
        "it has no .claude-plugin/plugin.json, .codex-plugin/plugin.json or gemini-extension.json"
    );
    for (manifest, why) in [
        ("{", "EOF while parsing"),
        (r#"{"name": "../x"}"#, "is no name for a plug-in"),
        (
            r#"{"name": "x", "skills": "../other"}"#,
            "'../other' leads out of the plug-in",
        ),
        (
            r#"{"name": "x", "agents": ["/etc"]}"#,
            "'/etc' is no path in the plug-in",
        ),
        (
            r#"{"name": "x", "hooks": 1}"#,
            "1 is neither a path nor an object",
        ),
    ] {
        let error = read([(CLAUDE, manifest)]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_marketplace_is_listed() {
    let list = r#"{"name": "m", "plugins": [{"name": "a", "source": "./plugins/a"}, {"name": "b", "source": {"source": "github", "repo": "x/b"}}]}"#;
    let (_dir, root) = directory([(".claude-plugin/marketplace.json", list)]);
    let Err(PluginError::Manifest(ManifestError::Marketplace(listed))) = Plugin::read(&root) else {
        panic!("it is taken for a plug-in");
    };
    let sources: Vec<&str> = listed.iter().map(|plugin| plugin.source.as_str()).collect();
    assert_eq!(
        sources,
        ["./plugins/a", r#"{"source":"github","repo":"x/b"}"#]
    );
}

#[test]
fn only_what_the_user_said_yes_to_is_used() {
    let (dir, root) = directory([(CLAUDE, r#"{"name": "p"}"#), ("skills/a/SKILL.md", "x")]);
    let user = UserDirs {
        state: Some(dir.path().join("state")),
        config: None,
    };
    let records = PluginRecords::of_user(&user);
    let plugin = Plugin::read(&root).unwrap();
    let record = PluginRecord {
        name: plugin.name().clone(),
        source: root.display().to_string(),
        path: None,
        hash: plugin.hash(),
    };
    let installed = records.made().unwrap().join("p");
    plugin.write_to(&installed).unwrap();
    assert!(Plugins::of_user(&user).used.is_empty(), "nobody said yes");
    records.put(&record).unwrap();
    assert_eq!(Plugins::of_user(&user).used.len(), 1);
    fs::write(installed.join("skills/a/more.sh"), "x").unwrap();
    let changed = Plugins::of_user(&user);
    assert!(changed.used.is_empty());
    assert!(
        changed.notices[0].starts_with("the plug-in p has changed since you said yes to it"),
        "{:?}",
        changed.notices
    );
    assert!(records.remove(plugin.name()).unwrap());
    assert!(!installed.exists() && records.list().is_empty());
    assert!(!records.remove(plugin.name()).unwrap());
}
