//! The answers to a question: in their order, with their words and keys, and what each means.

use crate::t;
use teammate_core::{
    permission::{Breadth, OfferedRules},
    request::Answer,
};

use crate::keys::KeyAction;

/// An answer that the user may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerChoice {
    /// A yes for this once, or to a plan.
    Once,
    /// A yes that adds the offered rule of this breadth.
    Always(Breadth),
    No,
    /// A no for which the user writes a reason.
    NoBecause,
}

impl AnswerChoice {
    const ALL: [Self; 6] = [
        Self::Once,
        Self::Always(Breadth::Exact),
        Self::Always(Breadth::Prefix),
        Self::Always(Breadth::Tool),
        Self::No,
        Self::NoBecause,
    ];

    /// Those to a question that offers these rules, in the order in which they are shown.
    pub fn offered(rules: &OfferedRules) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|choice| match choice {
            Self::Always(breadth) => rules.of(*breadth).is_some(),
            Self::Once | Self::No | Self::NoBecause => true,
        })
    }

    /// The word for it in requests of other programs, and beside a key where there is little room.
    pub fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Always(Breadth::Exact) => "always",
            Self::Always(breadth) => breadth.as_str(),
            Self::No => "no",
            Self::NoBecause => "why",
        }
    }

    /// Reads such a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.word() == word)
    }

    /// The words beside its key.
    pub fn label(self, is_plan: bool) -> &'static str {
        match (self, is_plan) {
            (Self::Once, true) => t("approve"),
            (Self::NoBecause, _) => t("no, and why"),
            (Self::Once | Self::Always(_) | Self::No, _) => t(self.word()),
        }
    }

    /// All that it does: of an "always" the rule that it adds, and how long that holds.
    pub fn text(self, rules: &OfferedRules, is_plan: bool) -> String {
        let Self::Always(breadth) = self else {
            return self.label(is_plan).to_owned();
        };
        let rule = rules.of(breadth).unwrap_or_default();
        match breadth {
            Breadth::Exact => t!("always allow '{rule}'", rule),
            Breadth::Prefix => t!(
                "always this prefix, {lasts}: '{rule}'",
                lasts = t(breadth.lasts()),
                rule
            ),
            Breadth::Tool => t!(
                "always this tool, {lasts}: '{rule}'",
                lasts = t(breadth.lasts()),
                rule
            ),
        }
    }

    /// The action of its key.
    pub fn action(self) -> KeyAction {
        match self {
            Self::Once => KeyAction::AnswerOnce,
            Self::Always(Breadth::Exact) => KeyAction::AnswerAlways,
            Self::Always(Breadth::Prefix) => KeyAction::AnswerPrefix,
            Self::Always(Breadth::Tool) => KeyAction::AnswerTool,
            Self::No => KeyAction::AnswerNo,
            Self::NoBecause => KeyAction::AnswerNoBecause,
        }
    }

    /// The answer of a key that does this.
    pub fn of_action(action: KeyAction) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|choice| choice.action() == action)
    }

    /// Its key where nobody chose another one.
    pub fn key(self) -> &'static str {
        self.action()
            .default_keys()
            .first()
            .copied()
            .unwrap_or_default()
    }

    /// The answer itself; a no has this reason.
    pub fn answer(self, why: &str) -> Answer {
        match self {
            Self::Once => Answer::yes(),
            Self::Always(breadth) => Answer::always(breadth),
            Self::No | Self::NoBecause => Answer::no(why),
        }
    }

    /// The yes that these words mean behind the id of a request: a note, or to a permission question `always` with how far that
    /// reaches.
    pub fn typed_yes(words: &str, is_question: bool) -> Answer {
        match Self::typed_always(words).filter(|_| is_question) {
            Some(breadth) => Answer::always(breadth),
            None => Answer::Approve {
                note: words.to_owned(),
                mode: None,
                always: None,
            },
        }
    }

    /// The breadth that `always` and a word after it mean.
    pub fn typed_always(words: &str) -> Option<Breadth> {
        let rest = words.strip_prefix("always")?;
        match rest.trim_start() {
            "" => Some(Breadth::Exact),
            word if rest.starts_with(char::is_whitespace) => Breadth::parse(word),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_is_a_word_of_its_own_and_anything_else_is_a_note() {
        for (words, breadth) in [
            ("always", Some(Breadth::Exact)),
            ("always exact", Some(Breadth::Exact)),
            ("always  prefix", Some(Breadth::Prefix)),
            ("always tool", Some(Breadth::Tool)),
            ("", None),
            ("alwaysprefix", None),
            ("always prefix please", None),
            ("always run the tests", None),
        ] {
            assert_eq!(AnswerChoice::typed_always(words), breadth, "{words}");
        }
    }

    #[test]
    fn every_answer_is_read_by_its_word_and_by_its_key() {
        for choice in AnswerChoice::ALL {
            assert_eq!(AnswerChoice::parse(choice.word()), Some(choice));
            assert_eq!(AnswerChoice::of_action(choice.action()), Some(choice));
        }
        let keys: String = AnswerChoice::ALL.map(AnswerChoice::key).concat();
        assert_eq!(keys, "yaptnw");
    }
}
