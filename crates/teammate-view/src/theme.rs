//! The person's wishes for colours: the table `[theme]` of the configuration. What a terminal makes of it is not decided
//! here.

use std::{fmt, str::FromStr};

use serde::Deserialize;
use teammate_core::name::{edit_distance, slips_max};

/// Which colours there are to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemePreset {
    /// The terminal's own sixteen colours, which fit its background.
    #[default]
    Terminal,
    /// Chosen for a dark background.
    Dark,
    /// Chosen for a light background.
    Light,
    /// Nothing is dim, and what matters is reversed: for eyes and rooms that need it.
    Contrast,
    /// None: `NO_COLOR`, or a terminal without colours.
    None,
}

/// Colours for the parts of a screen, in place of those of the preset.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ThemeSettings {
    /// The theme that the others begin with.
    pub preset: ThemePreset,
    /// Rules and what is beside the point.
    pub dim: Option<ThemeColour>,
    /// Text that stands out.
    pub strong: Option<ThemeColour>,
    /// Names of members.
    pub name: Option<ThemeColour>,
    /// Success, and added lines.
    pub good: Option<ThemeColour>,
    /// Failure, and removed lines.
    pub bad: Option<ThemeColour>,
    /// Things that need the person.
    pub attention: Option<ThemeColour>,
    /// Members that wait for a machine.
    pub waits: Option<ThemeColour>,
    pub code: Option<ThemeColour>,
    /// The chosen row: what is behind its text.
    pub chosen: Option<ThemeColour>,
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum ThemeColour {
    /// One of the terminal's own sixteen, by its number.
    Ansi(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// A text that names no colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColour(String);

/// The terminal's own colours, by their number.
const NAMES: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

impl FromStr for ThemeColour {
    type Err = UnknownColour;

    fn from_str(text: &str) -> Result<Self, UnknownColour> {
        let named = (0..).zip(NAMES).find(|(_, name)| *name == text);
        let ansi = named.map(|(number, _)| Self::Ansi(number));
        ansi.or_else(|| rgb(text))
            .ok_or_else(|| UnknownColour(text.to_owned()))
    }
}

/// `#rrggbb`.
fn rgb(text: &str) -> Option<ThemeColour> {
    let digits = text.strip_prefix('#')?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if digits.len() != 6 || !are_digits {
        return None;
    }
    let part = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some(ThemeColour::Rgb(part(0)?, part(2)?, part(4)?))
}

impl TryFrom<String> for ThemeColour {
    type Error = UnknownColour;

    fn try_from(text: String) -> Result<Self, UnknownColour> {
        text.parse()
    }
}

impl fmt::Display for UnknownColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text) = self;
        write!(f, "{text:?} is no colour")?;
        let slips = |name: &&str| edit_distance(text, name);
        let nearest = NAMES.into_iter().min_by_key(slips);
        match nearest.filter(|name| slips(name) <= slips_max(text.chars().count())) {
            Some(name) => write!(f, "; did you mean {name}?"),
            None => write!(f, ". Write #rrggbb or one of: {}", NAMES.join(", ")),
        }
    }
}

impl std::error::Error for UnknownColour {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_a_name_of_the_terminal_or_six_digits() {
        for (text, colour) in [
            ("black", ThemeColour::Ansi(0)),
            ("cyan", ThemeColour::Ansi(6)),
            ("bright-red", ThemeColour::Ansi(9)),
            ("#0a10FF", ThemeColour::Rgb(10, 16, 255)),
        ] {
            assert_eq!(text.parse(), Ok(colour), "{text}");
        }
        for text in [
            "", "#12345", "#1234567", "#12345g", "#+12345", "123456", "#é1234",
        ] {
            assert!(text.parse::<ThemeColour>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_colour_says_which_are() {
        let why = |text: &str| text.parse::<ThemeColour>().unwrap_err().to_string();
        assert_eq!(why("grean"), r#""grean" is no colour; did you mean green?"#);
        assert!(why("chartreuse").starts_with(
            r#""chartreuse" is no colour. Write #rrggbb or one of: black, red, green,"#
        ));
    }
}
