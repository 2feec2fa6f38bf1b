//! The user's own proxy, where the machine connects to servers through one: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
//! `NO_PROXY`, read as curl does. Only proxies that are spoken to in plain HTTP.

use std::{io, time::Duration};

use http::Uri;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use teammate_core::permission::Destination;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// How long the proxy may take to connect.
const WAIT: Duration = Duration::from_secs(20);
/// How long its answer may be, in bytes.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

/// Which servers are reached through which proxy.
#[derive(Debug)]
pub(super) struct Upstream(Matcher);

/// The proxy for a server.
pub(super) struct Proxy(Intercept);

impl Upstream {
    /// The proxy that the environment of this program names.
    pub(super) fn of_user() -> Self {
        Self(Matcher::from_env())
    }

    /// The proxy for this server. None: it is connected directly, as this machine always is.
    pub(super) fn proxy_for(&self, to: &Destination) -> Option<Proxy> {
        if to.host.as_str() == "localhost" {
            return None;
        }
        let scheme = if to.port == 80 { "http" } else { "https" };
        let server: Uri = format!("{scheme}://{to}/").parse().ok()?;
        self.0.intercept(&server).map(Proxy)
    }
}

impl Proxy {
    /// A connection to the server, if the proxy makes one.
    pub(super) async fn tunnel(&self, to: &Destination) -> io::Result<TcpStream> {
        let request = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{}\r\n", self.sign());
        let asking = async {
            let mut proxy = self.dial().await?;
            proxy.write_all(request.as_bytes()).await?;
            let first = first_line(&mut proxy).await?;
            match first.split(' ').nth(1) {
                Some(status) if status.starts_with('2') => Ok(proxy),
                Some(_) | None => Err(self.failure(&format!("it answers {first}"))),
            }
        };
        timeout(WAIT, asking)
            .await
            .map_err(|_| self.failure("it does not answer"))?
    }

    /// A connection to the proxy itself.
    pub(super) async fn dial(&self) -> io::Result<TcpStream> {
        let uri = self.0.uri();
        if uri.scheme_str() != Some("http") {
            return Err(self.failure("only http:// proxies can be used"));
        }
        let host = uri.host().unwrap_or_default();
        let connecting = TcpStream::connect((host, uri.port_u16().unwrap_or(80)));
        match timeout(WAIT, connecting).await {
            Ok(connected) => connected.map_err(|error| self.failure(&error.to_string())),
            Err(_) => Err(self.failure("it does not answer")),
        }
    }

    /// The value of the header by which the user is known to the proxy.
    pub(super) fn authorization(&self) -> Option<&str> {
        self.0.basic_auth()?.to_str().ok()
    }

    /// That header with the end of its line, or nothing.
    pub(super) fn sign(&self) -> String {
        let auth = self.authorization();
        auth.map_or_else(String::new, |auth| {
            format!("Proxy-Authorization: {auth}\r\n")
        })
    }

    /// Without the user's name and password.
    fn failure(&self, why: &str) -> io::Error {
        let host = self.0.uri().host().unwrap_or_default();
        io::Error::other(format!("through your proxy {host}: {why}"))
    }
}

