//! The server: connections on the loopback address, as many as there may be, each within its limits.

use std::{io, pin::pin, sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::sleep,
};

use crate::{
    Teams,
    access::Access,
    bounded_stream::BoundedStream,
    guard::RequestGuard,
    keys::KeyFile,
    page_host::PageHost,
    routes::{Site, router},
};

/// How many connections there may be at once; more of them wait.
const CONNECTIONS_MAX: usize = 64;

/// The most bytes of a request's line and headers.
const HEAD_BYTES_MAX: usize = 8 << 10;

/// Within this time all of them have to be there. An idle connection is closed after as long.
const HEAD_WITHIN: Duration = Duration::from_secs(2);

/// The pause after a connection could not be accepted: the system is out of handles, say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A page that is served.
pub struct WebServer {
    listener: TcpListener,
    site: Arc<Site>,
}

impl WebServer {
    /// A page of these teams on a loopback address; `name` is what the user's own proxy calls it.
    ///
    /// Errors: the listener is on another address.
    pub fn new(
        listener: TcpListener,
        teams: Arc<dyn Teams>,
        keys: KeyFile,
        name: Option<&PageHost>,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            let what = format!("{address} is no loopback address");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let guard = RequestGuard::new(address.port(), name);
        let site = Arc::new(Site::new(guard, Access::new(keys), teams));
        Ok(Self { listener, site })
    }

    /// Resolves when somebody has come with a good key for the first time.
    pub fn opened(&self) -> impl Future<Output = ()> + use<> {
        let opened = self.site.access.opened();
        async move { opened.notified().await }
    }

    /// Serves browsers until `end`. Afterwards nothing of it runs, and no team is held any more.
    pub async fn serve(self, end: impl Future<Output = ()>) {
        let mut end = pin!(end);
        let mut connections = JoinSet::new();
        let router = router(self.site.clone());
        loop {
            tokio::select! {
                () = &mut end => break,
                // What came of a connection is its browser's own.
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if connections.len() < CONNECTIONS_MAX => {
                    match accepted {
                        Ok((stream, _)) => {
                            connections.spawn(serve_one(stream, router.clone()));
                        }
                        Err(_) => sleep(ACCEPT_PAUSE).await,
                    }
                }
            }
        }
        connections.shutdown().await;
        self.site.beside.end().await;
    }
}

async fn serve_one(stream: TcpStream, router: Router) {
    let _ = stream.set_nodelay(true);
    // A browser that goes away is no failure.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(
            TokioIo::new(BoundedStream::new(stream)),
            TowerToHyperService::new(router),
        )
        .await;
}
