//! Both scenes of the document: a shutdown that is agreed to, and a plan that is approved at the second try.

use serde_json::Value;

use super::*;
use crate::wires::{Vendor, WIRES, world_at};

/// The demo's play, without its pauses.
fn the_demo() -> Value {
    let mut play: Value =
        serde_json::from_str(include_str!("../../../plays/protocols.json")).unwrap();
    for scenes in play["members"].as_object_mut().unwrap().values_mut() {
        for scene in scenes.as_array_mut().unwrap() {
            scene.as_object_mut().unwrap().remove("pause_ms");
        }
    }
    play
}

const PROMPT: &str =
    "Have alice create a config file and shut her down. Then have bob refactor auth.sh.";

/// What both scenes of the document come to.
fn both_scenes(world: &World) {
    assert_eq!(world.file("config.ini"), "port = 8080\n");
    assert!(world.file("auth.sh").contains("is_known()"));
    assert_eq!(
        happened(world),
        [
            "1 opened shutdown",
            "1 approved",
            "2 opened plan",
            "2 rejected",
            "3 opened plan",
            "3 approved",
            "4 opened shutdown",
            "4 approved"
        ]
    );
    for name in ["alice", "bob"] {
        assert_eq!(world.status(name), "shutdown");
    }
    // The id goes out with the plan and comes back with the answer.
    let heard = world.heard("bob");
    let answers: Vec<&String> = heard
        .iter()
        .filter(|mail| mail.starts_with("lead plan_approval_response: "))
        .collect();
    let [rejected, approved] = &answers[..] else {
        panic!("{heard:?}")
    };
    assert!(
        rejected.contains("[Plan rejected] (req_000002) Feedback: Do not rewrite"),
        "{rejected}"
    );
    assert!(
        approved.contains("[Plan approved] (req_000003)"),
        "{approved}"
    );
    let refused = &world.outcomes("bob")[1];
    assert!(refused.contains("your plan must be approved"), "{refused}");
    world.assert_at_rest();
}

#[test]
fn the_demo_of_agreements_does_what_it_says() {
    let world = World::with_model("none:none");
    let dir = world.path("demo").display().to_string();
    let run = world
        .teammate(&["demo", "protocols", "--speed", "10", "--dir", &dir])
        .ends(0)
        .complains("[alice] stopped: agreed to shut down")
        .complains("plan rejected by lead: Do not rewrite it")
        .complains("plan approved by lead: Good. Go on.")
        .says("Both agreed to go, and nothing of theirs runs any more.");
    assert!(!run.out.contains("no scene for this"), "{}", run.out);
    assert!(world.file("demo/auth.sh").contains("is_known()"));
}

#[test]
fn both_scenes_run_over_both_wires() {
    for wire in WIRES {
        let vendor = Vendor::playing("127.0.0.1:0", &the_demo());
        let world = world_at(wire, &vendor.server.url());
        std::fs::write(
            world.path("auth.sh"),
            include_str!("../../../plays/protocols/auth.sh"),
        )
        .unwrap();
        world
            .run(PROMPT)
            .ends(0)
            .says("nothing of theirs runs any more");
        both_scenes(&world);
        vendor.assert_content();
    }
}
