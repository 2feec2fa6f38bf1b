//! Does a repeated request once: a browser that heard no answer sends it again with the same key.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use ring::digest::{SHA256, digest};
use teammate_core::lock::Hold;
use tokio::sync::OnceCell;

/// So many requests are remembered.
const KNOWN_MAX: usize = 1_024;

/// The result of a request: a status, and the words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AnsweredVerb {
    pub(crate) status: u16,
    pub(crate) body: serde_json::Value,
}

/// The requests that were made, by their keys.
#[derive(Default)]
pub(crate) struct Once {
    known: Mutex<KnownRequests>,
}

/// Tells requests apart without keeping their words.
type RequestDigest = [u8; 32];

#[derive(Default)]
struct KnownRequests {
    requests: HashMap<String, (RequestDigest, Arc<OnceCell<AnsweredVerb>>)>,
    order: VecDeque<String>,
}

/// The key was used for something else.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OtherRequest;

impl Once {
    /// Does it, or says what came of it when it was done.
    pub(crate) async fn run(
        &self,
        key: &str,
        request: &str,
        run: impl Future<Output = AnsweredVerb>,
    ) -> Result<AnsweredVerb, OtherRequest> {
        let cell = {
            let mut known = self.known.hold();
            known.cell(key, digest_of(request))?
        };
        Ok(cell.get_or_init(|| run).await.clone())
    }
}

impl KnownRequests {
    fn cell(
        &mut self,
        key: &str,
        request: RequestDigest,
    ) -> Result<Arc<OnceCell<AnsweredVerb>>, OtherRequest> {
        if let Some((same, cell)) = self.requests.get(key) {
            return if *same == request {
                Ok(cell.clone())
            } else {
                Err(OtherRequest)
            };
        }
        if self.order.len() >= KNOWN_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.requests.remove(&oldest);
        }
        let cell = Arc::new(OnceCell::new());
        self.order.push_back(key.to_owned());
        self.requests
            .insert(key.to_owned(), (request, cell.clone()));
        Ok(cell)
    }
}

fn digest_of(request: &str) -> RequestDigest {
    let mut all = RequestDigest::default();
    all.copy_from_slice(digest(&SHA256, request.as_bytes()).as_ref());
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn done(text: &str) -> AnsweredVerb {
        AnsweredVerb {
            status: 200,
            body: json!(text),
        }
    }

    #[tokio::test]
    async fn the_same_request_twice_is_done_once_and_a_key_is_for_one_request() {
        let once = Once::default();
        let first = once.run("k", "say a", async { done("first") }).await;
        let again = once.run("k", "say a", async { done("twice") }).await;
        assert_eq!((first, again), (Ok(done("first")), Ok(done("first"))));
        let other = once.run("k", "say b", async { done("other") }).await;
        assert_eq!(other, Err(OtherRequest));
        for number in 0..KNOWN_MAX {
            let key = number.to_string();
            assert!(once.run(&key, "say a", async { done("") }).await.is_ok());
        }
        let forgotten = once.run("k", "say b", async { done("anew") }).await;
        assert_eq!(forgotten, Ok(done("anew")));
    }
}
