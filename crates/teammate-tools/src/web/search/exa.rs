//! Exa: <https://docs.exa.ai/reference/search>.

use secrecy::SecretString;
use serde_json::{Value, json};

use super::{Ask, Found, RESULTS_MAX, request, text};
use crate::web::web_url::WebUrl;

pub(super) const URL: &str = "https://api.exa.ai/search";

pub(super) fn ask(url: &WebUrl, query: &str, key: Option<&SecretString>) -> Ask {
    let mut request = request::post(&json!({
        "query": query,
        "numResults": RESULTS_MAX,
        "contents": { "highlights": true },
    }));
    request::sign(&mut request, "x-api-key", "", key);
    Ask {
        url: url.clone(),
        request,
    }
}

pub(super) fn results(answer: &Value) -> Option<Vec<Found>> {
    let found = answer["results"].as_array()?.iter().map(|page| Found {
        title: text(page, "title"),
        url: text(page, "url"),
        text: extract(page),
        date: text(page, "publishedDate"),
    });
    Some(found.collect())
}

fn extract(page: &Value) -> String {
    let highlights = page["highlights"].as_array().into_iter().flatten();
    let said: Vec<&str> = highlights.filter_map(Value::as_str).collect();
    match said.is_empty() {
        true => text(page, "text"),
        false => said.join(" ... "),
    }
}
