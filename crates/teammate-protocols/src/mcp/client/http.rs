//! A server that is there already, spoken with by streamable HTTP.

use std::{collections::HashMap, time::Duration};

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::{
    StreamableHttpClientTransport,
    streamable_http_client::{StreamableHttpClient, StreamableHttpClientTransportConfig},
};

use crate::lines::LINE_MAX;
use crate::mcp::client::answer::ServerFailure;

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a cancellation may take.
const CONTROL_TIMEOUT: Duration = Duration::from_secs(5);

/// A client for all servers. It follows no redirects: headers may hold keys, and the place was decided about before. The protocol's
/// library can make none of its own before this has said what encrypts.
pub(crate) fn client() -> reqwest::Client {
    // Another part of the program may have been first, with the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("teammate/", env!("CARGO_PKG_VERSION")))
        .build()
        .unwrap_or_default()
}

/// A transport to this address.
pub(crate) fn transport<C: StreamableHttpClient + Sync>(
    client: C,
    url: &str,
    headers: &[(String, String)],
) -> Result<StreamableHttpClientTransport<C>, ServerFailure> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.custom_headers = headers
        .iter()
        .map(|(name, value)| {
            let name = HeaderName::try_from(name).ok()?;
            let mut value = HeaderValue::try_from(value).ok()?;
            value.set_sensitive(true);
            Some((name, value))
        })
        .collect::<Option<HashMap<_, _>>>()
        .ok_or_else(|| ServerFailure::Refused("one of its headers is none".to_owned()))?;
    config.max_sse_event_size = LINE_MAX;
    config.control_request_timeout = CONTROL_TIMEOUT;
    Ok(StreamableHttpClientTransport::with_client(client, config))
}
