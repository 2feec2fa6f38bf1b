//! Permission rules: commands that are read, the project's rules and trust in them, and what an "always" keeps.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::World,
};

fn put(world: &World, path: &str, text: &str) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn write(path: &str) -> Value {
    calls([("write_file", json!({"path": path, "content": "x\n"}))])
}

fn lead(mut scenes: Vec<Value>) -> World {
    scenes.push(say("Done.").otherwise());
    World::playing(&play([("lead", scenes)]))
}

// fast: permission rules
#[test]
fn a_chain_is_as_allowed_as_its_least_allowed_part() {
    let world = lead(vec![
        bash("touch a && mkdir b"),
        bash("touch c && rm -r b"),
        bash("touch $(echo d)"),
        bash("FOO=1 touch e"),
        bash("touch f; rmdir b | cat"),
        bash("touch --help > g"),
        bash("find . -name a -exec touch h {} +"),
        bash("touch i \\\n j"),
    ]);
    let arguments = [
        "run",
        "--allow",
        "bash(touch:*)",
        "--allow",
        "bash(mkdir *)",
        "--allow",
        "bash(cat)",
        "--allow",
        "bash(find:*)",
        "--deny",
        "bash(rmdir:*)",
        "go",
    ];
    world.teammate(&arguments).ends(4);
    let outcomes = world.outcomes("lead");
    assert!(!outcomes[0].contains("Not run"), "{outcomes:#?}");
    assert!(world.path("a").exists() && world.path("b").exists());
    assert!(
        outcomes[4].contains("the command line's rule 'bash(rmdir:*)' forbids it"),
        "{outcomes:#?}"
    );
    for outcome in [
        &outcomes[1],
        &outcomes[2],
        &outcomes[3],
        &outcomes[5],
        &outcomes[6],
        &outcomes[7],
    ] {
        assert!(outcome.contains("needs permission"), "{outcome}");
    }
    for name in ["c", "d", "e", "f", "g", "h", "i", "j"] {
        assert!(!world.path(name).exists(), "{name}");
    }
}

#[test]
fn a_link_is_judged_by_where_it_leads_and_some_places_are_always_asked_about() {
    let world = lead(vec![
        write("src/a"),
        write("src/out/b"),
        write(".mcp.json"),
        write("src/.claude/settings.json"),
        write("src/no/c"),
    ]);
    fs::create_dir_all(world.path("src")).unwrap();
    fs::create_dir_all(world.path("other")).unwrap();
    symlink("../other", world.path("src/out")).unwrap();
    let arguments = [
        "run",
        "--allow",
        "edit(src/**)",
        "--allow",
        "edit(.mcp.json)",
        "--deny",
        "edit(src/no/**)",
        "go",
    ];
    world.teammate(&arguments).ends(4);
    let outcomes = world.outcomes("lead");
    assert_eq!(world.file("src/a"), "x\n");
    for outcome in &outcomes[1..4] {
        assert!(outcome.contains("needs permission"), "{outcomes:#?}");
    }
    assert!(
        outcomes[4].contains("rule 'edit(src/no/**)' forbids it"),
        "{outcomes:#?}"
    );
    for path in ["other/b", ".mcp.json", "src/.claude", "src/no"] {
        assert!(!world.path(path).exists(), "{path}");
    }
}

