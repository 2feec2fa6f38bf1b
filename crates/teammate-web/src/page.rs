//! The page itself: one shell for every address, without any secret, and its script and style. All of it is in the binary.

use axum::{
    http::{HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};

const SHELL: &str = include_str!("page/shell.html");
const SCRIPT: &str = include_str!("page/page.js");
const ACTING: &str = include_str!("page/act.js");
const DRAWING: &str = include_str!("page/draw.js");
const STYLE: &str = include_str!("page/page.css");

/// The most bytes of each file by hand.
#[cfg(test)]
const FILE_BYTES_MAX: usize = 8 << 10;

pub(crate) fn shell() -> Response {
    text(SHELL, "text/html; charset=utf-8")
}

pub(crate) fn script() -> Response {
    text(SCRIPT, "text/javascript; charset=utf-8")
}

pub(crate) fn acting() -> Response {
    text(ACTING, "text/javascript; charset=utf-8")
}

pub(crate) fn drawing() -> Response {
    text(DRAWING, "text/javascript; charset=utf-8")
}

pub(crate) fn style() -> Response {
    text(STYLE, "text/css; charset=utf-8")
}

fn text(text: &'static str, kind: &'static str) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_page_are_small_and_ask_nobody_else() {
        for file in [SHELL, SCRIPT, ACTING, DRAWING, STYLE] {
            assert!(file.len() <= FILE_BYTES_MAX, "{} bytes", file.len());
            let addresses = file.replace("http://www.w3.org/2000/svg", "");
            assert!(!addresses.contains("http://") && !addresses.contains("https://"));
        }
    }
}
