//! The clients that connect: one with certificates, and one without for servers that are spoken to in plain HTTP. Reading the
//! machine's certificates takes milliseconds, so it is done only where it is needed, beside the start of the program.

use std::{
    env,
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use reqwest::{Client, ClientBuilder, Url};
use teammate_core::model::{ModelFailure, Remedy};

use super::failure_text::causes;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Made when they are first needed. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Clients(Arc<Both>);

#[derive(Debug, Default)]
struct Both {
    plain: OnceLock<Built>,
    secure: OnceLock<Built>,
}

/// A client, or why there is none.
type Built = Result<Client, String>;

impl Clients {
    /// Begins to make the client for this server, if that takes a while.
    pub(super) fn prepare(&self, url: &Url) {
        if needs_certificates(url) && self.0.secure.get().is_none() {
            let both = self.0.clone();
            thread::spawn(move || {
                both.secure.get_or_init(secure);
            });
        }
    }

    /// The client for this server.
    pub(super) fn client_for(&self, url: &Url) -> Result<&Client, ModelFailure> {
        let built = if needs_certificates(url) {
            self.0.secure.get_or_init(secure)
        } else {
            self.0.plain.get_or_init(plain)
        };
        built.as_ref().map_err(|why| ModelFailure {
            what: format!("HTTPS cannot be set up: {why}"),
            remedy: Remedy::Never,
        })
    }
}

/// Whether TLS is spoken on the way to this server: with it, or with the user's own proxy before it.
fn needs_certificates(url: &Url) -> bool {
    let is_secure = |name: &&str| env::var(name).is_ok_and(|proxy| proxy.starts_with("https:"));
    let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
    url.scheme() != "http" || proxies.iter().any(is_secure)
}

fn plain() -> Built {
    built(builder().tls_certs_only([]))
}

/// With the system's certificates, or Mozilla's where the system has none.
fn secure() -> Built {
    built(builder()).or_else(|_| {
        let mozilla = webpki_root_certs::TLS_SERVER_ROOT_CERTS
            .iter()
            .filter_map(|der| reqwest::Certificate::from_der(der).ok());
        built(builder().tls_certs_only(mozilla))
    })
}

fn built(builder: ClientBuilder) -> Built {
    builder.build().map_err(|error| causes(&error))
}

fn builder() -> ClientBuilder {
    // Fails if the process has a provider already, which works as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_keepalive(Duration::from_secs(30))
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("teammate/", env!("CARGO_PKG_VERSION")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_read_only_for_tls() {
        let clients = Clients::default();
        let url = |text: &str| Url::parse(text).unwrap();
        clients.client_for(&url("http://localhost:1/v1")).unwrap();
        assert!(clients.0.secure.get().is_none());
        clients.client_for(&url("https://localhost:1/v1")).unwrap();
        assert!(clients.0.secure.get().is_some());
    }
}
