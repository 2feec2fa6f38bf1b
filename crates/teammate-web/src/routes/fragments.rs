//! Screens as HTML and as JSON, of now and of the past.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use teammate_core::MemberName;
use teammate_view::TeamView;

use super::{Site, feed, json, may_see};
use crate::{
    feed::TeamFeed,
    refusal::Refusal,
    screens::{self, Screen, Shown},
    teams::TeamLine,
};

/// What may be said about a screen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The team.
    team: String,
    /// After so many facts of the past; now without it.
    at: Option<usize>,
    /// The entries before this one.
    before: Option<u64>,
}

type Answer = Result<Response, Refusal>;

pub(super) async fn teams(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    may_see(&site, &headers)?;
    let teams = site.feeds.teams().list().await;
    Ok(json(
        serde_json::to_string(&teams).map_err(|error| bug(&error))?,
    ))
}

pub(super) async fn html(
    State(site): State<Arc<Site>>,
    Path(screen): Path<String>,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Answer {
    may_see(&site, &headers)?;
    let (feed, shown, moment) = shown(&site, &screen, wanted).await?;
    let parts: Vec<String> = shown
        .parts()
        .iter()
        .map(|part| part.html.as_str().to_owned())
        .collect();
    let mut response = fragment(parts.concat());
    let number = HeaderValue::from(feed.number());
    response.headers_mut().insert("x-number", number);
    if let Some((at, of)) = moment {
        response.headers_mut().insert("x-at", HeaderValue::from(at));
        response.headers_mut().insert("x-of", HeaderValue::from(of));
    }
    Ok(response)
}

pub(super) async fn data(
    State(site): State<Arc<Site>>,
    Path(screen): Path<String>,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Answer {
    may_see(&site, &headers)?;
    let (_, shown, _) = shown(&site, &screen, wanted).await?;
    Ok(json(
        serde_json::to_string(&shown).map_err(|error| bug(&error))?,
    ))
}

pub(super) async fn schema(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    may_see(&site, &headers)?;
    let schema = serde_json::json!({
        "screens": schemars::schema_for!(Shown),
        "teams": schemars::schema_for!(Vec<TeamLine>),
    });
    Ok(json(schema.to_string()))
}

pub(super) async fn call(
    State(site): State<Arc<Site>>,
    Path((member, number)): Path<(String, u64)>,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Answer {
    may_see(&site, &headers)?;
    let Query(wanted) = wanted.map_err(|_| unknown_words())?;
    let name = MemberName::parse(&member).map_err(|_| Refusal::not_found())?;
    let feed = feed(&site, &wanted.team).await?;
    let read = |view: &TeamView| {
        view.story(&name)
            .and_then(|story| screens::call(story, number))
    };
    let html = match wanted.at {
        Some(at) => {
            let read = feed.past(at, |timeline| read(timeline.view())).await;
            read.map_err(unreadable)?
        }
        None => read(&feed.view()),
    };
    let gone = "this call is not among what is kept any more";
    let html = html.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, gone))?;
    Ok(fragment(html.as_str().to_owned()))
}

/// The screen; of the past with where one stands, and how far one can go.
async fn shown(
    site: &Site,
    screen: &str,
    wanted: Result<Query<Wanted>, axum::extract::rejection::QueryRejection>,
) -> Result<(Arc<TeamFeed>, Shown, Option<(usize, usize)>), Refusal> {
    let Query(wanted) = wanted.map_err(|_| unknown_words())?;
    let screen: Screen = screen.parse().map_err(|_| Refusal::not_found())?;
    let feed = feed(site, &wanted.team).await?;
    let of = |view: &TeamView| Shown::of(&screen, view, &feed.facts, wanted.before);
    let (shown, moment) = match wanted.at {
        None => {
            feed.forget_past();
            (of(&feed.view()), None)
        }
        Some(at) => {
            let read = |timeline: &teammate_view::Timeline| {
                (of(timeline.view()), Some((timeline.at(), timeline.len())))
            };
            feed.past(at, read).await.map_err(unreadable)?
        }
    };
    Ok((feed, shown, moment))
}

fn fragment(html: String) -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    ([(CONTENT_TYPE, kind)], html).into_response()
}

fn unknown_words() -> Refusal {
    Refusal::new(
        StatusCode::BAD_REQUEST,
        "the address takes team, at and before, each once",
    )
}

fn unreadable(why: String) -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why)
}

fn bug(error: &serde_json::Error) -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
