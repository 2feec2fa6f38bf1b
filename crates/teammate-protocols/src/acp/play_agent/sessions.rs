//! Its sessions: what was said in each, in a file of its home.

use std::{collections::HashMap, fs, io::Write as _, path::PathBuf, sync::Mutex};

use serde_json::Value;
use teammate_core::lock::Hold;

#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, State>>);

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
    pub(super) fn open(&self, server: &Value) -> String {
        // Numbers of processes come again in a namespace of their own.
        let taken = |session: &String| file(session).is_some_and(|path| path.exists());
        let mut names = (0..).map(|number| format!("session-{}-{number}", std::process::id()));
        let session = names.find(|it| !self.0.hold().contains_key(it) && !taken(it));
        let session = session.expect("numbers do not end");
        let state = State {
            server: server.clone(),
            ..State::default()
        };
        self.0.hold().insert(session.clone(), state);
        session
    }

    pub(super) fn load(&self, session: &Value, server: &Value) -> Option<Vec<Value>> {
        let session = session.as_str()?;
        let text = fs::read_to_string(file(session)?).ok()?;
        let state = State {
            server: server.clone(),
            ..State::default()
        };
        self.0.hold().insert(session.to_owned(), state);
        let past = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        Some(past.collect())
    }

    /// Keeps an update.
    pub(super) fn keep(&self, session: &Value, update: &Value) {
        let Some(path) = session.as_str().and_then(file) else {
            return;
        };
        // Before it is said, so that all that was said is here.
        let opened = fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut file) = opened {
            drop(writeln!(file, "{update}"));
        }
    }

    pub(super) fn set_mode(&self, session: &Value, mode: &Value) {
        self.with(session, |state| {
            state.mode = mode.as_str().unwrap_or_default().to_owned();
        });
    }

    pub(super) fn server(&self, session: &Value) -> Value {
        self.with(session, |state| state.server.clone())
    }

    pub(super) fn is_free(&self, session: &Value) -> bool {
        self.with(session, |state| state.mode == "free")
    }

    pub(super) fn is_busy(&self, session: &Value) -> bool {
        self.with(session, |state| state.is_busy)
    }

    pub(super) fn begin(&self, session: &Value) {
        self.with(session, |state| {
            state.is_busy = true;
            state.is_cancelled = false;
        });
    }

    /// The turn is over; true if it was cancelled.
    pub(super) fn end(&self, session: &Value) -> bool {
        self.with(session, |state| {
            state.is_busy = false;
            state.is_cancelled
        })
    }

    pub(super) fn cancel(&self, session: &Value) {
        self.with(session, |state| state.is_cancelled = true);
    }

    pub(super) fn is_cancelled(&self, session: &Value) -> bool {
        self.with(session, |state| state.is_cancelled)
    }

    fn with<T>(&self, session: &Value, act: impl FnOnce(&mut State) -> T) -> T {
        let session = session.as_str().unwrap_or_default().to_owned();
        act(self.0.hold().entry(session).or_default())
    }
}
