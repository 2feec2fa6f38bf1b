//! The look at every request before anything else: that it is meant for this server, that no other page sends it, and that
//! nothing in its form leaves a doubt what it is.

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};

use crate::{page_host::PageHost, refusal::PageRefusal};

/// The names by which a browser may call this server.
#[derive(Debug, Clone)]
pub(crate) struct RequestGuard {
    /// Each `Host`, with the `Origin` of a page of it.
    hosts: Vec<(String, String)>,
}

/// Headers that make a request another one than it looks like, for somebody on the way.
const ODD_HEADERS: [&str; 6] = [
    "upgrade",
    "http2-settings",
    "x-http-method-override",
    "x-http-method",
    "x-method-override",
    "service-worker",
];

impl RequestGuard {
    /// For this port of the loopback address, and for the name of the user's own proxy.
    pub(crate) fn new(port: u16, name: Option<&PageHost>) -> Self {
        let own = ["127.0.0.1", "localhost"].map(|host| {
            let host = format!("{host}:{port}");
            let origin = format!("http://{host}");
            (host, origin)
        });
        let proxied = name.map(|name| (name.to_string(), format!("https://{name}")));
        Self {
            hosts: own.into_iter().chain(proxied).collect(),
        }
    }

    /// Errors: the request is not for this server, or not from its page.
    pub(crate) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), PageRefusal> {
        let no = |status, text: &str| Err(PageRefusal::new(status, text));
        if uri.authority().is_some() || uri.scheme().is_some() {
            return no(StatusCode::BAD_REQUEST, "the address is a path here");
        }
        let origin = self.origin_of(headers)?;
        if method != Method::GET && method != Method::POST {
            return no(
                StatusCode::METHOD_NOT_ALLOWED,
                "only GET and POST are answered",
            );
        }
        if !is_plain(uri.path()) {
            return no(
                StatusCode::BAD_REQUEST,
                "the path has characters that no path of this page has",
            );
        }
        let is_upgrade = headers.get_all(header::CONNECTION).iter().any(|value| {
            let value = value.to_str().unwrap_or("upgrade").to_ascii_lowercase();
            value.contains("upgrade") || value.contains("http2-settings")
        });
        if is_upgrade || ODD_HEADERS.iter().any(|name| headers.contains_key(*name)) {
            return no(
                StatusCode::BAD_REQUEST,
                "this server speaks plain HTTP/1.1 only",
            );
        }
        let from = one(headers, &header::ORIGIN)?;
        if from.is_some_and(|from| from != origin) {
            return no(StatusCode::FORBIDDEN, "another page asks");
        }
        match one(headers, &HeaderName::from_static("sec-fetch-site"))? {
            None | Some("same-origin" | "none") => Ok(()),
            // Somebody opens the page from elsewhere, as from the file that begins with it: a shell without any secret.
            Some(_) if is_opened(method, headers) && is_shell(uri) => Ok(()),
            Some(_) => no(StatusCode::FORBIDDEN, "another page asks"),
        }
    }

    /// The origin of pages of the host that is asked for.
    fn origin_of(&self, headers: &HeaderMap) -> Result<&str, PageRefusal> {
        let host = one(headers, &header::HOST)?;
        let known = self
            .hosts
            .iter()
            .find(|(known, _)| Some(known.as_str()) == host);
        known.map(|(_, origin)| origin.as_str()).ok_or_else(|| {
            let names: Vec<&str> = self.hosts.iter().map(|(host, _)| host.as_str()).collect();
            let text = format!(
                "this server is {}; start it with --name for another",
                names.join(" and ")
            );
            PageRefusal::new(StatusCode::MISDIRECTED_REQUEST, text)
        })
    }
}

/// The one value of a header.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, PageRefusal> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    let odd = || {
        PageRefusal::new(
            StatusCode::BAD_REQUEST,
            format!("{name} is there twice, or is no text"),
        )
    };
    if values.next().is_some() {
        return Err(odd());
    }
    first
        .map(|value| value.to_str().map_err(|_| odd()))
        .transpose()
}

/// Whether every character of the path is one that paths of this page have, and it names nothing above. Names of members have
/// letters of any script, which are escaped there; nothing else is.
fn is_plain(path: &str) -> bool {
    let is_known = |c: u8| c.is_ascii_alphanumeric() || b"/-_:.".contains(&c);
    let mut escapes = path.split('%');
    let is_begin_known = escapes
        .next()
        .is_some_and(|begin| begin.bytes().all(is_known));
    let is_escape = |text: &str| match text.as_bytes() {
        [b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', low, rest @ ..] => {
            low.is_ascii_hexdigit() && rest.iter().all(|c| is_known(*c))
        }
        _ => false,
    };
    is_begin_known && escapes.all(is_escape) && !path.contains("//") && !path.contains("..")
}

fn is_opened(method: &Method, headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|given| given == value);
    method == Method::GET && is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document")
}

/// Whether this is the page itself, the same for everybody.
pub(crate) fn is_shell(uri: &Uri) -> bool {
    let first = uri.path().split('/').nth(1).unwrap_or_default();
    !matches!(first, "h" | "j" | "v" | "live" | "teams")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_letters_of_any_script_and_nothing_else_that_is_escaped() {
        for plain in [
            "/",
            "/h/m:alice",
            "/m/%E5%89%8D%E7%AB%AF",
            "/h/call/m%C3%BCller/3",
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in [
            "/m/%2e%2e",
            "/m/a%2Fb",
            "/m/%",
            "/m/%E",
            "/m/%zz",
            "/m/%00",
            "/m/a b",
            "//m",
            "/m/..",
        ] {
            assert!(!is_plain(odd), "{odd}");
        }
    }
}
