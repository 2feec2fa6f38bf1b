//! `GET /j/words`: what can stand at the prompt where somebody types, as at the other prompts.

use std::sync::Arc;

use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::Deserialize;
use teammate_view::{Completion, Words};

use super::{Site, feed, json};
use crate::{key_scope::KeyScope, refusal::PageRefusal};

/// The most bytes of what was typed that are looked at.
const BEFORE_BYTES_MAX: usize = 4 << 10;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordsQuery {
    team: String,
    /// What stands before the cursor. All commands if that is nothing.
    before: String,
}

/// What a team's prompt offers, with the members that are in it now.
struct OfferedHere<'a> {
    words: &'a dyn Words,
    members: Vec<String>,
}

impl Words for OfferedHere<'_> {
    fn commands(&self) -> Vec<(String, String)> {
        self.words.commands()
    }

    fn members(&self) -> Vec<String> {
        self.members.clone()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        self.words.files(begin)
    }
}

/// Pairs of a word and a line about it. Names of files are for those who may name them in their words.
pub(super) async fn offered(
    State(site): State<Arc<Site>>,
    wanted: Result<Query<WordsQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, PageRefusal> {
    site.access.check(&headers, KeyScope::Steer, site.now())?;
    let wrong = |text: &str| PageRefusal::new(StatusCode::BAD_REQUEST, text);
    let Query(wanted) =
        wanted.map_err(|_| wrong("the address takes team and before, each once"))?;
    if wanted.before.len() > BEFORE_BYTES_MAX {
        return Err(wrong("`before` may have 4 KiB"));
    }
    let feed = feed(&site, &wanted.team).await?;
    let members = {
        let view = feed.view();
        let members = view.team().members();
        members.map(|member| member.name.to_string()).collect()
    };
    let words = feed.words.clone();
    // It looks into directories.
    let found = tokio::task::spawn_blocking(move || {
        let words = OfferedHere {
            words: &*words,
            members,
        };
        match wanted.before.is_empty() {
            true => words.commands(),
            false => {
                let found = Completion::of(&wanted.before, &words);
                found.map_or_else(Vec::new, |found| found.offered().to_vec())
            }
        }
    });
    let found = found.await.unwrap_or_default();
    Ok(json(serde_json::json!(found).to_string()))
}
