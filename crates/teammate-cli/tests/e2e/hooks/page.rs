//! The file in `docs/hooks.md`, as it stands there.

use super::write_text;
use crate::{
    docs::page_named,
    play::{Scene as _, bash, play, say, spawn},
    world::World,
};

#[test]
fn the_file_in_the_page_does_what_the_page_says() {
    let page = page_named("docs/hooks.md");
    let files: Vec<_> = page.of("json").collect();
    assert_eq!(files.len(), 1);
    let world = World::playing(&play([
        (
            "lead",
            vec![
                bash("git push origin main"),
                spawn([("alice", "tester", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch tests-ran").after("run the tests first"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    write_text(
        &world,
        "../home/.config/teammate/hooks.json",
        &files[0].text,
    );
    let run = world.run("Go").ends(0);
    assert!(!run.err.contains("note"), "{}", run.err);
    let outcome = &world.outcomes("lead")[0];
    assert!(outcome.ends_with("]: I push myself"), "{outcome}");
    assert!(world.path("tests-ran").exists());
    let listed = world.teammate(&["hooks", "list"]).ends(0);
    assert!(!listed.out.contains("note:"), "{}", listed.out);
}
