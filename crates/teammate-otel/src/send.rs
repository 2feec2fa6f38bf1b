//! One message to a collector and its answer, both within limits.

use std::time::Duration;

use reqwest::{
    Client, Response, StatusCode,
    header::{CONTENT_TYPE, HeaderValue},
};

use crate::settings::Settings;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a message and its answer may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// How much of an answer is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Why a message was not taken.
#[derive(Debug)]
pub(crate) enum NotTaken {
    /// It may be taken later.
    Later(String),
    /// It is never taken.
    Refused(String),
}

impl NotTaken {
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Later(why) | Self::Refused(why) => why,
        }
    }
}

/// The way to a collector.
pub(crate) struct CollectorSender {
    client: Client,
    settings: Settings,
}

impl CollectorSender {
    /// Reads the machine's certificates, which takes milliseconds. It follows no redirects: headers may be keys.
    pub(crate) fn open(settings: Settings) -> Self {
        // Another part of the program may have been first, with the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(SEND_TIMEOUT)
            .user_agent(concat!("teammate/", env!("CARGO_PKG_VERSION")))
            .build()
            .unwrap_or_default();
        Self { client, settings }
    }

    /// Sends a message of this kind; the answer's bytes.
    pub(crate) async fn send(&self, signal: &str, body: Vec<u8>) -> Result<Vec<u8>, NotTaken> {
        let protobuf = HeaderValue::from_static("application/x-protobuf");
        let request = self
            .client
            .post(self.settings.url(signal))
            .headers(self.settings.headers.clone())
            .header(CONTENT_TYPE, protobuf)
            .body(body);
        let answer = request.send().await;
        let answer = answer.map_err(|error| NotTaken::Later(reason(&error)))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(beginning(answer).await);
        }
        let why = format!("it answered {status}");
        Err(match status {
            StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT => NotTaken::Later(why),
            _ => NotTaken::Refused(why),
        })
    }
}

/// An answer that is too long or breaks off is taken for as much as came: the message was taken.
async fn beginning(mut answer: Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            break;
        }
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// Without the URL, which may have a key in it.
fn reason(error: &reqwest::Error) -> String {
    match (error.is_timeout(), error.is_connect()) {
        (true, _) => "it does not answer in time",
        (false, true) => "it cannot be reached",
        (false, false) => "the connection broke",
    }
    .to_owned()
}
