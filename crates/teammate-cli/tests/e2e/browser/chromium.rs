//! One Chromium, and what a reader does with a page in it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use teammate_testkit::DrivenBrowser;

use crate::world::until;

/// A browser with an empty profile. Ends when dropped.
pub(super) struct Chromium(DrivenBrowser);

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
        let started = DrivenBrowser::start();
        Self(
            started.unwrap_or_else(|error| {
                panic!("{error}; cargo xtask test --part browser installs it")
            }),
        )
    }

    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        self.0.post(command, body).unwrap()
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
        self.0.get("window").unwrap().as_str().unwrap().to_owned()
    }

    pub(super) fn to_tab(&self, name: &str) {
        self.post("window", &json!({ "handle": name }));
    }

    /// A PNG of what is seen.
    pub(super) fn picture(&self) -> Vec<u8> {
        let picture = self.0.get("screenshot").unwrap();
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
        let severe = self.severe_lines();
        severe
            .iter()
            .map(|line| line["message"].to_string())
            .collect()
    }

    /// The same without what the page's server refused: errors that nobody caught, also in promises, what was printed as an error,
    /// what the policy stopped, what cannot be drawn, and bugs of the server.
    pub(super) fn faults(&self) -> Vec<String> {
        let severe = self.severe_lines();
        let refused = |message: &str| !message.contains("a status of 500");
        let lines = severe
            .iter()
            .map(|line| (line, line["message"].to_string()));
        let faults =
            lines.filter(|(line, message)| line["source"] != "network" || !refused(message));
        faults.map(|(_, message)| message).collect()
    }

    fn severe_lines(&self) -> Vec<Value> {
        let lines = self.post("se/log", &json!({ "type": "browser" }));
        let lines = lines.as_array().unwrap().iter();
        lines
            .filter(|line| line["level"] == "SEVERE")
            .cloned()
            .collect()
    }

    /// Begins each document from here on with this script.
    pub(super) fn begin_with(&self, script: &str) {
        let source = json!({ "source": script });
        self.devtools("Page.addScriptToEvaluateOnNewDocument", &source);
    }
}
