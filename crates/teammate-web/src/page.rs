//! The page itself: one shell for every address, without any secret, and its scripts and styles. All of it is in the binary.

use axum::{
    Router,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::get,
};

const SHELL: &str = include_str!("page/shell.html");

const SCRIPTS: [(&str, &str); 12] = [
    ("/page.js", include_str!("page/page.js")),
    ("/place.js", include_str!("page/place.js")),
    ("/live.js", include_str!("page/live.js")),
    ("/needs.js", include_str!("page/needs.js")),
    ("/draw.js", include_str!("page/draw.js")),
    ("/keys.js", include_str!("page/keys.js")),
    ("/wishes.js", include_str!("page/wishes.js")),
    ("/review.js", include_str!("page/review.js")),
    ("/chart.js", include_str!("page/chart.js")),
    ("/rest.js", include_str!("page/rest.js")),
    ("/pictures.js", include_str!("page/pictures.js")),
    ("/find.js", include_str!("page/find.js")),
];

/// The script that begins the page, after all others.
const ACTING: (&str, &str) = ("/act.js", include_str!("page/act.js"));

const STYLES: [(&str, &str); 3] = [
    ("/page.css", include_str!("page/page.css")),
    ("/parts.css", include_str!("page/parts.css")),
    ("/drawn.css", include_str!("page/drawn.css")),
];

/// The most bytes of each file by hand.
#[cfg(test)]
const FILE_BYTES_MAX: usize = 8 << 10;

pub(crate) fn shell() -> Response {
    text(SHELL, "text/html; charset=utf-8")
}

/// The files of the page, each at its own address.
pub(crate) fn files<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let scripts = SCRIPTS.into_iter().chain([ACTING]);
    let scripts = scripts.map(|file| (file, "text/javascript; charset=utf-8"));
    let styles = STYLES.map(|file| (file, "text/css; charset=utf-8"));
    let mut files = Router::new();
    for ((path, file), kind) in scripts.chain(styles) {
        files = files.route(path, get(async move || text(file, kind)));
    }
    files
}

fn text(text: &'static str, kind: &'static str) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all that a browser needs before it shows anything.
    const BYTES_MAX: usize = 120 << 10;

    #[test]
    fn the_files_of_the_page_are_small_and_ask_nobody_else() {
        let files = SCRIPTS.iter().chain([&ACTING]).chain(&STYLES);
        let mut sum = SHELL.len();
        for (path, file) in files.chain([&("/", SHELL)]) {
            assert!(file.len() <= FILE_BYTES_MAX, "{path}: {} bytes", file.len());
            sum += file.len();
            let addresses = file.replace("http://www.w3.org/2000/svg", "");
            assert!(!addresses.contains("http://") && !addresses.contains("https://"));
            assert!(
                path == &"/" || SHELL.contains(&format!("\"{path}\"")),
                "{path}"
            );
        }
        assert!(sum <= BYTES_MAX, "{sum} bytes");
    }
}
