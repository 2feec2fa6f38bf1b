//! The language in which the program speaks with people: the flag, then the configuration, then the environment as other programs
//! read it. It is chosen before all else is read, since help and errors are in it, too; what is wrong with the flag or the file is
//! said by those who read them.

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use etcetera::BaseStrategy as _;
use serde::Deserialize;
use teammate::platform::read_regular_text;
use teammate_view::language::{Language, choose_language};

/// Flags and verbs whose output programs read: what they say stays as those programs know it.
const OF_MACHINES: [&str; 7] = [
    "--json",
    "--output-format=json",
    "--output-format=stream-json",
    "json",
    "stream-json",
    "acp",
    "as-claude",
];

/// Variables of the environment that name a locale; the first that says something counts.
const LOCALES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// Chooses the language by the words of the command line.
pub(crate) fn choose() {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(language) = of_command_line(&words) {
        choose_language(language);
    }
}

fn of_command_line(words: &[OsString]) -> Option<Language> {
    let words = || words.iter().take_while(|word| *word != "--");
    if words().any(|word| OF_MACHINES.iter().any(|known| word == known)) || is_server(words()) {
        return None;
    }
    let named = |flag| value(words(), flag);
    let flag = named("--lang").and_then(|word| word.to_str()?.parse().ok());
    flag.or_else(|| configured(named("--config")))
        .or_else(of_environment)
}

/// Whether it is `mcp serve`, which models read.
fn is_server<'a>(words: impl Iterator<Item = &'a OsString>) -> bool {
    let verbs: Vec<_> = words
        .filter(|word| *word == "mcp" || *word == "serve")
        .collect();
    verbs == ["mcp", "serve"]
}

/// The value of a flag, behind it or in the word after it.
fn value<'a>(words: impl Iterator<Item = &'a OsString>, flag: &str) -> Option<OsString> {
    let mut words = words;
    while let Some(word) = words.next() {
        if word == flag {
            return words.next().cloned();
        }
        let joined = word
            .to_str()
            .and_then(|word| word.strip_prefix(flag)?.strip_prefix('='));
        if let Some(value) = joined {
            return Some(value.into());
        }
    }
    None
}

/// The language of the configuration file. One that is no regular file can be read once only, which its user does.
fn configured(named: Option<OsString>) -> Option<Language> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct File {
        ui: crate::settings::UiTable,
    }
    let named = named.or_else(|| std::env::var_os("TEAMMATE_CONFIG"));
    let usual = || {
        Some(
            etcetera::choose_base_strategy()
                .ok()?
                .config_dir()
                .join("teammate/config.toml"),
        )
    };
    let path = named.map(PathBuf::from).or_else(usual)?;
    let file: File = toml::from_str(&read_regular_text(&path).ok()?).ok()?;
    file.ui.language
}

fn of_environment() -> Option<Language> {
    let said = LOCALES.iter().filter_map(std::env::var_os);
    let first = said.into_iter().find(|locale| locale != OsStr::new(""))?;
    Language::of_locale(first.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<Language> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        of_command_line(&words)
    }

    #[test]
    fn the_flag_says_the_language_and_what_programs_read_has_none() {
        assert_eq!(of("team --lang zh-CN"), Some(Language::Chinese));
        assert_eq!(of("--lang=zh-CN run x"), Some(Language::Chinese));
        assert_eq!(of("--lang en run x"), Some(Language::English));
        for line in [
            "team --lang zh-CN --json",
            "run --lang zh-CN --output-format stream-json x",
            "mcp serve --lang zh-CN",
            "acp --lang=zh-CN",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn the_configuration_says_it_where_no_flag_does() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.toml");
        std::fs::write(&file, "model = 1\n[ui]\nlanguage = \"zh-CN\"\n").unwrap();
        let line = format!("--config {} team", file.display());
        assert_eq!(of(&line), Some(Language::Chinese));
        assert_eq!(of(&format!("{line} --lang en")), Some(Language::English));
    }
}
