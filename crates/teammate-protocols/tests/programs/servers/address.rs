//! A server at an address, and one that wants the user to log in first.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use teammate_core::permission::{Rule, RuleOrigin};
use teammate_protocols::mcp::client::{
    EntryOrigin, Greeting, LoginSettings, ServerFailure, ServerSettings, ServerTimeouts,
    TransportSettings,
};
use teammate_testkit::serve_answers;

use crate::servers::bench::{Bench, names, server};

/// What was asked of a server, and which tokens let somebody in.
#[derive(Default)]
struct Seen {
    requests: Mutex<Vec<String>>,
    tokens: AtomicU32,
}

fn http(status: &str, headers: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Answers of a server without sessions.
fn answer(body: &str) -> Vec<u8> {
    let message: Value = serde_json::from_str(body).unwrap_or_default();
    let id = &message["id"];
    let ok = |result: Value| {
        http(
            "200 OK",
            "",
            &json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        )
    };
    match message["method"].as_str().unwrap_or_default() {
        "initialize" => ok(json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "docs", "version": "1" },
        })),
        "tools/list" => {
            ok(json!({ "tools": [{ "name": "act", "inputSchema": { "type": "object" } }] }))
        }
        "tools/call" => ok(json!({ "content": [{ "type": "text", "text": "did act" }] })),
        _ if id.is_null() => http("202 Accepted", "", &Value::Null),
        _ => {
            let error = json!({ "code": -32601, "message": "unknown" });
            http(
                "200 OK",
                "",
                &json!({ "jsonrpc": "2.0", "id": id, "error": error }),
            )
        }
    }
}

