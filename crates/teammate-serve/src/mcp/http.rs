//! The server over HTTP, for clients that cannot start a process: on the loopback address only, and only for those that have the
//! key. There are no sessions; each request stands for itself.

mod key;

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Request, Response, StatusCode,
    header::{AUTHORIZATION, CONNECTION, WWW_AUTHENTICATE},
};
use http_body_util::{BodyExt as _, Full, Limited, combinators::BoxBody};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};

pub use self::key::AccessKey;
use super::McpServer;

/// Where the server is.
const PATH: &str = "/mcp";

/// How many connections there may be at once; more of them wait.
const CONNECTIONS_MAX: usize = 32;

/// The most bytes of a request's body.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The most bytes of a request's line and headers.
const HEAD_BYTES_MAX: usize = 32 * 1024;

/// How long a client may take for a request's head, and for its body. An idle connection is closed after as long.
const HEAD_WITHIN: Duration = Duration::from_secs(30);
const BODY_WITHIN: Duration = Duration::from_secs(30);

/// No connection lives longer, whatever its client reads: many times the longest call.
const CONNECTION_LIFE: Duration = Duration::from_secs(60 * 60);

/// The pause after a connection could not be accepted: the system is out of handles, say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

type Body = BoxBody<Bytes, Infallible>;

/// Serves clients that have the key, for ever. The listener has to be on a loopback address.
///
/// Errors: it is not.
pub async fn serve_http(
    server: McpServer,
    listener: TcpListener,
    key: AccessKey,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        let what = format!("{address} is no loopback address");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let door = Arc::new(Door {
        key,
        service: service(server, address.port()),
    });
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // It is never closed.
        let Ok(place) = room.clone().acquire_owned().await else {
            return Ok(());
        };
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let door = door.clone();
        tokio::spawn(async move {
            let _ = timeout(CONNECTION_LIFE, door.serve(stream)).await;
            drop(place);
        });
    }
}

type Service = StreamableHttpService<McpServer, NeverSessionManager>;

/// The protocol, with what it checks of each request: that the host which was asked for is this one, and that no page of another
/// origin asks.
fn service(server: McpServer, port: u16) -> Service {
    let names = ["127.0.0.1", "localhost", "[::1]"];
    let here = |scheme: &'static str| names.map(|name| format!("{scheme}{name}:{port}"));
    let mut config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(here(""))
        .with_allowed_origins(here("http://"))
        .enforce_origin_validation();
    config.legacy_session_mode = false;
    config.json_response = true;
    config.max_request_body_bytes = BODY_BYTES_MAX;
    let sessions = Arc::new(NeverSessionManager::default());
    StreamableHttpService::new(move || Ok(server.clone()), sessions, config)
}

struct Door {
    key: AccessKey,
    service: Service,
}

impl Door {
    async fn serve(&self, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let respond =
            service_fn(|request| async { Ok::<_, Infallible>(self.respond(request).await) });
        // A client that goes away is no failure.
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_WITHIN)
            .max_buf_size(HEAD_BYTES_MAX)
            .serve_connection(TokioIo::new(stream), respond)
            .await;
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Body> {
        if !self.is_allowed(request.headers()) {
            let mut refusal = plain(
                StatusCode::UNAUTHORIZED,
                "the key is needed: Authorization: Bearer KEY\n",
            );
            let challenge = HeaderValue::from_static("Bearer");
            refusal.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            return refusal;
        }
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the server is at /mcp\n");
        }
        let (head, body) = request.into_parts();
        let body = Limited::new(body, BODY_BYTES_MAX).collect();
        match timeout(BODY_WITHIN, body).await {
            Ok(Ok(body)) => {
                let body = Full::new(body.to_bytes());
                self.service.handle(Request::from_parts(head, body)).await
            }
            Ok(Err(_)) => plain(StatusCode::PAYLOAD_TOO_LARGE, "a body may have 4 MiB\n"),
            Err(_) => plain(StatusCode::REQUEST_TIMEOUT, "the body did not come\n"),
        }
    }

    fn is_allowed(&self, headers: &HeaderMap) -> bool {
        let given = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let key = given.and_then(|given| given.split_once(' '));
        key.is_some_and(|(scheme, key)| {
            scheme.eq_ignore_ascii_case("bearer") && self.key.is(key.trim())
        })
    }
}

/// A refusal; the connection ends with it.
fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::from(text).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests;
