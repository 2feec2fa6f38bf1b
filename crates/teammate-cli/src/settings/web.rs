//! The tables `[web]` and `[web_search]` of the configuration: what members may look at of the web.

use anyhow::{Context as _, bail};
use serde::Deserialize;
use teammate::web::{SearchApi, SearchKey, SearchSettings, WebSettings, search_key_from_command};

use crate::screen::print_warning;

/// Whether members read pages.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WebTable {
    fetch: Option<bool>,
}

/// The search service.
#[derive(Deserialize, Debug, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct WebSearchTable {
    api: ApiName,
    url: Option<String>,
    key_env: Option<String>,
    key_command: Option<String>,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ApiName {
    Brave,
    Exa,
    Searxng,
    Serper,
    Tavily,
}

/// The web settings of both tables together.
pub(super) fn web(web: &WebTable, search: Option<&WebSearchTable>) -> anyhow::Result<WebSettings> {
    let search = search.map(WebSearchTable::settings).transpose();
    Ok(WebSettings {
        fetches: web.fetch.unwrap_or(true),
        search: search.context("[web_search]")?.flatten(),
    })
}

impl WebSearchTable {
    /// The service; none where its key is not in the environment, which is said.
    fn settings(&self) -> anyhow::Result<Option<SearchSettings>> {
        let key = match (&self.key_env, &self.key_command) {
            (Some(_), Some(_)) => {
                bail!("key_env and key_command are both set; the key comes from one of them")
            }
            (Some(variable), None) => match std::env::var(variable) {
                Ok(key) if !key.trim().is_empty() => Some(SearchKey::fixed(variable, key.into())),
                Ok(_) | Err(_) => {
                    print_warning(&format!(
                        "members cannot search the web: {variable} is not set, which [web_search] names"
                    ));
                    return Ok(None);
                }
            },
            (None, Some(line)) if line.trim().is_empty() => bail!("key_command is empty"),
            (None, Some(line)) => Some(search_key_from_command(line)),
            (None, None) => None,
        };
        let settings = SearchSettings {
            api: self.api.api(),
            url: self.url.clone(),
            key,
        };
        settings.check()?;
        Ok(Some(settings))
    }
}

impl ApiName {
    fn api(self) -> SearchApi {
        match self {
            Self::Brave => SearchApi::Brave,
            Self::Exa => SearchApi::Exa,
            Self::Searxng => SearchApi::Searxng,
            Self::Serper => SearchApi::Serper,
            Self::Tavily => SearchApi::Tavily,
        }
    }
}
