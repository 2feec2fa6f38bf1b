//! Lines for standard error that wait while a full screen has the terminal.

use std::{
    io::stderr,
    sync::{Arc, Mutex},
};

use teammate::lock::Hold;

use super::{DivertedErrors, divert_errors, write_clean};

/// The most bytes that wait; what comes after them is lost.
const WAITING_BYTES_MAX: usize = 64 << 10;

/// Lines for standard error wait until it is dropped, and are printed then.
pub(crate) struct WaitingErrors {
    diverted: Option<DivertedErrors>,
    lines: Arc<Mutex<String>>,
}

impl WaitingErrors {
    /// From now on they wait.
    pub(crate) fn begin() -> Self {
        let lines = Arc::<Mutex<String>>::default();
        let waiting = lines.clone();
        let wait = move |text: &str| {
            let mut waiting = waiting.hold();
            if waiting.len() + text.len() <= WAITING_BYTES_MAX {
                waiting.push_str(text);
            }
        };
        Self {
            diverted: Some(divert_errors(Box::new(wait))),
            lines,
        }
    }
}

impl Drop for WaitingErrors {
    fn drop(&mut self) {
        // No more wait.
        drop(self.diverted.take());
        write_clean(&mut stderr(), &self.lines.hold());
    }
}
