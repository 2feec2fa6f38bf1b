//! The search services: how each is asked, and where its answer has what.
//!
//! - Brave Search: <https://api-dashboard.search.brave.com/app/documentation/web-search/get-started>.
//! - Exa: <https://docs.exa.ai/reference/search>.
//! - SearXNG: <https://docs.searxng.org/dev/search_api.html>. The instance must have JSON among its formats, which many public
//!   ones have not.
//! - Serper, results of Google: <https://serper.dev>.
//! - Tavily: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use hyper::{
    HeaderMap, Method,
    header::{self, HeaderName, HeaderValue},
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use super::{RESULTS_MAX, SearchApi, SearchRequest, SearchResult};
use crate::web::{client::WebRequest, web_url::WebUrl};

impl SearchApi {
    pub(super) fn usual_url(self) -> Option<&'static str> {
        match self {
            Self::Brave => Some("https://api.search.brave.com/res/v1/web/search"),
            Self::Exa => Some("https://api.exa.ai/search"),
            Self::Searxng => None,
            Self::Serper => Some("https://google.serper.dev/search"),
            Self::Tavily => Some("https://api.tavily.com/search"),
        }
    }

    pub(super) fn ask(
        self,
        url: &WebUrl,
        query: &str,
        key: Option<&SecretString>,
    ) -> SearchRequest {
        let count = RESULTS_MAX.to_string();
        let get = || WebRequest::get("application/json");
        let (url, mut request) = match self {
            Self::Brave => {
                let plain = ("text_decorations", "false");
                (
                    url.with_query(&[("q", query), ("count", &count), plain]),
                    get(),
                )
            }
            Self::Searxng => {
                let endpoint = match url.url().path().ends_with("/search") {
                    true => url.clone(),
                    false => url.below("search"),
                };
                (
                    endpoint.with_query(&[("q", query), ("format", "json")]),
                    get(),
                )
            }
            Self::Exa => {
                let contents = json!({ "highlights": true });
                let body =
                    json!({ "query": query, "numResults": RESULTS_MAX, "contents": contents });
                (url.clone(), post(&body))
            }
            Self::Serper => (
                url.clone(),
                post(&json!({ "q": query, "num": RESULTS_MAX })),
            ),
            Self::Tavily => {
                let body = json!({ "query": query, "max_results": RESULTS_MAX });
                (url.clone(), post(&body))
            }
        };
        let (header, before) = match self {
            Self::Brave => ("x-subscription-token", ""),
            Self::Exa | Self::Serper => ("x-api-key", ""),
            Self::Searxng | Self::Tavily => ("authorization", "Bearer "),
        };
        sign(&mut request, header, before, key);
        SearchRequest { url, request }
    }

    pub(super) fn results(self, answer: &Value) -> Option<Vec<SearchResult>> {
        let (list, [url, extract, date]) = match self {
            Self::Brave => ("/web/results", ["url", "description", "age"]),
            Self::Exa => ("/results", ["url", "text", "publishedDate"]),
            Self::Searxng => ("/results", ["url", "content", "publishedDate"]),
            Self::Serper => ("/organic", ["link", "snippet", "date"]),
            Self::Tavily => ("/results", ["url", "content", "published_date"]),
        };
        let pages = answer.pointer(list).unwrap_or(&Value::Null);
        // Brave's list is missing where there are no pages.
        if self == Self::Brave && pages.is_null() && answer["type"] == "search" {
            return Some(Vec::new());
        }
        let found = pages.as_array()?.iter().map(|page| SearchResult {
            title: text(page, "title"),
            url: text(page, url),
            text: match self == Self::Exa {
                true => highlights(page).unwrap_or_else(|| text(page, extract)),
                false => text(page, extract),
            },
            date: text(page, date),
        });
        Some(found.collect())
    }
}

fn highlights(page: &Value) -> Option<String> {
    let highlights = page["highlights"].as_array()?;
    let said: Vec<&str> = highlights.iter().filter_map(Value::as_str).collect();
    (!said.is_empty()).then(|| said.join(" ... "))
}

/// A text of an answer, or nothing.
fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Sends a JSON value.
fn post(body: &Value) -> WebRequest {
    let json = HeaderValue::from_static("application/json");
    let headers = [(header::CONTENT_TYPE, json.clone()), (header::ACCEPT, json)];
    WebRequest {
        method: Method::POST,
        headers: HeaderMap::from_iter(headers),
        body: body.to_string().into(),
    }
}

/// Adds the key in its header. One that no header can hold is left out: the service says that there is none.
fn sign(request: &mut WebRequest, header: &'static str, before: &str, key: Option<&SecretString>) {
    let Some(key) = key else { return };
    let value = format!("{before}{}", key.expose_secret().trim());
    if let Ok(mut value) = HeaderValue::try_from(value) {
        value.set_sensitive(true);
        request
            .headers
            .insert(HeaderName::from_static(header), value);
    }
}
