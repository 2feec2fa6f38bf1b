//! Bugs in faces, planted while a member works: each ends its face only. One line says what happened and where the report is, and no
//! turn is cut.

mod exporters;
mod prompts;

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{World, until},
};

/// What alice reports when her command has ended.
pub(crate) const REPORT: &str = "alice says: I am through.";

/// A key of the user's, which a bug may quote.
const TOKEN: &str = "tok-5f0c1d7e9a";

/// A team in which alice works until she may go on.
pub(crate) struct Works(pub(crate) World);

impl Works {
    pub(crate) fn new() -> Self {
        let world = World::playing(&play([
            (
                "lead",
                vec![
                    spawn([("alice", "worker", "Work")]).after("Begin"),
                    say("alice says: {{mail}}").after_mail_from("alice"),
                    say("I wait.").otherwise(),
                ],
            ),
            (
                "alice",
                vec![
                    bash("touch begun; until [ -e go ]; do sleep 0.02; done; echo through"),
                    say("I am through."),
                ],
            ),
        ]));
        let plants = world.work().with_file_name("plants");
        fs::create_dir(&plants).unwrap();
        let plants = plants.display().to_string();
        Self(
            world
                .env("TEAMMATE_PLANTS", &plants)
                .env("SHOP_TOKEN", TOKEN),
        )
    }

    fn with(self, name: &str, value: &str) -> Self {
        Self(self.0.env(name, value))
    }

    pub(crate) fn begun(&self) {
        until(|| self.0.path("begun").exists(), || self.log());
    }

    fn log(&self) -> String {
        self.0.teammate(&["log"]).out
    }

    fn plant_file(&self, place: &str) -> PathBuf {
        self.0.work().with_file_name("plants").join(place)
    }

    /// Plants a bug, which also quotes a key.
    pub(crate) fn plant(&self, place: &str) {
        let new = self.0.work().with_file_name("new-plant");
        fs::write(&new, format!(" with {TOKEN}")).unwrap();
        fs::rename(new, self.plant_file(place)).unwrap();
    }

    /// Waits until somebody has come to it.
    pub(crate) fn is_sprung(&self, place: &str) {
        until(
            || !self.plant_file(place).exists(),
            || format!("nobody comes to {place}"),
        );
    }

    /// The reports of all bugs so far, each as it should be.
    pub(crate) fn reports(&self) -> Vec<String> {
        let dir = self
            .0
            .work()
            .with_file_name("home/.local/state/teammate/bugs");
        let entries = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = entries.collect();
        paths.sort();
        let read = paths.iter().map(|path| {
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let text = fs::read_to_string(path).unwrap();
            assert!(!text.contains(TOKEN), "{text}");
            for part in [
                "teammate 0.",
                "backtrace:",
                "at: crates/",
                "[secret SHOP_TOKEN]",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            text
        });
        read.collect()
    }

    /// Alice may go on, and does; no turn was cut on the way, and the team was opened once.
    pub(crate) fn goes_on_to_its_end(&self) {
        fs::write(self.0.path("go"), "").unwrap();
        until(|| self.log().contains(REPORT), || self.log());
        let events = fs::read_to_string(self.0.path(".team/events.jsonl")).unwrap();
        self.is_whole(&events);
    }

    pub(crate) fn is_whole(&self, events: &str) {
        let of = |word: &str| events.lines().filter(|line| line.contains(word)).count();
        assert_eq!(of(r#""event":"team_opened""#), 1, "{events}");
        assert_eq!(
            of(r#""event":"rested","why":"done""#),
            of(r#""event":"rested""#),
            "{events}"
        );
    }
}
