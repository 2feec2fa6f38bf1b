//! The proxy in a network: `CONNECT`, plain requests with a whole address, and SOCKS 5 by name.

use teammate_core::permission::{Destination, HostName};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{Judge, dial::Dialer, forward::Forward, names::Names, refusal::refuse, socks};

/// How long a request's head may be, in bytes.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// How much of a target that is no host is passed on, in characters.
const TARGET_CHARS_MAX: usize = 100;

/// Serves one connection to its end.
pub(super) async fn serve(
    mut client: TcpStream,
    names: &Names,
    (judge, dialer): (&dyn Judge, &Dialer),
) {
    let mut said = Vec::new();
    loop {
        match client.read_buf(&mut said).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        if said[0] == socks::VERSION {
            return socks::serve(client, said, names, (judge, dialer)).await;
        }
        let end = said.windows(4).position(|four| four == b"\r\n\r\n");
        match end {
            Some(end) => {
                let rest = said.split_off(end + 4);
                return answer(client, (&said, rest), (judge, dialer)).await;
            }
            None if said.len() > HEAD_BYTES_MAX => {
                return refuse(&mut client, "the request is too long").await;
            }
            None => {}
        }
    }
}

async fn answer(
    mut client: TcpStream,
    (head, rest): (&[u8], Vec<u8>),
    (judge, dialer): (&dyn Judge, &Dialer),
) {
    let Some(wanted) = Wanted::read(head) else {
        if let Some(target) = target(head) {
            judge.unnamed(&target);
        }
        let why = "only servers by name: an address, or a name that cannot be, is not connected";
        return refuse(&mut client, why).await;
    };
    let reach = match judge.judge(&wanted.to).await {
        Ok(reach) => reach,
        Err(why) => return refuse(&mut client, &why).await,
    };
    let to = (&wanted.to, reach);
    match wanted.forward {
        None => {
            if client
                .write_all(b"HTTP/1.1 200 Connected\r\n\r\n")
                .await
                .is_ok()
            {
                dialer.connect(client, &rest, to, judge).await;
            }
        }
        Some(request) => {
            let forwarded = dialer.forward(client, (&request, &rest), to, judge);
            if let Some(client) = forwarded.await {
                let whole = [request.to_server(), rest].concat();
                dialer.connect(client, &whole, to, judge).await;
            }
        }
    }
}

/// Where a request goes.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    to: Destination,
    /// None for a tunnel.
    forward: Option<Forward>,
}

impl Wanted {
    fn read(head: &[u8]) -> Option<Self> {
        let head = std::str::from_utf8(head).ok()?;
        let (first, headers) = head.split_once("\r\n")?;
        let mut words = first.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if method == "CONNECT" {
            return Some(Self {
                to: destination(target, None)?,
                forward: None,
            });
        }
        let target = target.strip_prefix("http://")?;
        let at = target.find(['/', '?']).unwrap_or(target.len());
        let (authority, path) = target.split_at(at);
        let to = destination(authority, Some(80))?;
        let slash = if path.starts_with('/') { "" } else { "/" };
        // One connection is one request to one server: what would name another, or keep it open, is left out.
        let kept = headers.split("\r\n").filter(|line| {
            let name = line
                .split(':')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            ![
                "host",
                "connection",
                "proxy-connection",
                "proxy-authorization",
                "keep-alive",
            ]
            .contains(&&*name)
        });
        let kept = kept.filter(|line| !line.is_empty());
        Some(Self {
            to,
            forward: Some(Forward {
                method: method.to_owned(),
                authority: authority.to_owned(),
                path: format!("{slash}{path}"),
                version: version.to_owned(),
                headers: kept.map(|line| format!("{line}\r\n")).collect(),
            }),
        })
    }
}

/// What a request that cannot be read asks for, as its first line has it.
fn target(head: &[u8]) -> Option<String> {
    let first = head.split(|byte| *byte == b'\r').next()?;
    let target = first.split(|byte| *byte == b' ').nth(1)?;
    let shown = String::from_utf8_lossy(target);
    let shown = shown.strip_prefix("http://").unwrap_or(&shown);
    let host = shown.split(['/', '?']).next()?;
    let host: String = host.chars().filter(char::is_ascii_graphic).collect();
    Some(host.chars().take(TARGET_CHARS_MAX).collect())
}

fn destination(text: &str, default: Option<u16>) -> Option<Destination> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (text, default?),
    };
    let host = HostName::parse(host)?;
    Some(Destination { host, port })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(head: &str) -> Option<(String, u16, Option<String>)> {
        let wanted = Wanted::read(head.as_bytes())?;
        let forward = wanted
            .forward
            .map(|request| String::from_utf8(request.to_server()).unwrap());
        Some((wanted.to.host.to_string(), wanted.to.port, forward))
    }

    #[test]
    fn requests_say_where_they_go() {
        assert_eq!(
            wanted("CONNECT crates.io:443 HTTP/1.1\r\nHost: other\r\n\r\n"),
            Some(("crates.io".into(), 443, None))
        );
        assert_eq!(
            wanted("GET http://Example.com:8080/a?b HTTP/1.1\r\nhost: evil.example\r\nAccept: x\r\nProxy-Connection: keep-alive\r\n\r\n"),
            Some((
                "example.com".into(),
                8080,
                Some("GET /a?b HTTP/1.1\r\nHost: Example.com:8080\r\nConnection: close\r\nAccept: x\r\n\r\n".into())
            ))
        );
    }

    #[test]
    fn what_is_no_name_goes_nowhere() {
        for target in [
            "CONNECT 127.0.0.1:443",
            "CONNECT [::1]:443",
            "CONNECT a\0b:443",
            "CONNECT a:99999",
            "CONNECT a",
            "GET /",
            "GET https://a/",
            "GET http://user@a/",
            "GET http://127.1/",
        ] {
            assert_eq!(
                wanted(&format!("{target} HTTP/1.1\r\n\r\n")),
                None,
                "{target}"
            );
        }
        for (head, shown) in [
            (
                "CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n",
                Some("10.0.0.1:443"),
            ),
            ("GET http://10.0.0.1/a?b HTTP/1.1\r\n\r\n", Some("10.0.0.1")),
            ("GET\r\n\r\n", None),
        ] {
            assert_eq!(target(head.as_bytes()).as_deref(), shown, "{head}");
        }
    }
}
