//! `teammate web` as programs reach it: the real server of a real team, asked over HTTP.

mod hosts;
mod http;
mod keys;
mod past;
#[cfg(debug_assertions)]
mod planted;
mod teams;
mod verbs;

use std::path::PathBuf;

use serde_json::{Value, json};

use self::http::{Answer, Client};
use crate::{
    play::{Scene as _, bash, play, say},
    world::{Running, World, until},
};

/// A lead that asks before it runs a command.
fn asks() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("echo made >> made").after_mail("make it"),
            say("It is made.").after("(no output)"),
            say("I wait.").otherwise(),
        ],
    )]))
}

/// A page that is served.
pub(crate) struct Page {
    run: Running,
    file: PathBuf,
    /// With the key that opens it.
    pub(crate) own: Client,
}

impl Page {
    pub(crate) fn of(world: &World, flags: &[&str]) -> Self {
        let run = world.start(&[&["web", "--no-open"], flags].concat());
        run.until("for another device");
        let out = run.out();
        let (_, rest) = out.split_once("http://127.0.0.1:").unwrap();
        let (port, _) = rest.split_once(',').unwrap();
        let (_, rest) = out.split_once("opens with its key by ").unwrap();
        let (file, _) = rest.split_once(';').unwrap();
        let text = std::fs::read_to_string(file).unwrap();
        let (_, key) = text.split_once("#key=").unwrap();
        let own = Client::new(port.parse().unwrap(), &key[..64]);
        let file = file.into();
        Self { run, file, own }
    }

    /// The same page with another key.
    fn client(&self, key: &str) -> Client {
        Client::new(self.own.port, key)
    }

    /// The id of the page's own team.
    fn team(&self) -> String {
        let teams = self.own.get("/teams").json();
        teams[0]["id"].as_str().unwrap().to_owned()
    }

    /// A screen as data.
    fn data(&self, screen: &str, more: &str) -> Value {
        let team = self.team();
        let answer = self.own.get(&format!("/j/{screen}?team={team}{more}"));
        answer.json()
    }

    /// Asks for something.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is written where it is called"
    )]
    pub(crate) fn asks(&self, client: &Client, verb: &str, key: &str, more: Value) -> Answer {
        let mut body = json!({ "team": self.team(), "key": key });
        let more = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(more);
        client.post(&format!("/v/{verb}"), &body)
    }

    /// Waits until the page shows that something needs the user, and returns that.
    pub(crate) fn need(&self) -> Value {
        let found = || self.data("needs", "")["needs"].get(0).cloned();
        until(|| found().is_some(), || self.run.err());
        found().unwrap()
    }
}

/// A host in a process of its own, in which the lead asks something.
fn host_that_asks(world: &World) -> Running {
    let up = world.start(&["up"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "make it"]).ends(0);
    up
}
