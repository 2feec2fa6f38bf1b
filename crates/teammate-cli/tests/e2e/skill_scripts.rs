//! Scripts of skills: members run them as commands, also where the skill is the user's own, beside what nobody sees.

use std::fs;

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::World,
};

#[test]
fn a_script_of_the_users_own_skill_runs_within_the_walls() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("load_skill", json!({ "name": "sums" }))]),
            bash(
                "sh {{after:Files beside it:\n  }} 20 22; cat ~/.config/teammate/config.toml; ls ~/.config/teammate",
            ),
            say("Done.").otherwise(),
        ],
    )]));
    let config = world.path("../home/.config/teammate");
    fs::create_dir_all(config.join("skills/sums/scripts")).unwrap();
    fs::write(config.join("config.toml"), "max_rounds = 20\n").unwrap();
    fs::write(
        config.join("skills/sums/SKILL.md"),
        "---\nname: sums\ndescription: Add numbers\n---\nRun the script with the numbers.\n",
    )
    .unwrap();
    fs::write(
        config.join("skills/sums/scripts/add.sh"),
        "echo $(($1 + $2)); echo x > \"$0\"",
    )
    .unwrap();
    world.run("Go").ends(0);
    let outcome = &world.outcomes("lead")[1];
    assert!(outcome.starts_with("42\n"), "{outcome}");
    assert!(outcome.contains("Read-only file system"), "{outcome}");
    assert!(!outcome.contains("max_rounds"), "{outcome}");
    assert!(outcome.contains("\nskills\n"), "{outcome}");
}

#[test]
fn a_script_of_a_repositorys_skill_is_asked_about_like_any_command() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("sh .claude/skills/sums/add.sh"),
            say("Done.").otherwise(),
        ],
    )]));
    let skill = world.path(".claude/skills/sums");
    fs::create_dir_all(&skill).unwrap();
    let front =
        "---\nname: sums\ndescription: Add numbers\nallowed-tools: Bash\n---\nRun add.sh.\n";
    fs::write(skill.join("SKILL.md"), front).unwrap();
    fs::write(skill.join("add.sh"), "touch ran").unwrap();
    // It says itself what it may do, which grants nothing.
    world.teammate(&["run", "Go"]).ends(4);
    assert!(!world.path("ran").exists());
}
