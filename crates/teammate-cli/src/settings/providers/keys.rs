//! Where a provider's key comes from, and in which header it is sent, as the configuration file says it.

use std::time::Duration;

use anyhow::bail;
use serde::Deserialize;
use teammate::{Auth, Endpoint, KEY_COMMAND, key_from_command};

use super::ProviderTable;

/// The header that carries the key, as the configuration says it.
#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AuthSetting {
    ApiKey,
    Bearer,
}

impl AuthSetting {
    fn auth(self) -> Auth {
        match self {
            Self::ApiKey => Auth::ApiKey,
            Self::Bearer => Auth::Bearer,
        }
    }
}

/// The endpoint with the key that is configured, if one is; `usual` is its header unless another is named.
pub(super) fn with_key(
    mut endpoint: Endpoint,
    provider: &ProviderTable,
    usual: Auth,
) -> anyhow::Result<Endpoint> {
    let expires_after = match provider.key_expires_minutes {
        Some(_) if provider.key_command.is_none() => {
            bail!("key_expires_minutes is for a key of key_command, and there is none")
        }
        Some(minutes) => match Duration::try_from_secs_f64(minutes * 60.0) {
            Ok(time) if !time.is_zero() => Some(time),
            Ok(_) | Err(_) => bail!("key_expires_minutes: {minutes} is no time"),
        },
        None => None,
    };
    match (&provider.key_env, &provider.key_command) {
        (Some(_), Some(_)) => {
            bail!("key_env and key_command are both set; the key comes from one of them")
        }
        (Some(variable), None) => {
            let key = std::env::var(variable).ok().filter(|key| !key.is_empty());
            endpoint = endpoint.with_key(key.map(Into::into), variable);
            endpoint.auth = usual;
        }
        (None, Some(line)) if line.trim().is_empty() => bail!("key_command is empty"),
        (None, Some(line)) => {
            let key = key_from_command(line, expires_after);
            endpoint = endpoint.with_renewable_key(key, KEY_COMMAND);
            endpoint.auth = usual;
        }
        (None, None) => {}
    }
    if let Some(auth) = provider.auth {
        endpoint.auth = auth.auth();
    }
    Ok(endpoint)
}