fn at(url: String, headers: &[(&str, &str)]) -> ServerSettings {
    let headers = headers.iter();
    let headers = headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ServerSettings {
        transport: TransportSettings::Http {
            url,
            headers: headers.collect(),
        },
        ..server("x", "", "")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_at_an_address_is_spoken_with() {
    let seen = Arc::new(Seen::default());
    let heard = seen.clone();
    let port = serve_answers(move |request| {
        heard.requests.lock().unwrap().push(request.to_owned());
        answer(request.split("\r\n\r\n").nth(1).unwrap_or_default())
    })
    .unwrap();
    let url = format!("http://127.0.0.1:{port}/mcp");
    let bench = Bench::of(vec![at(url, &[("X-Key", "secret-1")])]);
    assert_eq!(bench.act().await.text(), "did act");
    let requests = seen.requests.lock().unwrap();
    assert!(
        requests
            .iter()
            .all(|request| request.to_lowercase().contains("x-key: secret-1"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_silent_at_an_unknown_request_is_greeted_as_it_wants() {
    let port = serve_answers(move |request| {
        let body = request.split("\r\n\r\n").nth(1).unwrap_or_default();
        if body.contains("server/discover") {
            // It never answers.
            std::thread::sleep(Duration::from_secs(3_600));
        }
        answer(body)
    })
    .unwrap();
    let timeouts = ServerTimeouts {
        probe: Duration::from_millis(200),
        ..ServerTimeouts::default()
    };
    let server = at(format!("http://127.0.0.1:{port}/mcp"), &[]);
    let bench = Bench::with_timeouts(vec![server.clone()], timeouts);
    let offered = bench.offer().await;
    assert_eq!(names(&offered.tools), ["mcp__x__act"]);
    let kept = bench.accepted.of(&server.fingerprint()).unwrap();
    assert_eq!(kept.greeting, Greeting::Initialize);
    let outcome = bench.call(&offered.tools, "mcp__x__act", "{}").await;
    assert_eq!(outcome.text(), "did act");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_reached_by_the_users_rules() {
    let port = serve_answers(|_| answer("{}")).unwrap();
    let url = format!("http://localhost:{port}/mcp");
    let deny = vec![Rule::parse("net(localhost)", RuleOrigin::User).unwrap()];
    let bench = Bench::denying(vec![at(url.clone(), &[])], deny);
    assert!(
        bench
            .notice()
            .await
            .contains("the user's rule 'net(localhost)' forbids localhost")
    );
    let of_project = ServerSettings {
        origin: EntryOrigin::Project,
        ..at(url, &[])
    };
    let notice = Bench::of(vec![of_project]).notice().await;
    assert!(
        notice.contains("an entry that is not yours needs https and a name"),
        "{notice}"
    );
}

/// Whether a program can register itself with who lets people in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Registers {
    Anybody,
    /// It names no place for that.
    Nobody,
    /// It has one, and refuses there.
    Chosen,
}

/// Lets in who has the newest token, and gives tokens that are old at once.
fn guarded(seen: &Arc<Seen>, registers: Registers) -> u16 {
    let seen = seen.clone();
    let port = Arc::new(AtomicU32::new(0));
    let own = port.clone();
    let made = serve_answers(move |request| {
        let here = format!("http://127.0.0.1:{}", own.load(Ordering::Relaxed));
        let first = request.lines().next().unwrap_or_default();
        let path = first.split(' ').nth(1).unwrap_or_default();
        let body = request.split("\r\n\r\n").nth(1).unwrap_or_default();
        let is_key = |line: &&str| line.to_lowercase().starts_with("authorization: basic");
        let key = request.lines().find(is_key).unwrap_or_default();
        let asked = format!("{path} {body} {key}");
        seen.requests.lock().unwrap().push(asked);
        let ok = |body: Value| http("200 OK", "", &body);
        if path == "/who-lets-in" {
            return ok(json!({ "resource": format!("{here}/mcp"), "authorization_servers": [here] }));
        }
        if path.starts_with("/.well-known/oauth-authorization-server") {
            let mut metadata = json!({
                "issuer": here,
                "authorization_endpoint": format!("{here}/authorize"),
                "token_endpoint": format!("{here}/token"),
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
            });
            if registers != Registers::Nobody {
                metadata["registration_endpoint"] = format!("{here}/register").into();
            }
            return ok(metadata);
        }
        match path {
            "/register" if registers == Registers::Chosen => {
                let error = json!({ "error": "access_denied" });
                http("403 Forbidden", "", &error)
            }
            "/register" => {
                let wanted: Value = serde_json::from_str(body).unwrap_or_default();
                http("201 Created", "", &json!({ "client_id": "client-1", "redirect_uris": wanted["redirect_uris"] }))
            }
            "/token" => {
                let number = seen.tokens.fetch_add(1, Ordering::Relaxed) + 1;
                ok(json!({
                    "access_token": format!("token-{number}"),
                    "token_type": "Bearer",
                    "expires_in": 1,
                    "refresh_token": format!("refresh-{number}"),
                }))
            }
            // Who wants a page gets no challenge.
            "/mcp" if !first.starts_with("POST") => http("405 Method Not Allowed", "", &Value::Null),
            "/mcp" => {
                let newest = format!("bearer token-{}\r\n", seen.tokens.load(Ordering::Relaxed));
                if request.to_lowercase().contains(&newest) {
                    return answer(body);
                }
                let challenge = format!("WWW-Authenticate: Bearer resource_metadata=\"{here}/who-lets-in\", scope=\"notes:read\"\r\n");
                http("401 Unauthorized", &challenge, &Value::Null)
            }
            _ => http("404 Not Found", "", &Value::Null),
        }
    })
    .unwrap();
    port.store(made.into(), Ordering::Relaxed);
    made
}

/// What a browser does that is sent back at once.
fn browser(address: &str) {
    let parameter = |name: &str| {
        let (_, behind) = address.split_once(&format!("{name}=")).unwrap();
        behind.split('&').next().unwrap().to_owned()
    };
    assert!(address.contains("code_challenge_method=S256"), "{address}");
    assert!(address.contains("scope=notes%3Aread"), "{address}");
    let back = parameter("redirect_uri");
    let back = back.replace("%3A", ":").replace("%2F", "/");
    let state = parameter("state");
    std::thread::spawn(move || {
        let place = back.strip_prefix("http://").unwrap();
        let (host, path) = place.split_once('/').unwrap();
        for path in [
            "favicon.ico".to_owned(),
            format!("{path}?code=c0de&state={state}"),
        ] {
            let mut stream = TcpStream::connect(host).unwrap();
            write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_user_logs_in_once_and_tokens_are_renewed() {
    let seen = Arc::new(Seen::default());
    let port = guarded(&seen, Registers::Anybody);
    let settings = vec![at(format!("http://127.0.0.1:{port}/mcp"), &[])];
    let (bench, tokens) = Bench::keeping_tokens(settings);
    let server = bench.servers.get("x").unwrap();
    assert_eq!(server.list().await.err(), Some(ServerFailure::LoginNeeded));
    server.log_in(browser).await.unwrap();
    let files: Vec<_> = std::fs::read_dir(&tokens).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(
        files[0].metadata().unwrap().permissions().mode() & 0o777,
        0o600
    );
    // It failed before, and is left alone for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let offered = bench.offer().await;
    assert_eq!(
        names(&offered.tools),
        ["mcp__x__act"],
        "{:?}",
        offered.notices
    );
    let outcome = bench.call(&offered.tools, "mcp__x__act", "{}").await;
    assert_eq!(outcome.text(), "did act");
    let requests = seen.requests.lock().unwrap().join("\n");
    assert!(
        requests.contains("grant_type=authorization_code"),
        "{requests}"
    );
    assert!(requests.contains("grant_type=refresh_token"), "{requests}");
    assert!(server.log_out().unwrap() && !server.log_out().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_programs_cannot_register_themselves_the_user_says_as_what_they_log_in() {
    for (registers, why) in [
        (Registers::Nobody, "it names no place where it does"),
        (Registers::Chosen, "403"),
    ] {
        let port = guarded(&Arc::new(Seen::default()), registers);
        let settings = vec![at(format!("http://127.0.0.1:{port}/mcp"), &[])];
        let (bench, _tokens) = Bench::keeping_tokens(settings);
        let server = bench.servers.get("x").unwrap();
        let opens = |_: &str| panic!("nothing is to be opened");
        let said = server.log_in(opens).await.unwrap_err().to_string();
        let begins = format!(
            "http://127.0.0.1:{port} lets people in there, and registers no programs by itself"
        );
        assert!(said.starts_with(&begins) && said.contains(why), "{said}");
        let way = "with the address http://127.0.0.1/callback to come back to, and write its id into the entry of the server: \
            client_id, and client_secret = \"${NAME}\" if it has one";
        assert!(said.contains(way), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_the_user_has_registered_logs_in_by_its_id_and_secret() {
    let seen = Arc::new(Seen::default());
    let port = guarded(&seen, Registers::Nobody);
    let settings = ServerSettings {
        login: LoginSettings {
            client_id: Some("app-1".to_owned()),
            client_secret: Some("s3cret".to_owned()),
            callback_port: None,
        },
        ..at(format!("http://127.0.0.1:{port}/mcp"), &[])
    };
    let (bench, _tokens) = Bench::keeping_tokens(vec![settings]);
    let server = bench.servers.get("x").unwrap();
    server
        .log_in(|address| {
            assert!(address.contains("client_id=app-1"), "{address}");
            browser(address);
        })
        .await
        .unwrap();
    let offered = bench.offer().await;
    assert_eq!(
        names(&offered.tools),
        ["mcp__x__act"],
        "{:?}",
        offered.notices
    );
    // The first token is old at once: both requests for one are made as the user's program.
    let requests = seen.requests.lock().unwrap().clone();
    for grant in ["authorization_code", "refresh_token"] {
        let grant = format!("grant_type={grant}");
        let asked: Vec<_> = requests.iter().filter(|it| it.contains(&grant)).collect();
        let keyed = asked.iter().all(|it| {
            it.to_lowercase()
                .contains("authorization: basic yxbwlte6cznjcmv0")
        });
        assert!(!asked.is_empty() && keyed, "{requests:?}");
    }
    assert!(!requests.iter().any(|it| it.starts_with("/register")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_has_nobody_to_log_in_at() {
    let bench = Bench::one("works");
    let server = bench.servers.get("x").unwrap();
    let refused = server.log_in(|_| {}).await.unwrap_err();
    assert!(
        refused.to_string().contains("`env` of its entry"),
        "{refused}"
    );
}
