//! Sends one request with the key, and once more with a new key where the server refuses the one it got. No other retry is
//! made here.

use reqwest::{RequestBuilder, Response, header::HeaderMap};
use teammate_core::model::ModelFailure;
use tokio::time::{Instant, timeout_at};

use super::Connection;
use crate::{
    endpoint::{Key, LentKey},
    failure::ServerError,
};

/// How a server took a request.
pub(super) enum Sent {
    /// It begins to answer. The first event must have come before the deadline.
    Accepted {
        response: Response,
        deadline: Instant,
    },
    Refused(Refusal),
}

/// A status that is not success, and what was said.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) report: ServerError,
    pub(super) request_id: String,
    pub(super) renewal: Renewal,
    /// All that was said, without the key.
    pub(super) body: String,
}

/// Whether a new key was tried before the server refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewal {
    /// No.
    None,
    /// There was none: the source gave the same again.
    SameKey,
    /// Yes.
    OtherKey,
}

impl Refusal {
    pub(super) fn status(&self) -> u16 {
        self.report.status
    }

    /// The server's words, if the request was refused for its content. llama.cpp tells its context in fields beside the
    /// message.
    pub(super) fn about_content(self) -> Option<String> {
        matches!(self.status(), 400 | 402 | 403 | 404 | 413 | 422 | 500).then(|| plain(&self.body))
    }
}

/// A body in which quotation marks within texts are plain ones, for readers that look for quoted names.
fn plain(body: &str) -> String {
    body.replace("\\\"", "\"")
}

impl Connection {
    /// Obtains the key if it has a source, so that no limit of a request counts that time.
    pub(crate) async fn obtain_key(&self) -> Result<(), ModelFailure> {
        if let Some(Key::Renewable(source)) = &self.endpoint.key {
            let lent = source.lend().await;
            lent.map_err(|why| self.failures.no_key(&why))?;
        }
        Ok(())
    }

    /// Sends it, with the key that its source gives.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Sent, ModelFailure> {
        let Some(Key::Renewable(source)) = &self.endpoint.key else {
            return self.send_once(request, None).await;
        };
        let no_key = |why: String| self.failures.no_key(&why);
        let lent = source.lend().await.map_err(no_key)?;
        // Its body is text, so there is a copy.
        let again = request.try_clone();
        let sent = self.send_once(request, Some(&lent)).await?;
        let (refusal, again) = match (sent, again) {
            (Sent::Refused(refusal), Some(again)) if refusal.report.is_key_refused() => {
                (refusal, again)
            }
            (sent, _) => return Ok(sent),
        };
        let Some(renewed) = source.renew(&lent).await.map_err(no_key)? else {
            return Ok(Sent::Refused(Refusal {
                renewal: Renewal::SameKey,
                ..refusal
            }));
        };
        Ok(match self.send_once(again, Some(&renewed)).await? {
            Sent::Refused(refusal) if refusal.report.is_key_refused() => Sent::Refused(Refusal {
                renewal: Renewal::OtherKey,
                ..refusal
            }),
            sent => sent,
        })
    }

    /// Sends it with this key, or as it is.
    pub(super) async fn send_once(
        &self,
        request: RequestBuilder,
        lent: Option<&LentKey>,
    ) -> Result<Sent, ModelFailure> {
        let request = match lent {
            Some(lent) => {
                let (name, value) = self.endpoint.key_header(&lent.key)?;
                // In place of a header of that name which the user has set.
                request.headers(HeaderMap::from_iter([(name, value)]))
            }
            None => request,
        };
        let limit = self.timeouts.first_event;
        let deadline = Instant::now() + limit;
        let response = timeout_at(deadline, request.send())
            .await
            .map_err(|_| self.failures.timed_out(limit))?
            .map_err(|error| self.failures.broken(&error))?;
        Ok(match response.status().is_success() {
            true => Sent::Accepted { response, deadline },
            false => Sent::Refused(self.failures.refusal(response).await),
        })
    }
}
