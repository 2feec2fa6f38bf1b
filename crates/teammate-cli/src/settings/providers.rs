//! Servers that the user names in the configuration file, and the model that is used.

use std::{collections::BTreeMap, time::Duration};

use anyhow::bail;
use serde::Deserialize;
use teammate::{Auth, Endpoint, ModelRef, Providers, Timeouts, WireFormat};

/// How many seconds a server that the user named may be silent: it may be small.
const NAMED_PROVIDER_TIMEOUTS: u64 = 600;

/// Used when only the key is there.
const DEFAULT_ANTHROPIC: &str = "anthropic:claude-sonnet-4-5";
const DEFAULT_OPENAI: &str = "openai:gpt-5";

/// `[providers.NAME]`.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct Provider {
    wire: WireFormat,
    base_url: String,
    /// The environment variable that holds the key.
    key_env: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// How long the server may be silent, before or within an answer; a small machine reads a long prompt for
    /// minutes.
    patience_seconds: Option<u64>,
}

/// The vendors whose keys are in the environment, and these servers.
pub(super) fn with_servers(servers: BTreeMap<String, Provider>) -> anyhow::Result<Providers> {
    let mut providers = Providers::from_env();
    for (name, provider) in servers {
        if name == "scripted" {
            bail!("the provider name 'scripted' is taken; choose another");
        }
        let mut endpoint = Endpoint::at(&name, &provider.base_url);
        if let Some(variable) = &provider.key_env {
            let key = std::env::var(variable).ok().filter(|key| !key.is_empty());
            endpoint = endpoint.with_key(key.map(Into::into), variable);
        }
        if provider.wire == WireFormat::Anthropic {
            endpoint.auth = Auth::ApiKey;
        }
        endpoint.headers = provider.headers.into_iter().collect();
        let wait =
            Duration::from_secs(provider.patience_seconds.unwrap_or(NAMED_PROVIDER_TIMEOUTS));
        // Some begin their stream before they read the prompt, so the first gap is as long.
        let timeouts = Timeouts {
            first_event: wait,
            gap: wait,
        };
        providers = providers.with_timeouts(&name, provider.wire, endpoint, timeouts);
    }
    Ok(providers)
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
            "no model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with --model \
             PROVIDER:NAME, TEAMMATE_MODEL or the configuration file. To look around without any key: teammate demo"
        ),
    };
    Ok(text.parse()?)
}
