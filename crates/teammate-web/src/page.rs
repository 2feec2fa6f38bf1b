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

/// The script that says each text in the language of the user, before all others.
const WORDS: &str = include_str!("page/words.js");

/// The other scripts, the one that begins the page last.
const SCRIPTS: [&str; 14] = [
    include_str!("page/page.js"),
    include_str!("page/place.js"),
    include_str!("page/live.js"),
    include_str!("page/needs.js"),
    include_str!("page/draw.js"),
    include_str!("page/keys.js"),
    include_str!("page/wishes.js"),
    include_str!("page/review.js"),
    include_str!("page/chart.js"),
    include_str!("page/rest.js"),
    include_str!("page/pictures.js"),
    include_str!("page/find.js"),
    include_str!("page/teams.js"),
    include_str!("page/act.js"),
];

const STYLES: [&str; 3] = [
    include_str!("page/page.css"),
    include_str!("page/parts.css"),
    include_str!("page/drawn.css"),
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

/// All scripts in their order, with the texts of the page: it has none in English.
fn script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| {
        let words = match language() {
            Language::English => Cow::Borrowed(WORDS),
            Language::Chinese => Cow::Owned(translated_words()),
        };
        let all = std::iter::once(&*words).chain(SCRIPTS);
        all.collect::<Vec<_>>().join("\n")
    })
}

/// All styles in their order.
fn style() -> &'static str {
    static STYLE: OnceLock<String> = OnceLock::new();
    STYLE.get_or_init(|| STYLES.join("\n"))
}

fn translated_words() -> String {
    let texts = page_texts().into_iter();
    let texts: Map<String, Value> = texts
        .map(|(english, text)| (english.to_owned(), text.into()))
        .collect();
    let texts = format!("const texts = {};", Value::Object(texts));
    WORDS.replacen("const texts = {};", &texts, 1)
}

/// The files of the page. Scripts go out as one, and styles as one: each more would have a browser wait longer than their bytes do.
pub(crate) fn files<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let scripts = get(async || text(script(), "text/javascript; charset=utf-8"));
    let styles = get(async || text(style(), "text/css; charset=utf-8"));
    Router::new()
        .route("/page.js", scripts)
        .route("/page.css", styles)
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
            // What scripts look for stays.
            let ids = |shell: &str| {
                let ids = shell.split("id=\"").skip(1);
                let ids = ids.filter_map(|part| Some(part.split_once('"')?.0.to_owned()));
                ids.collect::<Vec<String>>()
            };
            assert_eq!(ids(&shell), ids(SHELL));
            assert!(translated_words().contains("\"Team\":\"团队\""));
        });
    }

    /// Names stay as they are.
    const KEPT: [&str; 2] = ["teammate", "lead"];

    /// A variable of that name would take the place of the function that says texts.
    #[test]
    fn no_script_calls_anything_else_t() {
        for script in SCRIPTS {
            for shadow in [
                "const t ", "const t=", "let t ", "let t=", "(t)", "t =>", "(t,", ", t)", "{t,",
                ", t}",
            ] {
                let begins_a_word = |(at, _): &(usize, &str)| {
                    let before = script[..*at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
                };
                let found = script.match_indices(shadow).find(begins_a_word);
                let line = found.map(|(at, _)| script[..at].lines().last());
                assert_eq!(line, None, "{shadow}");
            }
        }
    }

    #[test]
    fn the_files_of_the_page_are_small_and_ask_nobody_else() {
        let files = SCRIPTS.iter().chain([&WORDS]).chain(&STYLES);
        let mut sum = SHELL.len();
        for file in files.chain([&SHELL]) {
            let begin = file.lines().next().unwrap();
            assert!(file.len() <= FILE_BYTES_MAX, "{begin}: {}", file.len());
            sum += file.len();
            let addresses = file.replace("http://www.w3.org/2000/svg", "");
            assert!(!addresses.contains("http://") && !addresses.contains("https://"));
        }
        assert!(sum <= BYTES_MAX, "{sum} bytes");
    }
}