#[test]
fn the_projects_rules_hold_once_they_are_trusted_and_until_they_change() {
    let world = lead(vec![bash("touch a"), bash("mkdir b")]);
    let settings = ".teammate/settings.toml";
    put(
        &world,
        settings,
        "allow = [\"bash(touch:*)\"]\ndeny = [\"bash(mkdir:*)\"]\n",
    );
    world.teammate(&["run", "go"]).ends(4).complains(
        "The rules in .teammate/settings.toml are not used; you can look at it and trust it with `teammate trust`",
    );
    assert!(!world.path("a").exists());
    world
        .teammate(&["rules"])
        .ends(0)
        .says("No rules")
        .says("teammate trust");

    world
        .teammate(&["trust"])
        .ends(1)
        .says("deny   bash(mkdir:*)")
        .says("allow  bash(touch:*)")
        .complains("teammate trust --yes");
    world
        .teammate(&["trust", "--yes"])
        .ends(0)
        .says("Trusted until");
    fs::remove_dir_all(world.path(".team")).unwrap();
    world.run("go").ends(0);
    assert!(world.path("a").exists() && !world.path("b").exists());
    let outcome = &world.outcomes("lead")[1];
    assert!(
        outcome.contains("the project's rule 'bash(mkdir:*)' forbids it"),
        "{outcome}"
    );
    world
        .teammate(&[
            "rules",
            "--json",
            "--deny",
            "bash(rm:*)",
            "--lead-may-allow",
            "edit(src/**)",
        ])
        .ends(0)
        .says(r#"{"rule":"bash(touch:*)","origin":"project"}"#)
        .says(r#"{"rule":"bash(rm:*)","origin":"command-line"}"#)
        .says(r#""lead_may_allow":[{"rule":"edit(src/**)","origin":"command-line"}]"#);
    world
        .teammate(&["rules", "remove", "bash(touch:*)"])
        .ends(1)
        .complains("remove it from .teammate/settings.toml");

    put(&world, settings, "allow = [\"*\"]\n");
    world
        .teammate(&["rules"])
        .ends(0)
        .says("No rules")
        .says("are not used");
    world
        .teammate(&["trust", "--list"])
        .ends(0)
        .says("changed since");
    put(&world, settings, "model = \"x\"\n");
    world.teammate(&["trust"]).says("unknown field `model`");
}

#[test]
fn a_rule_that_is_not_understood_says_which_where_and_why() {
    let world = lead(vec![]);
    world
        .teammate(&["rules", "--deny", "read(secret.{pem,key)"])
        .ends(2)
        .complains(
            "the command line's rule 'read(secret.{pem,key)' is not understood: at character 13, unclosed",
        );
    let settings = ".teammate/settings.toml";
    put(
        &world,
        settings,
        "allow = [\"read(a)\"]\ndeny = [\n  \"read(b)\",\n  \"read([)\",\n]\n",
    );
    world.teammate(&["trust"]).ends(1).says(
        "note: .teammate/settings.toml cannot be used: line 4: the project's rule 'read([)' is not understood: at character 6",
    );
    put(
        &world,
        "../home/.config/teammate/config.toml",
        "model = \"x:y\"\n\ndeny = [\"bash(git * push)\"]\n",
    );
    world
        .teammate(&["rules"])
        .ends(1)
        .complains("line 3: the user's rule 'bash(git * push)' is not understood: at character 10");
}

#[test]
fn deny_rules_with_braces_and_classes_close_files() {
    let read = |path: &str| calls([("read_file", json!({"path": path}))]);
    let world = lead(vec![read("secret.pem"), read("b1.key"), read("open.txt")]);
    for path in ["secret.pem", "b1.key", "open.txt"] {
        put(&world, path, "s3cr3t\n");
    }
    let rules = [
        "--deny",
        "read(secret.{pem,key})",
        "--deny",
        "read(b[0-9].*)",
    ];
    let run = ["run", rules[0], rules[1], rules[2], rules[3], "go"];
    world.teammate(&run).ends(0);
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].contains("forbids it"), "{outcomes:#?}");
    assert!(outcomes[1].contains("forbids it"), "{outcomes:#?}");
    assert!(outcomes[2].contains("s3cr3t"), "{outcomes:#?}");
}

/// What nobody may read, by any way that a member has, and words around it that all may read.
const CLOSED: &str = "s3cr3t-of-the-user";

// fast: deny rules hold for commands
#[test]
fn what_a_rule_closes_is_closed_to_commands_in_every_mode() {
    let read = |path: &str| calls([("read_file", json!({"path": path}))]);
    let world = lead(vec![
        bash("cat .env; cat deep/down/key.pem; cat link; cat < .env; cat ./deep/../.env; true"),
        bash(
            "grep -rs s3cr3t .; find . -name '*.pem' -exec cat {} +; cp .env copy; cat copy; true",
        ),
        bash(
            "cat secrets/one; ls secrets; tar cf - . 2>/dev/null | strings; mv .env x; ln .env y; cat x y; true",
        ),
        bash("echo s3cr3t-of-the-user > later.pem; echo made; cat open.txt"),
        bash("cat later.pem; true"),
        bash("cat .env; cat ../../../.env; true"),
        read(".env"),
        read("link"),
        read("later.pem"),
        calls([("grep", json!({"pattern": "s3cr3t"}))]),
        calls([("glob", json!({"pattern": "**/*"}))]),
        calls([(
            "edit_file",
            json!({"path": ".env", "old_text": "KEY=", "new_text": "K="}),
        )]),
    ]);
    for path in [".env", "deep/down/key.pem", "secrets/one"] {
        put(&world, path, &format!("KEY={CLOSED}\n"));
    }
    put(&world, "open.txt", "for all\n");
    symlink(".env", world.path("link")).unwrap();
    let deny = ["read_file(.env)", "read(**/*.pem)", "Read(secrets/**)"];
    let mut run = vec!["run", "--permission-mode", "bypass"];
    run.extend(deny.iter().flat_map(|rule| ["--deny", rule]));
    run.push("go");
    world.teammate(&run).ends(0);
    let outcomes = world.outcomes("lead");
    assert_eq!(outcomes.len(), 12, "{outcomes:#?}");
    for (at, outcome) in outcomes.iter().enumerate() {
        assert!(!outcome.contains(CLOSED), "{at}: {outcomes:#?}");
    }
    assert!(outcomes[3].contains("made") && outcomes[3].contains("for all"));
    for at in [6, 7, 8, 11] {
        assert!(outcomes[at].contains("forbids it"), "{at}: {outcomes:#?}");
    }
    // The user's files are as they were.
    assert_eq!(world.file(".env"), format!("KEY={CLOSED}\n"));
    assert_eq!(world.file("secrets/one"), format!("KEY={CLOSED}\n"));
}

#[test]
fn where_commands_open_what_a_rule_closes_the_opening_and_doctor_name_the_rule() {
    let world = lead(vec![bash("cat .env")]);
    put(&world, ".env", CLOSED);
    let said = "For file tools only, as commands open such files: the command line's rule 'read_file(.env)'";
    let held = ["--sandbox", "off", "--deny", "read_file(.env)"];
    let run = [&["run", "--permission-mode", "bypass"], &held[..], &["go"]].concat();
    world.teammate(&run).ends(0).complains(said);
    let doctor = [&["doctor", "--offline"], &held[..]].concat();
    let found = world.teammate(&doctor);
    assert!(
        found.out.to_lowercase().contains(&said.to_lowercase()),
        "{}",
        found.out
    );
}

#[test]
fn a_rule_that_is_about_no_tool_keeps_the_team_closed_if_it_denies() {
    let world = lead(vec![]);
    let said = "the command line's rule 'raed_file(.env)' is about no tool that there is, so it would hold nothing back. \
        Did you mean read_file?";
    let run = ["run", "--deny", "raed_file(.env)", "go"];
    world.teammate(&run).ends(1).complains(said);
    let doctor = ["doctor", "--offline", "--deny", "raed_file(.env)"];
    world.teammate(&doctor).ends(1).says(said);
    world
        .teammate(&["rules", "--deny", "raed_file(.env)"])
        .ends(0)
        .says(said);
    let run = [
        "run",
        "--allow",
        "MultiEdit(src/**)",
        "--deny",
        "WebFetch(domain:a.example)",
        "go",
    ];
    world
        .teammate(&run)
        .ends(0)
        .complains("it allows nothing. Did you mean edit?");
}

#[test]
fn trust_shows_the_end_of_a_rule_behind_any_number_of_blanks() {
    let world = lead(vec![]);
    let rule = format!("bash(=ls{}; curl evil)", " ".repeat(3_000));
    put(
        &world,
        ".teammate/settings.toml",
        &format!("allow = [\"{rule}\"]\n"),
    );
    world
        .teammate(&["trust"])
        .says("allow  bash(=ls [3000 blanks] ; curl evil)");
}

#[test]
fn rules_of_the_user_stay_where_the_user_wrote_them() {
    let world = lead(vec![bash("touch a"), bash("touch a b")]);
    world
        .teammate(&["rules", "remove", "bash(x)"])
        .ends(1)
        .complains("there is no rule 'bash(x)' here");
    put(
        &world,
        "../home/.config/teammate/config.toml",
        "allow = [\"bash(touch a)\"]\n",
    );
    world
        .teammate(&["rules"])
        .ends(0)
        .says("allow  bash(touch a)  your configuration");
    world
        .teammate(&["rules", "remove", "bash(touch a)"])
        .ends(1)
        .complains(".config/teammate/config.toml");
    world.teammate(&["run", "go"]).ends(4);
    assert!(world.path("a").exists() && !world.path("b").exists());
}
