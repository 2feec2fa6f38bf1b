//! A team that one process runs and the page that another one serves, and what is looked at there.

use std::fs;

use serde_json::json;

use super::chromium::Chromium;
use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::{Running, World},
};

/// Both processes. They end when dropped.
pub(super) struct Served {
    pub(super) world: World,
    host: Option<Running>,
    web: Running,
    page: String,
    key: String,
}

/// The addresses of all screens.
pub(super) const SCREENS: [&str; 9] = [
    "/", "/m/lead", "/m/alice", "/board", "/mail", "/needs", "/cost", "/graph", "/changes",
];

/// The command that alice asks about.
pub(super) const ASKED: &str = "touch made";

impl Served {
    /// A team with a task in progress, whose alice waits for an answer.
    pub(super) fn asking() -> Self {
        let served = Self::hosted(team(), &["--permission-mode", "accept-edits"]);
        let world = &served.world;
        world.teammate(&["send", "lead", "Begin"]).ends(0);
        crate::world::until(
            || world.teammate(&["requests"]).out.contains("req_000001"),
            || world.teammate(&["log"]).out,
        );
        served
    }

    /// The same, and a browser that shows this screen of it.
    pub(super) fn asking_on(screen: &str) -> (Self, Chromium) {
        let served = Self::asking();
        let browser = Chromium::start();
        served.open(&browser, screen);
        (served, browser)
    }

    /// A team that a process with these flags runs.
    pub(super) fn hosted(world: World, flags: &[&str]) -> Self {
        let host = world.start(&[&["up"], flags].concat());
        host.until("is open in process");
        Self::shown(world, Some(host), &[])
    }

    /// A team that these flags name and workers run.
    pub(super) fn on_workers(world: World, flags: &[&str]) -> Self {
        Self::shown(world, None, flags)
    }

    /// A team that nobody runs.
    pub(super) fn of_rested(world: World) -> Self {
        Self::shown(world, None, &[])
    }

    /// Kills the process that runs the team.
    pub(super) fn kill_host(&self) {
        let host = self.host.as_ref().expect("a process runs the team");
        host.signal(rustix::process::Signal::KILL);
    }

    /// Whether both processes go on.
    pub(super) fn is_running(&mut self) -> bool {
        let is_hosted = self.host.as_mut().is_none_or(|host| !host.is_over());
        is_hosted && !self.web.is_over()
    }

    /// Kills the process that serves the page.
    pub(super) fn kill_page(&self) {
        self.web.signal(rustix::process::Signal::KILL);
    }

    /// Serves the page in another process, at the same address.
    pub(super) fn serve_again(&mut self) {
        let (_, port) = self.page.rsplit_once(':').unwrap();
        let web = self.world.start(&["web", "--no-open", "--port", port]);
        (self.page, self.key) = opening(&web);
        self.web = web;
    }

    fn shown(world: World, host: Option<Running>, flags: &[&str]) -> Self {
        let web = world.start(&[&["web", "--no-open"], flags].concat());
        let (page, key) = opening(&web);
        Self {
            page,
            key,
            world,
            host,
            web,
        }
    }

    /// Opens a screen, with the key.
    pub(super) fn open(&self, browser: &Chromium, screen: &str) {
        browser.go("about:blank");
        browser.go(&format!("{}{screen}#key={}", self.page, self.key));
        browser.until("document.getElementById('alive')");
        browser.until("document.getElementById('main').childElementCount");
    }
}

/// Where a page is, and its key.
fn opening(web: &Running) -> (String, String) {
    web.until("makes one for another device");
    let said = web.out();
    let (_, file) = said.split_once("with its key by ").unwrap();
    let (file, _) = file.split_once(';').unwrap();
    let file = fs::read_to_string(file).unwrap();
    let (_, address) = file.split_once("url=").unwrap();
    let (page, key) = address.split_once("/#key=").unwrap();
    let (key, _) = key.split_once('"').unwrap();
    (page.to_owned(), key.to_owned())
}

fn team() -> World {
    let task =
        json!({ "subject": "Make it", "description": "As a file.", "check": "test -e made" });
    let lead = vec![
        calls([("create_task", task)]).after("Begin"),
        spawn([("alice", "coder", "Take the task")]),
        say("# The plan\n\nalice **makes** it, I wait:\n\n- `touch` is enough\n- no more")
            .otherwise(),
    ];
    let alice = vec![
        calls([("claim_task", json!({ "task_id": 1 }))]),
        send("lead", "I have the *task*"),
        calls([(
            "write_file",
            json!({ "path": "notes.txt", "content": "one\ntwo\n" }),
        )]),
        bash(ASKED),
        say("It is made.").after("exit code 0"),
        say("Heard.").otherwise(),
    ];
    World::playing(&play([("lead", lead), ("alice", alice)]))
}
