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

    /// The last line on its standard error, without what a terminal would obey.
    pub fn last_words(&self) -> Option<String> {
        let errors = self.errors.hold();
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rfind(|line| !line.trim().is_empty())?;
        Some(escaped_line(line).chars().take(WORDS_MAX).collect())
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
