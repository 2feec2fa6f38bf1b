//! The words and numbers of single settings, as flags and the configuration file write them.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Deserializer, de::Error as _};
use teammate::{AuditUse, Mode, ModelContext, Rule, RuleOrigin};

/// Whether it is recorded who allowed what, as the configuration says it.
#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum AuditSetting {
    On,
    Off,
    Required,
}

impl AuditSetting {
    pub(super) fn audit_use(self) -> AuditUse {
        match self {
            Self::On => AuditUse::On,
            Self::Off => AuditUse::Off,
            Self::Required => AuditUse::Required,
        }
    }
}

/// By which names models are shown their tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolNames {
    Own,
    Claude,
}

pub(crate) fn parse_mode(word: &str) -> Result<Mode, String> {
    let words: Vec<&str> = Mode::ALL.iter().map(|(_, word)| *word).collect();
    Mode::parse(word).ok_or_else(|| format!("write one of: {}", words.join(", ")))
}

pub(super) fn parse_rule(text: &str) -> Result<Rule, String> {
    Rule::parse(text, RuleOrigin::CommandLine).map_err(|error| error.to_string())
}

pub(super) fn mode_in_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Mode>, D::Error> {
    let word = String::deserialize(from)?;
    parse_mode(&word)
        .map(Some)
        .map_err(|why| D::Error::custom(format!("permission_mode: {why}")))
}

pub(super) fn minutes(
    name: &'static str,
    minutes: Option<f64>,
) -> anyhow::Result<Option<Duration>> {
    let time = minutes.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0));
    time.transpose().context(name)
}

pub(super) fn context(
    tokens: Option<u64>,
    compact_at: Option<f64>,
) -> anyhow::Result<ModelContext> {
    let compact_at = compact_at.unwrap_or(ModelContext::COMPACT_AT);
    if !(0.05..=1.0).contains(&compact_at) {
        bail!("compact_at: {compact_at} is not between 0.05 and 1, a part of context_tokens");
    }
    let tokens = tokens.unwrap_or(ModelContext::TOKENS);
    Ok(ModelContext::new(tokens, compact_at))
}
