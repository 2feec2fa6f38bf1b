//! The page itself: one shell for every address, without any secret, and its scripts and styles. All of it is in the binary.

use std::{borrow::Cow, sync::OnceLock};

use axum::{
    Router,
    http::{HeaderValue, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Map, Value};
use teammate_view::language::{Language, language, page_texts, translated_page};

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

/// The script that says each text in the language of the user, before all others.
const WORDS: (&str, &str) = ("/words.js", include_str!("page/words.js"));

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
    static TRANSLATED: OnceLock<Cow<'static, str>> = OnceLock::new();
    text(
        TRANSLATED.get_or_init(|| translated_page(SHELL)),
        "text/html; charset=utf-8",
    )
}

/// The script with the texts of the page; it has none in English.
fn words() -> &'static str {
    static WORDS_HERE: OnceLock<Cow<'static, str>> = OnceLock::new();
    WORDS_HERE.get_or_init(|| match language() {
        Language::English => Cow::Borrowed(WORDS.1),
        Language::Chinese => Cow::Owned(translated_words()),
    })
}

fn translated_words() -> String {
    let texts = page_texts().into_iter();
    let texts: Map<String, Value> = texts
        .map(|(english, text)| (english.to_owned(), text.into()))
        .collect();
    let texts = format!("const texts = {};", Value::Object(texts));
    WORDS.1.replacen("const texts = {};", &texts, 1)
}

/// The files of the page, each at its own address.
pub(crate) fn files<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let scripts = SCRIPTS.into_iter().chain([ACTING]);
    let scripts = scripts.map(|file| (file, "text/javascript; charset=utf-8"));
    let styles = STYLES.map(|file| (file, "text/css; charset=utf-8"));
    let words_route = get(async || text(words(), "text/javascript; charset=utf-8"));
    let mut files = Router::new().route(WORDS.0, words_route);
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
    use teammate_view::language::in_language;

    use super::*;

    /// Of all that a browser needs before it shows anything.
    const BYTES_MAX: usize = 120 << 10;

    /// The texts of the shell: between elements, and what names them.
    fn texts_of_shell() -> Vec<&'static str> {
        let between = SHELL.split('>').filter_map(|part| part.split('<').next());
        let named = ["aria-label=\"", "title=\"", "placeholder=\""];
        let named = named.into_iter().flat_map(|name| SHELL.split(name).skip(1));
        let named = named.filter_map(|part| part.split('"').next());
        let is_said = |text: &&str| text.chars().filter(|c| c.is_alphabetic()).count() > 2;
        between
            .chain(named)
            .map(str::trim)
            .filter(is_said)
            .collect()
    }

    #[test]
    fn every_text_of_the_shell_is_in_the_language_of_the_user() {
        in_language(Language::Chinese, || {
            let (texts, shell) = (page_texts(), translated_page(SHELL));
            for english in texts_of_shell() {
                let has = texts.iter().any(|(key, _)| *key == english);
                assert!(has || KEPT.contains(&english), "page.po lacks {english:?}");
            }
            assert!(
                shell.contains("lang=\"zh-CN\"") && shell.contains(">团队<"),
                "{shell}"
            );
            assert!(translated_words().contains("\"Team\":\"团队\""));
        });
        assert_eq!(words(), WORDS.1);
    }

    /// Names stay as they are.
    const KEPT: [&str; 2] = ["teammate", "lead"];

    #[test]
    fn the_files_of_the_page_are_small_and_ask_nobody_else() {
        let files = SCRIPTS.iter().chain([&ACTING, &WORDS]).chain(&STYLES);
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
