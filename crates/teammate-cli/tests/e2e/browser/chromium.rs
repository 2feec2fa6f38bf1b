//! One Chromium, with its driver.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::wire::ask;
use crate::world::until;

/// A browser with an empty profile. Ends when dropped.
pub(super) struct Chromium {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

/// A colour theme that a reader may have chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Theme {
    Light,
    Dark,
}

/// Keys without a letter, as WebDriver names them.
pub(super) const ENTER: &str = "\u{e007}";
pub(super) const ESCAPE: &str = "\u{e00c}";
pub(super) const ALT: &str = "\u{e00a}";

impl Chromium {
    pub(super) fn start() -> Self {
        let named = std::env::var("TEAMMATE_CHROMEDRIVER");
        let program = named.unwrap_or_else(|_| "chromedriver".to_owned());
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{program}: {error}; cargo xtask test browser installs it")
            });
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("the driver says its port");
        // It blocks when nobody reads what it says.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let session = ask(port, "POST", "/session", &wanted(&profile));
        Self {
            driver,
            port,
            session: session["sessionId"].as_str().unwrap().to_owned(),
            _profile: profile,
        }
    }

    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{command}", self.session);
        ask(self.port, "POST", &path, body)
    }

    #[track_caller]
    fn get(&self, command: &str) -> Value {
        let path = format!("/session/{}/{command}", self.session);
        ask(self.port, "GET", &path, &Value::Null)
    }

    /// A command of the browser's own protocol.
    #[track_caller]
    pub(super) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.post("goog/cdp/execute", &body)
    }

    #[track_caller]
    pub(super) fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// What the script returns.
    #[track_caller]
    pub(super) fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What the script gives to its last argument.
    #[track_caller]
    pub(super) fn run_until_done(&self, script: &str) -> Value {
        self.post("timeouts", &json!({ "script": 120_000 }));
        self.post("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression holds.
    #[track_caller]
    pub(super) fn until(&self, expression: &str) {
        let script = format!("return !!({expression})");
        until(
            || self.run(&script) == true,
            || format!("{expression} does not come:\n{}", self.text()),
        );
    }

    /// Waits until the page shows this text.
    #[track_caller]
    pub(super) fn until_shown(&self, text: &str) {
        self.until(&format!(
            "document.body.innerText.includes({})",
            json!(text)
        ));
    }

    /// All that the page shows.
    pub(super) fn text(&self) -> String {
        let text = self.run("return document.body.innerText");
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses these keys together, and lets them go.
    #[track_caller]
    pub(super) fn press(&self, keys: &[&str]) {
        let down = keys
            .iter()
            .map(|key| json!({ "type": "keyDown", "value": key }));
        let up = keys
            .iter()
            .rev()
            .map(|key| json!({ "type": "keyUp", "value": key }));
        let actions: Vec<Value> = down.chain(up).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("actions", &json!({ "actions": [keyboard] }));
    }

    /// Types a text, key by key.
    #[track_caller]
    pub(super) fn type_text(&self, text: &str) {
        for letter in text.chars() {
            self.press(&[&letter.to_string()]);
        }
    }

    pub(super) fn resize(&self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    pub(super) fn choose(&self, theme: Theme) {
        let value = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }

    /// Opens another tab and goes there; returns its name.
    pub(super) fn open_tab(&self) -> String {
        let made = self.post("window/new", &json!({ "type": "tab" }));
        let name = made["handle"].as_str().unwrap().to_owned();
        self.to_tab(&name);
        name
    }

    pub(super) fn tab(&self) -> String {
        self.get("window").as_str().unwrap().to_owned()
    }

    pub(super) fn to_tab(&self, name: &str) {
        self.post("window", &json!({ "handle": name }));
    }

    /// A PNG of what is seen.
    pub(super) fn picture(&self) -> Vec<u8> {
        let picture = self.get("screenshot");
        STANDARD.decode(picture.as_str().unwrap()).unwrap()
    }

    /// Requests over the network since the last call, by their addresses.
    pub(super) fn requests(&self) -> Vec<String> {
        let lines = self.post("se/log", &json!({ "type": "performance" }));
        let lines = lines.as_array().unwrap().iter();
        let message = |line: &Value| -> Option<String> {
            let line: Value = serde_json::from_str(line["message"].as_str()?).ok()?;
            let message = &line["message"];
            (message["method"] == "Network.requestWillBeSent").then(|| {
                message["params"]["request"]["url"]
                    .as_str()
                    .map(str::to_owned)
            })?
        };
        lines.filter_map(message).collect()
    }

    /// What the browser complained about since the last call: errors, and what its policy did not let happen.
    pub(super) fn complaints(&self) -> Vec<String> {
        let lines = self.post("se/log", &json!({ "type": "browser" }));
        let lines = lines.as_array().unwrap().iter();
        let severe = lines.filter(|line| line["level"] == "SEVERE");
        severe.map(|line| line["message"].to_string()).collect()
    }

    /// Begins each document from here on with this script.
    pub(super) fn begin_with(&self, script: &str) {
        let source = json!({ "source": script });
        self.devtools("Page.addScriptToEvaluateOnNewDocument", &source);
    }
}

fn wanted(profile: &TempDir) -> Value {
    let profile = format!("--user-data-dir={}", profile.path().display());
    let mut options = json!({
        // Its own walls need rights that a container does not give; the pages are ours.
        "args": [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", profile,
        ],
    });
    if let Ok(binary) = std::env::var("TEAMMATE_CHROMIUM") {
        options["binary"] = binary.into();
    } else if fs::exists("/usr/bin/chromium").unwrap_or(false) {
        options["binary"] = "/usr/bin/chromium".into();
    }
    let wanted = json!({
        "browserName": "chrome", "goog:chromeOptions": options,
        "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
    });
    json!({ "capabilities": { "alwaysMatch": wanted } })
}

impl Drop for Chromium {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let path = format!("/session/{}", self.session);
            ask(self.port, "DELETE", &path, &Value::Null);
        }
        // On SIGTERM it ends its browser, too.
        let pid = i32::try_from(self.driver.id()).ok();
        if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = self.driver.wait();
    }
}
