//! Calls the user when something needs them and they look elsewhere: bell, title, and the terminal's notification. Says who and
//! what kind, never the command.

use std::time::Duration;

use teammate_view::{NeedAlert, NeedNews};

use super::multiplexer::Multiplexer;
use crate::{app::App, terminal::HeldTerminal};

/// Without news from the terminal about its focus, somebody who typed within this time is there.
const THERE: Duration = Duration::from_secs(30);

/// How the terminal shows notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Channel {
    /// OSC 9: iTerm2, WezTerm, Windows Terminal, ghostty.
    Nine,
    /// OSC 99: kitty.
    NinetyNine,
    /// OSC 777: urxvt, foot, VTE.
    SevenSevenSeven,
}

/// The announced needs.
pub(super) struct Notifier {
    news: NeedNews,
    title: String,
    channel: Option<Channel>,
    multiplexer: Multiplexer,
}

impl Notifier {
    pub(super) fn new(app: &App) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let program = std::env::var("TERM_PROGRAM").unwrap_or_default();
        let terminal = std::env::var("TERM").unwrap_or_default();
        let channel = match (program.as_str(), terminal.as_str()) {
            _ if is_set("KITTY_WINDOW_ID") => Some(Channel::NinetyNine),
            ("iTerm.app" | "WezTerm" | "ghostty", _) => Some(Channel::Nine),
            (_, terminal) if terminal.starts_with("foot") || terminal.starts_with("rxvt") => {
                Some(Channel::SevenSevenSeven)
            }
            _ if is_set("VTE_VERSION") => Some(Channel::SevenSevenSeven),
            _ => None,
        };
        Self {
            news: NeedNews::after(app.present().needs()),
            title: String::new(),
            channel,
            multiplexer: Multiplexer::of_environment(),
        }
    }

    /// Looks what is new; gives what the user's own command reads.
    pub(super) fn look(&mut self, app: &App, screen: &HeldTerminal) -> Vec<NeedAlert> {
        let needs = app.present().needs();
        let title = match needs.len() {
            0 => app.setup.team.clone(),
            count => format!("({count}) {}", app.setup.team),
        };
        if title != self.title {
            screen.title(&crate::text::one_line(&title));
            self.title = title;
        }
        let is_away = match app.has_focus {
            Some(has_focus) => !has_focus,
            None => app.last_key.elapsed() > THERE,
        };
        let new = self.news.look(needs);
        if let Some(need) = new.first().filter(|_| is_away) {
            screen.signal(&self.sequence(&need.in_a_sentence()));
        }
        let alerts = new.iter().map(|need| need.alert(&app.setup.team));
        alerts.collect()
    }

    fn sequence(&self, text: &str) -> String {
        let text = crate::text::one_line(text);
        let osc = match self.channel {
            None => return "\u{7}".to_owned(),
            Some(Channel::Nine) => format!("\u{1b}]9;{text}\u{7}"),
            Some(Channel::NinetyNine) => format!("\u{1b}]99;;{text}\u{1b}\\"),
            Some(Channel::SevenSevenSeven) => format!("\u{1b}]777;notify;teammate;{text}\u{7}"),
        };
        format!("\u{7}{}", self.multiplexer.through(&osc))
    }
}
