//! Reads the proxy and the certificates of one provider. What is wrong with them is found here, when a model is opened, and
//! not at the first connection.

use std::{fs, path::Path, sync::Arc};

use reqwest::{Certificate, ClientBuilder, Identity, Proxy, Url};
use rustls::{
    RootCertStore,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    sign::CertifiedKey,
};
use secrecy::zeroize::Zeroizing;
use teammate_core::model::ModelFailure;

use crate::endpoint::{ClientCertificate, Endpoint, ProxySetting};

/// The most bytes of a file of certificates; the largest of operating systems have less than one MiB.
const PEM_BYTES_MAX: u64 = 8 << 20;

/// The transport of this provider, read and checked.
#[derive(Debug)]
pub(super) struct LoadedTransport {
    proxy: Option<Proxy>,
    is_direct: bool,
    roots: Vec<Certificate>,
    identity: Option<Identity>,
}

impl LoadedTransport {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// One sentence that names the provider and the setting.
    pub(super) fn of(endpoint: &Endpoint) -> Result<Self, ModelFailure> {
        let transport = &endpoint.transport;
        let wrong =
            |setting: &str, why: String| endpoint.misconfigured(&format!("{setting} {why}"));
        let roots = transport.ca_file.as_deref().map(roots).transpose();
        let identity = transport.client.as_ref().map(identity).transpose();
        Ok(Self {
            proxy: proxy(&transport.proxy).map_err(|why| wrong("proxy", why))?,
            is_direct: transport.proxy == ProxySetting::Direct,
            roots: roots
                .map_err(|why| wrong("ca_file", why))?
                .unwrap_or_default(),
            identity: identity.map_err(|(setting, why)| wrong(setting, why))?,
        })
    }

    /// The certificates that are trusted besides the system's.
    pub(super) fn roots(&self) -> impl Iterator<Item = Certificate> {
        self.roots.iter().cloned()
    }

    /// A client with all of it but the trusted certificates.
    pub(super) fn configured(&self, client: ClientBuilder) -> ClientBuilder {
        let client = match (&self.proxy, self.is_direct) {
            (Some(proxy), _) => client.proxy(proxy.clone()),
            (None, true) => client.no_proxy(),
            (None, false) => client,
        };
        match &self.identity {
            Some(identity) => client.identity(identity.clone()),
            None => client,
        }
    }
}

/// The proxy, if one is named. Its URL may have a password in it, and is not quoted.
fn proxy(setting: &ProxySetting) -> Result<Option<Proxy>, String> {
    let ProxySetting::Url(url) = setting else {
        return Ok(None);
    };
    let is_proxy = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let proxy = Url::parse(url.trim())
        .ok()
        .filter(is_proxy)
        .and_then(|url| Proxy::all(url).ok());
    match proxy {
        Some(proxy) => Ok(Some(proxy)),
        None => Err("is neither \"none\" nor a URL like http://host:3128".to_owned()),
    }
}

fn roots(path: &Path) -> Result<Vec<Certificate>, String> {
    let found = certificates(path, &read(path)?)?;
    let mut store = RootCertStore::empty();
    for certificate in &found {
        store
            .add(certificate.clone())
            .map_err(|error| format!("{} cannot be used: {error}", path.display()))?;
    }
    found
        .iter()
        .map(|certificate| Certificate::from_der(certificate).map_err(|error| error.to_string()))
        .collect()
}

/// The certificate and key of this client. An error names its setting.
fn identity(client: &ClientCertificate) -> Result<Identity, (&'static str, String)> {
    let of_cert = |why| ("client_cert", why);
    let of_key = |why| ("client_key", why);
    let cert = read(&client.cert).map_err(of_cert)?;
    let chain = certificates(&client.cert, &cert).map_err(of_cert)?;
    let path = client.key.display();
    let key = read(&client.key).map_err(of_key)?;
    let private = PrivateKeyDer::from_pem_slice(&key).map_err(|_| {
        of_key(format!(
            "{path} has no private key in PEM that is not encrypted"
        ))
    })?;
    CertifiedKey::from_der(chain, private, &crypto())
        .map_err(|error| of_key(format!("{path} does not fit client_cert: {error}")))?;
    let mut both = Zeroizing::new(cert.to_vec());
    if client.cert != client.key {
        both.push(b'\n');
        both.extend_from_slice(&key);
    }
    Identity::from_pem(&both)
        .map_err(|_| of_key(format!("{path} has something in it that is no private key")))
}

fn certificates(path: &Path, pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(format!("{} has no certificate in PEM", path.display())),
        Err(error) => Err(format!("{} is no PEM: {error}", path.display())),
    }
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, String> {
    let cannot = |why: &str| format!("{} cannot be read: {why}", path.display());
    let about = fs::metadata(path).map_err(|error| cannot(&error.to_string()))?;
    if !about.is_file() {
        return Err(cannot("it is not a file"));
    }
    if about.len() > PEM_BYTES_MAX {
        return Err(cannot(&format!("it has more than {PEM_BYTES_MAX} bytes")));
    }
    let bytes = fs::read(path).map_err(|error| cannot(&error.to_string()))?;
    Ok(Zeroizing::new(bytes))
}

fn crypto() -> Arc<CryptoProvider> {
    let installed = CryptoProvider::get_default();
    installed.map_or_else(|| Arc::new(ring::default_provider()), Arc::clone)
}
