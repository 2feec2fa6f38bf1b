//! The full screen of a team that workers run, on small and large terminals.

use rustix::process::Signal;

use super::*;
use crate::on_servers::{asking, begun, worker_with};

#[test]
fn the_full_screen_of_a_team_on_workers_answers_and_shows_where_members_run() {
    for size in [(24, 80), (40, 140)] {
        let Some((server, world, dir)) = begun(asking()) else {
            return;
        };
        let full = world.again().env("TEAMMATE_SCREEN", "full");
        let flags = ["--permission-mode", "ask"];
        let one = worker_with(&world, &server, dir.path(), "one", &flags);
        one.until("team lamps: holds lead");
        let face = Terminal::sized(&full, size, &["--team", "lamps"]);
        face.until("Attached to the team on a worker");
        face.keys(ENTER);
        face.until("[1 Team]");
        face.until("@one");
        face.until("live");
        face.says("hello");
        face.until("You said: hello");

        // A question from a worker is answered here.
        face.says("light it");
        face.until("1 NEEDS YOU");
        face.keys(CTRL_N);
        face.until("tee lamp.txt");
        face.presses("y", |face| !face.shows().contains("NEEDS YOU"));
        until(|| dir.path().join("one/lamp.txt").exists(), || one.err());

        // What is typed there reaches the workers.
        face.keys(TAB);
        face.says("/cost");
        face.until("requests");
        face.keys(F1);
        face.until("[1 Team]");

        // The past is there, too.
        face.says("/at 1d");
        face.until("PAST");
        face.says("/at 0s");
        face.until("live");

        // The worker that is killed is named, and nobody runs the team until another comes.
        one.signal(Signal::KILL);
        face.until("closed");
        let two = worker_with(&world, &server, dir.path(), "two", &flags);
        two.until("team lamps: holds lead");
        face.until("live");
        face.until("@two");
        face.says("hello again");
        face.until("You said: hello again");
        let left = face.leaves_well();
        assert!(left.contains("The team goes on"), "{left}");
    }
}
