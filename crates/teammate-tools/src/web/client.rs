//! One request to a web server and its whole answer, over a connection that was decided about. No redirection is followed here,
//! nothing is kept between requests, and everything has a limit: time, head, body, and the body once it is unpacked.

use std::{io, sync::Arc, time::Duration};

use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    body::Bytes,
    client::conn::http1,
    header::{self, HeaderValue},
};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};
use rustls_platform_verifier::BuilderVerifierExt as _;
use teammate_core::port::Reach;
use teammate_process::blocking;
use teammate_sandbox::{Outbound, Plain};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::OnceCell,
    task::JoinSet,
    time::timeout,
};
use tokio_rustls::TlsConnector;

use super::{
    body::{self, BodyError},
    web_url::WebUrl,
};

/// How long an answer may take, from connecting to its last byte.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// The most bytes of an answer's head.
const HEAD_BYTES_MAX: usize = 64 << 10;

/// Makes requests. Reads the machine's certificates when it first needs them.
#[derive(Debug)]
pub(super) struct WebClient {
    outbound: Outbound,
    tls: OnceCell<Arc<ClientConfig>>,
    within: Duration,
}

/// A request to a server besides its address.
#[derive(Debug, Clone)]
pub(super) struct WebRequest {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

/// The answer of a server.
#[derive(Debug)]
pub(super) struct WebAnswer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// Unpacked.
    pub(super) body: Vec<u8>,
}

/// Why there is no answer; a part of a sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum WebError {
    #[error("{0}")]
    Connect(#[source] io::Error),
    #[error("a secure connection could not be made: {0}")]
    Tls(#[source] io::Error),
    #[error("the server broke off or does not speak HTTP: {0}")]
    Http(#[from] hyper::Error),
    #[error("the request cannot be made: {0}")]
    Request(#[from] hyper::http::Error),
    #[error("no whole answer came within {} seconds", .0.as_secs())]
    Slow(Duration),
    #[error(transparent)]
    Body(#[from] BodyError),
}

impl WebRequest {
    /// Asks for what is at an address.
    pub(super) fn get(accept: &'static str) -> Self {
        let accept = (header::ACCEPT, HeaderValue::from_static(accept));
        Self {
            method: Method::GET,
            headers: HeaderMap::from_iter([accept]),
            body: Bytes::new(),
        }
    }

    fn to(&self, url: &WebUrl, target: &str) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
        let mut request = Request::builder()
            .method(self.method.clone())
            .uri(target)
            .header(header::HOST, url.host_header())
            .header(
                header::USER_AGENT,
                concat!("teammate/", env!("CARGO_PKG_VERSION")),
            )
            .header(header::ACCEPT_ENCODING, "gzip")
            .header(header::CONNECTION, "close");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.body(Full::new(self.body.clone()))
    }
}

impl WebClient {
    pub(super) fn new() -> Self {
        Self {
            outbound: Outbound::of_user(),
            tls: OnceCell::new(),
            within: ANSWER_WITHIN,
        }
    }

    /// Sends a request to a server whose addresses are within `reach`.
    pub(super) async fn send(
        &self,
        request: &WebRequest,
        url: &WebUrl,
        reach: Reach,
    ) -> Result<WebAnswer, WebError> {
        let exchange = self.exchange(request, url, reach);
        timeout(self.within, exchange)
            .await
            .unwrap_or(Err(WebError::Slow(self.within)))
    }

    async fn exchange(
        &self,
        request: &WebRequest,
        url: &WebUrl,
        reach: Reach,
    ) -> Result<WebAnswer, WebError> {
        let path = url.path_and_query();
        if url.is_tls() {
            let stream = self.outbound.tunnel(url.to(), reach).await;
            let stream = self.secure(url, stream.map_err(WebError::Connect)?).await?;
            return answer(stream, request.to(url, &path)?).await;
        }
        let connected = self.outbound.plain(url.to(), reach).await;
        match connected.map_err(WebError::Connect)? {
            Plain::Direct(stream) => answer(stream, request.to(url, &path)?).await,
            Plain::ThroughProxy {
                stream,
                authorization,
            } => {
                let mut request = request.to(url, url.as_str())?;
                if let Some(known) = authorization.and_then(|text| text.try_into().ok()) {
                    let headers = request.headers_mut();
                    headers.insert(header::PROXY_AUTHORIZATION, known);
                }
                answer(stream, request).await
            }
        }
    }

    async fn secure(
        &self,
        url: &WebUrl,
        stream: tokio::net::TcpStream,
    ) -> Result<tokio_rustls::client::TlsStream<tokio::net::TcpStream>, WebError> {
        let broken = |why: &dyn std::fmt::Display| WebError::Tls(io::Error::other(why.to_string()));
        let name = ServerName::try_from(url.to().host.to_string());
        let name = name.map_err(|error| broken(&error))?;
        let config = self.tls.get_or_try_init(|| blocking::run(|_| tls_config()));
        let config = config.await.map_err(|error| broken(&error))?;
        let connecting = TlsConnector::from(config.clone()).connect(name, stream);
        connecting.await.map_err(WebError::Tls)
    }
}

/// Trusts whom the system trusts, or Mozilla where the system names nobody. Reads files.
fn tls_config() -> Result<Arc<ClientConfig>, rustls::Error> {
    let builder = || {
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
    };
    let config = match builder()?.with_platform_verifier() {
        Ok(verified) => verified.with_no_client_auth(),
        Err(_) => {
            let mut roots = RootCertStore::empty();
            let known = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned();
            roots.add_parsable_certificates(known);
            builder()?
                .with_root_certificates(roots)
                .with_no_client_auth()
        }
    };
    Ok(Arc::new(config))
}

/// Sends the request on a connection and reads the answer to its end.
async fn answer(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Full<Bytes>>,
) -> Result<WebAnswer, WebError> {
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES_MAX)
        .handshake(TokioIo::new(stream))
        .await?;
    // Dropped, it ends the connection.
    let mut driving = JoinSet::new();
    driving.spawn(connection);
    let (head, body) = sender.send_request(request).await?.into_parts();
    let packed = body::whole(body).await?;
    Ok(WebAnswer {
        status: head.status,
        body: body::unpacked(packed, &head.headers)?,
        headers: head.headers,
    })
}

impl WebAnswer {
    /// Where the server says that it is instead.
    pub(super) fn redirection(&self) -> Option<&str> {
        let is_elsewhere = matches!(self.status.as_u16(), 301 | 302 | 303 | 307 | 308);
        let location = self.headers.get(header::LOCATION)?.to_str().ok()?;
        is_elsewhere.then_some(location)
    }

    /// The type that the server names, in small letters.
    pub(super) fn content_type(&self) -> String {
        let said = self.headers.get(header::CONTENT_TYPE);
        let said = said.and_then(|said| said.to_str().ok());
        said.unwrap_or_default().to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write as _, thread};

    use teammate_testkit::serve_streams;

    use super::*;

    #[tokio::test]
    async fn an_answer_that_never_ends_is_given_up() {
        let port = serve_streams(|_, mut stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun");
            thread::park();
        });
        let url = format!("http://localhost:{}/", port.unwrap());
        let client = WebClient {
            within: Duration::from_secs(1),
            ..WebClient::new()
        };
        let url = WebUrl::parse(&url).unwrap();
        let request = WebRequest::get("*/*");
        let answer = client.send(&request, &url, Reach::Anywhere).await;
        let why = answer.unwrap_err().to_string();
        assert_eq!(why, "no whole answer came within 1 seconds");
    }
}
