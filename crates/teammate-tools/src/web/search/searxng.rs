//! SearXNG: <https://docs.searxng.org/dev/search_api.html>. The instance must have JSON among its formats, which many public
//! ones have not.

use secrecy::SecretString;
use serde_json::Value;

use super::{Ask, Found, request, text};
use crate::web::{client::WebRequest, web_url::WebUrl};

pub(super) fn ask(url: &WebUrl, query: &str, key: Option<&SecretString>) -> Ask {
    let endpoint = match url.url().path().ends_with("/search") {
        true => url.clone(),
        false => url.below("search"),
    };
    let mut request = WebRequest::get("application/json");
    request::sign(&mut request, "authorization", "Bearer ", key);
    Ask {
        url: endpoint.with_query(&[("q", query), ("format", "json")]),
        request,
    }
}

pub(super) fn results(answer: &Value) -> Option<Vec<Found>> {
    let found = answer["results"].as_array()?.iter().map(|page| Found {
        title: text(page, "title"),
        url: text(page, "url"),
        text: text(page, "content"),
        date: text(page, "publishedDate"),
    });
    Some(found.collect())
}
