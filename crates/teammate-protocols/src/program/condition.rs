//! How a program is doing, for those who talk with it.

use std::{collections::VecDeque, fmt::Display, sync::Mutex, time::Duration};

use teammate_core::{fence::escaped_line, lock::Hold};
use tokio::{sync::watch, time::timeout};

/// How long the reason of a failure is waited for.
const MOMENT: Duration = Duration::from_millis(500);

/// How much of what it says on its standard error is kept.
const ERRORS_KEPT: usize = 64 << 10;

/// How many characters of its last words are shown.
const WORDS_MAX: usize = 100;

/// How Node's last line begins when it dies of an error.
const NODE: &str = "Node.js v";

/// Whether a program still answers, and what it said last.
#[derive(Debug)]
pub struct Condition {
    /// Why it no longer answers.
    ended: watch::Sender<Option<String>>,
    errors: Mutex<VecDeque<u8>>,
}

impl Default for Condition {
    fn default() -> Self {
        Self {
            ended: watch::Sender::new(None),
            errors: Mutex::default(),
        }
    }
}

impl Condition {
    /// Why it no longer answers, with its last words; `None` as long as it does.
    pub fn why(&self) -> Option<String> {
        let ended = self.ended.borrow().clone()?;
        Some(match self.last_words() {
            Some(words) => format!("{ended}; it said: {words}"),
            None => ended,
        })
    }

    /// Waits a moment for the reason: that something failed is often noticed before it.
    pub async fn why_soon(&self) -> Option<String> {
        let mut ended = self.ended.subscribe();
        // If it has not ended by then, it failed otherwise.
        let _ = timeout(MOMENT, ended.wait_for(Option::is_some)).await;
        self.why()
    }

    /// The last line on its standard error that tells something, without what a terminal would obey.
    pub fn last_words(&self) -> Option<String> {
        let errors = self.errors.hold();
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut said = text.lines().rev().filter(|line| !line.trim().is_empty());
        let last = said.next()?;
        // Node says its version last, below what it died of.
        let line = match last.starts_with(NODE) {
            true => said.find(|line| line.contains("Error: ")).unwrap_or(last),
            false => last,
        };
        Some(escaped_line(line.trim()).chars().take(WORDS_MAX).collect())
    }

    /// It no longer answers. The first reason is the true one.
    pub fn note_end(&self, why: &dyn Display) {
        self.ended.send_if_modified(|ended| {
            let is_first = ended.is_none();
            ended.get_or_insert_with(|| why.to_string());
            is_first
        });
    }

    pub(crate) fn said(&self, bytes: &[u8]) {
        let mut errors = self.errors.hold();
        errors.extend(bytes);
        let over = errors.len().saturating_sub(ERRORS_KEPT);
        errors.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;

    fn last_words(said: &str) -> Option<String> {
        let condition = Condition::default();
        condition.said(said.as_bytes());
        condition.last_words()
    }

    #[test]
    fn the_last_words_say_what_it_died_of() {
        for (said, words) in [
            ("starting\nno key is set\n\n", "no key is set"),
            (
                "TypeError: fetch failed\n    at main.mjs:1:2 {\n  [cause]: Error: no such host\n}\n\nNode.js v22.0.0\n",
                "[cause]: Error: no such host",
            ),
            ("Node.js v22.0.0\n", "Node.js v22.0.0"),
        ] {
            assert_eq!(last_words(said).as_deref(), Some(words));
        }
        assert_eq!(last_words("\n"), None);
    }
}
