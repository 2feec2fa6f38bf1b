//! An address of the web that may be asked for: `http` or `https`, a server by its name, nobody's name and password.

use std::fmt;

use teammate_core::permission::{Destination, HostName};
use url::{Host, Url};

/// The longest address, in bytes.
const BYTES_MAX: usize = 8 * 1024;

/// Such an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WebUrl {
    url: Url,
    to: Destination,
}

/// Why a text is none; a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum UrlError {
    #[error("'{0}' is not a URL; write all of it, as https://docs.rs/tokio")]
    Form(String),
    #[error("'{0}:' addresses are not fetched, only http: and https:")]
    Scheme(String),
    #[error("a URL with a name and a password in it is not fetched")]
    Credentials,
    #[error("'{0}' is no server's name; addresses are not connected to")]
    Host(String),
    #[error("the URL has more than {BYTES_MAX} bytes")]
    Long,
}

impl WebUrl {
    pub(super) fn parse(text: &str) -> Result<Self, UrlError> {
        if text.len() > BYTES_MAX {
            return Err(UrlError::Long);
        }
        let url = Url::parse(text.trim()).map_err(|_| UrlError::Form(quoted(text)))?;
        Self::of(url)
    }

    /// Where a redirection from here leads.
    pub(super) fn join(&self, location: &str) -> Result<Self, UrlError> {
        if location.len() > BYTES_MAX {
            return Err(UrlError::Long);
        }
        let url = self.url.join(location.trim());
        Self::of(url.map_err(|_| UrlError::Form(quoted(location)))?)
    }

    fn of(mut url: Url) -> Result<Self, UrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlError::Scheme(quoted(url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlError::Credentials);
        }
        let no_host = || UrlError::Host(quoted(url.host_str().unwrap_or_default()));
        let host = match url.host() {
            Some(Host::Domain(name)) => HostName::parse(name).ok_or_else(no_host)?,
            Some(Host::Ipv4(_) | Host::Ipv6(_)) | None => return Err(no_host()),
        };
        let port = url.port_or_known_default().ok_or_else(no_host)?;
        // It is the reader's, not the server's.
        url.set_fragment(None);
        Ok(Self {
            to: Destination { host, port },
            url,
        })
    }

    /// The address with these parameters besides.
    pub(super) fn with_query(&self, parameters: &[(&str, &str)]) -> Self {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        Self {
            url,
            to: self.to.clone(),
        }
    }

    /// The address with one more word at the end of its path.
    pub(super) fn below(&self, word: &str) -> Self {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/{word}", self.url.path().trim_end_matches('/')));
        Self {
            url,
            to: self.to.clone(),
        }
    }

    /// The server.
    pub(super) fn to(&self) -> &Destination {
        &self.to
    }

    pub(super) fn is_tls(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The path and query that a request asks the server for.
    pub(super) fn path_and_query(&self) -> String {
        match self.url.query() {
            Some(query) => format!("{}?{query}", self.url.path()),
            None => self.url.path().to_owned(),
        }
    }

    /// The server as a request names it: without the port that goes without saying.
    pub(super) fn host_header(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", self.to.host),
            None => self.to.host.to_string(),
        }
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn as_str(&self) -> &str {
        self.url.as_str()
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())
    }
}

fn quoted(text: &str) -> String {
    teammate_core::fence::quoted(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_its_server() {
        for (text, to, path) in [
            ("https://docs.rs/tokio?x=1#top", "docs.rs:443", "/tokio?x=1"),
            ("HTTP://Docs.RS", "docs.rs:80", "/"),
            (
                "https://bücher.example:8443/ä",
                "xn--bcher-kva.example:8443",
                "/%C3%A4",
            ),
            ("http://localhost:80/", "localhost:80", "/"),
        ] {
            let url = WebUrl::parse(text).unwrap();
            assert_eq!(
                (url.to().to_string().as_str(), &*url.path_and_query()),
                (to, path)
            );
        }
    }

    #[test]
    fn what_is_no_name_of_a_server_is_refused_also_as_a_redirection() {
        let page = WebUrl::parse("https://docs.rs/a/b").unwrap();
        for (text, why) in [
            ("http://127.0.0.1/", "no server's name"),
            ("http://2130706433/", "no server's name"),
            ("http://0x7f.1/", "no server's name"),
            ("http://[::1]/", "no server's name"),
            ("http://[::ffff:169.254.169.254]/", "no server's name"),
            ("https://me:pw@docs.rs/", "a name and a password"),
            ("https://me@docs.rs/", "a name and a password"),
            ("file:///etc/passwd", "'file:' addresses"),
            ("ftp://docs.rs/", "'ftp:' addresses"),
            ("javascript:alert(1)", "'javascript:' addresses"),
            ("data:text/html,x", "'data:' addresses"),
        ] {
            for error in [WebUrl::parse(text), page.join(text)] {
                let error = error.unwrap_err().to_string();
                assert!(error.contains(why), "{text}: {error}");
            }
        }
        assert_eq!(
            WebUrl::parse("docs.rs").unwrap_err().to_string(),
            "'docs.rs' is not a URL; write all of it, as https://docs.rs/tokio"
        );
        assert_eq!(
            WebUrl::parse(&"https://a/".repeat(1000)),
            Err(UrlError::Long)
        );
        assert_eq!(page.join("../c").unwrap().as_str(), "https://docs.rs/c");
        assert_eq!(
            page.join("//other.example").unwrap().to().to_string(),
            "other.example:443"
        );
    }
}
