//! The page in Chromium: its first view, and when a text can be read in it.

use std::{
    io, thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use teammate_testkit::DrivenBrowser;

use super::{Seen, now_ms, stage::Page};

/// What is noted of all that comes into the page, after it was painted.
const WATCH: &str = "self.seen = {};
    const note = text => { for (const [mark] of text.matchAll(/mark-\\d+-\\d+s?/g)) seen[mark] ??= performance.timeOrigin + performance.now(); };
    new MutationObserver(all => {
        const texts = all.flatMap(c => [...c.addedNodes]).map(n => n.textContent);
        requestAnimationFrame(() => setTimeout(() => texts.forEach(note)));
    }).observe(document.getElementById('main'), {subtree: true, childList: true});";

/// A browser of its own, with the page's key.
pub(super) struct Looked {
    browser: DrivenBrowser,
    page: String,
    key: String,
}

/// The first view, in milliseconds from the moment the browser was sent there.
pub(super) struct View {
    pub(super) paint_ms: f64,
    pub(super) screen_ms: f64,
    /// All that was sent for it, without the heads of answers.
    pub(super) bytes: f64,
}

impl Looked {
    pub(super) fn begin(page: &Page) -> io::Result<Self> {
        let looked = Self {
            browser: DrivenBrowser::start()?,
            page: format!("http://{}", page.host),
            key: page.key.clone(),
        };
        // Each first view is one, with nothing kept of the one before.
        looked.devtools("Network.enable", &json!({}))?;
        looked.devtools(
            "Network.setCacheDisabled",
            &json!({ "cacheDisabled": true }),
        )?;
        let note = "new MutationObserver((_, watch) => { if (document.getElementById('main')?.childElementCount) {
            self.shownAt = performance.now(); watch.disconnect(); } }).observe(document, {subtree: true, childList: true})";
        looked.devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            &json!({ "source": note }),
        )?;
        Ok(looked)
    }

    fn devtools(&self, command: &str, parameters: &Value) -> io::Result<Value> {
        let body = json!({ "cmd": command, "params": parameters });
        self.browser.post("goog/cdp/execute", &body)
    }

    fn run(&self, script: &str) -> io::Result<Value> {
        let body = json!({ "script": script, "args": [] });
        self.browser.post("execute/sync", &body)
    }

    /// Opens a screen, and waits until it is painted.
    pub(super) fn open(&self, screen: &str) -> io::Result<()> {
        let to = format!("{}{screen}#key={}", self.page, self.key);
        for address in ["about:blank", &to] {
            self.browser.post("url", &json!({ "url": address }))?;
        }
        let begun = Instant::now();
        while self.run("return !!self.shownAt && performance.getEntriesByName('first-contentful-paint').length > 0")? != true {
            if begun.elapsed() > Duration::from_secs(60) {
                return Err(io::Error::other("Chromium shows no page"));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Opens a screen; says what that took.
    pub(super) fn first_view(&self, screen: &str) -> io::Result<View> {
        self.open(screen)?;
        let found = self.run(
            "const sent = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
             return [performance.getEntriesByName('first-contentful-paint')[0].startTime, self.shownAt,
                sent.filter(e => e.startTime <= shownAt).reduce((sum, e) => sum + e.encodedBodySize, 0)]",
        )?;
        let number = |at: usize| found[at].as_f64().unwrap_or(f64::MAX);
        Ok(View {
            paint_ms: number(0),
            screen_ms: number(1),
            bytes: number(2),
        })
    }

    /// Opens a screen and notes from then on what can be read in it; returns since when.
    pub(super) fn watch(&self, screen: &str) -> io::Result<f64> {
        self.open(screen)?;
        self.run(WATCH)?;
        // What it is given first is over.
        thread::sleep(Duration::from_secs(2));
        Ok(now_ms())
    }

    pub(super) fn seen(&self) -> io::Result<Seen> {
        let seen = self.run("return seen")?;
        Ok(serde_json::from_value(seen)?)
    }
}
