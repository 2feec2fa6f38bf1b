//! Where traces and metrics go, read and checked once.

use std::fmt;

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};

use crate::fold::Contents;

/// Where a collector listens by default, by the standard.
pub const DEFAULT_ENDPOINT: &str = "http://localhost:4318";

/// The standard's variable for headers.
pub const HEADERS_VARIABLE: &str = "OTEL_EXPORTER_OTLP_HEADERS";

/// The name of the service, unless another is given.
pub const DEFAULT_SERVICE: &str = "teammate";

/// Where they go.
#[derive(Clone)]
pub struct Settings {
    base: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) contents: Contents,
    pub(crate) service: String,
}

/// Why they cannot go there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// No address of a server.
    #[error(
        "the OTLP endpoint is no http:// or https:// URL; a collector on this machine is {DEFAULT_ENDPOINT}"
    )]
    Endpoint,
    /// A name and a password in the address.
    #[error("the OTLP endpoint has a name or a password in it; give them in a header")]
    Credentials,
    /// A header that is none. What it holds may be a key, and is not quoted.
    #[error(
        "the OTLP headers cannot be read; they look like NAME=VALUE,NAME=VALUE, with %2C for a comma in a value"
    )]
    Headers,
}

impl Settings {
    /// To the collector at this address, without the `/v1/traces` that belongs to the protocol.
    ///
    /// # Errors
    ///
    /// It is no address for this.
    pub fn to(endpoint: &str) -> Result<Self, SettingsError> {
        let mut base = Url::parse(endpoint.trim()).map_err(|_| SettingsError::Endpoint)?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(SettingsError::Endpoint);
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(SettingsError::Credentials);
        }
        base.set_fragment(None);
        Ok(Self {
            base,
            headers: HeaderMap::new(),
            contents: Contents::default(),
            service: DEFAULT_SERVICE.to_owned(),
        })
    }

    /// With these headers, as `OTEL_EXPORTER_OTLP_HEADERS` has them: `NAME=VALUE,NAME=VALUE`, values in percent encoding.
    ///
    /// # Errors
    ///
    /// They are none.
    pub fn headers(mut self, text: &str) -> Result<Self, SettingsError> {
        for pair in text
            .split(',')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let (name, value) = pair.split_once('=').ok_or(SettingsError::Headers)?;
            let value = decoded(value.trim()).ok_or(SettingsError::Headers)?;
            self = self.header(name.trim(), &value)?;
        }
        Ok(self)
    }

    /// With this header besides.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, SettingsError> {
        let name = HeaderName::try_from(name).map_err(|_| SettingsError::Headers)?;
        let mut value = HeaderValue::try_from(value).map_err(|_| SettingsError::Headers)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }

    /// Whether what was said goes with them. Default: no.
    #[must_use]
    pub fn contents(self, contents: Contents) -> Self {
        Self { contents, ..self }
    }

    /// The name of the service. Default: [`DEFAULT_SERVICE`].
    #[must_use]
    pub fn service(self, service: String) -> Self {
        Self { service, ..self }
    }

    /// The headers by name, for who must know which secrets the program holds.
    pub fn named_headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.headers.iter();
        headers.filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
    }

    /// Where one kind of message goes: `traces` or `metrics`.
    pub(crate) fn url(&self, signal: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/v1/{signal}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }

    /// The server, for people: without path and query, which may have a key in them.
    pub(crate) fn shown(&self) -> String {
        let port = self.base.port();
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let host = self.base.host_str().unwrap_or_default();
        format!("{}://{host}{port}", self.base.scheme())
    }
}

/// Without headers: they may be keys.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("server", &self.shown())
            .field("contents", &self.contents)
            .finish_non_exhaustive()
    }
}

/// Text in percent encoding; nothing if it is no such text.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_go_below_the_address_whatever_its_end() {
        for (endpoint, url) in [
            ("http://localhost:4318", "http://localhost:4318/v1/traces"),
            (
                "https://a.example/otlp/",
                "https://a.example/otlp/v1/traces",
            ),
            (
                "https://a.example/x?key=1",
                "https://a.example/x/v1/traces?key=1",
            ),
        ] {
            assert_eq!(Settings::to(endpoint).unwrap().url("traces").as_str(), url);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for endpoint in ["", "localhost:4318", "grpc://a:1", "file:///etc"] {
            assert_eq!(Settings::to(endpoint).unwrap_err(), SettingsError::Endpoint);
        }
        let refused = Settings::to("http://me:secret@a.example").unwrap_err();
        assert_eq!(refused, SettingsError::Credentials);
    }

    #[test]
    fn headers_are_read_as_the_standard_writes_them_and_never_shown() {
        let settings = Settings::to(DEFAULT_ENDPOINT).unwrap();
        let settings = settings
            .headers("authorization=Bearer%20a%2Cb, x-b = 2,")
            .unwrap();
        assert_eq!(settings.headers["authorization"], "Bearer a,b");
        assert_eq!(settings.headers["x-b"], "2");
        assert!(!format!("{settings:?}").contains("Bearer"));
        for wrong in ["x", "x=%4", "x=%zz", "a b=1", "x=%0A"] {
            let settings = Settings::to(DEFAULT_ENDPOINT).unwrap();
            assert_eq!(settings.headers(wrong).unwrap_err(), SettingsError::Headers);
        }
    }
}
