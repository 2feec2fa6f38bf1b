//! What shells, `man` and people learn of the command line.

use std::{fs, path::Path, process::Command};

use crate::world::World;

// fast: the verb completions
#[test]
fn completions_know_verbs_and_flags_of_each_shell() {
    let world = World::with_model("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = world.teammate(&["completions", shell]).ends(0);
        for word in ["conversations", "output-format", "worktrees"] {
            assert!(run.out.contains(word), "{shell}: {word}");
        }
    }
    world.teammate(&["completions", "csh"]).ends(2);
    let script = world.teammate(&["completions", "bash"]).ends(0).out;
    fs::write(world.path("completions"), script).unwrap();
    let read = Command::new("bash")
        .args(["-c", "source ./completions && complete -p teammate"])
        .current_dir(world.work())
        .output()
        .unwrap();
    assert!(read.status.success(), "{read:?}");
}

#[test]
fn each_command_has_a_manual_page() {
    let world = World::with_model("");
    world.teammate(&["man", "pages"]).ends(0);
    let page = |name: &str| world.file(&format!("pages/{name}.1"));
    assert!(page("teammate").contains("teammate"));
    assert!(page("teammate-run").contains("output\\-format"));
    assert!(page("teammate-tasks-add").contains("task"));
    assert!(!page("teammate-team").contains("permission\\-mode"));
    assert!(!world.path("pages/teammate-man.1").exists());
    world.teammate(&["help"]).ends(0).says("completions");
}

/// Each verb of the help has a story that the fast tier of the tests tells: `// fast: the verb NAME` above it.
#[test]
fn every_verb_has_a_story_in_the_fast_tier() {
    let world = World::with_model("");
    let help = world.teammate(&["help"]).ends(0).out;
    let verbs: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|verb| !verb.is_empty() && *verb != "help")
        .collect();
    assert!(verbs.len() > 30, "{verbs:?}");
    let mut told = Vec::new();
    read_tags(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/e2e").as_ref(),
        &mut told,
    );
    let missing: Vec<&&str> = verbs
        .iter()
        .filter(|verb| !told.iter().any(|word| word == *verb))
        .collect();
    assert!(
        missing.is_empty(),
        "no `// fast: the verb NAME` for {missing:?}"
    );
}

/// The words of all tags that are about verbs.
fn read_tags(dir: &Path, words: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_tags(&path, words);
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let tags = text
            .lines()
            .filter_map(|line| line.strip_prefix("// fast: the verb"));
        for tag in tags {
            let named = tag.trim_start_matches('s').split([' ', ',']);
            words.extend(named.map(str::to_owned));
        }
    }
}
