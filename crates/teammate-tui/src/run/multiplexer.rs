//! tmux and screen, which stand between this program and the terminal, and take sequences for themselves unless they are wrapped.

use base64::Engine as _;

/// The most bytes that screen takes in one string of its own: 768 with its frame
/// (`MAXSTR` of GNU screen up to 4.9).
const SCREEN_STRING_MAX: usize = 700;

/// What the program runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Multiplexer {
    None,
    Tmux,
    Screen,
}

impl Multiplexer {
    /// By what they set in the environment. Over ssh that is not set, and the terminal's sequences go through as they are.
    pub(super) fn of_environment() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        match (is_set("TMUX"), is_set("STY")) {
            (true, _) => Self::Tmux,
            (false, true) => Self::Screen,
            (false, false) => Self::None,
        }
    }

    /// A sequence for the terminal outside, which hears it if the multiplexer hands such ones on.
    pub(super) fn through(self, sequence: &str) -> String {
        match self {
            Self::None => sequence.to_owned(),
            Self::Tmux => {
                let inside = sequence.replace('\u{1b}', "\u{1b}\u{1b}");
                format!("\u{1b}Ptmux;{inside}\u{1b}\\")
            }
            Self::Screen => {
                let mut wrapped = String::new();
                let mut rest = sequence;
                while !rest.is_empty() {
                    let (part, later) = rest.split_at(rest.floor_char_boundary(SCREEN_STRING_MAX));
                    wrapped.push_str(&format!("\u{1b}P{part}\u{1b}\\"));
                    rest = later;
                }
                wrapped
            }
        }
    }

    /// OSC 52: the text for the terminal's clipboard. Nobody says whether it took it. tmux takes a bare one where `set-clipboard`
    /// is `on`, and hands a wrapped one on where `allow-passthrough` is on: it is given both, as nobody knows which of them is.
    pub(super) fn copied(self, text: &str) -> String {
        let text = base64::engine::general_purpose::STANDARD.encode(text);
        let bare = format!("\u{1b}]52;c;{text}\u{7}");
        let wrapped = self.through(&bare);
        match self {
            Self::None | Self::Screen => wrapped,
            Self::Tmux => bare + &wrapped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_reaches_the_terminal_through_what_stands_before_it() {
        let bare = "\u{1b}]52;c;aGk=\u{7}";
        assert_eq!(Multiplexer::None.copied("hi"), bare);
        let tmux = Multiplexer::Tmux.copied("hi");
        assert_eq!(tmux, format!("{bare}\u{1b}Ptmux;\u{1b}{bare}\u{1b}\\"));
        assert_eq!(
            Multiplexer::Screen.copied("hi"),
            format!("\u{1b}P{bare}\u{1b}\\")
        );
        // In pieces that screen has room for, and whole.
        let long = Multiplexer::Screen.copied(&"x".repeat(2_000));
        let pieces: Vec<&str> = long
            .split("\u{1b}\\")
            .filter(|piece| !piece.is_empty())
            .collect();
        assert!(pieces.len() > 3 && pieces.iter().all(|piece| piece.len() <= 768));
        let whole: String = pieces.iter().map(|piece| &piece[2..]).collect();
        assert_eq!(whole, Multiplexer::None.copied(&"x".repeat(2_000)));
    }
}
