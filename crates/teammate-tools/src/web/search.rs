//! `web_search`: asks the search service that the user has configured. There is none by itself.
//!
//! The service is the user's own choice, so its host is no question; rules that deny hold for it, and each search is recorded.
//! `services` has how each is asked, and where its answer has what.

mod key;
mod services;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    event::RefusedBy,
    port::{Action, ConnectArgs, Connecting, Reach, Target, ToolContext, Unlisted},
    tool::{EffectClass, Outcome},
};
use teammate_process::TeamSandbox;
use teammate_sandbox::NetworkRule;

pub use key::SearchKey;

use super::{
    client::{WebAnswer, WebClient, WebRequest},
    fetch::NOWHERE,
    kept, reach,
    web_url::WebUrl,
};
use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool},
};
use key::KeptKey;

/// The most results that a model is shown.
const RESULTS_MAX: usize = 10;
/// How much of a page each result says, in characters.
const TEXT_CHARS_MAX: usize = 500;
const QUERY_CHARS_MAX: usize = 400;

/// A search service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchApi {
    Brave,
    Exa,
    /// A SearXNG of the user's, or somebody's.
    Searxng,
    /// Serper, which asks Google.
    Serper,
    Tavily,
}

/// Which service is asked, and how.
#[derive(Debug, Clone)]
pub struct SearchSettings {
    pub api: SearchApi,
    /// Its address, where it is not the usual one.
    pub url: Option<String>,
    /// The source of the key, if the service wants one.
    pub key: Option<SearchKey>,
}

/// Why a service cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The address is missing.
    #[error("a SearXNG has no usual address; name it with url")]
    NoUrl,
    /// The address cannot be used.
    #[error("url: {0}")]
    Url(String),
    #[error("the service wants a key; name it with key_env or key_command")]
    NoKey,
}

/// One result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SearchResult {
    title: String,
    url: String,
    text: String,
    /// When the page was written, as the service says it.
    date: String,
}

/// How a service is asked.
struct SearchRequest {
    url: WebUrl,
    request: WebRequest,
}

pub(crate) struct WebSearch {
    api: SearchApi,
    url: WebUrl,
    key: Option<KeptKey>,
    sandbox: TeamSandbox,
    client: WebClient,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    query: String,
}

impl SearchSettings {
    /// The service's address.
    fn address(&self) -> Result<WebUrl, SearchError> {
        let text = self.url.as_deref().or(self.api.usual_url());
        let url = WebUrl::parse(text.ok_or(SearchError::NoUrl)?);
        let url = url.map_err(|why| SearchError::Url(why.to_string()))?;
        match (self.api, &self.key) {
            (SearchApi::Searxng, _) | (_, Some(_)) => Ok(url),
            (SearchApi::Brave | SearchApi::Exa | SearchApi::Serper | SearchApi::Tavily, None) => {
                Err(SearchError::NoKey)
            }
        }
    }

    /// Whether the service can be asked.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn check(&self) -> Result<(), SearchError> {
        self.address().map(drop)
    }
}

impl WebSearch {
    /// Asks this service, unless commands of this sandbox may connect nowhere.
    pub(crate) fn new(settings: SearchSettings, sandbox: TeamSandbox) -> Result<Self, SearchError> {
        Ok(Self {
            api: settings.api,
            url: settings.address()?,
            key: settings.key.map(KeptKey::new),
            sandbox,
            client: WebClient::new(),
        })
    }

    /// Asks, and once more with another key where the one it had is refused.
    async fn search(
        &self,
        query: &str,
        context: &ToolContext,
    ) -> Result<Vec<SearchResult>, Outcome> {
        let reach = self.allowed(query, context).await?;
        let failed = |why: String| Outcome::error(format!("Nothing was found out: {why}."));
        let mut key = match &self.key {
            Some(key) => Some(key.lend(&context.secrets).await.map_err(failed)?),
            None => None,
        };
        loop {
            let ask = self.api.ask(&self.url, query, key.as_ref());
            let answer = self.client.send(&ask.request, &ask.url, reach).await;
            let answer = answer.map_err(|why| failed(why.to_string()))?;
            let is_refused = matches!(answer.status.as_u16(), 401 | 403);
            if let (true, Some(kept), Some(had)) = (is_refused, &self.key, &key)
                && let Some(other) = kept.renew(had, &context.secrets).await.map_err(failed)?
            {
                key = Some(other);
                continue;
            }
            return self.read(&answer).map_err(failed);
        }
    }

    async fn allowed(&self, query: &str, context: &ToolContext) -> Result<Reach, Outcome> {
        let refused =
            |by: RefusedBy, why: &str| Outcome::refused(by, format!("Not searched: {why}."));
        if self.sandbox.sandbox().rules().network == NetworkRule::Nowhere {
            return Err(refused(RefusedBy::Rule, NOWHERE));
        }
        let ask = ConnectArgs {
            to: self.url.to().clone(),
            by: Connecting::Search(query.to_owned()),
            unlisted: Unlisted::Connect("[web_search]"),
        };
        reach(ask, context, refused).await
    }

    fn read(&self, answer: &WebAnswer) -> Result<Vec<SearchResult>, String> {
        let host = &self.url.to().host;
        match answer.status.as_u16() {
            200..=299 => {}
            401 | 403 => return Err(format!("{host} refuses the key ({})", answer.status)),
            429 => return Err(format!("{host} has been asked too often for now")),
            _ => return Err(format!("{host} answers {}", answer.status)),
        }
        let value = serde_json::from_slice(&answer.body);
        let results = value.ok().and_then(|value| self.api.results(&value));
        results.ok_or_else(|| format!("{host} answers something that is no list of results"))
    }
}

impl TypedTool for WebSearch {
    type Input = Input;
    const NAME: &'static str = "web_search";
    const DESCRIPTION: &'static str =
        "Search the web: titles, addresses and extracts of pages. {tool:web_fetch} reads one.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let query = input.query.trim();
        if query.is_empty() || query.chars().count() > QUERY_CHARS_MAX {
            return Err(Outcome::error(format!(
                "Not searched: a query has 1 to {QUERY_CHARS_MAX} characters."
            )));
        }
        Ok(Action {
            target: Target::Host(self.url.to().clone()),
            shows: format!("search the web for {query}"),
            summary: one_line(query, 100),
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let query = input.query.trim();
        let found = self.search(query, context).await?;
        if found.is_empty() {
            return Ok(Outcome::ok("Nothing was found; try other words."));
        }
        let from = format!("a search for {query}");
        let listed = listed(&found);
        Ok(Outcome::ok(kept::shown(&from, &listed, context).await))
    }
}

/// The results as a model reads them.
fn listed(found: &[SearchResult]) -> String {
    let each = found.iter().take(RESULTS_MAX).enumerate();
    let each = each.map(|(at, found)| {
        let date = match found.date.as_str() {
            "" => String::new(),
            date => format!(" ({})", line(date, 40)),
        };
        let (title, text) = (line(&found.title, 200), line(&found.text, TEXT_CHARS_MAX));
        format!(
            "{}. {title}{date}\n   {}\n   {text}",
            at + 1,
            line(&found.url, 2_000)
        )
    });
    each.collect::<Vec<_>>().join("\n")
}

fn line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(max).collect()
}
