//! Brave Search: <https://api-dashboard.search.brave.com/app/documentation/web-search/get-started>.

use secrecy::SecretString;
use serde_json::Value;

use super::{Ask, Found, RESULTS_MAX, request, text};
use crate::web::{client::WebRequest, web_url::WebUrl};

pub(super) const URL: &str = "https://api.search.brave.com/res/v1/web/search";

pub(super) fn ask(url: &WebUrl, query: &str, key: Option<&SecretString>) -> Ask {
    let count = RESULTS_MAX.to_string();
    let url = url.with_query(&[
        ("q", query),
        ("count", &count),
        ("text_decorations", "false"),
    ]);
    let mut request = WebRequest::get("application/json");
    request::sign(&mut request, "x-subscription-token", "", key);
    Ask { url, request }
}

/// `web` is missing where there are no pages.
pub(super) fn results(answer: &Value) -> Option<Vec<Found>> {
    let web = &answer["web"]["results"];
    if web.is_null() && answer["type"] == "search" {
        return Some(Vec::new());
    }
    let found = web.as_array()?.iter().map(|page| Found {
        title: text(page, "title"),
        url: text(page, "url"),
        text: text(page, "description"),
        date: text(page, "age"),
    });
    Some(found.collect())
}
