//! Asks a local server how much it takes at once: what it was started with counts, not what the model could take. Quietly: a
//! server that does not say is asked nothing more.

use std::time::Duration;

use reqwest::Url;
use serde_json::{Value, json};

use crate::{
    http::{Connection, JsonAnswer},
    listing::{ListedModel, entries, positive},
};

/// All questions together take no longer.
const LIMIT: Duration = Duration::from_secs(2);

/// The context that the server of this connection gives to a model, in tokens. `own_end`: the end of the connection's path.
pub(crate) async fn context(connection: &Connection, own_end: &str, model: &str) -> Option<u64> {
    let asked = tokio::time::timeout(LIMIT, async {
        // Most say it in their list; llama.cpp and Ollama elsewhere.
        match listed(connection, own_end, model).await {
            Some(tokens) => Some(tokens),
            // A server behind TLS is a gateway: other paths are none of its own.
            None if connection.url().scheme() == "https" => None,
            None => match llama_cpp(connection, own_end).await {
                Some(tokens) => Some(tokens),
                None => ollama(connection, own_end, model).await,
            },
        }
    });
    asked.await.ok().flatten()
}

/// vLLM, OpenRouter, LM Studio and others, in the list of models.
async fn listed(connection: &Connection, own_end: &str, model: &str) -> Option<u64> {
    let list = get(connection, connection.sibling(own_end, "models")).await?;
    let mut models = entries(&list)?.iter().filter_map(ListedModel::read);
    models
        .find(|listed| listed.id == model)?
        .facts
        .context_tokens
}

/// llama.cpp: the context of one slot.
async fn llama_cpp(connection: &Connection, own_end: &str) -> Option<u64> {
    let props = get(connection, beside_api(connection, own_end, "/props")).await?;
    positive(props.pointer("/default_generation_settings/n_ctx"))
}

/// Ollama: what is loaded, or else what the model's own file sets.
async fn ollama(connection: &Connection, own_end: &str, model: &str) -> Option<u64> {
    let loaded = get(connection, beside_api(connection, own_end, "/api/ps")).await?;
    let running = loaded["models"].as_array()?.iter().find(|running| {
        let is_it = |field: &str| {
            let name = running[field].as_str().unwrap_or_default();
            name == model || name.strip_suffix(":latest") == Some(model)
        };
        is_it("name") || is_it("model")
    });
    if let Some(tokens) = running.and_then(|running| positive(running.get("context_length"))) {
        return Some(tokens);
    }
    let url = beside_api(connection, own_end, "/api/show");
    let body = json!({ "model": model });
    let JsonAnswer::Value(shown) = connection.post_json(url, &body).await.ok()? else {
        return None;
    };
    // Lines such as `num_ctx    8192`.
    let lines = shown["parameters"].as_str()?.lines();
    let mut set = lines.filter_map(|line| line.trim().strip_prefix("num_ctx"));
    set.next()?.trim().parse().ok()
}

/// A path beside the API's own `/v1`.
fn beside_api(connection: &Connection, own_end: &str, path: &str) -> Url {
    let mut url = connection.sibling(own_end, "");
    let api = url.path().trim_end_matches('/');
    let base = api.strip_suffix("/v1").unwrap_or(api).to_owned();
    url.set_path(&format!("{base}{path}"));
    url.set_query(None);
    url
}

async fn get(connection: &Connection, url: Url) -> Option<Value> {
    match connection.get_json(url).await.ok()? {
        JsonAnswer::Value(value) => Some(value),
        JsonAnswer::Refused { .. } => None,
    }
}
