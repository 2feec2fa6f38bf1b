//! The file in the repository: every name finds its family, and what it says makes sense.

use teammate_core::model::{Effort, Wire};

use serde_json::Value;

use super::*;

/// As people write it.
const WRITTEN: &str = include_str!("../../catalogue.toml");

#[test]
fn the_program_reads_what_people_write() {
    let written: serde_json::Map<String, Value> = toml::from_str(WRITTEN).unwrap();
    let parts = written.iter().map(|(name, value)| match value {
        Value::Array(all) => {
            let lines: Vec<String> = all.iter().map(Value::to_string).collect();
            format!("\"{name}\":[\n{}\n]", lines.join(",\n"))
        }
        one => format!("\"{name}\":{one}"),
    });
    let parts: Vec<String> = parts.collect();
    let text = format!("{{\n{}\n}}\n", parts.join(",\n"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/catalogue/catalogue.json");
        std::fs::write(file, &text).unwrap();
    }
    assert_eq!(text, FILE, "UPDATE_GOLDEN=1 writes it anew");
    let read: Catalogue = toml::from_str(WRITTEN).unwrap();
    assert_eq!(
        format!("{read:?}"),
        format!("{:?}", Catalogue::built_in()),
        "numbers and words mean the same in both"
    );
}

#[test]
fn names_find_their_families() {
    let cases = [
        ("claude-fable-5-2", "Claude Fable and Mythos 5.2"),
        ("claude-mythos-5-2", "Claude Fable and Mythos 5.2"),
        ("claude-fable-5-1", "Claude Fable 5.1"),
        ("claude-mythos-5-1", "Claude Mythos 5.1"),
        ("claude-fable-5", "Claude Fable and Mythos 5"),
        ("claude-opus-5-5", "Claude Opus 5.5"),
        ("claude-opus-5", "Claude Opus 5"),
        ("claude-opus-4-8", "Claude Opus 4.8"),
        ("claude-opus-4-7", "Claude Opus 4.7"),
        ("claude-opus-4-6", "Claude Opus 4.6"),
        ("claude-opus-4-5-20251101", "Claude Opus 4.5"),
        ("claude-opus-4-1-20250805", "Claude Opus 4 and 4.1"),
        ("claude-opus-4-20250514", "Claude Opus 4 and 4.1"),
        ("claude-sonnet-5-5", "Claude Sonnet 5.5"),
        ("claude-sonnet-5", "Claude Sonnet 5"),
        ("claude-sonnet-4-6", "Claude Sonnet 4.6"),
        ("claude-sonnet-4-5-20250929", "Claude Sonnet 4.5"),
        ("claude-sonnet-4-20250514", "Claude Sonnet 4"),
        ("claude-haiku-5-5", "Claude Haiku 5.5"),
        ("claude-haiku-4-5", "Claude Haiku 4.5"),
        ("claude-3-7-sonnet-20250219", "Claude Sonnet 3.7"),
        ("claude-3-5-haiku-20241022", "Claude 3 and 3.5"),
        ("anthropic/claude-opus-4.6", "Claude Opus 4.6"),
        ("us.anthropic.claude-opus-5-5", "Claude Opus 5.5"),
        (
            "anthropic.claude-sonnet-4-5-20250929-v1:0",
            "Claude Sonnet 4.5",
        ),
        ("gpt-6.2-astra", "GPT-6.2 Astra"),
        ("gpt-6.2-sol", "GPT-6.1 and 6.2 Sol"),
        ("gpt-6.1-sol", "GPT-6.1 and 6.2 Sol"),
        ("gpt-6.1-terra", "GPT-6.1 Terra"),
        ("gpt-6-astra", "GPT-6 Astra"),
        ("gpt-6-sol", "GPT-6 Sol"),
        ("gpt-6-luna", "GPT-6 Luna"),
        ("gpt-5.6", "GPT-5.6 Sol"),
        ("gpt-5.6-terra", "GPT-5.6 Terra"),
        ("gpt-5.6-luna", "GPT-5.6 Luna"),
        ("gpt-5.5-pro-2026-04-23", "GPT-5.4 and 5.5 Pro"),
        ("gpt-5.5", "GPT-5.5"),
        ("gpt-5.4-mini", "GPT-5.4 Mini"),
        ("gpt-5.4-nano", "GPT-5.4 Nano"),
        ("gpt-5.4-2026-03-05", "GPT-5.4"),
        ("gpt-5.2-pro", "GPT-5.2 Pro"),
        ("gpt-5.2", "GPT-5.2 and 5.3 Codex"),
        ("gpt-5.3-codex", "GPT-5.2 and 5.3 Codex"),
        ("openai/gpt-5.1", "GPT-5.1"),
        ("gpt-5-pro", "GPT-5 Pro"),
        ("gpt-5-chat-latest", "GPT-5 Chat"),
        ("gpt-5-mini-2025-08-07", "GPT-5 Mini"),
        ("gpt-5-nano", "GPT-5 Nano"),
        ("gpt-5-2025-08-07", "GPT-5"),
        ("o3-pro", "o3 Pro"),
        ("o3-2025-04-16", "o3"),
        ("o4-mini", "o3 Mini and o4 Mini"),
        ("o1", "o1"),
        ("gpt-4.1-mini", "GPT-4.1 Mini"),
        ("gpt-4.1", "GPT-4.1"),
        ("gpt-4o-mini", "GPT-4o Mini"),
        ("gpt-4o-2024-08-06", "GPT-4o"),
        ("gpt-oss:20b", "gpt-oss"),
        ("gemini-4-argon", "Gemini 4"),
        ("gemini-3.8-flash", "Gemini 3.6 to 3.8 Flash"),
        ("gemini-3.1-pro-preview", "Gemini 3.1 Pro"),
        ("gemini-2.5-pro", "Gemini 2.5 Pro"),
        ("gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite"),
        ("gemini-2.5-flash", "Gemini 2.5 Flash"),
        ("deepseek-v4-pro", "DeepSeek V4 Pro"),
        ("deepseek-flash", "DeepSeek V4 Flash"),
        ("grok-4.5", "Grok 4.5 to 4.7"),
        ("kimi-k3.1-pro", "Kimi K3.1 Pro"),
        ("kimi-k3", "Kimi K3"),
        ("glm-5.3-flash", "GLM 5.3 Flash"),
        ("glm-5.3", "GLM 5.3"),
        ("qwen3-coder:30b", "Qwen Coder"),
        ("qwen3.8-max", "Qwen 3.8 Max"),
        ("mistral-large-4-latest", "Mistral Large 4"),
        ("gpt-5.1-codex-max", "Codex, older"),
        ("gpt-4.1-nano", "GPT-4.1 Nano"),
        ("gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite"),
        ("gemini-3.5-flash", "Gemini 3.5 Flash"),
        ("gemini-3.1-flash-lite", "Gemini 3.1 Flash-Lite"),
        ("gemini-3-flash-preview", "Gemini 3"),
        ("grok-4-fast", "Grok 4 and 4.1"),
        ("grok-4.20-multi", "Grok 4.20 and 4.3"),
        ("grok-3-mini", "Grok 3 Mini"),
        ("kimi-k2.7-code", "Kimi K2.7 Code"),
        ("moonshotai/kimi-k2.5", "Kimi K2.5"),
        ("glm-5.2", "GLM 5.2"),
        ("MiniMax-M3", "MiniMax M3"),
        ("MiniMax-M2.5", "MiniMax M2"),
        ("openai/gpt-oss-120b", "gpt-oss"),
        ("qwen3:8b", "Qwen 3"),
        ("Qwen/Qwen3-32B", "Qwen 3"),
        ("qwen3-vl:30b", "Qwen VL"),
        ("Qwen/Qwen2.5-Coder-7B-Instruct", "Qwen Coder"),
        ("qwen2.5:14b", "Qwen 2.5"),
        ("NousResearch/Hermes-4-70B", "Hermes 3 and 4"),
        ("deepseek-r1:32b", "DeepSeek R1"),
        ("llama3:8b", "Llama 3"),
        ("llama3.1:70b", "Llama 3.1 to 3.3"),
        ("meta-llama/Llama-3.3-70B-Instruct", "Llama 3.1 to 3.3"),
        ("llama3.2-vision:11b", "Llama 3.2 Vision"),
        ("llama4:scout", "Llama 4"),
        ("mistral-small3.2", "Mistral Small and Devstral"),
        ("devstral:24b", "Mistral Small and Devstral"),
        ("gemma3:27b", "Gemma 3 and 4"),
        ("phi4", "Phi 4"),
    ];
    for (name, family) in cases {
        let found = Catalogue::built_in().family(name);
        assert_eq!(
            found.map(|family| family.name.as_str()),
            Some(family),
            "{name}"
        );
    }
    for unknown in ["m", "claude", "gpt", "gpt-7", "local-model", ""] {
        let found = Catalogue::built_in().family(unknown);
        assert!(found.is_none(), "{unknown}: {found:?}");
    }
}

#[test]
fn no_pattern_stands_behind_one_that_takes_all_its_names() {
    let families = &Catalogue::built_in().families;
    let patterns: Vec<_> = families.iter().flat_map(|family| &family.models).collect();
    for (at, later) in patterns.iter().enumerate() {
        let text = later.as_str();
        let start = text.strip_suffix('*').unwrap_or(text);
        for earlier in &patterns[..at] {
            let is_hidden = match earlier.as_str().strip_suffix('*') {
                Some(before) => start.starts_with(before),
                None => *earlier == *later,
            };
            assert!(!is_hidden, "{earlier:?} hides {later:?}");
        }
    }
}

#[test]
fn what_a_family_says_of_thinking_makes_sense() {
    for family in &Catalogue::built_in().families {
        let Some(thinking) = &family.facts.thinking else {
            continue;
        };
        let name = &family.name;
        let is_default_taken =
            thinking.default == Effort::Off || thinking.levels.contains_key(&thinking.default);
        assert!(is_default_taken, "{name}: {thinking:?}");
        let levels = thinking
            .levels
            .keys()
            .filter(|level| **level != Effort::Off);
        assert!(levels.count() > 0, "{name}");
        // What thinks in any case has no word for off.
        assert!(
            !(thinking.always && thinking.levels.contains_key(&Effort::Off)),
            "{name}"
        );
        let native = match family.vendor.as_deref() {
            Some("api.anthropic.com") => Wire::Anthropic,
            _ => Wire::OpenAi,
        };
        assert!(thinking.form.fits(native), "{name}");
        let longest = family.facts.answer_tokens.unwrap_or(u32::MAX);
        for level in thinking.levels.values() {
            match level {
                EffortLevel::Budget(tokens) => {
                    assert!((1_024..longest).contains(tokens), "{name}: {tokens}");
                }
                EffortLevel::Word(word) => assert!(!word.is_empty(), "{name}"),
            }
        }
    }
}

#[test]
fn numbers_are_in_their_order() {
    for family in &Catalogue::built_in().families {
        let (name, facts) = (&family.name, &family.facts);
        if let (Some(context), Some(answer)) = (facts.context_tokens, facts.answer_tokens) {
            assert!(u64::from(answer) <= context, "{name}");
        }
        if let Some(price) = &facts.price {
            assert!(price.input <= price.output, "{name}");
            assert!(
                price.cache_read.is_none_or(|read| read <= price.input),
                "{name}"
            );
            let long = price.cache_write_long;
            assert!(
                long.is_none_or(|long| Some(long) >= price.cache_write),
                "{name}"
            );
            assert!(family.vendor.is_some(), "{name}: a price without a vendor");
        }
        let is_day = |day: &String| day.len() == 10 && day.starts_with("202");
        assert!(family.retires.as_ref().is_none_or(is_day), "{name}");
    }
}

#[test]
fn a_price_holds_at_the_vendor_only_and_a_gateway_has_its_own_form() {
    let catalogue = Catalogue::built_in();
    let (_, own) = catalogue.facts("gpt-5.5", "api.openai.com").unwrap();
    assert!(own.price.is_some());
    let (_, resold) = catalogue.facts("openai/gpt-5.5", "openrouter.ai").unwrap();
    assert_eq!(resold.price, None);
    assert_eq!(resold.thinking.unwrap().form, ThinkingForm::ReasoningObject);
    assert_eq!(resold.context_tokens, own.context_tokens);
    // The vendor says `disabled` and numbers of tokens; the gateway has words for all of them.
    for name in ["deepseek/deepseek-v4-pro", "qwen/qwen3.8-flash"] {
        let (_, resold) = catalogue.facts(name, "openrouter.ai").unwrap();
        let levels = resold.thinking.unwrap().levels;
        let words = [(Effort::Off, "none"), (Effort::High, "high")];
        for (effort, word) in words {
            assert_eq!(
                levels[&effort],
                EffortLevel::Word(word.to_owned()),
                "{name}"
            );
        }
    }
}

#[test]
fn open_weights_have_the_context_of_their_server() {
    for family in &Catalogue::built_in().families {
        let is_open = family.vendor.is_none();
        assert!(
            !is_open || family.facts.context_tokens.is_none(),
            "{}",
            family.name
        );
    }
}
