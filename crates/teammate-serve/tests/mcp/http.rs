//! The server over HTTP: who comes in, and what comes of bad requests.

use std::fs;

use serde_json::{Value, json};
use teammate_serve::mcp::{AccessKey, serve_http};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{stories::poets, wire::meta, world::World};

/// A server with its key.
struct Site {
    port: u16,
    key: String,
    _world: World,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Site {
    async fn new() -> Self {
        let world = World::playing(&poets());
        let path = world.path("state/mcp/a.key");
        let key = AccessKey::in_file(&path).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(serve_http(world.server(), listener, key));
        Self {
            port,
            key: fs::read_to_string(path).unwrap().trim().to_owned(),
            _world: world,
        }
    }

    /// Sends these bytes and reads until the server closes.
    async fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        // A server that has enough of it closes before all is written.
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// A request with these headers instead of, or beside, the usual ones.
    async fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let host = format!("127.0.0.1:{}", self.port);
        let bearer = format!("Bearer {}", self.key);
        let length = body.len().to_string();
        let mut all = vec![
            ("host", host.as_str()),
            ("authorization", &bearer),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("content-length", &length),
            ("connection", "close"),
        ];
        for (name, value) in headers {
            all.retain(|(known, _)| known != name);
            all.push((name, value));
        }
        let all: String = all
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        self.raw(format!("{line} HTTP/1.1\r\n{all}\r\n{body}").as_bytes())
            .await
    }

    async fn post(&self, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.ask("POST /mcp", headers, &body.to_string()).await
    }

    /// A call as clients of 2026-07-28 make it.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta() });
        let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params });
        let answer = self.post(&headers, &call).await;
        assert_eq!(answer.status, 200, "{}\n{}", answer.head, answer.body);
        let answer: Value = serde_json::from_str(&answer.body).unwrap();
        serde_json::from_str(crate::wire::text(&answer)).unwrap()
    }
}

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": {} })
}

#[tokio::test]
async fn only_who_has_the_key_comes_in_and_no_page_of_another_origin() {
    let site = Site::new().await;
    let port = site.port;
    let own = format!("http://127.0.0.1:{port}");
    let by_name = format!("localhost:{port}");
    let other_port = format!("127.0.0.1:{}", port ^ 1);
    let basic = format!("Basic {}", site.key);
    let bare = site.key.clone();
    let wrong = format!("Bearer {}", "0".repeat(64));
    let longer = format!("Bearer {}0", site.key);
    for (headers, status) in [
        (vec![], 200),
        (vec![("host", by_name.as_str())], 200),
        (vec![("origin", own.as_str())], 200),
        (vec![("authorization", "")], 401),
        (vec![("authorization", wrong.as_str())], 401),
        (vec![("authorization", longer.as_str())], 401),
        (vec![("authorization", basic.as_str())], 401),
        (vec![("authorization", bare.as_str())], 401),
        (vec![("authorization", "Bearer ")], 401),
        (vec![("host", "evil.example")], 403),
        (vec![("host", "evil.example"), ("authorization", "")], 401),
        (vec![("host", other_port.as_str())], 403),
        (vec![("host", "127.0.0.1.evil.example")], 403),
        (vec![("origin", "http://evil.example")], 403),
        (vec![("origin", "null")], 403),
        (vec![("origin", "http://127.0.0.1:1")], 403),
    ] {
        let answer = site.post(&headers, &ping()).await;
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
    }
    let answer = site.post(&[("authorization", "")], &ping()).await;
    assert!(
        answer.head.contains("www-authenticate: Bearer"),
        "{}",
        answer.head
    );
    assert!(!answer.body.contains(&site.key));
    let no_host = format!(
        "POST /mcp HTTP/1.0\r\nauthorization: Bearer {}\r\n\r\n",
        site.key
    );
    assert!(site.raw(no_host.as_bytes()).await.status >= 400);
    // A key in the address is none.
    let in_url = format!("POST /mcp?key={}", site.key);
    let answer = site.ask(&in_url, &[("authorization", "")], "{}").await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn bad_requests_are_refused_and_the_next_one_is_answered() {
    let site = Site::new().await;
    let chunked = [("transfer-encoding", "chunked"), ("content-length", "")];
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", 5 << 20, " ".repeat(5 << 20));
    let head = "x".repeat(64 * 1024);
    for (line, headers, body, statuses) in [
        ("GET /mcp", vec![], "", vec![405]),
        ("DELETE /mcp", vec![], "", vec![405]),
        ("OPTIONS /mcp", vec![], "", vec![405]),
        ("POST /", vec![], "{}", vec![404]),
        ("POST /mcp/", vec![], "{}", vec![404]),
        ("POST /mcp", vec![], "{", vec![400, 415]),
        ("POST /mcp", vec![], "[]", vec![400, 415]),
        (
            "POST /mcp",
            vec![("content-type", "text/plain")],
            "{}",
            vec![415],
        ),
        ("POST /mcp", vec![("accept", "text/html")], "{}", vec![406]),
        ("POST /mcp", chunked.to_vec(), chunk.as_str(), vec![413]),
        (
            "POST /mcp",
            vec![("x-long", head.as_str())],
            "{}",
            vec![431, 400],
        ),
    ] {
        let answer = site.ask(line, &headers, body).await;
        assert!(
            statuses.contains(&answer.status),
            "{line}: {} {}",
            answer.status,
            answer.body
        );
    }
    assert_eq!(site.post(&[], &ping()).await.status, 200);
}

#[tokio::test]
async fn older_clients_need_no_session_and_newer_ones_no_handshake() {
    let site = Site::new().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let answer = site.post(&[], &begin).await;
        let said: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(said["result"]["protocolVersion"], version);
        assert!(!answer.head.contains("mcp-session-id"), "{}", answer.head);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let of_version = [("mcp-protocol-version", version)];
        assert_eq!(site.post(&of_version, &ready).await.status, 202);
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} });
        let answer = site.post(&of_version, &list).await;
        let said: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(said["result"]["tools"].as_array().unwrap().len(), 11);
    }
    site.call("start_team", json!({ "job": "A haiku" })).await;
    let done = loop {
        let waited = site.call("wait_for_team", json!({})).await;
        if waited["state"] == "idle" {
            break waited;
        }
    };
    assert_eq!(done["result"]["text"], "ada says: Rain on the roof");
}

#[tokio::test]
async fn it_listens_to_this_machine_only() {
    let world = World::playing(&poets());
    let key = AccessKey::in_file(&world.path("state/mcp/a.key")).unwrap();
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = serve_http(world.server(), listener, key).await.unwrap_err();
    assert!(
        refused.to_string().contains("no loopback address"),
        "{refused}"
    );
}
