//! `POST /v/{verb}`: what the user wants done.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use http_body_util::{BodyExt as _, Limited};
use teammate_core::contained::may_fail_here;
use tokio::{sync::oneshot, time::timeout};

use super::{Site, feed, json};
use crate::{
    refusal::PageRefusal,
    verbs::{self, Asked},
};

/// The most bytes of a body: as many characters as the page's prompt takes, each in up to four bytes, and twice that for JSON.
const BODY_BYTES_MAX: usize = 400 << 10;

/// Within this time all of a body has to be there.
const BODY_WITHIN: Duration = Duration::from_secs(5);

/// The most characters of a request's own key.
const KEY_CHARS_MAX: usize = 64;

pub(super) async fn ask(
    State(site): State<Arc<Site>>,
    Path(verb): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, PageRefusal> {
    let is_json = headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    // Without a key there is no other answer.
    let device = site
        .access
        .check(&headers, crate::KeyScope::Answer, site.now())?;
    if !is_json {
        let text = "a verb is application/json";
        return Err(PageRefusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    let body = read(body).await?;
    let asked: Asked = serde_json::from_slice(&body).map_err(|error| {
        let text = format!("the body is no request: {error}");
        PageRefusal::new(StatusCode::BAD_REQUEST, text)
    })?;
    let (verb, needed) = asked.verb(&verb, device)?;
    site.access.check(&headers, needed, site.now())?;
    if asked.key.is_empty() || asked.key.len() > KEY_CHARS_MAX {
        let text = "`key` is made by the page for this request: 1 to 64 characters";
        return Err(PageRefusal::new(StatusCode::UNPROCESSABLE_ENTITY, text));
    }
    let feed = feed(&site, &asked.team).await?;
    let request = format!("{verb:?}");
    let (key, doing) = (asked.key, feed.clone());
    // It is done to its end even if the browser goes.
    let (answer, done) = oneshot::channel();
    site.beside
        .spawn("what a page asked of the team", async move {
            may_fail_here("asked");
            let run = verbs::ask(&doing, verb);
            let done = doing.once.run(&key, &request, run).await;
            // The browser may have gone.
            let _ = answer.send(done);
        });
    let done = done.await.map_err(|_| {
        PageRefusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "a bug: the log of the program has it",
        )
    })?;
    let done = done.map_err(|_| {
        let text = "`key` was used for another request: make a new one";
        PageRefusal::new(StatusCode::UNPROCESSABLE_ENTITY, text)
    })?;
    let status = StatusCode::from_u16(done.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Ok((status, json(done.body.to_string())).into_response())
}

async fn read(body: Body) -> Result<axum::body::Bytes, PageRefusal> {
    let body = Limited::new(body, BODY_BYTES_MAX).collect();
    match timeout(BODY_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(_)) => Err(PageRefusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "this is too long: a request may have 400 KiB",
        )),
        Err(_) => Err(PageRefusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body did not come",
        )),
    }
}
