//! The key of a search service: obtained when it is first needed, kept while it is taken, and known to nobody else.

use std::{fmt, sync::Arc};

use secrecy::{ExposeSecret as _, SecretString};
use teammate_core::{port::BoxFuture, secrets::Secrets};
use tokio::sync::Mutex;

/// A source of keys.
type SearchKeySource =
    Arc<dyn Fn() -> BoxFuture<'static, Result<SecretString, String>> + Send + Sync>;

/// The source of a service's key.
#[derive(Clone)]
pub struct SearchKey {
    name: String,
    source: SearchKeySource,
}

impl SearchKey {
    /// A key under the name that stands in its place wherever its text comes up. The source gives it anew each time that it is
    /// asked; its error is a part of a sentence.
    pub fn new(
        name: impl Into<String>,
        source: impl Fn() -> BoxFuture<'static, Result<SecretString, String>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            source: Arc::new(source),
        }
    }

    /// This key, always.
    pub fn fixed(name: impl Into<String>, key: SecretString) -> Self {
        Self::new(name, move || Box::pin(std::future::ready(Ok(key.clone()))))
    }
}

impl fmt::Debug for SearchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchKey")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// A key that was obtained.
pub(super) struct KeptKey {
    from: SearchKey,
    held: Mutex<Option<SecretString>>,
}

impl KeptKey {
    pub(super) fn new(from: SearchKey) -> Self {
        Self {
            from,
            held: Mutex::new(None),
        }
    }

    /// The key. It is one of these secrets before anybody has it.
    pub(super) async fn lend(&self, secrets: &Secrets) -> Result<SecretString, String> {
        let mut held = self.held.lock().await;
        match &*held {
            Some(key) => Ok(key.clone()),
            None => Ok(held.insert(self.obtain(secrets).await?).clone()),
        }
    }

    /// Another key in place of one that was refused; `None` if there is no other.
    pub(super) async fn renew(
        &self,
        refused: &SecretString,
        secrets: &Secrets,
    ) -> Result<Option<SecretString>, String> {
        let mut held = self.held.lock().await;
        let is_other = |key: &SecretString| key.expose_secret() != refused.expose_secret();
        if let Some(newer) = held.as_ref().filter(|key| is_other(key)) {
            return Ok(Some(newer.clone()));
        }
        let key = self.obtain(secrets).await?;
        let other = is_other(&key).then(|| key.clone());
        *held = Some(key);
        Ok(other)
    }

    async fn obtain(&self, secrets: &Secrets) -> Result<SecretString, String> {
        let key = (self.from.source)().await?;
        secrets.obtained(self.from.name.clone(), key.expose_secret().to_owned());
        Ok(key)
    }
}
