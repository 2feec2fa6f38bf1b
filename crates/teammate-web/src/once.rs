//! The same request twice is done once: a browser that heard no answer sends it again with the same key.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

/// So many requests are remembered.
const KNOWN_MAX: usize = 1_024;

/// What came of a request: a status, and what is said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Done {
    pub(crate) status: u16,
    pub(crate) body: serde_json::Value,
}

/// The requests that were made, by their keys.
#[derive(Default)]
pub(crate) struct Once {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    requests: HashMap<String, (String, Arc<OnceCell<Done>>)>,
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
        run: impl Future<Output = Done>,
    ) -> Result<Done, OtherRequest> {
        let cell = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.cell(key, request)?
        };
        Ok(cell.get_or_init(|| run).await.clone())
    }
}

impl Known {
    fn cell(&mut self, key: &str, request: &str) -> Result<Arc<OnceCell<Done>>, OtherRequest> {
        if let Some((same, cell)) = self.requests.get(key) {
            return if same == request {
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
            .insert(key.to_owned(), (request.to_owned(), cell.clone()));
        Ok(cell)
    }
}