/// The first line of an answer without content, read to its end and no further.
async fn first_line(proxy: &mut TcpStream) -> io::Result<String> {
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() == ANSWER_BYTES_MAX {
            return Err(io::Error::other("the proxy's answer is too long"));
        }
        // The server's first words may follow at once, and are not the answer's.
        answer.push(proxy.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&answer);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use teammate_core::{permission::HostName, port::Reach};
    use tokio::net::TcpListener;

    use super::*;
    use crate::network::{Judge, Verdict, dial::Dialer, names::Names, proxy};

    /// Allows public servers, and remembers what failed.
    #[derive(Default)]
    struct Allows(Mutex<Vec<String>>);

    impl Judge for Allows {
        fn judge<'a>(&'a self, _: &'a Destination) -> Verdict<'a> {
            Box::pin(async { Ok(Reach::Public) })
        }

        fn failed(&self, to: &Destination, why: &str) {
            self.0.lock().unwrap().push(format!("{to}: {why}"));
        }
    }

    /// The request that the user's proxy reads and the answer that the command reads when it sends this, and the failure.
    async fn sent(request: &str, answer: &'static str) -> (String, String, Vec<String>) {
        let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://me:secret@{}", proxy.local_addr().unwrap());
        let matcher = Matcher::builder().all(url).no("direct.invalid").build();
        let dialer = Dialer::through(Upstream(matcher));
        let reading = tokio::spawn(async move {
            let (mut stream, _) = proxy.accept().await.unwrap();
            let mut heard = vec![0; 4096];
            let length = stream.read(&mut heard).await.unwrap();
            stream.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8_lossy(&heard[..length]).into_owned()
        });
        let ours = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut command = TcpStream::connect(ours.local_addr().unwrap())
            .await
            .unwrap();
        let (client, _) = ours.accept().await.unwrap();
        command.write_all(request.as_bytes()).await.unwrap();
        command.shutdown().await.unwrap();
        let judge = Allows::default();
        proxy::serve(client, &Names::default(), (&judge, &dialer)).await;
        let mut read = String::new();
        command.read_to_string(&mut read).await.unwrap();
        let heard = if reading.is_finished() {
            reading.await.unwrap()
        } else {
            reading.abort();
            String::new()
        };
        let failed = judge.0.into_inner().unwrap();
        (heard, read, failed)
    }

    #[tokio::test]
    async fn a_tunnel_goes_through_it() {
        let (heard, read, failed) = sent(
            "CONNECT server.invalid:443 HTTP/1.1\r\n\r\nSSH-2.0",
            "HTTP/1.1 200 OK\r\nVia: proxy\r\n\r\nserver's words",
        )
        .await;
        assert_eq!(
            heard,
            "CONNECT server.invalid:443 HTTP/1.1\r\nHost: server.invalid:443\r\n\
             Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
        );
        assert_eq!(read, "HTTP/1.1 200 Connected\r\n\r\nserver's words");
        assert_eq!(failed, Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_plain_request_is_passed_on_whole() {
        let (heard, read, _) = sent(
            "GET http://server.invalid/a HTTP/1.1\r\nAccept: x\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
        )
        .await;
        assert_eq!(
            heard,
            "GET http://server.invalid/a HTTP/1.1\r\nHost: server.invalid\r\nConnection: close\r\n\
             Accept: x\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
        );
        assert_eq!(read, "HTTP/1.1 204 No Content\r\n\r\n");
    }

    #[tokio::test]
    async fn its_refusal_is_said_without_the_password() {
        let (_, _, failed) = sent(
            "CONNECT server.invalid:443 HTTP/1.1\r\n\r\nSSH-2.0",
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
        )
        .await;
        assert_eq!(
            failed,
            [
                "server.invalid:443: through your proxy 127.0.0.1: it answers HTTP/1.1 407 Proxy Authentication Required"
            ]
        );
    }

    #[tokio::test]
    async fn names_of_this_machine_do_not_get_there() {
        let (heard, _, failed) = sent("CONNECT localhost:443 HTTP/1.1\r\n\r\nSSH-2.0", "").await;
        assert_eq!(heard, "");
        assert!(failed[0].contains("one of this machine"), "{failed:?}");
    }

    #[test]
    fn what_needs_none_is_connected_directly() {
        let matcher = Matcher::builder()
            .all("http://127.0.0.1:1")
            .no("direct.invalid")
            .build();
        let upstream = Upstream(matcher);
        let has_proxy = |host: &str| {
            let host = HostName::parse(host).unwrap();
            upstream
                .proxy_for(&Destination { host, port: 443 })
                .is_some()
        };
        assert!(has_proxy("server.invalid"));
        assert!(!has_proxy("direct.invalid"));
        assert!(!has_proxy("a.direct.invalid"));
        assert!(!has_proxy("localhost"));
    }
}
