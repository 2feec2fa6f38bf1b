//! The profile of a model: from the catalogue, from the user's own entries, from its server.

use super::Effort;

/// Tokens of an answer unless configured otherwise, without thinking.
const ANSWER_TOKENS: u32 = 16_000;

/// Facts about a model. The default knows nothing, and everything works with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelProfile {
    /// The catalogue's family; `None`: the catalogue does not know the model.
    pub family: Option<String>,
    /// The size of the model's context, in tokens.
    pub context_tokens: Option<u64>,
    /// Whether the user set that for this model.
    pub is_context_set: bool,
    /// The longest answer that it gives, thinking included, in tokens.
    pub answer_tokens: Option<u32>,
    /// How it is asked to think; `None`: it is not asked.
    pub thinking: Option<ThinkingLevels>,
    /// Up to so many tokens in a request its price holds; a longer one costs more.
    pub price_holds_to: Option<u64>,
    /// How long its server keeps a prompt cache after its last use, in minutes.
    pub cache_minutes: Option<u64>,
    /// Whether its server keeps prompt caches for an hour, if asked and paid for.
    pub has_long_cache: bool,
}

/// The levels of thinking that a model takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThinkingLevels {
    /// In ascending order, without [`Effort::Off`].
    pub levels: Vec<Effort>,
    /// The level unless one is configured; it may be one that the model does not take.
    pub default: Effort,
}

impl ModelProfile {
    /// The level for an effort that was asked for: the nearest one below that the model takes, or else its lowest. Without a
    /// wish, the default of the model.
    pub fn effort(&self, asked: Option<Effort>) -> Effort {
        let Some(thinking) = &self.thinking else {
            return Effort::Off;
        };
        let asked = asked.unwrap_or(thinking.default);
        if asked == Effort::Off {
            return Effort::Off;
        }
        let levels = || thinking.levels.iter().copied();
        let below = levels().filter(|level| *level <= asked).max();
        below.or_else(|| levels().min()).unwrap_or(Effort::Off)
    }

    /// The most tokens of an answer at this effort: what is configured, or else more where the model thinks, since thinking
    /// counts; never more than the model gives.
    pub fn answer_limit(&self, configured: Option<u32>, effort: Effort) -> u32 {
        let usual = match effort {
            Effort::Off => ANSWER_TOKENS,
            Effort::Low | Effort::Medium => 2 * ANSWER_TOKENS,
            Effort::High | Effort::Max => 4 * ANSWER_TOKENS,
        };
        let wanted = configured.unwrap_or(usual);
        self.answer_tokens.map_or(wanted, |most| wanted.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_is_fitted_to_the_levels_of_the_model() {
        let profile = |levels: &[Effort], default| ModelProfile {
            thinking: Some(ThinkingLevels {
                levels: levels.to_vec(),
                default,
            }),
            ..ModelProfile::default()
        };
        use Effort::{High, Low, Max, Medium, Off};
        let three = profile(&[Low, Medium, High], Medium);
        let fitted = [None, Some(Off), Some(Low), Some(Max)].map(|asked| three.effort(asked));
        assert_eq!(fitted, [Medium, Off, Low, High]);
        // Less than it can: its least.
        assert_eq!(profile(&[High], High).effort(Some(Low)), High);
        // A family that the catalogue does not know gets nothing.
        assert_eq!(ModelProfile::default().effort(Some(Max)), Off);
    }

    #[test]
    fn an_answer_has_room_for_thinking_but_not_more_than_the_model_gives() {
        let profile = ModelProfile {
            answer_tokens: Some(40_000),
            ..ModelProfile::default()
        };
        let limit = |configured, effort| profile.answer_limit(configured, effort);
        assert_eq!(limit(None, Effort::Off), 16_000);
        assert_eq!(limit(None, Effort::Medium), 32_000);
        assert_eq!(limit(None, Effort::Max), 40_000);
        assert_eq!(limit(Some(1_000), Effort::Max), 1_000);
        assert_eq!(
            ModelProfile::default().answer_limit(Some(99), Effort::Off),
            99
        );
    }
}
