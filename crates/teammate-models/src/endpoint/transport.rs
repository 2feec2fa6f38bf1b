//! How a model server is connected to, as the user configured it: proxy and certificates. Nothing is read here
//! (`http/tls.rs` does that).

use std::path::PathBuf;

/// How a server is connected to. The default is what the environment and the system say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Transport {
    /// Through which proxy.
    pub proxy: ProxySetting,
    /// Certificates that are trusted besides the system's, in PEM.
    pub ca_file: Option<PathBuf>,
    /// The certificate of this client.
    pub client: Option<ClientCertificate>,
}

/// Through which proxy a server is connected to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum ProxySetting {
    /// The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
    #[default]
    Environment,
    /// None, whatever the environment says.
    Direct,
    /// This one, whatever the environment says: `http://host:port` or `https://host:port`, with `user:password@` if it wants
    /// them.
    Url(String),
}

/// A certificate of the client for mutual TLS, and its private key, in PEM. Both may be in one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientCertificate {
    /// The certificate, with those between it and its authority.
    pub cert: PathBuf,
    /// The private key, not encrypted.
    pub key: PathBuf,
}

impl Transport {
    /// Whether there is nothing that is not so for every server.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
