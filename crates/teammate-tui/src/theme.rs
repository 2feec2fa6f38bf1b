//! The look of the parts of the screen. Nothing depends on colour alone: signs and words say the same.

use ratatui::style::{Color, Modifier, Style};
use teammate_view::{
    Sign,
    text::TextRole,
    theme::{ThemeColour, ThemePreset as Preset, ThemeSettings},
};

/// A style for each part.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// Rules and what is beside the point.
    pub dim: Style,
    /// Text that stands out.
    pub strong: Style,
    /// Names of members.
    pub name: Style,
    /// Success, and added lines.
    pub good: Style,
    /// Failure, and removed lines.
    pub bad: Style,
    /// Things that need the user.
    pub attention: Style,
    /// Members that wait for a machine.
    pub waits: Style,
    pub code: Style,
    pub chosen: Style,
}

impl Theme {
    /// The theme of a preset.
    pub fn of(preset: Preset) -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let colour = |terminal: Color, dark: Color, light: Color| match preset {
            Preset::Terminal => plain.fg(terminal),
            Preset::Dark => plain.fg(dark),
            Preset::Light => plain.fg(light),
            Preset::Contrast | Preset::None => plain,
        };
        let reversed_in_contrast = |style: Style| match preset {
            Preset::Contrast => style.add_modifier(Modifier::REVERSED),
            Preset::Terminal | Preset::Dark | Preset::Light | Preset::None => style,
        };
        let dim = match preset {
            Preset::Terminal | Preset::None => plain.add_modifier(Modifier::DIM),
            Preset::Dark => plain.fg(Color::Rgb(140, 140, 140)),
            Preset::Light => plain.fg(Color::Rgb(100, 100, 100)),
            Preset::Contrast => plain,
        };
        let name = colour(
            Color::Cyan,
            Color::Rgb(110, 200, 220),
            Color::Rgb(0, 95, 135),
        );
        let good = colour(
            Color::Green,
            Color::Rgb(120, 200, 120),
            Color::Rgb(0, 110, 0),
        );
        let bad = colour(Color::Red, Color::Rgb(240, 120, 120), Color::Rgb(170, 0, 0));
        let attention = colour(
            Color::Yellow,
            Color::Rgb(230, 190, 90),
            Color::Rgb(140, 90, 0),
        );
        let waits = colour(
            Color::Blue,
            Color::Rgb(140, 170, 240),
            Color::Rgb(40, 70, 170),
        );
        let code = colour(
            Color::Magenta,
            Color::Rgb(200, 170, 230),
            Color::Rgb(110, 40, 130),
        );
        Self {
            dim,
            strong: bold,
            name: name.patch(bold),
            good,
            bad: reversed_in_contrast(bad),
            attention: reversed_in_contrast(attention.patch(bold)),
            waits,
            code,
            chosen: plain.add_modifier(Modifier::REVERSED),
        }
    }

    /// The preset that the user wants, with their own colours.
    pub fn new(settings: &ThemeSettings) -> Self {
        let mut theme = Self::of(settings.preset);
        for (part, colour) in [
            (&mut theme.strong, settings.strong),
            (&mut theme.name, settings.name),
            (&mut theme.good, settings.good),
            (&mut theme.bad, settings.bad),
            (&mut theme.attention, settings.attention),
            (&mut theme.waits, settings.waits),
            (&mut theme.code, settings.code),
            (&mut theme.chosen, settings.chosen),
        ] {
            if let Some(colour) = colour {
                *part = part.fg(color(colour));
            }
        }
        // Its own colour takes the place of being dim.
        if let Some(colour) = settings.dim {
            theme.dim = Style::new().fg(color(colour));
        }
        theme
    }

    /// How a place looks that was looked for, on whatever is there.
    pub(crate) fn found(&self) -> Style {
        self.attention
            .add_modifier(Modifier::REVERSED | Modifier::UNDERLINED)
    }

    /// How a piece of text looks.
    pub fn role(&self, role: TextRole) -> Style {
        match role {
            TextRole::Plain => Style::new(),
            TextRole::Strong | TextRole::Heading => self.strong,
            TextRole::Emphasis => Style::new().add_modifier(Modifier::ITALIC),
            TextRole::Code => self.code,
            TextRole::Link => self.name.add_modifier(Modifier::UNDERLINED),
            TextRole::Quote | TextRole::Dim | TextRole::Place => self.dim,
            TextRole::Struck => self.dim.add_modifier(Modifier::CROSSED_OUT),
            TextRole::Added | TextRole::Good => self.good,
            TextRole::Removed | TextRole::Bad => self.bad,
            TextRole::Name => self.name,
        }
    }

    /// How a member's sign looks.
    pub fn sign(&self, sign: Sign) -> Style {
        match sign {
            Sign::NeedsYou => self.attention,
            Sign::Failed => self.bad,
            Sign::Works => self.good,
            Sign::Waits => self.waits,
            Sign::Rests => self.dim,
        }
    }
}

fn color(colour: ThemeColour) -> Color {
    match colour {
        ThemeColour::Ansi(number) => Color::Indexed(number),
        ThemeColour::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_of_the_users_takes_the_place_of_one_of_the_preset() {
        let settings = ThemeSettings {
            preset: Preset::Dark,
            dim: Some(ThemeColour::Ansi(8)),
            name: Some(ThemeColour::Rgb(1, 2, 3)),
            ..ThemeSettings::default()
        };
        let (own, preset) = (Theme::new(&settings), Theme::of(Preset::Dark));
        assert_eq!(own.dim, Style::new().fg(Color::Indexed(8)));
        assert_eq!(own.name, preset.name.fg(Color::Rgb(1, 2, 3)));
        assert_eq!((own.good, own.chosen), (preset.good, preset.chosen));
        let contrast = Theme::of(Preset::Contrast);
        assert_eq!(contrast.dim, Style::new(), "nothing is dim");
        let is_reversed = |style: Style| style.add_modifier.contains(Modifier::REVERSED);
        assert!(is_reversed(contrast.attention) && is_reversed(contrast.bad));
        let none = Theme::new(&ThemeSettings {
            preset: Preset::None,
            ..ThemeSettings::default()
        });
        assert_eq!(none, Theme::of(Preset::None));
    }
}
