//! Servers that the user names in the configuration file, and the model that is used.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use teammate::{
    Auth, Effort, Endpoint, ModelRef, Providers, RequestSettings, Timeouts, WireFormat,
};

use self::keys::AuthSetting;

mod keys;
mod transport;

/// How many seconds a server that the user named may be silent: it may be small.
const NAMED_PROVIDER_TIMEOUTS: u64 = 600;

/// Used when only the key is there.
const DEFAULT_ANTHROPIC: &str = "anthropic:claude-sonnet-5-5";
const DEFAULT_OPENAI: &str = "openai:gpt-6.2-sol";

/// `[providers.NAME]`.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct ProviderTable {
    /// Left out for a vendor, with `base_url`: then its own are kept.
    wire: Option<WireFormat>,
    base_url: Option<String>,
    /// The environment variable that holds the key.
    key_env: Option<String>,
    /// A command line that prints the key.
    key_command: Option<String>,
    /// How long what it prints is used.
    key_expires_minutes: Option<f64>,
    /// The header that carries the key.
    auth: Option<AuthSetting>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A proxy's URL, or `none`.
    proxy: Option<String>,
    /// Certificates that are trusted besides the system's.
    ca_file: Option<String>,
    /// The certificate of this client, for servers that ask.
    client_cert: Option<String>,
    client_key: Option<String>,
    /// How long the server may be silent, before or within an answer; a small machine reads a long prompt for
    /// minutes.
    patience_seconds: Option<u64>,
    /// How much its models think unless something says otherwise.
    effort: Option<Effort>,
    // What is sent to all its models.
    temperature: Option<f64>,
    top_p: Option<f64>,
    #[serde(default)]
    stop: Vec<String>,
    service_tier: Option<String>,
    user_id: Option<String>,
    #[serde(default)]
    beta: Vec<String>,
}

/// The vendors whose keys are in the environment, and these servers.
pub(super) fn with_servers(servers: BTreeMap<String, ProviderTable>) -> anyhow::Result<Providers> {
    let mut providers = Providers::from_env();
    if let Some(state) = super::user_dirs().state {
        providers = providers.with_state(&state);
    }
    for (name, provider) in servers {
        if name == "scripted" {
            bail!("the provider name 'scripted' is taken; choose another");
        }
        let vendor = providers.server(&name);
        let (request, effort) = (provider.request(), provider.effort);
        let (wire, endpoint, timeouts) = provider
            .server(&name, vendor)
            .with_context(|| format!("[providers.{name}]"))?;
        providers = providers
            .with_timeouts(&name, wire, endpoint, timeouts)
            .with_request(&name, request, effort);
    }
    Ok(providers)
}

impl ProviderTable {
    fn request(&self) -> RequestSettings {
        RequestSettings {
            temperature: self.temperature,
            top_p: self.top_p,
            stop: self.stop.clone(),
            service_tier: self.service_tier.clone(),
            user_id: self.user_id.clone(),
            beta: self.beta.clone(),
        }
    }

    /// The server that this describes. `vendor`: the one of that name that is known already.
    fn server(
        self,
        name: &str,
        vendor: Option<(WireFormat, Endpoint, Timeouts)>,
    ) -> anyhow::Result<(WireFormat, Endpoint, Timeouts)> {
        let patience = self.patience_seconds.map(patient_for);
        let (wire, mut endpoint, timeouts) = match (self.wire, &self.base_url, vendor) {
            (Some(wire), Some(url), _) => {
                let mut endpoint = Endpoint::at(name, url);
                endpoint.auth = usual_auth(wire);
                (wire, endpoint, patient_for(NAMED_PROVIDER_TIMEOUTS))
            }
            (None, None, Some(vendor)) => vendor,
            (_, _, Some(_)) => {
                bail!("needs wire and base_url, or neither: then they are the vendor's")
            }
            (_, _, None) => bail!("needs wire and base_url"),
        };
        endpoint = keys::with_key(endpoint, &self, usual_auth(wire))?;
        endpoint.transport = transport::transport(&self)?;
        endpoint.headers = self.headers.into_iter().collect();
        Ok((wire, endpoint, patience.unwrap_or(timeouts)))
    }
}

/// The header that carries the key on this wire.
fn usual_auth(wire: WireFormat) -> Auth {
    match wire {
        WireFormat::Anthropic => Auth::ApiKey,
        WireFormat::OpenAi | WireFormat::Chat | WireFormat::Responses => Auth::Bearer,
    }
}

/// Some begin their stream before they read the prompt, so the first gap is as long.
fn patient_for(seconds: u64) -> Timeouts {
    let wait = Duration::from_secs(seconds);
    Timeouts {
        first_event: wait,
        gap: wait,
    }
}

/// The model that is named, or else that of the vendor whose key is in the environment.
pub(super) fn default_model(configured: Option<String>) -> anyhow::Result<ModelRef> {
    let has = |name: &str| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
    let text = match configured.filter(|text| !text.trim().is_empty()) {
        Some(text) => text,
        None if has("ANTHROPIC_API_KEY") || has("ANTHROPIC_AUTH_TOKEN") => {
            DEFAULT_ANTHROPIC.to_owned()
        }
        None if has("OPENAI_API_KEY") => DEFAULT_OPENAI.to_owned(),
        None => bail!(
            "no model is configured. `teammate setup` walks through it; or set ANTHROPIC_API_KEY or OPENAI_API_KEY, or \
             name a model with --model PROVIDER:NAME, TEAMMATE_MODEL or the configuration file. To look around without any key: teammate demo"
        ),
    };
    Ok(text.parse()?)
}

#[cfg(test)]
mod tests;
