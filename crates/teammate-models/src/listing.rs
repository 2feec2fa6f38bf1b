//! Lists the models of a server: the list that it gives itself, read for what different servers say in it. What the catalogue
//! knows of those models is not added here.

use std::time::Duration;

use serde_json::Value;
use teammate_core::model::ModelFailure;
use tokio::time::timeout;

use crate::http::{Connection, JsonAnswer};

/// The most time for one list, all its pages together.
const TIME_MAX: Duration = Duration::from_secs(30);
/// The most pages of one list.
const PAGES_MAX: usize = 50;
/// The most models of one list.
const MODELS_MAX: usize = 20_000;
/// The longest name of a model, in bytes.
const NAME_BYTES_MAX: usize = 300;

/// A model that a server offers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedModel {
    /// Its name, as it is asked for.
    pub id: String,
    /// The server's name of it for people.
    pub title: Option<String>,
    /// The server's facts about it.
    pub facts: ServerFacts,
}

/// Facts of a server about a model. Most say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// The context that the server takes for this model, in tokens.
    pub context_tokens: Option<u64>,
    /// The longest context that the model could take, where the server may be set to less.
    pub longest_context_tokens: Option<u64>,
    /// The longest answer, in tokens.
    pub answer_tokens: Option<u64>,
    /// Whether it takes pictures.
    pub pictures: Option<bool>,
    /// Whether it takes PDF documents.
    pub documents: Option<bool>,
    /// Whether it takes tools.
    pub tools: Option<bool>,
    /// Whether it thinks, if asked.
    pub thinking: Option<bool>,
    /// The day on which it ends.
    pub retires: Option<String>,
}

/// How a list goes on after its first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paging {
    /// It has one page.
    None,
    /// As in Anthropic's API: `has_more`, and the next page is after `last_id`.
    AfterId,
}

/// The list of models at `connection`, whose path ends with `own_end`.
///
/// Errors: the server cannot be reached, refuses, has no list, or gives none that can be read in [`TIME_MAX`].
pub(crate) async fn list(
    connection: &Connection,
    own_end: &str,
    paging: Paging,
) -> Result<Vec<ListedModel>, ModelFailure> {
    match timeout(TIME_MAX, pages(connection, own_end, paging)).await {
        Ok(listed) => listed,
        Err(_) => {
            let what = format!("gave no whole list of models in {} s", TIME_MAX.as_secs());
            Err(connection.stream_failure(&what))
        }
    }
}

async fn pages(
    connection: &Connection,
    own_end: &str,
    paging: Paging,
) -> Result<Vec<ListedModel>, ModelFailure> {
    let mut found: Vec<ListedModel> = Vec::new();
    let mut after: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let mut url = connection.sibling(own_end, "models");
        if paging == Paging::AfterId {
            url.query_pairs_mut().append_pair("limit", "1000");
        }
        if let Some(after) = &after {
            url.query_pairs_mut().append_pair("after_id", after);
        }
        let page = match connection.get_json(url).await? {
            JsonAnswer::Value(page) => page,
            JsonAnswer::Refused {
                status: 404 | 405 | 501,
                ..
            } => return Err(connection.final_failure("has no list of models")),
            JsonAnswer::Refused { why, .. } => return Err(why),
        };
        let Some(entries) = entries(&page) else {
            return Err(connection.final_failure("gave a list of models that cannot be read"));
        };
        found.extend(entries.iter().filter_map(ListedModel::read));
        if found.len() >= MODELS_MAX {
            found.truncate(MODELS_MAX);
            break;
        }
        let next = page["last_id"].as_str().map(str::to_owned);
        let goes_on = paging == Paging::AfterId && page["has_more"] == true;
        // One that names the same page again would have no end.
        if !goes_on || next.is_none() || next == after {
            break;
        }
        after = next;
    }
    Ok(found)
}

/// The entries of a list: `data`, or `models`, or the answer itself.
pub(crate) fn entries(list: &Value) -> Option<&Vec<Value>> {
    [&list["data"], &list["models"], list]
        .into_iter()
        .find_map(Value::as_array)
}

impl ListedModel {
    /// Reads an entry of a list; `None` if it names no model.
    pub(crate) fn read(entry: &Value) -> Option<Self> {
        let name = |field: &str| entry[field].as_str().filter(|name| !name.trim().is_empty());
        let id = ["id", "key", "model", "name"].into_iter().find_map(name)?;
        if id.len() > NAME_BYTES_MAX {
            return None;
        }
        let title = name("display_name").or_else(|| name("name"));
        Some(Self {
            id: id.to_owned(),
            title: title
                .filter(|title| *title != id && title.len() <= NAME_BYTES_MAX)
                .map(str::to_owned),
            facts: ServerFacts::read(entry),
        })
    }
}

