//! The catalogue of a language: what each English text is in it. It is read from `.po` files (`msgid`, `msgstr`), which are in the
//! program, and knows nothing of who asks.

use std::{collections::HashMap, sync::OnceLock};

use super::spoken::Language;

/// The texts of a part of the program.
struct Part {
    text: &'static str,
    /// Whether its templates are those of finished sentences.
    of_sentences: bool,
}

/// Parts: what screens show, what the program prints, its help, errors with their hints, and what clap says itself.
const CHINESE: [Part; 5] = [
    Part {
        text: include_str!("../../locales/zh-CN/screens.po"),
        of_sentences: false,
    },
    Part {
        text: include_str!("../../locales/zh-CN/program.po"),
        of_sentences: false,
    },
    Part {
        text: include_str!("../../locales/zh-CN/help.po"),
        of_sentences: false,
    },
    Part {
        text: include_str!("../../locales/zh-CN/errors.po"),
        of_sentences: true,
    },
    Part {
        text: include_str!("../../locales/zh-CN/clap.po"),
        of_sentences: true,
    },
];

/// The texts of the page's scripts and its shell.
const CHINESE_PAGE: &str = include_str!("../../locales/zh-CN/page.po");

/// All texts of a language.
pub(super) struct Catalogue {
    texts: HashMap<String, String>,
    /// English texts of the page, in their order.
    page: Vec<(String, String)>,
    /// English templates of finished sentences.
    pub(super) sentences: Vec<String>,
}

impl Catalogue {
    /// The catalogue of a language; none of English, which the code has.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        static READ: OnceLock<Catalogue> = OnceLock::new();
        match language {
            Language::English => None,
            Language::Chinese => Some(READ.get_or_init(|| Self::read(&CHINESE, CHINESE_PAGE))),
        }
    }

    fn read(parts: &[Part], page: &str) -> Self {
        let (mut texts, mut sentences) = (HashMap::new(), Vec::new());
        for part in parts {
            for (english, text) in entries(part.text) {
                if part.of_sentences {
                    sentences.push(english.clone());
                }
                texts.insert(english, text);
            }
        }
        Self {
            texts,
            page: entries(page),
            sentences,
        }
    }

    /// What an English text is in this language.
    pub(super) fn get(&'static self, english: &str) -> Option<&'static str> {
        self.texts.get(english).map(String::as_str)
    }

    pub(super) fn page(&'static self) -> Vec<(&'static str, &'static str)> {
        let pairs = self.page.iter();
        pairs.map(|(english, text)| (&**english, &**text)).collect()
    }
}

/// The entries of a `.po` file that are translated. Comments, and what a line that is none of these says, are passed over.
pub(super) fn entries(file: &str) -> Vec<(String, String)> {
    /// Which text the lines that follow go on with.
    enum Of {
        English,
        Translated,
    }
    let (mut entries, mut of) = (Vec::<(String, String)>::new(), Of::Translated);
    for line in file.lines() {
        let quoted = if let Some(english) = line.strip_prefix("msgid ") {
            entries.push(Default::default());
            of = Of::English;
            english
        } else if let Some(text) = line.strip_prefix("msgstr ") {
            of = Of::Translated;
            text
        } else {
            line
        };
        let quoted = quoted
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        if let (Some(text), Some(last)) = (quoted, entries.last_mut()) {
            match of {
                Of::English => last.0.push_str(&unescaped(text)),
                Of::Translated => last.1.push_str(&unescaped(text)),
            }
        }
    }
    // The first entry of a file has no key and says what the file is.
    entries.retain(|(english, text)| !english.is_empty() && !text.is_empty());
    entries
}

fn unescaped(text: &str) -> String {
    let (mut plain, mut letters) = (String::with_capacity(text.len()), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            other => plain.push(other),
        }
    }
    plain
}
