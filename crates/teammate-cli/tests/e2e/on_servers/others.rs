//! What else is done with a team on servers: it is shared, exported, kept, and driven by other programs.

use super::{begun, worker, world};

#[test]
fn what_cannot_be_done_on_servers_is_said() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let one = worker(&world, &server, dir.path(), "one");
    one.until("team lamps: holds lead");
    let follows = world.start(&["log", "-f", "--team", "lamps"]);
    at(&["send", "lead", "light it"]).ends(0);
    follows.until("It is lit.");
    at(&["export"]).ends(0).says("It is lit.");
    let exported = at(&["export", "--json"]).ends(0).out;
    let exported: serde_json::Value = serde_json::from_str(&exported).unwrap();
    // Numbers of events are those of all teams on the servers: nothing is missing.
    assert_eq!(exported["events_left_out"], 0);
    at(&["share"]).ends(0).says("It is lit.");
    at(&["purge", "--older-than", "1m", "--yes"]).complains("What is on the servers stays there");
    at(&["conversations", "drop", "1"]).ends(1);
    at(&["stop"]).ends(0).says("The team is paused");
    at(&["stop"]).ends(1).complains("not running");
    at(&["purge", "--older-than", "30d"])
        .ends(0)
        .complains("What is on the servers stays there");
}
