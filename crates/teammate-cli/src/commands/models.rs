//! `teammate models`: the models of each server's own list, and what the catalogue knows of them and was learnt of the server.

pub(super) mod learnt;

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use teammate::{
    Catalogue, Family, KeptLessons, ListedModel, ModelFacts, ModelRef, ModelSettings, NamePattern,
    Prices, Providers,
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::{Style, clean, clean_line};

/// A server must answer within this time.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// List the models of your providers, with what is known of each
#[derive(Args)]
pub(crate) struct Models {
    /// Ask this provider only
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// List what the catalogue knows, without asking any server
    #[arg(long, conflicts_with = "provider")]
    known: bool,

    /// Forget what was learnt of these servers, without asking them
    #[arg(long, conflicts_with = "known")]
    forget: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Models {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        if self.known {
            known(self.json);
            return Ok(std::process::ExitCode::SUCCESS);
        }
        let providers = place.options.providers()?;
        let prices = place.options.prices()?;
        let names: Vec<String> = match self.provider {
            Some(name) => vec![name],
            None => providers
                .endpoints()
                .map(|(name, _)| name.to_owned())
                .collect(),
        };
        if self.forget {
            return learnt::forget(&providers, &names, self.json);
        }
        let mut lists = Vec::new();
        for name in names {
            lists.push(ProviderModels::of(&providers, &name, &prices).await);
        }
        // Nothing could be listed at all: the exit code says so.
        let is_any = lists.iter().any(|list| list.models.is_ok());
        match self.json {
            true => print_json(&json!({
                "as_of": Catalogue::built_in().as_of,
                "providers": lists.iter().map(ProviderModels::json).collect::<Vec<_>>(),
            })),
            false => lists.iter().for_each(ProviderModels::print),
        }
        if !self.json {
            if lists.iter().any(|list| !list.learnt.is_empty()) {
                print_line("`teammate models --forget` forgets what was learnt of servers.");
            }
            print_line(format!(
                "Prices and limits of the catalogue are as of {}.",
                Catalogue::built_in().as_of
            ));
        }
        Ok(match is_any {
            true => std::process::ExitCode::SUCCESS,
            false => std::process::ExitCode::from(1),
        })
    }
}

/// A provider and its models, or why they cannot be listed.
struct ProviderModels {
    provider: String,
    models: Result<Vec<ModelRow>, String>,
    learnt: Vec<KeptLessons>,
}

/// A model of a server's list.
struct ModelRow {
    listed: ListedModel,
    settings: ModelSettings,
    retires: Option<String>,
    money: Option<String>,
}

impl ProviderModels {
    async fn of(providers: &Providers, name: &str, prices: &Prices) -> Self {
        let has_no_key = providers.endpoints().any(|(known, endpoint)| {
            known == name && endpoint.key.is_none() && !endpoint.key_from.is_empty()
        });
        if has_no_key {
            return Self {
                provider: name.to_owned(),
                models: Err("no key is set, so it was not asked".to_owned()),
                learnt: providers.lessons(name),
            };
        }
        let listed = providers.list_models(name, ANSWERS_WITHIN).await;
        let row = |listed: ListedModel| {
            let model = ModelRef {
                provider: name.to_owned(),
                name: listed.id.clone(),
            };
            let family = Catalogue::built_in().family(&listed.id);
            let retires = family.and_then(|family| family.retires.clone());
            ModelRow {
                settings: providers.settings(&model),
                retires: listed.facts.retires.clone().or(retires),
                money: money(prices, &model),
                listed,
            }
        };
        Self {
            provider: name.to_owned(),
            models: listed
                .map(|models| models.into_iter().map(row).collect())
                .map_err(|why| why.what),
            learnt: providers.lessons(name),
        }
    }

    fn print(&self) {
        let style = Style::for_stdout();
        let name = style.bold(&clean_line(&self.provider));
        match &self.models {
            Ok(rows) => {
                print_line(format!("{name}: {} models", rows.len()));
                rows.iter().for_each(|row| print_line(row.line()));
            }
            Err(why) => print_line(format!("{name}: {}", clean(why))),
        }
        if !self.learnt.is_empty() {
            print_line(format!("{name}: learnt of what it refused"));
            self.learnt
                .iter()
                .for_each(|kept| print_line(learnt::line(kept)));
        }
    }

    fn json(&self) -> Value {
        let mut list = match &self.models {
            Ok(rows) => json!({
                "provider": self.provider,
                "models": rows.iter().map(ModelRow::json).collect::<Vec<_>>(),
            }),
            Err(why) => json!({ "provider": self.provider, "error": why }),
        };
        list["learnt"] = self.learnt.iter().map(learnt::json).collect();
        list
    }
}

impl ModelRow {
    /// The context that the server names, if it contradicts the catalogue.
    fn contradiction(&self) -> Option<u64> {
        let (said, known) = (
            self.listed.facts.context_tokens?,
            self.settings.facts.context_tokens?,
        );
        (said < known).then_some(said)
    }

    fn line(&self) -> String {
        let name = clean_line(&self.listed.id);
        let facts = &self.settings.facts;
        let context = self.listed.facts.context_tokens.or(facts.context_tokens);
        let mut parts = known_parts(facts, context);
        parts.extend(self.money.clone());
        match &self.settings.family {
            Some(family) if !parts.is_empty() => parts.insert(0, family.clone()),
            Some(family) => parts.push(family.clone()),
            None => parts.insert(0, "not in the catalogue".to_owned()),
        }
        if let Some(said) = self.contradiction() {
            parts.push(format!("the server gives only {}", thousands(said)));
        }
        parts.extend(self.retires.as_deref().map(ending));
        format!("  {name}\n      {}", clean(&parts.join(" · ")))
    }

    fn json(&self) -> Value {
        let mut value = facts_json(&self.settings.facts);
        value["id"] = self.listed.id.clone().into();
        value["family"] = self.settings.family.clone().into();
        value["retires"] = self.retires.clone().into();
        value["price"] = self.money.clone().into();
        value["server"] = json!({
            "context_tokens": self.listed.facts.context_tokens,
            "longest_context_tokens": self.listed.facts.longest_context_tokens,
            "answer_tokens": self.listed.facts.answer_tokens,
            "pictures": self.listed.facts.pictures,
            "documents": self.listed.facts.documents,
            "tools": self.listed.facts.tools,
            "thinking": self.listed.facts.thinking,
        });
        value
    }
}

/// All families.
fn known(as_json: bool) {
    let catalogue = Catalogue::built_in();
    if as_json {
        let family = |family: &Family| {
            let mut value = facts_json(&family.facts);
            let patterns: Vec<&str> = family.models.iter().map(NamePattern::as_str).collect();
            value["family"] = family.name.clone().into();
            value["models"] = patterns.into();
            value["vendor"] = family.vendor.clone().into();
            value["retires"] = family.retires.clone().into();
            value
        };
        let families: Vec<Value> = catalogue.families.iter().map(family).collect();
        print_json(
            &json!({ "as_of": catalogue.as_of, "currency": catalogue.currency, "families": families }),
        );
        return;
    }
    let style = Style::for_stdout();
    for family in &catalogue.families {
        let patterns: Vec<&str> = family.models.iter().map(NamePattern::as_str).collect();
        let mut parts = known_parts(&family.facts, family.facts.context_tokens);
        if let Some(price) = &family.facts.price {
            parts.push(format!("{} in, {} out", price.input, price.output));
        }
        parts.extend(family.retires.as_deref().map(ending));
        print_line(format!(
            "{} ({})",
            style.bold(&family.name),
            patterns.join(", ")
        ));
        if !parts.is_empty() {
            print_line(format!("      {}", parts.join(" · ")));
        }
    }
    print_line(format!(
        "As of {}. Prices are {} for a million tokens, at the vendor's own address.",
        catalogue.as_of, catalogue.currency
    ));
}

/// Known facts of a model, in words.
fn known_parts(facts: &ModelFacts, context: Option<u64>) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(context.map(|tokens| format!("context {}", thousands(tokens))));
    let longest = facts.answer_tokens;
    parts.extend(longest.map(|tokens| format!("answers up to {}", thousands(tokens.into()))));
    let takes: Vec<&str> = [
        (facts.pictures, "pictures"),
        (facts.documents, "PDF"),
        (facts.tools, "tools"),
    ]
    .into_iter()
    .filter(|(takes, _)| *takes == Some(true))
    .map(|(_, what)| what)
    .collect();
    if !takes.is_empty() {
        parts.push(takes.join(", "));
    }
    if let Some(thinking) = &facts.thinking {
        let levels: Vec<&str> = thinking.levels.keys().map(|level| level.as_str()).collect();
        parts.push(format!(
            "effort {} ({})",
            levels.join("/"),
            thinking.default
        ));
    }
    parts
}

