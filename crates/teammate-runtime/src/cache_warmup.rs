//! Prompt caches are written by the first request with a prefix. When several members that share one are spawned at
//! once, one request goes ahead and the others wait until the server begins to answer it, so that they read its cache.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use teammate_core::lock::Hold;
use tokio::{sync::watch, time::Instant};

/// How long others wait for the first at most: then each pays for itself.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// How long a prefix stays warm without use (providers keep it five minutes).
const CACHE_LIFETIME: Duration = Duration::from_secs(4 * 60);

/// A prefix: which model at which endpoint, and the preamble by its address; `None` for the tools that members of every kind
/// begin with, of which there is one list in a team.
pub(crate) type PrefixKey = (String, String, Option<usize>);

/// Which prefixes are warm.
#[derive(Default)]
pub(crate) struct CacheWarmup {
    prefixes: Mutex<HashMap<PrefixKey, Prefix>>,
}

enum Prefix {
    /// A request has gone ahead; the channel closes when it is known how it went.
    Warming(watch::Receiver<()>),
    Warm {
        used: Instant,
    },
}

/// The request that goes ahead. Dropped without [`FirstRequest::started`], another goes ahead.
pub(crate) struct FirstRequest<'a> {
    cache_warmup: &'a CacheWarmup,
    key: PrefixKey,
    // Its drop wakes those who wait.
    _signal: watch::Sender<()>,
}

impl CacheWarmup {
    /// Waits for a warm prefix. `Some` if this request is the one to warm it.
    pub(crate) async fn wait_or_lead(&self, key: &PrefixKey) -> Option<FirstRequest<'_>> {
        let deadline = Instant::now() + WAIT_MAX;
        loop {
            let mut signal = match self.try_lead(key) {
                Ok(ahead) => return ahead,
                Err(signal) => signal,
            };
            // An error means that the sender was dropped, which is the signal.
            let ended = tokio::time::timeout_at(deadline, async {
                while signal.changed().await.is_ok() {}
            });
            if ended.await.is_err() {
                return None;
            }
        }
    }

    fn try_lead(&self, key: &PrefixKey) -> Result<Option<FirstRequest<'_>>, watch::Receiver<()>> {
        let mut prefixes = self.prefixes.hold();
        match prefixes.get_mut(key) {
            Some(Prefix::Warming(signal)) => return Err(signal.clone()),
            Some(Prefix::Warm { used }) if used.elapsed() < CACHE_LIFETIME => {
                *used = Instant::now();
                return Ok(None);
            }
            Some(Prefix::Warm { .. }) | None => {}
        }
        let (sender, receiver) = watch::channel(());
        prefixes.insert(key.clone(), Prefix::Warming(receiver));
        Ok(Some(FirstRequest {
            cache_warmup: self,
            key: key.clone(),
            _signal: sender,
        }))
    }
}

impl FirstRequest<'_> {
    /// The server has begun to answer: the prefix is cached.
    pub(crate) fn started(self) {
        let mut prefixes = self.cache_warmup.prefixes.hold();
        prefixes.insert(
            self.key.clone(),
            Prefix::Warm {
                used: Instant::now(),
            },
        );
    }
}

impl Drop for FirstRequest<'_> {
    fn drop(&mut self) {
        let mut prefixes = self.cache_warmup.prefixes.hold();
        if let Some(Prefix::Warming(_)) = prefixes.get(&self.key) {
            prefixes.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> PrefixKey {
        ("endpoint".into(), "model".into(), Some(1))
    }

    #[tokio::test(start_paused = true)]
    async fn one_goes_ahead_and_the_rest_follow() {
        let cache_warmup = CacheWarmup::default();
        let ahead = cache_warmup.wait_or_lead(&key()).await.unwrap();
        let same = key();
        let follower = cache_warmup.wait_or_lead(&same);
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
        let cache_warmup = CacheWarmup::default();
        drop(cache_warmup.wait_or_lead(&key()).await.unwrap());
        assert!(cache_warmup.wait_or_lead(&key()).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn no_request_waits_for_ever_and_the_warm_up_expires() {
        let cache_warmup = CacheWarmup::default();
        let ahead = cache_warmup.wait_or_lead(&key()).await.unwrap();
        assert!(
            cache_warmup.wait_or_lead(&key()).await.is_none(),
            "waited long enough"
        );
        ahead.started();
        assert!(cache_warmup.wait_or_lead(&key()).await.is_none());
        tokio::time::sleep(CACHE_LIFETIME).await;
        assert!(cache_warmup.wait_or_lead(&key()).await.is_some());
    }
}
