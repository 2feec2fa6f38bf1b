//! What a browser sends for a page of somebody else, and what reaches this server under another name.

use crate::hostile::target::{JSON, Target, good};

/// What is asked for: the page itself, all teams, data, a stream, a screen.
const PATHS: [&str; 5] = [
    "/",
    "/teams",
    "/j/schema",
    "/live?team=a&see=team",
    "/h/team?team=a",
];

pub(crate) fn requests(target: &Target) -> Vec<Vec<u8>> {
    let (port, key) = (target.port, target.key());
    let hosts = hosts(port);
    let origins = origins(port);
    let mut all = Vec::new();
    for path in PATHS {
        for host in &hosts {
            all.push(format!("GET {path} HTTP/1.1\r\n{host}{key}\r\n").into());
        }
        for head in origins.iter().map(String::as_str).chain(FETCHED) {
            all.push(target.get(path, head));
        }
    }
    // Somebody opens what is no page: only the shell is for everybody.
    for path in &PATHS[1..] {
        all.push(target.get(path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"));
    }
    for head in origins.iter().map(String::as_str).chain(FETCHED) {
        let head = format!("{key}{JSON}{head}");
        all.push(target.post("say", &head, good("hostile").as_bytes()));
    }
    for host in &hosts {
        let (body, head) = (good("hostile"), format!("{host}{key}{JSON}"));
        let length = body.len();
        all.push(
            format!("POST /v/say HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}").into(),
        );
    }
    all
}

/// Names that are not ours, none, and ours twice.
fn hosts(port: u16) -> Vec<String> {
    let names = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1.evil.example".to_owned(),
        format!("127.0.0.1.evil.example:{port}"),
        format!("127.0.0.1:{port}.evil.example"),
        format!("localhost.evil.example:{port}"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.2:{port}"),
        format!("127.1:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f000001:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("localhost.:{port}"),
        format!("user@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        format!("127.0.0.1:{port},evil.example"),
        format!("127.0.0.1:{port}/"),
        format!("127.0.0.1:0{port}"),
        "127.0.0.1:1".to_owned(),
        "127.0.0.1:".to_owned(),
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        String::new(),
    ];
    let mut hosts: Vec<String> = names
        .iter()
        .map(|name| format!("Host: {name}\r\n"))
        .collect();
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    hosts.push(String::new());
    hosts.push(own.repeat(2));
    hosts.push(format!("{own}Host: evil.example\r\n"));
    hosts.push(format!("Host: evil.example\r\n{own}"));
    hosts.push(format!(
        "X-Forwarded-Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"
    ));
    hosts
}

/// Pages of other origins.
fn origins(port: u16) -> Vec<String> {
    let own = format!("http://127.0.0.1:{port}");
    let names = [
        "null".to_owned(),
        String::new(),
        "http://localhost:3000".to_owned(),
        "http://127.0.0.1".to_owned(),
        format!("http://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://user@127.0.0.1:{port}"),
        format!("ws://127.0.0.1:{port}"),
        format!("{own} {own}"),
        format!("{own}, http://evil.example"),
        "file://".to_owned(),
        "chrome-extension://abc".to_owned(),
        "*".to_owned(),
    ];
    let mut origins: Vec<String> = names
        .iter()
        .map(|name| format!("Origin: {name}\r\n"))
        .collect();
    origins.push(format!("Origin: {own}\r\n").repeat(2));
    origins.push(format!("Origin: {own}\r\nOrigin: null\r\n"));
    origins
}

/// What a browser says of who asks, where that is another page, and what asks for more than an answer.
const FETCHED: [&str; 13] = [
    "Sec-Fetch-Site: cross-site\r\n",
    "Sec-Fetch-Site: same-site\r\n",
    "Sec-Fetch-Site: Same-Origin\r\n",
    "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: same-origin\r\n",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n",
    "Upgrade: websocket\r\n",
    "Connection: Upgrade, HTTP2-Settings\r\n",
    "Upgrade: h2c\r\nConnection: Upgrade\r\n",
    "HTTP2-Settings: x\r\n",
    "X-HTTP-Method-Override: POST\r\n",
    "X-Method-Override: DELETE\r\n",
    "Service-Worker: script\r\n",
];
