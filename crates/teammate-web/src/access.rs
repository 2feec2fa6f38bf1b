//! Access to the page: the key in `Authorization`, and nowhere else. Too many bad ones in a minute are no longer looked at.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::http::{HeaderMap, StatusCode, header::AUTHORIZATION};
use teammate_core::{Timestamp, lock::Hold, name::DeviceName};
use tokio::sync::Notify;

use crate::{
    key_scope::KeyScope,
    keys::{AccessLine, KeyFile},
    refusal::PageRefusal,
};

/// So many bad keys in a minute; for those after them there is not even a look.
const BAD_KEYS_MAX: usize = 10;

const MINUTE_MILLIS: u64 = 60_000;

/// Looks at keys.
pub(crate) struct Access {
    keys: KeyFile,
    bad: Mutex<VecDeque<Timestamp>>,
    opened: Arc<Notify>,
    was_opened: AtomicBool,
}

impl Access {
    pub(crate) fn new(keys: KeyFile) -> Self {
        Self {
            keys,
            bad: Mutex::default(),
            opened: Arc::default(),
            was_opened: AtomicBool::new(false),
        }
    }

    /// Is notified when somebody comes with a good key for the first time.
    pub(crate) fn opened(&self) -> Arc<Notify> {
        self.opened.clone()
    }

    /// The device of the key, where it has one.
    ///
    /// Errors: there is no key, it is none, or it is not good for this.
    pub(crate) fn check(
        &self,
        headers: &HeaderMap,
        needed: KeyScope,
        now: Timestamp,
    ) -> Result<Option<DeviceName>, PageRefusal> {
        let AccessLine { scope, device, .. } = self.known(headers, now)?;
        if scope < needed {
            let text = format!(
                "this key is good for `{scope}`, and `{needed}` is needed: pair with that scope"
            );
            return Err(PageRefusal::new(StatusCode::FORBIDDEN, text));
        }
        Ok(device)
    }

    fn known(&self, headers: &HeaderMap, now: Timestamp) -> Result<AccessLine, PageRefusal> {
        let mut all = headers.get_all(AUTHORIZATION).iter();
        let (given, second) = (all.next(), all.next());
        let given = given
            .filter(|_| second.is_none())
            .and_then(|value| value.to_str().ok());
        let key = given
            .and_then(|given| given.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let Some((_, key)) = key else {
            let text = "the key is needed: Authorization: Bearer KEY, as the address that opens the page has it";
            return Err(PageRefusal::new(StatusCode::UNAUTHORIZED, text));
        };
        match self.keys.known(key, now) {
            Some(known) => {
                if !self.was_opened.swap(true, Ordering::Relaxed) {
                    self.opened.notify_one();
                }
                Ok(known)
            }
            None => Err(self.refuse(now)),
        }
    }

    fn refuse(&self, now: Timestamp) -> PageRefusal {
        let mut bad = self.bad.hold();
        bad.retain(|at| now.millis_since(*at) < MINUTE_MILLIS);
        if bad.len() >= BAD_KEYS_MAX {
            let text = "too many bad keys; wait a minute";
            return PageRefusal::new(StatusCode::TOO_MANY_REQUESTS, text);
        }
        bad.push_back(now);
        let text = "this key is none: it ended, was revoked, or is of an earlier page: start the page again for a new one";
        PageRefusal::new(StatusCode::UNAUTHORIZED, text)
    }
}
