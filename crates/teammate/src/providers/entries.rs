//! Settings of a model: the catalogue's facts, over them what the user says of a provider, and over that what the user says
//! of the model.

use teammate_core::model::{Effort, ModelRef};
use teammate_models::{Catalogue, ModelFacts, ModelSettings, NamePattern, RequestSettings};

/// The user's settings for the models whose `PROVIDER:NAME` fits a pattern.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelEntry {
    /// How much they think unless a team or a member says otherwise.
    pub effort: Option<Effort>,
    /// Facts of the models, in place of what the catalogue says.
    pub facts: ModelFacts,
    /// Fields of the requests to them.
    pub request: RequestSettings,
}

/// The user's entries.
#[derive(Debug, Default)]
pub(super) struct Entries(Vec<(NamePattern, ModelEntry)>);

impl Entries {
    pub(super) fn add(&mut self, pattern: NamePattern, entry: ModelEntry) {
        self.0.push((pattern, entry));
        // A longer pattern says more.
        self.0
            .sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.as_str().len()));
    }

    /// How a model of a provider is asked whose server has this host. `of_provider`: what the user wants of all its models.
    pub(super) fn settings(
        &self,
        model: &ModelRef,
        host: &str,
        of_provider: &ModelEntry,
    ) -> ModelSettings {
        let name = model.to_string();
        let mut own = ModelEntry::default();
        for (_, entry) in self.0.iter().filter(|(pattern, _)| pattern.fits(&name)) {
            own.facts = own.facts.over(entry.facts.clone());
            own.request = own.request.over(&entry.request);
            own.effort = own.effort.or(entry.effort);
        }
        let (family, known) = match Catalogue::built_in().facts(&model.name, host) {
            Some((family, facts)) => (Some(family.name.clone()), facts),
            None => (None, ModelFacts::default()),
        };
        ModelSettings {
            family,
            is_context_set: own.facts.context_tokens.is_some(),
            facts: own.facts.over(known),
            request: own.request.over(&of_provider.request),
            effort: own.effort.or(of_provider.effort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pattern_counts_and_then_the_catalogue() {
        let mut entries = Entries::default();
        let entry = |context_tokens, temperature| ModelEntry {
            effort: None,
            facts: ModelFacts {
                context_tokens,
                ..ModelFacts::default()
            },
            request: RequestSettings {
                temperature,
                ..RequestSettings::default()
            },
        };
        entries.add(NamePattern::new("anthropic:*"), entry(Some(1), Some(0.5)));
        entries.add(
            NamePattern::new("anthropic:claude-opus-4-6"),
            entry(Some(2), None),
        );
        let mut of_provider = entry(None, Some(0.1));
        of_provider.request.top_p = Some(0.9);
        of_provider.effort = Some(Effort::Low);
        let settings = |name: &str| {
            let model = name.parse().unwrap();
            entries.settings(&model, "api.anthropic.com", &of_provider)
        };
        let opus = settings("anthropic:claude-opus-4-6");
        assert_eq!(opus.facts.context_tokens, Some(2));
        assert!(opus.is_context_set);
        assert_eq!(opus.request.temperature, Some(0.5));
        assert_eq!(opus.request.top_p, Some(0.9));
        assert_eq!(opus.effort, Some(Effort::Low));
        // What no entry says, the catalogue does.
        assert_eq!(opus.family.as_deref(), Some("Claude Opus 4.6"));
        assert!(opus.facts.answer_tokens.is_some());
        let other = settings("local:claude-opus-4-6");
        assert_eq!(other.facts.context_tokens, Some(1_000_000));
        assert!(!other.is_context_set);
        assert_eq!(settings("local:m").family, None);
    }
}
