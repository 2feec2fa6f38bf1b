//! `GET /live`: the stream of a browser.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use http_body_util::{BodyExt as _, Channel};
use serde::Deserialize;

use super::{Site, feed, may_see};
use crate::{live, refusal::PageRefusal, screens::PageScreen};

/// So many steps wait for the browser; more are not made.
const STEPS_WAITING: usize = 4;

const SCREENS_MAX: usize = 32;

/// The parameters of a stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamQuery {
    team: String,
    /// The number of the change that the browser has.
    #[serde(default)]
    from: u64,
    /// The number of the list of teams that the browser has.
    list: Option<u64>,
    /// Screens, with commas between them.
    see: String,
}

pub(super) async fn live(
    State(site): State<Arc<Site>>,
    wanted: Result<Query<StreamQuery>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, PageRefusal> {
    may_see(&site, &headers)?;
    let wrong = |text: &str| PageRefusal::new(StatusCode::BAD_REQUEST, text);
    let Query(wanted) =
        wanted.map_err(|_| wrong("the address takes team, from, list and see, each once"))?;
    let screens: Result<Vec<PageScreen>, _> = wanted.see.split(',').map(str::parse).collect();
    let screens = screens.map_err(|_| wrong("`see` names screens, as team,m:alice"))?;
    if screens.len() > SCREENS_MAX {
        return Err(wrong("a stream has at most 32 screens"));
    }
    let feed = feed(&site, &wanted.team).await?;
    let full = "there are as many streams as there can be: close some pages";
    let place = site.streams.clone().try_acquire_owned();
    let place = place.map_err(|_| PageRefusal::new(StatusCode::SERVICE_UNAVAILABLE, full))?;
    let (out, body) = Channel::new(STEPS_WAITING);
    let asked = site.clone();
    let may_see = move || may_see(&asked, &headers).is_ok();
    let mut teams = site.feeds.teams().changes();
    if wanted.list.is_some_and(|shown| shown != *teams.borrow()) {
        // It changed between two streams.
        teams.mark_changed();
    }
    let run = live::run(feed, screens, wanted.from, teams, out, may_see);
    site.beside.spawn("a stream of the page", run);
    // Its place is free as soon as the browser has gone.
    let body = body.map_frame(move |frame| {
        let _ = &place;
        frame
    });
    let kind = HeaderValue::from_static("text/event-stream");
    Ok(([(CONTENT_TYPE, kind)], Body::new(body)).into_response())
}
