//! A provider's own proxy and certificates, as the configuration file says them. The files are read when a model is opened.

use std::path::PathBuf;

use anyhow::bail;
use teammate::{ClientCertificate, ProxySetting, Transport, sandbox::SandboxRules};

use super::ProviderTable;

/// How the provider is connected to.
pub(super) fn transport(provider: &ProviderTable) -> anyhow::Result<Transport> {
    let path = |setting: &str, text: &Option<String>| {
        text.as_deref()
            .map(|text| absolute(setting, text))
            .transpose()
    };
    let cert = path("client_cert", &provider.client_cert)?;
    let key = path("client_key", &provider.client_key)?;
    let client = match (cert, key) {
        (Some(cert), Some(key)) => Some(ClientCertificate { cert, key }),
        (None, None) => None,
        (Some(_), None) => bail!("client_cert needs client_key, the file with its private key"),
        (None, Some(_)) => bail!("client_key needs client_cert, the file with its certificate"),
    };
    Ok(Transport {
        proxy: match provider.proxy.as_deref() {
            None => ProxySetting::Environment,
            Some("none") => ProxySetting::Direct,
            Some(url) => ProxySetting::Url(url.to_owned()),
        },
        ca_file: path("ca_file", &provider.ca_file)?,
        client,
    })
}

/// A path as the user writes it: absolute, or below `~`.
fn absolute(setting: &str, text: &str) -> anyhow::Result<PathBuf> {
    let home = SandboxRules::default().home;
    if let (Some(below), Some(home)) = (text.strip_prefix("~/"), home) {
        return Ok(home.join(below));
    }
    let path = PathBuf::from(text);
    if !path.is_absolute() {
        bail!("{setting}: '{text}' is neither absolute nor below ~/");
    }
    Ok(path)
}
