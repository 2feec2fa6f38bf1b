//! The language of the texts that people read, and how a text is said in it. It is not for what models, records and scripts read:
//! those stay English.
//!
//! The English text stands in the code where it is worded and is the key, as with gettext: `t("needs you")`, and with holes
//! `t!("{count} more", count)`. In English nothing is looked up. Of another language the catalogue (`locales/`, `.po` files, which
//! every tool of translators reads) is in the program and is read when the first text is asked for. Chinese has one plural, so
//! that English keeps its own functions for plurals. What lower crates say as a finished sentence is translated where it is
//! printed: [`translated_sentence`].

mod catalogue;
mod sentences;
mod spoken;
mod template;

use std::borrow::Cow;

use self::catalogue::Catalogue;
pub use self::{
    spoken::{Language, choose_language, in_language, language},
    template::filled,
};

/// The text in the language of the process; the English one where the catalogue lacks it.
pub fn t(english: &str) -> &str {
    translation(english).unwrap_or(english)
}

/// The text of a template in the language of the process: `t!("{done} of {total} done", done, total = all.len())`. The holes have
/// names, so that another language may have them in another order; what stands in one is formatted before.
#[macro_export]
macro_rules! t {
    (@value $name:ident) => { $name };
    (@value $name:ident = $value:expr) => { $value };
    ($english:literal $(, $name:ident $(= $value:expr)?)+ $(,)?) => {
        match $crate::language::translation($english) {
            None => format!($english $(, $name = $crate::t!(@value $name $(= $value)?))+),
            Some(template) => $crate::language::filled(
                template,
                &[$((stringify!($name), &$crate::t!(@value $name $(= $value)?))),+],
            ),
        }
    };
}

/// The template in the language of the process; nothing in English, or where the catalogue lacks it.
pub fn translation(english: &str) -> Option<&'static str> {
    Catalogue::of(language())?.get(english)
}

/// A finished English sentence (an error, a hint) in the language of the process: found by its template in the catalogue, and
/// what stands in the template's holes likewise. What is not found stays English.
pub fn translated_sentence(english: &str) -> Cow<'_, str> {
    match Catalogue::of(language()) {
        Some(catalogue) => Cow::Owned(sentences::translated(catalogue, english)),
        None => Cow::Borrowed(english),
    }
}

/// The texts of the page in the language of the process, by the English ones; none in English.
pub fn page_texts() -> Vec<(&'static str, &'static str)> {
    let catalogue = Catalogue::of(language());
    catalogue.map_or_else(Vec::new, Catalogue::page)
}

/// A page with its texts, between elements and in what names them, in the language of the process.
pub fn translated_page(html: &str) -> Cow<'_, str> {
    let texts = page_texts();
    if texts.is_empty() {
        return Cow::Borrowed(html);
    }
    let tag = language().tag();
    let mut page = html.replacen("lang=\"en\"", &format!("lang=\"{tag}\""), 1);
    for (english, text) in texts {
        for (before, after) in [
            (">", "<"),
            ("aria-label=\"", "\""),
            ("title=\"", "\""),
            ("placeholder=\"", "\""),
        ] {
            let said = format!("{before}{text}{after}");
            page = page.replace(&format!("{before}{english}{after}"), &said);
        }
    }
    Cow::Owned(page)
}

#[cfg(test)]
mod tests;
