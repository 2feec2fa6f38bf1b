//! The tables `[ui]`, `[keys]`, `[theme]` and `[notify]` of the configuration: what people want of the prompt's screens. All of it is
//! looked through when the file is read, whichever screen there is.

use serde::Deserialize;
use teammate_view::{
    Language, Motion,
    keys::{KeySettings, KeyTable},
    theme::ThemeSettings,
};

/// Settings of the screen; those that are not set have their defaults.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    not(feature = "tui"),
    expect(dead_code, reason = "there are no keys and no colours")
)]
pub(crate) struct FaceSettings {
    pub(crate) keys: KeyTable,
    pub(crate) theme: ThemeSettings,
    pub(crate) ui: UiTable,
}

/// `[ui]`.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UiTable {
    /// The language in which the program speaks with people; it is chosen before all else is read.
    pub(crate) language: Option<Language>,
    /// Whether clicks and the wheel are the screen's.
    pub(crate) mouse: bool,
    pub(crate) motion: Motion,
}

/// `[keys]`, without clashes.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(try_from = "KeySettings")]
pub(super) struct KeysSetting(pub(super) KeyTable);

impl TryFrom<KeySettings> for KeysSetting {
    type Error = String;

    fn try_from(settings: KeySettings) -> Result<Self, String> {
        let table = KeyTable::new(&settings).map_err(|flaws| {
            let flaws: Vec<String> = flaws.iter().map(ToString::to_string).collect();
            flaws.join("\n")
        })?;
        Ok(Self(table))
    }
}

/// `[notify]`.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NotifyTable {
    command: Option<NotifyLine>,
}

/// A line for a shell.
#[derive(Deserialize, Debug, Clone)]
#[serde(try_from = "String")]
struct NotifyLine(String);

impl TryFrom<String> for NotifyLine {
    type Error = &'static str;

    fn try_from(line: String) -> Result<Self, Self::Error> {
        if line.trim().is_empty() {
            return Err("[notify] command: write a line for the shell, or leave it out");
        }
        Ok(Self(line))
    }
}

impl NotifyTable {
    /// The command line, if there is one.
    pub(super) fn command(self) -> Option<String> {
        self.command.map(|NotifyLine(line)| line)
    }
}
