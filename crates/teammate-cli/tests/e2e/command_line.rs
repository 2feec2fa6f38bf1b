//! What shells, `man` and people learn of the command line.

use std::{fs, process::Command};

use crate::world::World;

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
