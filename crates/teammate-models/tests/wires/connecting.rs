//! How servers are connected to: a provider's own proxy, certificates of an authority that the system does not know, and
//! mutual TLS. The certificates are those of `tests/certificates`.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::WebPkiClientVerifier,
};
use teammate_core::{
    block::Block,
    model::{ModelFailure, Remedy, StopReason},
};
use teammate_models::{ClientCertificate, Endpoint, OpenAi, ProxySetting, Transport};
use teammate_testkit::{Answer, Server};

use crate::{PATIENT, ask, http, request, user_says};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/certificates")
        .join(name)
}

fn client(cert: &str, key: &str) -> Option<ClientCertificate> {
    Some(ClientCertificate {
        cert: file(cert),
        key: file(key),
    })
}

fn endpoint(url: &str, transport: Transport) -> Endpoint {
    Endpoint {
        transport,
        ..Endpoint::at("work", url)
    }
}

async fn asked(url: &str, transport: Transport) -> Result<(), ModelFailure> {
    let model = OpenAi::new(&endpoint(url, transport), "m", http(PATIENT))?;
    ask(&model, request(&user_says("hi"))).await.0.map(|_| ())
}

/// What a server with TLS is like, at `https://localhost:PORT`: it says hello to those that it lets in.
fn tls_server(wants_client: bool) -> u16 {
    let certificates = |name: &str| -> Vec<CertificateDer<'static>> {
        let found = CertificateDer::pem_file_iter(file(name)).unwrap();
        found.map(Result::unwrap).collect()
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    for root in certificates("ca.pem") {
        roots.add(root).unwrap();
    }
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let config = match wants_client {
        true => config.with_client_cert_verifier(verifier.unwrap()),
        false => config.with_no_client_auth(),
    };
    let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
    let config = Arc::new(
        config
            .with_single_cert(certificates("server.pem"), key)
            .unwrap(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let session = ServerConnection::new(config.clone()).unwrap();
            // One that is not let in is no failure of the server.
            let _ = greet(StreamOwned::new(session, stream));
        }
    });
    port
}

/// Reads a request and answers it.
fn greet(mut stream: impl Read + Write) -> io::Result<()> {
    let head = head(&mut stream)?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|length| length.trim().parse().ok())
        .unwrap_or(0);
    stream.read_exact(&mut vec![0; length])?;
    let reply = teammate_testkit::reply(vec![Block::text("hello")], StopReason::EndTurn);
    let body = teammate_testkit::openai_stream(&reply);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )?;
    stream.flush()
}

/// The head of a request, in lower case.
fn head(stream: &mut impl Read) -> io::Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&head).to_lowercase())
}

/// A proxy that connects to any port of this machine; its port, and where it was asked to connect.
fn tunnels() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    thread::spawn(move || {
        for mut near in listener.incoming().flatten() {
            let head = head(&mut near).unwrap();
            let target = head.split(' ').nth(1).unwrap().to_owned();
            let (_, port) = target.rsplit_once(':').unwrap();
            let far = TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
            seen.lock().unwrap().push(head);
            near.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            for (mut from, mut to) in [
                (near.try_clone().unwrap(), far.try_clone().unwrap()),
                (far, near),
            ] {
                thread::spawn(move || {
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(std::net::Shutdown::Write);
                });
            }
        }
    });
    (port, asked)
}

// Elsewhere the system's own verifier has rules for how long a certificate may be good.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_authority_of_ca_file_is_trusted_by_its_provider_alone() {
    let url = format!("https://localhost:{}", tls_server(false));
    let trusting = Transport {
        ca_file: Some(file("ca.pem")),
        ..Transport::default()
    };
    asked(&url, trusting).await.unwrap();
    let failure = asked(&url, Transport::default()).await.unwrap_err();
    assert!(failure.what.contains("cannot be trusted"), "{failure}");
    assert_eq!(failure.remedy, Remedy::Never);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_wants_to_know_us_gets_the_certificate_of_the_client() {
    let url = format!("https://localhost:{}", tls_server(true));
    let known = Transport {
        ca_file: Some(file("ca.pem")),
        client: client("client.pem", "client.key"),
        ..Transport::default()
    };
    let unknown = Transport {
        client: None,
        ..known.clone()
    };
    asked(&url, known).await.unwrap();
    asked(&url, unknown).await.unwrap_err();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_proxy_of_the_provider_sees_where_to_and_nothing_of_what_is_said() {
    let server = tls_server(false);
    let (port, asked_for) = tunnels();
    let through = Transport {
        proxy: ProxySetting::Url(format!("http://me:pass@127.0.0.1:{port}")),
        ca_file: Some(file("ca.pem")),
        client: None,
    };
    asked(&format!("https://localhost:{server}"), through)
        .await
        .unwrap();
    let asked_for = asked_for.lock().unwrap().join("");
    assert!(
        asked_for.starts_with(&format!("connect localhost:{server} ")),
        "{asked_for}"
    );
    assert!(
        asked_for.contains("proxy-authorization: basic "),
        "{asked_for}"
    );
}

#[tokio::test]
async fn what_is_sent_without_tls_goes_to_the_proxy_whatever_the_server_is_called() {
    let proxy = Server::start(|_| Answer::text("hello")).await.unwrap();
    let through = Transport {
        proxy: ProxySetting::Url(proxy.url()),
        ..Transport::default()
    };
    asked("http://model.invalid/v1", through).await.unwrap();
    assert_eq!(proxy.seen()[0].header("host"), Some("model.invalid"));
}

#[test]
fn what_cannot_be_used_is_one_sentence_when_a_model_is_opened() {
    let dir = std::env::temp_dir();
    let of = |cert: &str, key: &str| Transport {
        client: client(cert, key),
        ..Transport::default()
    };
    let ca = |path: PathBuf| Transport {
        ca_file: Some(path),
        ..Transport::default()
    };
    let proxy = |url: &str| Transport {
        proxy: ProxySetting::Url(url.to_owned()),
        ..Transport::default()
    };
    for (transport, says) in [
        (
            ca(file("none.pem")),
            "ca_file /…/none.pem cannot be read: No such file or directory (os error 2)",
        ),
        (ca(dir), "cannot be read: it is not a file"),
        (
            ca(file("make.sh")),
            "ca_file /…/make.sh has no certificate in PEM",
        ),
        (
            of("none.pem", "client.key"),
            "client_cert /…/none.pem cannot be read: ",
        ),
        (
            of("client.key", "client.key"),
            "client_cert /…/client.key has no certificate in PEM",
        ),
        (
            of("client.pem", "none.key"),
            "client_key /…/none.key cannot be read: ",
        ),
        (
            of("client.pem", "client.pem"),
            "client_key /…/client.pem has no private key in PEM that is not encrypted",
        ),
        (
            of("client.pem", "other.key"),
            "client_key /…/other.key does not fit client_cert: ",
        ),
        (
            proxy("socks5://me:secret@127.0.0.1:1"),
            "proxy is neither \"none\" nor a URL like http://host:3128",
        ),
        (proxy("127.0.0.1:3128"), "proxy is neither"),
        (proxy(""), "proxy is neither"),
    ] {
        let endpoint = endpoint("https://localhost:1", transport);
        let failure = OpenAi::new(&endpoint, "m", http(PATIENT)).unwrap_err();
        let what = failure.what.replace(&file("").display().to_string(), "/…/");
        assert!(what.starts_with("work: "), "{what}");
        assert!(what.contains(says), "{what}");
        assert!(!what.contains("secret"), "{what}");
        assert_eq!(failure.remedy, Remedy::Never);
    }
}
