//! `[models."PROVIDER:NAME"]`: what the user knows of models, and what is sent to them. It wins over the catalogue.

use std::collections::BTreeMap;

use anyhow::bail;
use serde::Deserialize;
use teammate::{
    CacheRules, CallTemplate, Effort, ModelEntry, ModelFacts, Price, Providers, RequestSettings,
    Thinking,
};

/// One entry; the fields are those of the catalogue's facts, and what is sent.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModelTable {
    /// How much these think unless something says otherwise.
    effort: Option<Effort>,
    context_tokens: Option<u64>,
    answer_tokens: Option<u32>,
    pictures: Option<bool>,
    documents: Option<bool>,
    tools: Option<bool>,
    text_calls: Option<CallTemplate>,
    sampling: Option<bool>,
    schema: Option<bool>,
    thinking: Option<Thinking>,
    cache: Option<CacheRules>,
    price: Option<Price>,
    price_holds_to: Option<u64>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    stop: Vec<String>,
    service_tier: Option<String>,
    user_id: Option<String>,
    beta: Vec<String>,
}

impl ModelTable {
    pub(super) fn price(&self) -> Option<Price> {
        self.price
    }

    fn entry(self) -> ModelEntry {
        ModelEntry {
            effort: self.effort,
            facts: ModelFacts {
                context_tokens: self.context_tokens,
                answer_tokens: self.answer_tokens,
                pictures: self.pictures,
                documents: self.documents,
                tools: self.tools,
                text_calls: self.text_calls,
                sampling: self.sampling,
                schema: self.schema,
                thinking: self.thinking,
                cache: self.cache,
                price: self.price,
                price_holds_to: self.price_holds_to,
            },
            request: RequestSettings {
                temperature: self.temperature,
                top_p: self.top_p,
                stop: self.stop,
                service_tier: self.service_tier,
                user_id: self.user_id,
                beta: self.beta,
            },
        }
    }
}

/// The providers with these entries. A pattern that can fit no model is a slip.
pub(super) fn with_entries(
    mut providers: Providers,
    table: BTreeMap<String, ModelTable>,
) -> anyhow::Result<Providers> {
    for (pattern, entry) in table {
        if !pattern.contains([':', '*']) {
            bail!(
                "models: '{pattern}' names no model; write PROVIDER:NAME, or its beginning followed by *"
            );
        }
        providers = providers.with_model_entry(&pattern, entry.entry());
    }
    Ok(providers)
}

#[cfg(test)]
mod tests {
    use teammate::ModelRef;

    use super::*;

    fn read(text: &str) -> Result<BTreeMap<String, ModelTable>, String> {
        toml::from_str(text).map_err(|error: toml::de::Error| error.message().to_owned())
    }

    #[test]
    fn an_entry_wins_over_the_catalogue() {
        let table = read(
            "[\"anthropic:claude-opus-4-6\"]\neffort = \"low\"\ncontext_tokens = 300000\ntemperature = 0.5\nbeta = [\"x\"]\n\
             price = { input = 1, output = 2 }",
        );
        let providers = Providers::from_env();
        let providers = with_entries(providers, table.unwrap()).unwrap();
        let model: ModelRef = "anthropic:claude-opus-4-6".parse().unwrap();
        let settings = providers.settings(&model);
        assert_eq!(settings.facts.context_tokens, Some(300_000));
        assert_eq!(settings.effort, Some(Effort::Low));
        assert_eq!(settings.request.temperature, Some(0.5));
        assert_eq!(settings.request.beta, ["x"]);
        assert_eq!(settings.family.as_deref(), Some("Claude Opus 4.6"));
        assert!(settings.facts.thinking.is_some());
    }

    #[test]
    fn a_slip_is_refused_in_its_own_words() {
        let refused = with_entries(Providers::new(), read("[gpt-5]\ntools = true").unwrap());
        let why = refused.err().unwrap().to_string();
        assert!(why.starts_with("models: 'gpt-5' names no model"), "{why}");
        let why = read("[\"a:b\"]\neffort = \"xhigh\"").err().unwrap();
        assert!(why.contains("xhigh") && why.contains("high"), "{why}");
        assert!(
            read("[\"a:b\"]\ncontext = 1")
                .err()
                .unwrap()
                .contains("context")
        );
    }
}
