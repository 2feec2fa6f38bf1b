//! The words and numbers of single settings, as flags and the configuration file write them.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Deserializer, de::Error as _};
use teammate::{AuditUse, CacheSetting, Mode, ModelContext, MoreInstructions, Rule, RuleOrigin};

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

/// How long prompt caches are kept, as the configuration says it.
#[derive(Deserialize, Debug, Clone, Copy)]
pub(super) enum CacheWord {
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "5m")]
    Minutes,
    #[serde(rename = "1h")]
    Hour,
}

impl CacheWord {
    pub(super) fn setting(self) -> CacheSetting {
        match self {
            Self::Auto => CacheSetting::Auto,
            Self::Minutes => CacheSetting::Short,
            Self::Hour => CacheSetting::Long,
        }
    }
}

/// A program whose files for agents are read, too.
#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum InstructionsOf {
    Gemini,
    Cursor,
}

impl InstructionsOf {
    pub(super) fn setting(self) -> MoreInstructions {
        match self {
            Self::Gemini => MoreInstructions::Gemini,
            Self::Cursor => MoreInstructions::Cursor,
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

/// The part of the context at which conversations are made shorter.
pub(super) fn compact_at(part: Option<f64>) -> anyhow::Result<f64> {
    let part = part.unwrap_or(ModelContext::COMPACT_AT);
    if !(0.05..=1.0).contains(&part) {
        bail!("compact_at: {part} is not between 0.05 and 1, a part of context_tokens");
    }
    Ok(part)
}
