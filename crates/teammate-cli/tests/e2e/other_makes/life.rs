//! From the spawn to the end.

use super::*;

#[test]
fn a_mixed_team_works_together() {
    let work = "DO write made.txt by bob\nDO call send_message {\"to\":\"carol\",\"content\":\"made.txt is there\"}\nSAY I wrote made.txt.";
    let world = world(&play([
        (
            "lead",
            vec![
                calls([
                    (
                        "spawn_teammate",
                        json!({ "name": "carol", "role": "reader", "prompt": "Wait for bob." }),
                    ),
                    (
                        "spawn_teammate",
                        json!({ "name": "bob", "role": "writer", "agent": "bot", "prompt": work }),
                    ),
                ]),
                say("All done.").otherwise(),
            ],
        ),
        (
            "carol",
            vec![
                say("I read it.").after_mail_from("bob"),
                say("I wait.").otherwise(),
            ],
        ),
    ]));
    world.run("Go").ends(0).says("All done.");
    assert_eq!(world.file("made.txt"), "by bob");
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("I wrote made.txt."), "{heard}");
    let heard = world.heard("carol").join("\n");
    assert!(heard.contains("made.txt is there"), "{heard}");
    world.assert_valid();
    world.assert_at_rest();
}