impl ServerFacts {
    fn read(entry: &Value) -> Self {
        let tokens = |paths: &[&str]| paths.iter().find_map(|path| positive(entry.pointer(path)));
        let text = |path: &str| entry.pointer(path).and_then(Value::as_str);
        let of_anthropic = |name: &str| entry["capabilities"][name]["supported"].as_bool();
        let has = |path: &str, word: &str| {
            let words = entry.pointer(path).and_then(Value::as_array)?;
            Some(words.iter().any(|known| known == word))
        };
        // OpenRouter lists what goes in and which parameters are taken; Ollama and LM Studio have words for abilities.
        let modality = |word| has("/architecture/input_modalities", word);
        let parameter = |word| has("/supported_parameters", word);
        Self {
            context_tokens: tokens(&[
                // Anthropic.
                "/max_input_tokens",
                // vLLM.
                "/max_model_len",
                // LM Studio: what is loaded counts before what could be.
                "/loaded_context_length",
                "/loaded_instances/0/config/context_length",
                // llama.cpp.
                "/meta/n_ctx",
                // OpenRouter, and gateways like it.
                "/context_length",
                "/top_provider/context_length",
                "/context_window",
            ]),
            longest_context_tokens: tokens(&["/max_context_length", "/meta/n_ctx_train"]),
            answer_tokens: tokens(&["/max_tokens", "/top_provider/max_completion_tokens"]),
            pictures: of_anthropic("image_input").or_else(|| modality("image")),
            documents: of_anthropic("pdf_input").or_else(|| modality("file")),
            tools: parameter("tools").or_else(|| has("/capabilities", "tool_use")),
            thinking: of_anthropic("thinking").or_else(|| parameter("reasoning")),
            retires: text("/retires_at").and_then(day),
        }
    }
}

/// A number of tokens; zero means that nothing is said.
pub(crate) fn positive(value: Option<&Value>) -> Option<u64> {
    value?.as_u64().filter(|tokens| *tokens > 0)
}

/// The day of a moment: `2026-12-11` of `2026-12-11T00:00:00Z`.
fn day(moment: &str) -> Option<String> {
    let day = moment.get(..10)?;
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_day.then(|| day.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(entry: &Value) -> ListedModel {
        ListedModel::read(entry).unwrap()
    }

    #[test]
    fn anthropic_tells_limits_and_what_goes_in() {
        let model = read(&json!({
            "id": "claude-opus-4-6", "type": "model", "display_name": "Claude Opus 4.6",
            "max_input_tokens": 1_000_000, "max_tokens": 128_000, "retires_at": "2027-02-05T00:00:00Z",
            "capabilities": { "image_input": { "supported": true }, "pdf_input": { "supported": false },
                "thinking": { "supported": true } },
        }));
        assert_eq!(model.title.as_deref(), Some("Claude Opus 4.6"));
        let facts = ServerFacts {
            context_tokens: Some(1_000_000),
            answer_tokens: Some(128_000),
            pictures: Some(true),
            documents: Some(false),
            thinking: Some(true),
            retires: Some("2027-02-05".to_owned()),
            ..ServerFacts::default()
        };
        assert_eq!(model.facts, facts);
    }

    #[test]
    fn each_compatible_server_has_its_own_word_for_the_context() {
        let context = |entry| {
            let facts = read(&entry).facts;
            (facts.context_tokens, facts.longest_context_tokens)
        };
        // vLLM.
        let entry = json!({ "id": "m", "max_model_len": 32_768 });
        assert_eq!(context(entry), (Some(32_768), None));
        // OpenRouter.
        let entry = json!({ "id": "a/m", "context_length": 262_144, "top_provider": { "context_length": 131_072 } });
        assert_eq!(context(entry), (Some(262_144), None));
        // llama.cpp: what the model was trained for is not what the server gives.
        let entry = json!({ "id": "m", "meta": { "n_ctx_train": 131_072 } });
        assert_eq!(context(entry), (None, Some(131_072)));
        // LM Studio.
        let entry =
            json!({ "id": "m", "max_context_length": 131_072, "loaded_context_length": 8_192 });
        assert_eq!(context(entry), (Some(8_192), Some(131_072)));
        let loaded = json!([{ "id": "m", "config": { "context_length": 4_096 } }]);
        let entry = json!({ "key": "m", "max_context_length": 8_192, "loaded_instances": loaded });
        assert_eq!(context(entry), (Some(4_096), Some(8_192)));
        // OpenAI and Ollama say nothing, and nonsense is nothing.
        assert_eq!(context(json!({ "id": "gpt-5" })), (None, None));
        let entry = json!({ "id": "m", "max_model_len": "many", "context_length": 0 });
        assert_eq!(context(entry), (None, None));
    }

    #[test]
    fn what_names_no_model_is_left_out() {
        assert_eq!(ListedModel::read(&json!({ "object": "model" })), None);
        assert_eq!(ListedModel::read(&json!("gpt-5")), None);
        let long = "m".repeat(NAME_BYTES_MAX + 1);
        assert_eq!(ListedModel::read(&json!({ "id": long })), None);
        assert!(entries(&json!([{ "id": "m" }])).is_some());
        assert!(entries(&json!({ "models": [] })).is_some());
        assert!(entries(&json!({ "error": "no" })).is_none());
    }
}
