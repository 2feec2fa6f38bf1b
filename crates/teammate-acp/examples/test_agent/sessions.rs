//! Its sessions: what was said in each, in a file of its home.

use std::{
    collections::HashMap,
    fs,
    io::Write as _,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, State>>);

#[derive(Default)]
struct State {
    mode: String,
    /// The server of tools that it was given, as the protocol describes it.
    server: Value,
    is_busy: bool,
    is_cancelled: bool,
}

fn file(session: &str) -> Option<PathBuf> {
    let home = std::env::var_os("HOME")?;
    Some(PathBuf::from(home).join(format!("{session}.jsonl")))
}

impl Sessions {
    pub(crate) fn open(&self, server: &Value) -> String {
        let session = format!("session-{}-{}", std::process::id(), self.lock().len());
        let state = State {
            server: server.clone(),
            ..State::default()
        };
        self.lock().insert(session.clone(), state);
        session
    }

    pub(crate) fn load(&self, session: &Value) -> Option<Vec<Value>> {
        let session = session.as_str()?;
        let text = fs::read_to_string(file(session)?).ok()?;
        self.lock().insert(session.to_owned(), State::default());
        let past = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        Some(past.collect())
    }

    /// Keeps an update.
    pub(crate) fn keep(&self, session: &Value, update: &Value) {
        let Some(path) = session.as_str().and_then(file) else {
            return;
        };
        let opened = fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = opened {
            drop(writeln!(file, "{update}"));
        }
    }

    pub(crate) fn set_mode(&self, session: &Value, mode: &Value) {
        self.with(session, |state| {
            state.mode = mode.as_str().unwrap_or_default().to_owned();
        });
    }

    pub(crate) fn server(&self, session: &Value) -> Value {
        self.with(session, |state| state.server.clone())
    }

    pub(crate) fn is_free(&self, session: &Value) -> bool {
        self.with(session, |state| state.mode == "free")
    }

    pub(crate) fn is_busy(&self, session: &Value) -> bool {
        self.with(session, |state| state.is_busy)
    }

    pub(crate) fn begin(&self, session: &Value) {
        self.with(session, |state| {
            state.is_busy = true;
            state.is_cancelled = false;
        });
    }

    /// The turn is over; true if it was cancelled.
    pub(crate) fn end(&self, session: &Value) -> bool {
        self.with(session, |state| {
            state.is_busy = false;
            state.is_cancelled
        })
    }

    pub(crate) fn cancel(&self, session: &Value) {
        self.with(session, |state| state.is_cancelled = true);
    }

    pub(crate) fn is_cancelled(&self, session: &Value) -> bool {
        self.with(session, |state| state.is_cancelled)
    }

    fn with<T>(&self, session: &Value, act: impl FnOnce(&mut State) -> T) -> T {
        let session = session.as_str().unwrap_or_default().to_owned();
        act(self.lock().entry(session).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
