//! The clients that connect: one with certificates, one without for servers that are spoken to in plain HTTP, and one for each
//! provider with a proxy or certificates of its own. Reading the machine's certificates takes milliseconds, so it is done only
//! where it is needed, beside the start of the program.

use std::{
    collections::HashMap,
    env,
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::Duration,
};

use reqwest::{Certificate, Client, ClientBuilder, Url};
use teammate_core::{
    lock::Hold,
    model::{ModelFailure, Remedy},
};

use super::{failure_text::causes, tls::LoadedTransport};
use crate::endpoint::{Endpoint, Transport};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Made when they are first needed. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Clients(Arc<All>);

#[derive(Debug)]
struct All {
    plain: Arc<LazyClient>,
    secure: Arc<LazyClient>,
    /// One for each provider that has settings of its own.
    own: Mutex<HashMap<Transport, Arc<LazyClient>>>,
}

impl Default for All {
    fn default() -> Self {
        Self {
            plain: LazyClient::of(Recipe::Plain),
            secure: LazyClient::of(Recipe::Secure),
            own: Mutex::default(),
        }
    }
}

/// A client that is made when it is first needed.
#[derive(Debug)]
pub(super) struct LazyClient {
    recipe: Recipe,
    built: OnceLock<Result<Client, String>>,
}

#[derive(Debug)]
enum Recipe {
    /// Trusts nobody: for plain HTTP.
    Plain,
    /// Trusts whom the system trusts.
    Secure,
    /// The environment's proxies, and the settings of one provider.
    Own(Box<LoadedTransport>),
}

impl Clients {
    /// The client for this server; begins to make it, if that takes a while.
    ///
    /// # Errors
    ///
    /// A file of certificates cannot be used, or the proxy is none.
    pub(super) fn of(
        &self,
        endpoint: &Endpoint,
        url: &Url,
    ) -> Result<Arc<LazyClient>, ModelFailure> {
        let client = if !endpoint.transport.is_default() {
            self.own(endpoint)?
        } else if needs_certificates(url) {
            self.0.secure.clone()
        } else {
            return Ok(self.0.plain.clone());
        };
        if client.built.get().is_none() {
            let client = client.clone();
            thread::spawn(move || client.get().map(|_| ()));
        }
        Ok(client)
    }

    fn own(&self, endpoint: &Endpoint) -> Result<Arc<LazyClient>, ModelFailure> {
        let mut own = self.0.own.hold();
        if let Some(known) = own.get(&endpoint.transport) {
            return Ok(known.clone());
        }
        let loaded = LoadedTransport::of(endpoint)?;
        let client = LazyClient::of(Recipe::Own(Box::new(loaded)));
        own.insert(endpoint.transport.clone(), client.clone());
        Ok(client)
    }
}

impl LazyClient {
    fn of(recipe: Recipe) -> Arc<Self> {
        Arc::new(Self {
            recipe,
            built: OnceLock::new(),
        })
    }

    /// The client.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub(super) fn get(&self) -> Result<&Client, ModelFailure> {
        let built = self.built.get_or_init(|| self.recipe.build());
        built.as_ref().map_err(|why| ModelFailure {
            what: format!("HTTPS cannot be set up: {why}"),
            remedy: Remedy::Never,
        })
    }
}

impl Recipe {
    fn build(&self) -> Result<Client, String> {
        let built = |client: ClientBuilder| client.build().map_err(|error| causes(&error));
        match self {
            Self::Plain => built(builder().tls_certs_only([])),
            Self::Secure => {
                built(builder()).or_else(|_| built(builder().tls_certs_only(mozilla())))
            }
            Self::Own(own) => {
                let client = || own.configured(builder());
                built(client().tls_certs_merge(own.roots()))
                    .or_else(|_| built(client().tls_certs_only(mozilla().chain(own.roots()))))
            }
        }
    }
}

/// Mozilla's certificates, for systems that have none.
fn mozilla() -> impl Iterator<Item = Certificate> {
    webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|der| Certificate::from_der(der).ok())
}

/// Whether TLS is spoken on the way to this server: with it, or with the user's own proxy before it.
fn needs_certificates(url: &Url) -> bool {
    let is_secure = |name: &&str| env::var(name).is_ok_and(|proxy| proxy.starts_with("https:"));
    let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
    url.scheme() != "http" || proxies.iter().any(is_secure)
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
    use crate::endpoint::ProxySetting;

    fn client(clients: &Clients, endpoint: &Endpoint) -> Arc<LazyClient> {
        let url = Url::parse(&endpoint.base_url).unwrap();
        clients.of(endpoint, &url).unwrap()
    }

    #[test]
    fn certificates_are_read_only_for_tls() {
        let clients = Clients::default();
        let plain = client(&clients, &Endpoint::at("x", "http://localhost:1/v1"));
        plain.get().unwrap();
        assert!(clients.0.secure.built.get().is_none());
        let secure = client(&clients, &Endpoint::at("x", "https://localhost:1/v1"));
        secure.get().unwrap();
        assert!(clients.0.secure.built.get().is_some());
    }

    #[test]
    fn providers_with_the_same_settings_share_a_client_and_others_do_not() {
        let clients = Clients::default();
        let through = |proxy: &str| {
            let mut endpoint = Endpoint::at("x", "http://localhost:1/v1");
            endpoint.transport.proxy = ProxySetting::Url(proxy.to_owned());
            client(&clients, &endpoint)
        };
        let one = through("http://127.0.0.1:1");
        assert!(Arc::ptr_eq(&one, &through("http://127.0.0.1:1")));
        assert!(!Arc::ptr_eq(&one, &through("http://127.0.0.1:2")));
        one.get().unwrap();
        assert!(clients.0.secure.built.get().is_none());
    }
}
