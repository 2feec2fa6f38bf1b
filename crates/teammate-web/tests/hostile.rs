//! Requests of pages and programs that have no business here: none is taken. The server is a real one on a loopback socket.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;

use teammate_core::{Timestamp, port::BoxFuture};
use teammate_web::{KeyFile, KeyScope, OpenTeam, TeamLine, Teams, WebServer};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

struct NoTeams;

impl Teams for NoTeams {
    fn list(&self) -> BoxFuture<'_, Vec<TeamLine>> {
        Box::pin(async { Vec::new() })
    }

    fn open<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<OpenTeam, String>> {
        Box::pin(async { Err("there is no such team".to_owned()) })
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_000)
    }
}

async fn status(port: u16, request: &str) -> u16 {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).await.unwrap_or(0);
    let text = String::from_utf8_lossy(&answer[..read]).into_owned();
    text.split(' ')
        .nth(1)
        .map_or(0, |code| code.parse().unwrap())
}

#[tokio::test]
async fn no_hostile_request_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let keys = KeyFile::begin(&dir.path().join("7.json"), "x").unwrap();
    let make = |scope| keys.make(scope, Timestamp(0), None).unwrap();
    let (own, see) = (make(KeyScope::Steer), make(KeyScope::See));
    let server = WebServer::new(listener, Arc::new(NoTeams), keys.clone(), None).unwrap();
    tokio::spawn(server.serve(std::future::pending()));

    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let key = format!("Authorization: Bearer {}\r\n", own.reveal());
    let get = |path: &str, head: &str| format!("GET {path} HTTP/1.1\r\n{head}\r\n");
    assert_eq!(
        status(port, &get("/teams", &format!("{host}{key}"))).await,
        200
    );
    assert_eq!(status(port, &get("/", &host)).await, 200);

    let mut hostile = Vec::new();
    for path in [
        "/",
        "/teams",
        "/j/schema",
        "/live?team=a&see=team",
        "/h/team?team=a",
    ] {
        for name in [
            "evil.example".to_owned(),
            "127.0.0.1.evil.example".to_owned(),
            format!("0.0.0.0:{port}"),
            format!("[::ffff:127.0.0.1]:{port}"),
            format!("localhost.:{port}"),
            format!("user@127.0.0.1:{port}"),
            "127.0.0.1:1".to_owned(),
            "127.0.0.1".to_owned(),
        ] {
            hostile.push(get(path, &format!("Host: {name}\r\n{key}")));
        }
        hostile.push(get(path, &key));
        hostile.push(get(path, &format!("{host}{host}{key}")));
        for head in [
            "Origin: null",
            "Origin: http://localhost:3000",
            &format!("Origin: https://127.0.0.1:{port}"),
            "Origin: file://",
            "Origin: chrome-extension://abc",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Upgrade: websocket",
            "Connection: Upgrade, HTTP2-Settings",
            "HTTP2-Settings: x",
            "X-HTTP-Method-Override: POST",
            "Service-Worker: script",
            &format!("Origin: http://127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}"),
        ] {
            hostile.push(get(path, &format!("{host}{key}{head}\r\n")));
        }
        for method in ["OPTIONS", "HEAD", "PUT", "TRACE", "DELETE", "PATCH"] {
            hostile.push(format!("{method} {path} HTTP/1.1\r\n{host}{key}\r\n"));
        }
        hostile.push(get(
            &format!("http://127.0.0.1:{port}{path}"),
            &format!("{host}{key}"),
        ));
        hostile.push(get(&format!("/{path}"), &format!("{host}{key}")));
        hostile.push(get(&format!("/%2e%2e{path}"), &format!("{host}{key}")));
        hostile.push(get(&format!("/%00{path}"), &format!("{host}{key}")));
    }
    for path in [
        "/teams",
        "/j/schema",
        "/h/team?team=a",
        "/live?team=a&see=team",
    ] {
        for head in [
            String::new(),
            format!("Cookie: key={}\r\n", own.reveal()),
            format!("Authorization: Basic {}\r\n", own.reveal()),
        ] {
            hostile.push(get(path, &format!("{host}{head}")));
        }
        hostile.push(get(&format!("/teams?key={}", own.reveal()), &host));
    }
    let post = |head: &str, body: &str| {
        format!(
            "POST /v/say HTTP/1.1\r\n{host}{head}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let json = "Content-Type: application/json\r\n";
    let seeing = format!("Authorization: Bearer {}\r\n", see.reveal());
    let good = r#"{"team":"a","key":"k","text":"hello"}"#;
    hostile.push(post(&format!("{seeing}{json}"), good));
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        hostile.push(post(&format!("{key}Content-Type: {kind}\r\n"), good));
    }
    for body in [
        &"[".repeat(10_000),
        "{}",
        r#"{"team":"a","team":"a","key":"k","text":"x"}"#,
        &" ".repeat(65_537),
        good,
    ] {
        hostile.push(post(&format!("{key}{json}"), body));
    }
    // Of bad keys the first ten are looked at.
    for _ in 0..11 {
        hostile.push(get(
            "/teams",
            &format!("{host}Authorization: Bearer {}\r\n", "0".repeat(64)),
        ));
    }
    for request in &hostile {
        let code = status(port, request).await;
        assert!((400..500).contains(&code), "{code}: {request:.300}");
    }
    println!("{} hostile requests", hostile.len());
    assert_eq!(status(port, hostile.last().unwrap()).await, 429);
}
