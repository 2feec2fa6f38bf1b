//! Screens as HTML and as JSON, of now and of the past.

use std::sync::Arc;
use teammate_view::t;

use axum::{
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use teammate_core::MemberName;
use teammate_view::{TeamView, Timeline};

use super::{Site, feed, json, may_see};
use crate::{
    TeamFacts,
    html::Html,
    refusal::PageRefusal,
    screens::{self, PageScreen, Shown},
    teams::TeamLine,
};

/// The parameters of a screen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScreenQuery {
    team: String,
    /// After so many facts of the past; now without it.
    at: Option<usize>,
    /// The entries before this one.
    before: Option<u64>,
}

type Fragment = Result<Response, PageRefusal>;

pub(super) async fn teams(State(site): State<Arc<Site>>, headers: HeaderMap) -> Fragment {
    may_see(&site, &headers)?;
    let teams = site.feeds.teams();
    // Before the list is made: the stream tells once more what changes meanwhile.
    let number = *teams.changes().borrow();
    let listed = serde_json::to_string(&teams.list().await).map_err(|error| bug(&error))?;
    let mut response = json(listed);
    let headers = response.headers_mut();
    headers.insert("x-number", HeaderValue::from(number));
    Ok(response)
}

pub(super) async fn html(
    State(site): State<Arc<Site>>,
    Path(screen): Path<String>,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Fragment {
    may_see(&site, &headers)?;
    let (number, shown, moment) = shown(&site, &screen, wanted).await?;
    let parts: Vec<String> = shown
        .parts()
        .iter()
        .map(|part| part.html.as_str().to_owned())
        .collect();
    let mut response = fragment(parts.concat());
    let headers = response.headers_mut();
    headers.insert("x-number", HeaderValue::from(number));
    if let Some((at, of)) = moment {
        headers.insert("x-at", HeaderValue::from(at));
        headers.insert("x-of", HeaderValue::from(of));
    }
    Ok(response)
}

pub(super) async fn data(
    State(site): State<Arc<Site>>,
    Path(screen): Path<String>,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Fragment {
    may_see(&site, &headers)?;
    let (_, shown, _) = shown(&site, &screen, wanted).await?;
    Ok(json(
        serde_json::to_string(&shown).map_err(|error| bug(&error))?,
    ))
}

pub(super) async fn schema(State(site): State<Arc<Site>>, headers: HeaderMap) -> Fragment {
    may_see(&site, &headers)?;
    let schema = serde_json::json!({
        "screens": schemars::schema_for!(Shown),
        "teams": schemars::schema_for!(Vec<TeamLine>),
    });
    Ok(json(schema.to_string()))
}

/// The inside of a call.
pub(super) async fn call(
    State(site): State<Arc<Site>>,
    Path((member, number)): Path<(String, u64)>,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Fragment {
    let name = MemberName::parse(&member).map_err(|_| PageRefusal::not_found())?;
    let read = |view: &TeamView, _: &TeamFacts| {
        let story = view.story(&name)?;
        screens::call(story, number)
    };
    let gone = t("this call is not among what is kept any more");
    inside(&site, &headers, wanted, read, gone).await
}

/// The inside of a task.
pub(super) async fn task(
    State(site): State<Arc<Site>>,
    Path(number): Path<String>,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Fragment {
    let id = number.parse().map_err(|_| PageRefusal::not_found())?;
    let read = |view: &TeamView, facts: &TeamFacts| screens::task(view, facts, id);
    inside(&site, &headers, wanted, read, t("there is no such task")).await
}

/// The result of `read` now or in the past.
async fn inside(
    site: &Site,
    headers: &HeaderMap,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
    read: impl Fn(&TeamView, &TeamFacts) -> Option<Html>,
    gone: &str,
) -> Fragment {
    may_see(site, headers)?;
    let Query(wanted) = wanted.map_err(|_| unknown_words())?;
    let feed = feed(site, &wanted.team).await?;
    let html = match wanted.at {
        Some(at) => {
            let read = |timeline: &Timeline| read(timeline.view(), &feed.facts);
            feed.past(at, site.now(), read).await.map_err(unreadable)?
        }
        None => read(&feed.view(), &feed.facts),
    };
    let html = html.ok_or_else(|| PageRefusal::new(StatusCode::NOT_FOUND, gone))?;
    Ok(fragment(html.as_str().to_owned()))
}

/// The number of a change that is in it, and the screen; of the past with where one stands, and how far one can go.
async fn shown(
    site: &Site,
    screen: &str,
    wanted: Result<Query<ScreenQuery>, QueryRejection>,
) -> Result<(u64, Shown, Option<(usize, usize)>), PageRefusal> {
    let Query(wanted) = wanted.map_err(|_| unknown_words())?;
    let screen: PageScreen = screen.parse().map_err(|_| PageRefusal::not_found())?;
    let feed = feed(site, &wanted.team).await?;
    // What is shown is at least as new.
    let number = feed.number();
    let of = |view: &TeamView| Shown::of(&screen, view, &feed.facts, wanted.before);
    let (shown, moment) = match wanted.at {
        None => {
            feed.forget_past(site.now());
            (of(&feed.view()), None)
        }
        Some(at) => {
            let read =
                |timeline: &Timeline| (of(timeline.view()), Some((timeline.at(), timeline.len())));
            feed.past(at, site.now(), read).await.map_err(unreadable)?
        }
    };
    Ok((number, shown, moment))
}

fn fragment(html: String) -> Response {
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    ([(CONTENT_TYPE, kind)], html).into_response()
}

fn unknown_words() -> PageRefusal {
    PageRefusal::new(
        StatusCode::BAD_REQUEST,
        "the address takes team, at and before, each once",
    )
}

fn unreadable(why: String) -> PageRefusal {
    PageRefusal::new(StatusCode::SERVICE_UNAVAILABLE, why)
}

fn bug(error: &serde_json::Error) -> PageRefusal {
    PageRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}
