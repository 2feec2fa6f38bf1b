//! What is no request of the page by its form: methods, addresses, heads and bodies.

use crate::hostile::target::{JSON, Target, good};

pub(crate) fn requests(target: &Target) -> Vec<Vec<u8>> {
    let mut all = methods(target);
    all.extend(paths(target));
    all.extend(heads(target));
    all.extend(bodies(target));
    all
}

fn methods(target: &Target) -> Vec<Vec<u8>> {
    let (host, key) = (target.host(), target.key());
    let ask = |method: &str, path: &str| -> Vec<u8> {
        format!("{method} {path} HTTP/1.1\r\n{host}{key}\r\n").into()
    };
    let mut all = Vec::new();
    for path in [
        "/",
        "/teams",
        "/v/say",
        "/live?team=a&see=team",
        "/h/team?team=a",
    ] {
        for method in [
            "OPTIONS", "HEAD", "PUT", "TRACE", "DELETE", "PATCH", "PROPFIND", "CONNECT", "get",
            "GET\t", "G",
        ] {
            all.push(ask(method, path));
        }
    }
    for path in [
        "/",
        "/teams",
        "/j/team?team=a",
        "/live?team=a&see=team",
        "/h/team?team=a",
    ] {
        all.push(ask("POST", path));
    }
    for path in [
        "/v/say",
        "/v/answer",
        "/v/interrupt",
        "/v/stop?team=a",
        "/v/",
    ] {
        all.push(ask("GET", path));
    }
    all.push(ask("CONNECT", "evil.example:443"));
    all.push(ask("CONNECT", &format!("127.0.0.1:{}", target.port)));
    all.push(ask("OPTIONS", "*"));
    all
}

fn paths(target: &Target) -> Vec<Vec<u8>> {
    let port = target.port;
    let mut all = Vec::new();
    for path in ["/", "/teams", "/j/schema", "/h/team?team=a"] {
        all.push(target.get(&format!("http://127.0.0.1:{port}{path}"), ""));
        all.push(target.get(&format!("http://evil.example{path}"), ""));
        all.push(target.get(&format!("/{path}"), ""));
        all.push(target.get(&format!("//evil.example{path}"), ""));
        all.push(target.get(&format!("/%2e%2e{path}"), ""));
        all.push(target.get(&format!("/..{path}"), ""));
        all.push(target.get(&format!("/%00{path}"), ""));
        all.push(target.get(&format!("/\\evil.example{path}"), ""));
    }
    for path in [
        "/teams/",
        "/TEAMS",
        "/teams;a=b",
        "/teams%3f",
        "/../../etc/passwd",
        "/h/../../etc/passwd",
        "/h/call/../../team?team=a",
        "/h/m:..%2f..%2fetc?team=a",
        "/h/m:LEAD?team=a",
        "/h/team?team=../../a",
        "/h/team?team=a&team=a",
        "/h/team?team=a&at=-1",
        "/h/team?team=a&at=99999999999999999999999",
        "/h/team?team=a&before=1e9",
        "/h/team?team=a&callback=evil",
        "/h/team?team=a%00",
        "/h/call/lead/-1?team=a",
        "/h/task/0x1?team=a",
        "/j/team?team=a&jsonp=evil",
        "/live?team=a",
        "/live?team=a&see=",
        "/live?team=a&see=nothing",
        "/live?team=a&see=team&from=-1",
        "/page.js/..",
        "/.git/config",
        "/m/../../x",
        "/m/%3Cscript%3E",
        "/a b",
        "",
        "*",
        "teams",
    ] {
        all.push(target.get(path, ""));
    }
    let many = vec!["team"; 40].join(",");
    all.push(target.get(&format!("/live?team=a&see={many}"), ""));
    all.push(target.get(&format!("/h/{}?team=a", "x".repeat(6_000)), ""));
    all
}

fn heads(target: &Target) -> Vec<Vec<u8>> {
    let (host, key) = (target.host(), target.key());
    let mut all: Vec<Vec<u8>> = Vec::new();
    // More than a head may have, in one header, in many, and in the address.
    all.push(target.get("/teams", &format!("X: {}\r\n", "x".repeat(9_000))));
    all.push(target.get("/teams", &"X: y\r\n".repeat(2_000)));
    all.push(target.get(&format!("/teams?{}", "x".repeat(9_000)), ""));
    // No head, or one that others may read differently.
    for head in [
        "X : y\r\n",
        " folded: y\r\n",
        "X\r\n",
        "X: a\u{0}b\r\n",
        ": y\r\n",
        "X\u{e9}: y\r\n",
    ] {
        all.push(format!("GET /teams HTTP/1.1\r\n{host}{head}{key}\r\n").into());
    }
    for line in [
        "GET /teams",
        "GET /teams HTTP/0.9",
        "GET /teams HTTP/1.2",
        "GET /teams HTTP/2.0",
        "GET /teams HTTP/1.1 x",
        "GET /teams HTTPS/1.1",
        "/teams HTTP/1.1",
    ] {
        all.push(format!("{line}\r\n{host}{key}\r\n").into());
    }
    all.push(format!("GET /teams HTTP/1.0\r\n{key}\r\n").into());
    all.push(format!("GET /teams HTTP/1.0\r\nHost: evil.example\r\n{key}\r\n").into());
    all.push(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec());
    // The beginning of TLS, of a mail and of something else.
    all.push(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec());
    all.push(b"EHLO evil.example\r\nMAIL FROM:<a>\r\n\r\n".to_vec());
    all.push(b"*1\r\n$4\r\nPING\r\n\r\n".to_vec());
    all
}

