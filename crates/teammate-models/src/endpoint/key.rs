//! Where the key of a model server comes from: it is there from the start, or a source gives it when it is first needed, and
//! a new one when the server refuses it or it has expired. What a source is, a password manager for example, is not known here.

use std::{
    fmt,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use secrecy::{ExposeSecret as _, SecretString};
use teammate_core::{lock::Hold, port::BoxFuture, secrets::Secrets};
use tokio::{sync::OwnedMutexGuard, time::Instant};

/// A key, or what gives one.
#[derive(Debug, Clone)]
pub enum Key {
    /// Known from the start, and never another one.
    Fixed(SecretString),
    /// Obtained when it is first needed. All clones share it.
    Renewable(Arc<RenewableKey>),
}

/// Gives keys.
pub trait KeySource: fmt::Debug + Send + Sync {
    /// A key. It may take a while: a person may be asked. Not called again before it has ended.
    ///
    /// Errors: why there is none, as a part of a sentence, without any key in it.
    fn obtain(&self) -> BoxFuture<'_, Result<SecretString, String>>;
}

/// A key that is asked for when it is first needed, kept, and asked for anew when it has expired or was refused.
///
/// However many ask at once, the source is asked once, and all get what it gave.
#[derive(Debug)]
pub struct RenewableKey {
    source: Arc<dyn KeySource>,
    expires_after: Option<Duration>,
    /// Held while the source is asked.
    state: Arc<tokio::sync::Mutex<State>>,
    /// How often the source was asked to the end.
    asked: Arc<AtomicU64>,
    /// All keys so far, which are kept out of messages. Has no bound: one in minutes.
    had: Mutex<Vec<SecretString>>,
    /// Where all keys are hidden, and under which name.
    hidden: OnceLock<(Arc<Secrets>, String)>,
}

#[derive(Debug, Default)]
struct State {
    held: Option<LentKey>,
    since: Option<Instant>,
    /// Why the source gave nothing when it was asked last.
    failed: Option<String>,
}

/// A key with the number of the time that its source gave it.
#[derive(Debug, Clone)]
pub(crate) struct LentKey {
    pub(crate) key: SecretString,
    number: u64,
}

impl RenewableKey {
    /// A key of this source, which is not asked yet.
    pub fn new(source: Arc<dyn KeySource>, expires_after: Option<Duration>) -> Self {
        Self {
            source,
            expires_after,
            state: Arc::default(),
            asked: Arc::default(),
            had: Mutex::default(),
            hidden: OnceLock::new(),
        }
    }

    /// Has every key that the source gives hidden among these secrets, before it is used. Only the first call counts.
    pub fn hide_in(&self, secrets: Arc<Secrets>, name: String) {
        let _ = self.hidden.set((secrets, name));
    }

    /// Asks the source, unless there is a key already.
    ///
    /// # Errors
    ///
    /// Why there is none, as a part of a sentence.
    pub async fn check(self: &Arc<Self>) -> Result<(), String> {
        self.lend().await.map(|_| ())
    }

    /// The key, from the source if there is none or it has expired.
    pub(crate) async fn lend(self: &Arc<Self>) -> Result<LentKey, String> {
        let asked = self.asked.load(Ordering::SeqCst);
        let state = self.state.clone().lock_owned().await;
        match &state.held {
            Some(held) if !self.has_expired(&state) => Ok(held.clone()),
            Some(_) | None => self.ask(state, asked).await,
        }
    }

    /// Another key in place of one that the server refused; `None` if the source gave the same again.
    pub(crate) async fn renew(
        self: &Arc<Self>,
        refused: &LentKey,
    ) -> Result<Option<LentKey>, String> {
        let asked = self.asked.load(Ordering::SeqCst);
        let state = self.state.clone().lock_owned().await;
        let newer = match &state.held {
            Some(held) if held.number > refused.number => held.clone(),
            Some(_) | None => self.ask(state, asked).await?,
        };
        let is_other = newer.key.expose_secret() != refused.key.expose_secret();
        Ok(is_other.then_some(newer))
    }

    /// The text without any of the keys so far.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        let had = self.had.hold();
        had.iter()
            .fold(text.to_owned(), |text, key| without(&text, key))
    }

    fn has_expired(&self, state: &State) -> bool {
        let (Some(after), Some(since)) = (self.expires_after, state.since) else {
            return false;
        };
        since.elapsed() >= after
    }

    /// Asks the source. `before`: how often it had been asked when this caller began to wait: a failure since then is this
    /// caller's, too, so that a person is not asked once for each member.
    async fn ask(
        self: &Arc<Self>,
        state: OwnedMutexGuard<State>,
        before: u64,
    ) -> Result<LentKey, String> {
        if let Some(why) = &state.failed
            && self.asked.load(Ordering::SeqCst) > before
        {
            return Err(why.clone());
        }
        // A task, so that a caller who is interrupted does not end what others wait for.
        let this = self.clone();
        let asking = tokio::spawn(async move { this.ask_source(state).await });
        match asking.await {
            Ok(given) => given,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err("was not waited for, because the program ends".to_owned()),
        }
    }

    async fn ask_source(&self, mut state: OwnedMutexGuard<State>) -> Result<LentKey, String> {
        let given = self.source.obtain().await;
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let key = match given {
            Ok(key) => key,
            Err(why) => {
                state.failed = Some(why.clone());
                return Err(why);
            }
        };
        self.remember(&key);
        let lent = LentKey { key, number };
        *state = State {
            held: Some(lent.clone()),
            since: Some(Instant::now()),
            failed: None,
        };
        Ok(lent)
    }

    fn remember(&self, key: &SecretString) {
        if let Some((secrets, name)) = self.hidden.get() {
            secrets.obtained(name.clone(), key.expose_secret().to_owned());
        }
        let mut had = self.had.hold();
        let is_new = |old: &SecretString| old.expose_secret() != key.expose_secret();
        if had.iter().all(is_new) {
            had.push(key.clone());
        }
    }
}

impl Key {
    /// The text without this key, which a server may quote.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        match self {
            Self::Fixed(key) => without(text, key),
            Self::Renewable(key) => key.hidden_in(text),
        }
    }
}

fn without(text: &str, key: &SecretString) -> String {
    match key.expose_secret().trim() {
        key if key.len() > 3 => text.replace(key, "[key]"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
