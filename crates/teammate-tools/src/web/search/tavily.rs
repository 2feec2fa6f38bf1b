//! Tavily: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use secrecy::SecretString;
use serde_json::{Value, json};

use super::{Ask, Found, RESULTS_MAX, request, text};
use crate::web::web_url::WebUrl;

pub(super) const URL: &str = "https://api.tavily.com/search";

pub(super) fn ask(url: &WebUrl, query: &str, key: Option<&SecretString>) -> Ask {
    let mut request = request::post(&json!({ "query": query, "max_results": RESULTS_MAX }));
    request::sign(&mut request, "authorization", "Bearer ", key);
    Ask {
        url: url.clone(),
        request,
    }
}

pub(super) fn results(answer: &Value) -> Option<Vec<Found>> {
    let found = answer["results"].as_array()?.iter().map(|page| Found {
        title: text(page, "title"),
        url: text(page, "url"),
        text: text(page, "content"),
        date: text(page, "published_date"),
    });
    Some(found.collect())
}