fn facts_json(facts: &ModelFacts) -> Value {
    let thinking = facts.thinking.as_ref();
    json!({
        "context_tokens": facts.context_tokens,
        "answer_tokens": facts.answer_tokens,
        "pictures": facts.pictures,
        "documents": facts.documents,
        "tools": facts.tools,
        "schema": facts.schema,
        "efforts": thinking.map(|thinking| {
            thinking.levels.keys().map(|level| level.as_str()).collect::<Vec<_>>()
        }),
        "default_effort": thinking.map(|thinking| thinking.default.as_str()),
    })
}

/// Prices of a million tokens, in words.
fn money(prices: &Prices, model: &ModelRef) -> Option<String> {
    let price = prices.of(&model.to_string())?;
    Some(format!(
        "{} in, {} out {} for a million",
        price.input, price.output, prices.currency
    ))
}

/// 200,000 as `200k`, 1,050,000 as `1.05M`.
fn thousands(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..1_000_000 => format!("{}k", tokens / 1_000),
        _ => {
            let text = format!("{:.2}", tokens as f64 / 1_000_000.0);
            format!("{}M", text.trim_end_matches('0').trim_end_matches('.'))
        }
    }
}

/// When the vendor ends a model, in days as the catalogue writes them.
fn ending(day: &str) -> String {
    match *day < *Catalogue::built_in().as_of {
        true => format!("ended {day}"),
        false => format!("ends {day}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tokens_are_short() {
        let cases = [
            (512, "512"),
            (8_192, "8k"),
            (200_000, "200k"),
            (1_000_000, "1M"),
            (1_050_000, "1.05M"),
        ];
        for (tokens, text) in cases {
            assert_eq!(thousands(tokens), text);
        }
    }

    #[test]
    fn what_a_server_gives_less_than_the_model_takes_is_said() {
        let row = |said| ModelRow {
            listed: ListedModel {
                id: "gpt-oss:20b".to_owned(),
                facts: teammate::ServerFacts {
                    context_tokens: said,
                    ..teammate::ServerFacts::default()
                },
                ..ListedModel::default()
            },
            settings: ModelSettings {
                family: Some("gpt-oss".to_owned()),
                facts: ModelFacts {
                    context_tokens: Some(131_072),
                    ..ModelFacts::default()
                },
                ..ModelSettings::default()
            },
            retires: Some("2027-01-01".to_owned()),
            money: None,
        };
        assert_eq!(
            row(Some(4_096)).line(),
            "  gpt-oss:20b\n      gpt-oss · context 4k · the server gives only 4k · ends 2027-01-01"
        );
        assert_eq!(
            row(None).line(),
            "  gpt-oss:20b\n      gpt-oss · context 131k · ends 2027-01-01"
        );
    }
}
