//! A model server as the user configured it: address, key, headers, how it is connected to, and its name in messages.

use std::{fmt, sync::Arc};

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use secrecy::{ExposeSecret, SecretString};
use teammate_core::model::{ModelFailure, Remedy};

mod key;
mod shared_limit;
mod transport;

pub(crate) use key::LentKey;
pub use key::{Key, KeySource, RenewableKey};
pub use transport::{ClientCertificate, ProxySetting, Transport};

/// The header that carries the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// `x-api-key: KEY`.
    ApiKey,
    /// `Authorization: Bearer KEY`.
    Bearer,
}

/// A model server: address, key and headers.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The provider's name in the configuration, for messages.
    pub name: String,
    /// The base URL, with or without `/v1`.
    pub base_url: String,
    /// The key, if the server needs one.
    pub key: Option<Key>,
    /// Where the key comes from, for messages: the name of an environment variable or of a setting.
    pub key_from: String,
    /// The header that carries the key.
    pub auth: Auth,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// Proxy and certificates.
    pub transport: Transport,
}

impl Endpoint {
    /// Anthropic's own API; the key comes from `ANTHROPIC_API_KEY`.
    pub fn anthropic(key: Option<SecretString>) -> Self {
        Self {
            auth: Auth::ApiKey,
            ..Self::at("anthropic", "https://api.anthropic.com").with_key(key, "ANTHROPIC_API_KEY")
        }
    }

    /// OpenAI's own API; the key comes from `OPENAI_API_KEY`.
    pub fn openai(key: Option<SecretString>) -> Self {
        Self::at("openai", "https://api.openai.com").with_key(key, "OPENAI_API_KEY")
    }

    /// Any other server, without a key.
    pub fn at(name: &str, base_url: &str) -> Self {
        Self {
            name: name.to_owned(),
            base_url: base_url.to_owned(),
            key: None,
            key_from: String::new(),
            auth: Auth::Bearer,
            headers: Vec::new(),
            transport: Transport::default(),
        }
    }

    /// Takes a key, which comes from the environment variable `from`.
    #[must_use]
    pub fn with_key(self, key: Option<SecretString>, from: &str) -> Self {
        Self {
            key: key.map(Key::Fixed),
            key_from: from.to_owned(),
            ..self
        }
    }

    /// Takes a key that is asked for when it is needed, and asked for anew. `from`: the name of the setting.
    #[must_use]
    pub fn with_renewable_key(self, key: Arc<RenewableKey>, from: &str) -> Self {
        Self {
            key: Some(Key::Renewable(key)),
            key_from: from.to_owned(),
            ..self
        }
    }

    /// Scheme, host and port of a URL of a server, in one spelling: `https://host` for `HTTPS://Host:443/v1`. `None` if it is
    /// none.
    pub fn origin_of(url: &str) -> Option<String> {
        let url = Url::parse(url.trim()).ok()?;
        let is_server = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_server.then(|| url.origin().ascii_serialization())
    }

    /// The server's host; empty if the base URL is none.
    pub fn host(&self) -> String {
        let url = Url::parse(self.base_url.trim()).ok();
        url.and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// The base URL, parsed. Trailing slashes are gone; a query stays.
    pub(crate) fn url(&self) -> Result<Url, ModelFailure> {
        let url = Url::parse(self.base_url.trim());
        match url {
            Ok(mut url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
                let path = url.path().trim_end_matches('/').to_owned();
                url.set_path(&path);
                Ok(url)
            }
            Ok(_) | Err(_) => Err(self.misconfigured(&format!(
                "the base URL '{}' is not a URL like https://host/v1",
                self.base_url
            ))),
        }
    }

    /// The headers of every request, with the key if it is known from the start.
    pub(crate) fn header_map(&self) -> Result<HeaderMap, ModelFailure> {
        let mut map = HeaderMap::new();
        for (name, value) in &self.headers {
            let name = HeaderName::try_from(name)
                .map_err(|_| self.misconfigured(&format!("'{name}' is not a header's name")))?;
            let value = HeaderValue::try_from(value).map_err(|_| {
                self.misconfigured(&format!("the header '{name}' has no good value"))
            })?;
            map.insert(name, value);
        }
        if let Some(Key::Fixed(key)) = &self.key {
            let (name, value) = self.key_header(key)?;
            map.insert(name, value);
        }
        Ok(map)
    }

    /// The header that carries this key.
    pub(crate) fn key_header(
        &self,
        key: &SecretString,
    ) -> Result<(HeaderName, HeaderValue), ModelFailure> {
        let key = key.expose_secret().trim();
        let (name, text) = match self.auth {
            Auth::ApiKey => ("x-api-key", key.to_owned()),
            Auth::Bearer => ("authorization", format!("Bearer {key}")),
        };
        let mut value = HeaderValue::try_from(text).map_err(|_| {
            self.misconfigured(&format!(
                "the key in {} has characters that no key has",
                self.key_from
            ))
        })?;
        value.set_sensitive(true);
        Ok((HeaderName::from_static(name), value))
    }

    /// A text that is equal for requests that share a rate limit: same URL, same key. Does not reveal
    /// the key.
    pub(crate) fn rate_limit_key(&self, url: &Url) -> String {
        let secret = match &self.key {
            Some(Key::Fixed(key)) => key.expose_secret().trim().to_owned(),
            // The account stays the same when its key becomes another one.
            Some(Key::Renewable(_)) => format!("{}\n{}", self.key_from, self.name),
            None => String::new(),
        };
        shared_limit::rate_limit_key(url, secret.as_bytes())
    }

    pub(crate) fn misconfigured(&self, what: &str) -> ModelFailure {
        ModelFailure {
            what: format!("{}: {what}", self.name),
            remedy: Remedy::Never,
        }
    }
}

/// Displays a URL without the parts that may hold a secret: user, password and query.
pub(crate) struct RedactedUrl<'a>(pub(crate) &'a Url);

impl fmt::Display for RedactedUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.0.host_str().unwrap_or_default();
        write!(f, "{}://{host}", self.0.scheme())?;
        if let Some(port) = self.0.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.0.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_limit_key_depends_on_the_key_but_does_not_reveal_it() {
        let key = || Some(SecretString::from("sk-secret"));
        let fingerprint = |endpoint: Endpoint| endpoint.rate_limit_key(&endpoint.url().unwrap());
        let one = fingerprint(Endpoint::openai(key()));
        assert_eq!(one, fingerprint(Endpoint::openai(key())));
        assert_ne!(one, fingerprint(Endpoint::openai(Some("sk-other".into()))));
        assert_ne!(one, fingerprint(Endpoint::anthropic(key())));
        assert!(!one.contains("secret"), "{one}");
    }

    #[test]
    fn nonsense_is_refused_and_no_key_is_shown() {
        for base in ["", "localhost:8080", "ftp://x", "http://"] {
            assert!(Endpoint::at("x", base).url().is_err(), "{base}");
        }
        let bad = Endpoint::openai(Some("sk-\u{7}secret".into()));
        let failure = bad.header_map().unwrap_err();
        assert_eq!(
            failure.what,
            "openai: the key in OPENAI_API_KEY has characters that no key has"
        );
    }
}
