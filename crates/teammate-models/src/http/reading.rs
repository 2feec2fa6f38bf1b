//! Requests whose answer is one small JSON value: lists of models, and what a server says of itself. No streams.

use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;
use teammate_core::model::{ModelFailure, Remedy};
use tokio::time::{Instant, timeout_at};

use super::{Connection, Sent, failure_text::FailureText};

/// The most bytes of such an answer.
const JSON_BYTES_MAX: usize = 4 << 20;

/// How a server answered.
#[derive(Debug)]
pub(crate) enum JsonAnswer {
    /// With this.
    Value(Value),
    /// With a status that is not success.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Which server said what, for the user.
        why: ModelFailure,
    },
}

impl Connection {
    /// This connection's URL with `end` in place of `own_end` at the end of its path.
    pub(crate) fn sibling(&self, own_end: &str, end: &str) -> Url {
        let mut url = self.url.clone();
        let base = url.path().trim_end_matches(own_end).to_owned();
        url.set_path(&format!("{base}{end}"));
        url
    }

    /// Gets a JSON value. A redirect is a refusal.
    pub(crate) async fn get_json(&self, url: Url) -> Result<JsonAnswer, ModelFailure> {
        let request = self.client.get()?.get(url);
        self.read_json(request).await
    }

    /// Sends a JSON value and gets one.
    pub(crate) async fn post_json(
        &self,
        url: Url,
        body: &Value,
    ) -> Result<JsonAnswer, ModelFailure> {
        let request = self
            .client
            .get()?
            .post(url)
            .header("content-type", "application/json")
            .body(body.to_string());
        self.read_json(request).await
    }

    /// The whole of a body that was to be a stream.
    pub(super) async fn whole_body(
        &self,
        response: &mut Response,
        deadline: Instant,
    ) -> Result<String, ModelFailure> {
        let body = timeout_at(deadline, read_whole(&self.failures, response))
            .await
            .map_err(|_| self.failures.timed_out(self.timeouts.first_event))??;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// A failure that asking again does not change.
    pub(crate) fn final_failure(&self, what: &str) -> ModelFailure {
        self.failures.failure(what, Remedy::Never)
    }

    async fn read_json(&self, request: RequestBuilder) -> Result<JsonAnswer, ModelFailure> {
        let request = request
            .headers(self.headers.clone())
            .header("accept", "application/json");
        let (mut response, deadline) = match self.send(request).await? {
            Sent::Accepted { response, deadline } => (response, deadline),
            Sent::Refused(refusal) => {
                return Ok(JsonAnswer::Refused {
                    status: refusal.status(),
                    why: self.failures.refused(&refusal),
                });
            }
        };
        let body = timeout_at(deadline, read_whole(&self.failures, &mut response))
            .await
            .map_err(|_| self.failures.timed_out(self.timeouts.first_event))??;
        let value = serde_json::from_slice(&body).map_err(|_| {
            self.final_failure("answered with something else than JSON. Check the base URL.")
        })?;
        Ok(JsonAnswer::Value(value))
    }
}

async fn read_whole(
    failures: &FailureText,
    response: &mut Response,
) -> Result<Vec<u8>, ModelFailure> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| failures.broken(&error))?
    {
        if body.len() + chunk.len() > JSON_BYTES_MAX {
            let what = format!("answered with more than {} MiB", JSON_BYTES_MAX >> 20);
            return Err(failures.failure(&what, Remedy::Never));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
