//! The fields of a chat request that ask for reasoning, by the form of the model's family.

use std::fmt::Write as _;

use teammate_core::model::{Effort, ModelRequest, Wire};

use crate::{
    catalogue::{EffortLevel, ThinkingForm},
    json::quoted,
    settings::ModelSettings,
};

/// Words of the form `thinking-type` that are types: a family with one of them has no efforts.
const TYPES: [&str; 2] = ["enabled", "adaptive"];

/// Adds what this request says about reasoning; false if it says nothing.
pub(super) fn push(body: &mut String, settings: &ModelSettings, request: &ModelRequest) -> bool {
    let effort = request.options.effort;
    let Some((thinking, level)) = settings.level(Wire::OpenAi, effort) else {
        return false;
    };
    let is_on = effort != Effort::Off;
    let is_type = matches!(level, EffortLevel::Word(word) if TYPES.contains(&word.as_str()));
    let word = match level {
        EffortLevel::Word(word) => quoted(word),
        EffortLevel::Budget(tokens) => tokens.to_string(),
    };
    // Writing to a string cannot fail.
    let _ = match thinking.form {
        ThinkingForm::ReasoningEffort => write!(body, r#","reasoning_effort":{word}"#),
        ThinkingForm::ReasoningObject => write!(body, r#","reasoning":{{"effort":{word}}}"#),
        // The word for `off` is a type; others are efforts beside it, unless they are types themselves.
        ThinkingForm::ThinkingType if is_on && !is_type => write!(
            body,
            r#","thinking":{{"type":"enabled"}},"reasoning_effort":{word}"#
        ),
        ThinkingForm::ThinkingType => write!(body, r#","thinking":{{"type":{word}}}"#),
        ThinkingForm::EnableThinking if is_on => {
            write!(body, r#","enable_thinking":true,"thinking_budget":{word}"#)
        }
        ThinkingForm::EnableThinking => write!(body, r#","enable_thinking":false"#),
        ThinkingForm::Adaptive | ThinkingForm::Budget => return false,
    };
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use teammate_core::model::{AnswerOptions, Preamble};

    use super::*;

    /// The words that a family with this `thinking` gets for an effort.
    fn sent(thinking: &str, effort: Effort) -> String {
        let mut settings = ModelSettings::default();
        settings.facts.thinking = Some(toml::from_str(thinking).unwrap());
        let request = ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            identity: "".into(),
            messages: Vec::new(),
            cached: 0,
            max_tokens: 1,
            conversation: "c".into(),
            asker: "a".into(),
            model: "p:m".into(),
            options: AnswerOptions {
                effort,
                ..AnswerOptions::default()
            },
        };
        let mut body = String::new();
        let is_said = push(&mut body, &settings, &request);
        assert_eq!(is_said, !body.is_empty());
        body
    }

    #[test]
    fn each_form_has_its_own_fields() {
        use Effort::{High, Low, Max, Off};
        let family = |form: &str, levels: &str| {
            format!("form = \"{form}\"\nlevels = {{ {levels} }}\ndefault = \"high\"")
        };
        let effort = family(
            "reasoning-effort",
            r#"off = "none", high = "high", max = "xhigh""#,
        );
        assert_eq!(sent(&effort, High), r#","reasoning_effort":"high""#);
        assert_eq!(sent(&effort, Max), r#","reasoning_effort":"xhigh""#);
        assert_eq!(sent(&effort, Off), r#","reasoning_effort":"none""#);
        // A level that the family does not have was fitted before; here nothing is made up.
        assert_eq!(sent(&effort, Low), "");

        let object = family("reasoning-object", r#"high = "high""#);
        assert_eq!(sent(&object, High), r#","reasoning":{"effort":"high"}"#);

        let typed = family("thinking-type", r#"off = "disabled", max = "max""#);
        let max = r#","thinking":{"type":"enabled"},"reasoning_effort":"max""#;
        assert_eq!(sent(&typed, Max), max);
        assert_eq!(sent(&typed, Off), r#","thinking":{"type":"disabled"}"#);

        // Kimi K2 and MiniMax have types and no efforts.
        let plain = family("thinking-type", r#"low = "enabled", high = "adaptive""#);
        assert_eq!(sent(&plain, Low), r#","thinking":{"type":"enabled"}"#);
        assert_eq!(sent(&plain, High), r#","thinking":{"type":"adaptive"}"#);

        let budget = family("enable-thinking", r#"off = "false", low = 4000"#);
        let low = r#","enable_thinking":true,"thinking_budget":4000"#;
        assert_eq!(sent(&budget, Low), low);
        assert_eq!(sent(&budget, Off), r#","enable_thinking":false"#);

        // Forms of the other wire say nothing here.
        for form in ["adaptive", "budget"] {
            assert_eq!(sent(&family(form, r#"high = "high""#), High), "");
        }
    }
}
