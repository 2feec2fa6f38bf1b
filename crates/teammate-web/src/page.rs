//! The page itself: one shell for every address, without any secret, and its script and style. All of it is in the binary.

use axum::{
    Router,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::get,
};

const SHELL: &str = include_str!("page/shell.html");
const SCRIPT: &str = include_str!("page/page.js");
const LIVE: &str = include_str!("page/live.js");
const ACTING: &str = include_str!("page/act.js");
const KEYS: &str = include_str!("page/keys.js");
const DRAWING: &str = include_str!("page/draw.js");
const STYLE: &str = include_str!("page/page.css");

/// The most bytes of each file by hand.
#[cfg(test)]
const FILE_BYTES_MAX: usize = 8 << 10;

pub(crate) fn shell() -> Response {
    text(SHELL, "text/html; charset=utf-8")
}

/// The files of the page, each at its own address.
pub(crate) fn files<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let scripts = [
        ("/page.js", SCRIPT),
        ("/live.js", LIVE),
        ("/act.js", ACTING),
        ("/keys.js", KEYS),
        ("/draw.js", DRAWING),
    ];
    let mut files = Router::new().route(
        "/page.css",
        get(async || text(STYLE, "text/css; charset=utf-8")),
    );
    for (path, script) in scripts {
        let answer = async move || text(script, "text/javascript; charset=utf-8");
        files = files.route(path, get(answer));
    }
    files
}

fn text(text: &'static str, kind: &'static str) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_page_are_small_and_ask_nobody_else() {
        for file in [SHELL, SCRIPT, LIVE, ACTING, KEYS, DRAWING, STYLE] {
            assert!(file.len() <= FILE_BYTES_MAX, "{} bytes", file.len());
            let addresses = file.replace("http://www.w3.org/2000/svg", "");
            assert!(!addresses.contains("http://") && !addresses.contains("https://"));
        }
    }
}
