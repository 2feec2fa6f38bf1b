//! Which secrets the program holds: the keys and headers of model servers, passwords in URLs, and what the environment has under
//! names of secrets. Keys that are obtained later are added then (`providers.rs`). Secrets in files of the workspace are not
//! among them.

use std::{env, path::Path, sync::Arc};

use secrecy::ExposeSecret as _;
use teammate_core::secrets::Secrets;
use teammate_models::{Key, ProxySetting};
use teammate_process::environment::{is_secret, url_password};

use crate::{Endpoint, Providers};

/// All of them, by the names under which the user knows them. Each call adds to the same value what it does not have yet.
pub(crate) fn known_secrets(providers: &Providers) -> Arc<Secrets> {
    let of_endpoints = providers
        .endpoints()
        .flat_map(|(name, endpoint)| of_endpoint(name, endpoint));
    let secrets = providers.secrets();
    secrets.learn(of_environment().chain(of_endpoints));
    secrets.clone()
}

/// Those of the environment, by the names of their variables.
pub(crate) fn of_environment() -> impl Iterator<Item = (String, String)> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter_map(|(name, value)| of_variable(&name, &value).map(|secret| (name, secret)))
}

fn of_variable(name: &str, value: &str) -> Option<String> {
    let path = Path::new(value);
    if is_secret(name) && !(path.is_absolute() && path.exists()) {
        return Some(value.to_owned());
    }
    url_password(value).map(str::to_owned)
}

fn of_endpoint(name: &str, endpoint: &Endpoint) -> Vec<(String, String)> {
    let mut secrets = Vec::new();
    if let Some(Key::Fixed(key)) = &endpoint.key {
        secrets.push((endpoint.key_from.clone(), key.expose_secret().to_owned()));
    }
    for (header, value) in &endpoint.headers {
        // Without the scheme it is the same secret.
        let bare = value.rsplit(' ').next().unwrap_or(value);
        secrets.push((format!("{name}/{header}"), bare.to_owned()));
    }
    let proxy = match &endpoint.transport.proxy {
        ProxySetting::Url(url) => url,
        ProxySetting::Environment | ProxySetting::Direct => "",
    };
    for (setting, url) in [("base_url", &*endpoint.base_url), ("proxy", proxy)] {
        let password = url_password(url);
        secrets.extend(password.map(|password| (format!("{name}/{setting}"), password.to_owned())));
    }
    let query = endpoint.base_url.split_once('?').map(|(_, query)| query);
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        if let Some((parameter, value)) = pair.split_once('=').filter(|(name, _)| is_secret(name)) {
            secrets.push((format!("{name}/{parameter}"), value.to_owned()));
        }
    }
    secrets
}
