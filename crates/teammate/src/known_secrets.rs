//! Which secrets the program holds: the keys and headers of model servers, passwords in URLs, and what the environment has under
//! names of secrets. Secrets in files of the workspace are not among them.

use std::{env, path::Path};

use secrecy::ExposeSecret as _;
use teammate_core::secrets::Secrets;
use teammate_tools::environment::{is_secret, url_password};

use crate::{Endpoint, Providers};

/// All of them, by the names under which the user knows them.
pub(crate) fn known_secrets(providers: &Providers) -> Secrets {
    let of_environment = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter_map(|(name, value)| of_variable(&name, &value).map(|secret| (name, secret)));
    let of_endpoints = providers
        .endpoints()
        .flat_map(|(name, endpoint)| of_endpoint(name, endpoint));
    Secrets::new(of_environment.chain(of_endpoints))
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
    if let Some(key) = &endpoint.key {
        secrets.push((endpoint.key_from.clone(), key.expose_secret().to_owned()));
    }
    for (header, value) in &endpoint.headers {
        // Without the scheme it is the same secret.
        let bare = value.rsplit(' ').next().unwrap_or(value);
        secrets.push((format!("{name}/{header}"), bare.to_owned()));
    }
    let password = url_password(&endpoint.base_url);
    secrets.extend(password.map(|password| (format!("{name}/base_url"), password.to_owned())));
    let query = endpoint.base_url.split_once('?').map(|(_, query)| query);
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        if let Some((parameter, value)) = pair.split_once('=').filter(|(name, _)| is_secret(name)) {
            secrets.push((format!("{name}/{parameter}"), value.to_owned()));
        }
    }
    secrets
}
