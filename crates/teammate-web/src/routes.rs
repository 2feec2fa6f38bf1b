//! The addresses of the page, one file for each kind.

mod fragments;
mod pictures;
mod stream;
mod verb;
mod words;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State},
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use teammate_core::contained::{contained, may_fail_here};
use tokio::sync::Semaphore;

use crate::{
    Teams, access::Access, beside::Beside, compressed, feed::Feeds, guard::RequestGuard, headers,
    key_scope::KeyScope, page, refusal::PageRefusal,
};

/// How many streams there may be at once.
const STREAMS_MAX: usize = 16;

/// The parts that all routes share.
pub(crate) struct Site {
    pub(crate) guard: RequestGuard,
    pub(crate) access: Access,
    pub(crate) feeds: Feeds,
    pub(crate) beside: Arc<Beside>,
    streams: Arc<Semaphore>,
}

impl Site {
    pub(crate) fn new(guard: RequestGuard, access: Access, teams: Arc<dyn Teams>) -> Self {
        let streams = Arc::new(Semaphore::new(STREAMS_MAX));
        let beside = Arc::new(Beside::default());
        Self {
            guard,
            access,
            feeds: Feeds::new(teams, beside.clone()),
            beside,
            streams,
        }
    }

    fn now(&self) -> teammate_core::Timestamp {
        self.feeds.teams().now()
    }
}

pub(crate) fn router(site: Arc<Site>) -> Router {
    Router::new()
        .merge(page::files())
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/teams", get(fragments::teams))
        .route("/h/{screen}", get(fragments::html))
        .route("/h/call/{member}/{number}", get(fragments::call))
        .route("/h/task/{number}", get(fragments::task))
        .route("/p/{member}/{number}/{which}", get(pictures::picture))
        .route("/j/schema", get(fragments::schema))
        .route("/j/words", get(words::offered))
        .route("/j/{screen}", get(fragments::data))
        .route("/live", get(stream::live))
        .route("/v/{verb}", axum::routing::post(verb::ask))
        .route("/m/{member}", get(member_shell))
        .fallback(get(shell))
        .method_not_allowed_fallback(async || {
            PageRefusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address is not asked like that",
            )
        })
        .layer(middleware::from_fn_with_state(site.clone(), guarded))
        .with_state(site)
}

/// Looks at a request before anything else does, and at what goes out.
async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let checked = site
        .guard
        .check(request.method(), request.uri(), request.headers());
    let is_compressed = compressed::is_taken(request.headers());
    // A bug ends this request, and nothing else.
    let answered = contained("a request of the page", async {
        let response = match checked {
            Ok(()) => {
                may_fail_here("request");
                next.run(request).await
            }
            Err(refusal) => refusal.into_response(),
        };
        match is_compressed {
            true => compressed::compress(response).await,
            false => response,
        }
    });
    let mut response = answered.await.unwrap_or_else(|bug| {
        let text = format!("{bug}. The team works on");
        PageRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
    });
    headers::put(response.headers_mut());
    response
}

/// The page, whatever screen its address names.
async fn shell(request: Request) -> Response {
    match request.uri().path() {
        "/" | "/team" | "/board" | "/mail" | "/needs" | "/changes" | "/cost" | "/graph" => {
            page::shell()
        }
        _ => PageRefusal::not_found().into_response(),
    }
}

/// The page, with a member's story.
async fn member_shell(Path(name): Path<String>) -> Response {
    match teammate_core::MemberName::parse(&name) {
        Ok(_) => page::shell(),
        Err(_) => PageRefusal::not_found().into_response(),
    }
}

fn json(text: String) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], text).into_response()
}

/// Looking is allowed.
fn may_see(site: &Site, headers: &axum::http::HeaderMap) -> Result<(), PageRefusal> {
    site.access.check(headers, KeyScope::See, site.now())?;
    Ok(())
}

/// A team by the id that the page gave.
async fn feed(site: &Site, id: &str) -> Result<Arc<crate::feed::TeamFeed>, PageRefusal> {
    let found = site.feeds.get(id).await;
    found.map_err(|why| PageRefusal::new(StatusCode::NOT_FOUND, why))
}
