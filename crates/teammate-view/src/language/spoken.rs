//! The languages that the program speaks, and the one of this process. What is said in it is not decided here.

use std::{cell::Cell, fmt, str::FromStr, sync::OnceLock};

use serde::Deserialize;

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
