//! Prompt caches are written by the first request with a prefix. When several members that share one are spawned at
//! once, one request goes ahead and the others wait until the server begins to answer it, so that they read its cache.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

/// How long others wait for the first at most: then each pays for itself.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// How long a prefix stays warm without use (providers keep it five minutes).
const WARM_FOR: Duration = Duration::from_secs(4 * 60);

/// A prefix: which model at which endpoint, and which preamble by its address.
pub(crate) type PrefixKey = (String, String, usize);

/// Which prefixes are warm.
#[derive(Default)]
pub(crate) struct Warmth {
    prefixes: Mutex<HashMap<PrefixKey, Prefix>>,
}

enum Prefix {
    /// A request has gone ahead; the channel closes when it is known how it went.
    Warming(watch::Receiver<()>),
    Warm {
        used: Instant,
    },
}

/// The request that goes ahead. Dropped without [`Ahead::started`], another goes ahead.
pub(crate) struct Ahead<'a> {
    warmth: &'a Warmth,
    key: PrefixKey,
    // Its drop wakes those who wait.
    _signal: watch::Sender<()>,
}

impl Warmth {
    /// Waits for a warm prefix. `Some` if this request is the one to warm it.
    pub(crate) async fn enter(&self, key: &PrefixKey) -> Option<Ahead<'_>> {
        let deadline = Instant::now() + WAIT_MAX;
        loop {
            let mut signal = match self.look(key) {
                Ok(ahead) => return ahead,
                Err(signal) => signal,
            };
            // An error means that the sender is gone, which is the signal.
            let ended = tokio::time::timeout_at(deadline, async {
                while signal.changed().await.is_ok() {}
            });
            if ended.await.is_err() {
                return None;
            }
        }
    }

    fn look(&self, key: &PrefixKey) -> Result<Option<Ahead<'_>>, watch::Receiver<()>> {
        let mut prefixes = self.prefixes.lock().unwrap_or_else(PoisonError::into_inner);
        match prefixes.get_mut(key) {
            Some(Prefix::Warming(signal)) => return Err(signal.clone()),
            Some(Prefix::Warm { used }) if used.elapsed() < WARM_FOR => {
                *used = Instant::now();
                return Ok(None);
            }
            Some(Prefix::Warm { .. }) | None => {}
        }
        let (sender, receiver) = watch::channel(());
        prefixes.insert(key.clone(), Prefix::Warming(receiver));
        Ok(Some(Ahead {
            warmth: self,
            key: key.clone(),
            _signal: sender,
        }))
    }
}

impl Ahead<'_> {
    /// The server has begun to answer: the prefix is cached.
    pub(crate) fn started(self) {
        let mut prefixes = self
            .warmth
            .prefixes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        prefixes.insert(
            self.key.clone(),
            Prefix::Warm {
                used: Instant::now(),
            },
        );
    }
}

impl Drop for Ahead<'_> {
    fn drop(&mut self) {
        let mut prefixes = self
            .warmth
            .prefixes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(Prefix::Warming(_)) = prefixes.get(&self.key) {
            prefixes.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> PrefixKey {
        ("endpoint".into(), "model".into(), 1)
    }

    #[tokio::test(start_paused = true)]
    async fn one_goes_ahead_and_the_rest_follow() {
        let warmth = Warmth::default();
        let ahead = warmth.enter(&key()).await.unwrap();
        let same = key();
        let follower = warmth.enter(&same);
        tokio::pin!(follower);
        tokio::select! {
            biased;
            _ = &mut follower => panic!("did not wait"),
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
        }
        ahead.started();
        assert!(follower.await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn if_the_first_fails_another_goes_ahead() {
        let warmth = Warmth::default();
        drop(warmth.enter(&key()).await.unwrap());
        assert!(warmth.enter(&key()).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_ever_and_warmth_fades() {
        let warmth = Warmth::default();
        let ahead = warmth.enter(&key()).await.unwrap();
        assert!(warmth.enter(&key()).await.is_none(), "waited long enough");
        ahead.started();
        assert!(warmth.enter(&key()).await.is_none());
        tokio::time::sleep(WARM_FOR).await;
        assert!(warmth.enter(&key()).await.is_some());
    }
}