fn bodies(target: &Target) -> Vec<Vec<u8>> {
    let key = target.key();
    let whole = good("hostile");
    let mut all = Vec::new();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/html",
        "application/jsonp",
        "application/json, text/plain",
        "text/plain; application/json",
        "",
    ] {
        let head = format!("{key}Content-Type: {kind}\r\n");
        all.push(target.post("say", &head, whole.as_bytes()));
    }
    all.push(target.post("say", &key, whole.as_bytes()));
    let head = format!("{key}{JSON}");
    let long = format!("{whole}{}", " ".repeat(410_000));
    let other = whole.replace(r#""a""#, r#""b""#);
    let deep = "[".repeat(10_000);
    let inside = format!(r#"{{"team":{deep}"#);
    for body in [
        &b""[..],
        b"{}",
        b"null",
        b"[]",
        b"team=a&key=k&text=hello",
        deep.as_bytes(),
        inside.as_bytes(),
        long.as_bytes(),
        other.as_bytes(),
        br#"{"team":"a","team":"a","key":"k","text":"x"}"#,
        br#"{"team":"a","key":"k","text":"x","text":"y"}"#,
        br#"{"team":"a","key":"k","text":"x","by":"lead"}"#,
        br#"{"team":"a","key":"k","text":"x"} {"team":"a"}"#,
        br#"{"team":1,"key":"k","text":"x"}"#,
        br#"{"team":["a"],"key":"k","text":"x"}"#,
        br#"{"team":"a","key":"","text":"x"}"#,
        br#"{"team":"a","key":"k","text":"  "}"#,
        br#"{"team":"a","key":"k"}"#,
        br#"{"team":"a","key":"k","text":"x","to":"../lead"}"#,
        br#"{"team":"a","key":"k","text":"x","to":"user"}"#,
        b"{\"team\":\"a\",\"key\":\"k\",\"text\":\"\xff\xfe\"}",
        b"\xef\xbb\xbf{\"team\":\"a\",\"key\":\"k\",\"text\":\"x\"}",
        b"{\"team\":\"a\",\"key\":\"k\",\"text\":\"a\nb\"}",
        b"{\"team\":\"a\",\"key\":\"k\",\"text\":\"\\ud800\"}",
    ] {
        all.push(target.post("say", &head, body));
    }
    let long_key = "k".repeat(65);
    all.push(target.post("say", &head, good(&long_key).as_bytes()));
    // A length that is none, or two of them: the rest would be another request.
    let host = target.host();
    for length in [
        "Content-Length: -1",
        "Content-Length: +37",
        "Content-Length: 0x25",
        "Content-Length: 37\r\nContent-Length: 38",
        "Content-Length: 18446744073709551616",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked, identity",
    ] {
        all.push(format!("POST /v/say HTTP/1.1\r\n{host}{head}{length}\r\n\r\n{whole}").into());
    }
    for chunks in [
        "zz\r\n{}\r\n0\r\n\r\n",
        "-1\r\n{}\r\n0\r\n\r\n",
        "ffffffffffffffffff\r\n{}\r\n",
    ] {
        all.push(
            format!(
                "POST /v/say HTTP/1.1\r\n{host}{head}Transfer-Encoding: chunked\r\n\r\n{chunks}"
            )
            .into(),
        );
    }
    all
}

/// What begins a request, and what comes of it again and again or never.
pub(crate) type Endless = (&'static str, Vec<u8>, Option<&'static [u8]>);

/// Requests that have no end.
pub(crate) fn endless(target: &Target) -> Vec<Endless> {
    let (host, key) = (target.host(), target.key());
    let post = |length: &str| -> Vec<u8> {
        format!("POST /v/say HTTP/1.1\r\n{host}{key}{JSON}{length}\r\n\r\n{{").into()
    };
    vec![
        ("nothing at all", Vec::new(), None),
        ("half a line", b"GET /tea".to_vec(), None),
        ("a line drop by drop", b"GET /".to_vec(), Some(b"x")),
        (
            "half a head",
            format!("GET /teams HTTP/1.1\r\n{host}").into(),
            None,
        ),
        (
            "a head drop by drop",
            format!("GET /teams HTTP/1.1\r\n{host}").into(),
            Some(b"X: y\r\n"),
        ),
        (
            "a body that does not come",
            post("Content-Length: 60"),
            None,
        ),
        (
            "a body drop by drop",
            post("Content-Length: 60000"),
            Some(b" "),
        ),
        (
            "chunks that do not end",
            post("Transfer-Encoding: chunked")
                .split_last()
                .map(|(_, head)| head.to_vec())
                .unwrap_or_default(),
            Some(b"1\r\n \r\n"),
        ),
        (
            "a chunk that does not come",
            post("Transfer-Encoding: chunked")
                .split_last()
                .map(|(_, head)| [head, b"3c\r\n{"].concat())
                .unwrap_or_default(),
            None,
        ),
    ]
}
