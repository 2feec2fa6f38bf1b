//! How one model is asked: what the catalogue and the user say of it. An adapter made without settings knows nothing of its
//! model, and sends what every model takes.

use serde::Deserialize;
use teammate_core::model::{Effort, ModelProfile, ThinkingLevels, Wire};

use crate::catalogue::{EffortLevel, ModelFacts, Thinking};

/// The facts about a model, and the user's wishes for its requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSettings {
    /// The catalogue's family; `None`: the catalogue does not know the model.
    pub family: Option<String>,
    /// The facts about the model.
    pub facts: ModelFacts,
    /// Whether its context is what the user says it is.
    pub is_context_set: bool,
    /// The user's fields for each request.
    pub request: RequestSettings,
    /// How much it thinks unless a team or a member says otherwise; `None`: as the catalogue says.
    pub effort: Option<Effort>,
}

/// Fields of requests that are sent only if the user configures them, for a provider or a model.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RequestSettings {
    /// How random the answer is.
    pub temperature: Option<f64>,
    /// The part of the likeliest tokens that are chosen from.
    pub top_p: Option<f64>,
    /// Texts at which the answer ends.
    pub stop: Vec<String>,
    /// The vendor's class of service, in its own word.
    pub service_tier: Option<String>,
    /// The id of the end user, for the vendor's abuse detection: an opaque one.
    pub user_id: Option<String>,
    /// Beta features, by the names that go into the header `anthropic-beta`.
    pub beta: Vec<String>,
}

impl RequestSettings {
    /// These, and what they leave open as `base` has it.
    #[must_use]
    pub fn over(self, base: &Self) -> Self {
        let or = |own: Vec<String>, base: &[String]| match own.is_empty() {
            true => base.to_vec(),
            false => own,
        };
        Self {
            temperature: self.temperature.or(base.temperature),
            top_p: self.top_p.or(base.top_p),
            stop: or(self.stop, &base.stop),
            service_tier: self.service_tier.or_else(|| base.service_tier.clone()),
            user_id: self.user_id.or_else(|| base.user_id.clone()),
            beta: or(self.beta, &base.beta),
        }
    }
}

impl ModelSettings {
    /// The profile for the caller of the adapter for `wire`.
    pub fn profile(&self, wire: Wire) -> ModelProfile {
        let thinking = self.thinking(wire).map(|thinking| ThinkingLevels {
            levels: thinking
                .levels
                .keys()
                .copied()
                .filter(|level| *level != Effort::Off)
                .collect(),
            default: self.effort.unwrap_or(thinking.default),
        });
        ModelProfile {
            family: self.family.clone(),
            context_tokens: self.facts.context_tokens,
            is_context_set: self.is_context_set,
            answer_tokens: self.facts.answer_tokens,
            thinking,
            price_holds_to: self.facts.price_holds_to,
            cache_minutes: self.facts.cache.map(|cache| cache.minutes),
            has_long_cache: self.facts.cache.is_some_and(|cache| cache.long),
        }
    }

    /// How the model is asked to think on this wire; `None`: it is not asked.
    pub(crate) fn thinking(&self, wire: Wire) -> Option<&Thinking> {
        let thinking = self.facts.thinking.as_ref()?;
        (thinking.form.fits(wire) && !thinking.levels.is_empty()).then_some(thinking)
    }

    /// The form of thinking on this wire with its word or number for an effort; `None`: nothing is said about thinking.
    pub(crate) fn level(&self, wire: Wire, effort: Effort) -> Option<(&Thinking, &EffortLevel)> {
        let thinking = self.thinking(wire)?;
        Some((thinking, thinking.levels.get(&effort)?))
    }
}
