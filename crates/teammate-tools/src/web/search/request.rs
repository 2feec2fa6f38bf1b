//! The common parts of requests to search services.

use hyper::{
    HeaderMap, Method,
    header::{self, HeaderName, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

use crate::web::client::WebRequest;

/// Sends a JSON value.
pub(super) fn post(body: &Value) -> WebRequest {
    let json = HeaderValue::from_static("application/json");
    WebRequest {
        method: Method::POST,
        headers: HeaderMap::from_iter([
            (header::CONTENT_TYPE, json.clone()),
            (header::ACCEPT, json),
        ]),
        body: body.to_string().into(),
    }
}

/// Adds the key in its header. One that no header can hold is left out: the service says that there is none.
pub(super) fn sign(
    request: &mut WebRequest,
    header: &'static str,
    before: &str,
    key: Option<&SecretString>,
) {
    let Some(key) = key else { return };
    let value = format!("{before}{}", key.expose_secret().trim());
    if let Ok(mut value) = HeaderValue::try_from(value) {
        value.set_sensitive(true);
        request
            .headers
            .insert(HeaderName::from_static(header), value);
    }
}
