//! Serper: <https://serper.dev>, results of Google.

use secrecy::SecretString;
use serde_json::{Value, json};

use super::{Ask, Found, RESULTS_MAX, request, text};
use crate::web::web_url::WebUrl;

pub(super) const URL: &str = "https://google.serper.dev/search";

pub(super) fn ask(url: &WebUrl, query: &str, key: Option<&SecretString>) -> Ask {
    let mut request = request::post(&json!({ "q": query, "num": RESULTS_MAX }));
    request::sign(&mut request, "x-api-key", "", key);
    Ask {
        url: url.clone(),
        request,
    }
}

pub(super) fn results(answer: &Value) -> Option<Vec<Found>> {
    let found = answer["organic"].as_array()?.iter().map(|page| Found {
        title: text(page, "title"),
        url: text(page, "link"),
        text: text(page, "snippet"),
        date: text(page, "date"),
    });
    Some(found.collect())
}
