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

use std::{borrow::Cow, cell::Cell, fmt, str::FromStr, sync::OnceLock};

use serde::Deserialize;

use self::catalogue::Catalogue;

/// The language of this process; English until it is chosen.
static CHOSEN: OnceLock<Language> = OnceLock::new();

thread_local! {
    static HERE: Cell<Option<Language>> = const { Cell::new(None) };
}

/// A language in which the program speaks with people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Language {
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Its tag, as settings and pages write it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language of a locale as `LANG` has it: `zh_CN.UTF-8`. `None` if the program does not speak it.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let name = name.replace('_', "-").to_lowercase();
        match &*name {
            "zh" | "zh-cn" | "zh-sg" | "zh-hans" | "zh-hans-cn" | "zh-hans-sg" => {
                Some(Self::Chinese)
            }
            "en" | "c" | "posix" => Some(Self::English),
            name if name.starts_with("en-") => Some(Self::English),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let known = (!word.is_empty()).then(|| Self::of_locale(word)).flatten();
        known.ok_or_else(|| {
            let all = Self::ALL.map(Self::tag).join(" or ");
            format!("'{word}' is no language that teammate speaks: write {all}")
        })
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

/// Chooses the language of this process. The first choice stays.
pub fn choose_language(language: Language) {
    // A second one would leave texts of both.
    let _ = CHOSEN.set(language);
}

/// The language in which texts are said.
pub fn language() -> Language {
    let chosen = || CHOSEN.get().copied().unwrap_or_default();
    HERE.get().unwrap_or_else(chosen)
}

/// Does something in a language, on this thread: for what shows a screen in each of them.
pub fn in_language<T>(language: Language, doing: impl FnOnce() -> T) -> T {
    let before = HERE.replace(Some(language));
    let done = doing();
    HERE.set(before);
    done
}

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

/// A template with its holes filled. One that nobody fills stays as it is.
pub fn filled(template: &str, values: &[(&str, &dyn fmt::Display)]) -> String {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, name, after)) = next_hole(rest) {
        text.push_str(before);
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => text.push_str(&value.to_string()),
            None => text.push_str(&format!("{{{name}}}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text.replace("{{", "{").replace("}}", "}")
}

/// The text before the first hole, its name without a format, and the rest.
fn next_hole(template: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + template.get(from..)?.find('{')?;
        if template.get(at + 1..)?.starts_with('{') {
            from = at + 2;
            continue;
        }
        let (before, hole) = template.split_at(at);
        let (hole, after) = hole.get(1..)?.split_once('}')?;
        let name = hole.split(':').next().unwrap_or_default();
        return Some((before, name, after));
    }
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
